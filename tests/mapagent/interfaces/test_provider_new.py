"""`mapagent provider new` and the guide: from nothing to a provider that keeps the contract."""

import asyncio
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.interfaces.cli.show import as_record, as_text
from tests.support.cli import CommandLine
from tests.support.sample_provider import FOLDER, install

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "add-a-provider.md"
FILE = re.compile(r"^`(atlas/[\w.]+)`:\n\n```\w+\n(.*?)```$", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"^```console\n(.*?)```$", re.DOTALL | re.MULTILINE)


def guide_files() -> dict[str, str]:
    """The files the guide shows, by their name."""
    return dict(FILE.findall(GUIDE.read_text("utf-8")))


def commands() -> list[list[str]]:
    """The lines the guide has typed."""
    blocks = CONSOLE.findall(GUIDE.read_text("utf-8"))
    return [line.split() for block in blocks for line in block.splitlines()]


def checked(ran: Any) -> dict[str, str]:
    """The outcome of each check."""
    return {each["check"]: each["outcome"] for each in json.loads(ran.out)["findings"]}


def test_the_guide_as_it_is_written(
    mapagent: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command is run, every file is written, in the guide's order."""
    monkeypatch.chdir(tmp_path)
    new, pip, first_check, *last = commands()
    assert mapagent(*new[1:]).code == 0
    assert pip[:3] == ["pip", "install", "--editable"]
    install(tmp_path / pip[3], tmp_path / "site", monkeypatch)
    unfinished = mapagent(*first_check[1:])
    assert unfinished.code == 1
    assert "FAILED  terms" in unfinished.out
    assert "find_place yet" in unfinished.out
    for name, text in guide_files().items():
        (tmp_path / "atlas" / name).write_text(text, "utf-8")
    install(tmp_path / "atlas", tmp_path / "again", monkeypatch)
    for command in last:
        assert mapagent(*command[1:]).code == 0


def test_the_guide_shows_the_sample_package() -> None:
    files = {
        f"atlas/{path.name}": path.read_text("utf-8")
        for path in (FOLDER / "atlas").iterdir()
        if path.is_file() and path.name != "__init__.py"
    }
    assert guide_files() == files


def test_a_new_package_is_clean_and_its_check_says_what_is_left(
    mapagent: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = mapagent("provider", "new", "town-maps", "--to", tmp_path)
    package = tmp_path / "town-maps"
    assert ran.code == 0
    assert f"wrote {package / 'town_maps' / 'provider.py'}" in ran.out
    for arguments in (["check"], ["format", "--check"]):
        subprocess.run([sys.executable, "-m", "ruff", *arguments, "--no-cache", "."], cwd=package, check=True)
    assert not [path for path in package.rglob("*") if "@" in path.name or "@NAME@" in _text(path)]
    install(package, tmp_path / "site", monkeypatch)
    outcomes = checked(mapagent("provider", "check", "town-maps", "--json"))
    assert outcomes["interface"] == outcomes["facts-exist"] == "passed"
    assert {outcomes[each] for each in ("terms", "known-names", "nearby-types")} == {"failed"}
    without_key = mapagent("ask", "Which cafe is nearest to the museum?", "--provider", "town-maps")
    assert (without_key.code, "Set TOWN_MAPS_KEY." in without_key.err) == (2, True)


def test_a_new_package_passes_its_own_tests(mapagent: CommandLine, tmp_path: Path) -> None:
    assert mapagent("provider", "new", "town-maps", "--to", tmp_path).code == 0
    assert "1 xfailed" in _tested(tmp_path / "town-maps")


@pytest.mark.slow
def test_a_new_package_has_whole_types(mapagent: CommandLine, tmp_path: Path) -> None:
    assert mapagent("provider", "new", "town-maps", "--to", tmp_path).code == 0
    package = tmp_path / "town-maps"
    mypy = [sys.executable, "-m", "mypy", "--cache-dir", tmp_path / "types", "town_maps", "tests"]
    subprocess.run(mypy, cwd=package, check=True, env=_with_path(package), stdout=subprocess.DEVNULL)


def test_a_finished_package_is_told_to_take_its_mark_away(mapagent: CommandLine, tmp_path: Path) -> None:
    assert mapagent("provider", "new", "atlas", "--to", tmp_path).code == 0
    package = tmp_path / "atlas"
    for name, text in guide_files().items():
        (package / name).write_text(text, "utf-8")
    assert "XPASS(strict)" in _tested(package, code=1)
    test = package / "tests" / "test_contract.py"
    lines = [line for line in test.read_text("utf-8").splitlines() if "xfail" not in line]
    test.write_text("\n".join(lines), "utf-8")
    assert "1 passed" in _tested(package)


def _tested(package: Path, code: int = 0) -> str:
    """What the package's tests say, run as its author runs them."""
    command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        command, cwd=package, env=_with_path(package), capture_output=True, text=True, check=False
    )
    assert ran.returncode == code, ran.stdout
    return ran.stdout


def _with_path(package: Path) -> dict[str, str]:
    """An environment in which the package can be imported, as after `pip install --editable`."""
    root = Path(__file__).resolve().parents[3]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (package, root)))}


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Bad Name", "cannot be the name"),
        ("../up", "cannot be the name"),
        ("x--y", "cannot be the name"),
        ("osm", "There is a provider 'osm' already"),
        ("taken", "already"),
    ],
)
def test_wrong_names(mapagent: CommandLine, tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "taken").mkdir()
    ran = mapagent("provider", "new", name, "--to", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_a_folder_that_cannot_be_written(mapagent: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = mapagent("provider", "new", "mine", "--to", tmp_path / "file")
    assert (ran.code, "--to" in ran.err) == (2, True)


def test_questions_are_answered_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(FOLDER, tmp_path / "site", monkeypatch)
    from atlas.provider import AtlasProvider
    from atlas.stand_in import StandIn

    async def ask(text: str) -> Answer:
        async with MapAgent(provider=AtlasProvider(StandIn())) as agent:
            return await agent.ask(text)

    answer = asyncio.run(ask("Which cafe is nearest to Lighthouse Museum?"))
    assert answer.text.startswith("Tide Cafe")
    assert as_text(answer).splitlines()[-1] == "© Atlas (to be drawn over Atlas maps only)"
    record = as_record(answer)
    assert (record["attribution"], record["base_map"]) == ("© Atlas", "Atlas")
