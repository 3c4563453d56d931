"""The list of commands, which loads none of them."""

import subprocess
import sys

import pytest

from mapagent.interfaces.cli.command import BUILT_IN
from mapagent.runtime.plugins import entry_points
from tests.support.cli import CommandLine


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_command_says_what_the_list_says_of_it(name: str) -> None:
    (entry,) = (entry for entry in entry_points("mapagent.commands") if entry.name == name)
    assert entry.load().help == BUILT_IN[name]


def test_every_command_of_ours_is_listed(mapagent: CommandLine) -> None:
    listed = mapagent("--help").out
    assert all(f"    {name} " in listed and words in listed for name, words in BUILT_IN.items())
    ours = {entry.name for entry in entry_points("mapagent.commands")}
    assert BUILT_IN.keys() <= ours


def test_the_list_loads_no_command_and_nothing_that_they_need() -> None:
    script = (
        "import sys\n"
        "from mapagent.interfaces.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "unwanted = ('mapagent.interfaces.cli.ask', 'evals', 'fastapi', 'uvicorn', 'starlette', 'pydantic', 'numpy')\n"
        "print(sorted(name for name in sys.modules if name.startswith(unwanted)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (("map", "lst"), "there is no 'lst'. Did you mean `list`?"),
        (("places", "remoev", "home"), "Did you mean `remove`?"),
        (("map", "xyzzy"), "invalid choice: 'xyzzy' (choose from 'add'"),
    ],
)
def test_a_misspelt_action_is_met_with_the_one_that_is_meant(
    mapagent: CommandLine, asked: tuple[str, ...], meant: str
) -> None:
    ran = mapagent(*asked)
    assert ran.code == 2
    assert meant in ran.err


@pytest.mark.parametrize(
    "asked",
    [
        ("ask", "Where is Kiasma?", "--map", "helsinky"),
        ("places", "add", "work", "Kiasma", "--map", "helsinky"),
        ("map", "remove", "helsinky"),
        ("map", "update", "helsinky"),
    ],
)
def test_a_misspelt_map_is_met_with_the_one_that_is_meant(
    mapagent: CommandLine, demo: None, asked: tuple[str, ...]
) -> None:
    ran = mapagent(*asked)
    assert ran.code == 2
    assert "There is no map 'helsinky'." in ran.err
    assert "Did you mean `helsinki`?" in ran.err
    assert "Did you mean" not in mapagent(*(word.replace("helsinky", "zzz") for word in asked)).err
