"""The list of commands, which loads none of them."""

import subprocess
import sys

import pytest

from mapagent.faces.cli.command import BUILT_IN
from mapagent.plugins import entry_points
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
        "from mapagent.faces.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "unwanted = ('mapagent.faces.cli.ask', 'evals', 'fastapi', 'uvicorn', 'starlette', 'pydantic', 'numpy')\n"
        "print(sorted(name for name in sys.modules if name.startswith(unwanted)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"
