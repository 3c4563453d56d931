"""`mapagent provider`: what `new` writes, what `check` prints, and how they end."""

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


HARBOUR = Path(__file__).resolve().parents[2] / "fixtures" / "worlds" / "harbour.json"
PROVIDERS = """
[mapagent.providers]
careless = tests.mapagent.interfaces.careless:Careless
unfinished = tests.mapagent.interfaces.careless:Unfinished
remote = tests.mapagent.interfaces.careless:Remote
"""


@pytest.fixture
def careless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "site" / "careless-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: careless\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(PROVIDERS)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))


def test_a_provider_that_keeps_the_contract(mapagent: CommandLine) -> None:
    ran = mapagent("provider", "check", f"recorded:{HARBOUR}")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Provider recorded, map harbour\n")
    assert "\nok      axis-order " in ran.out
    assert "FAILED" not in ran.out
    assert " 0 failed, " in ran.out
    rows = {line.split()[0]: line.split()[1:] for line in ran.out.splitlines() if line}
    assert rows["mode"] == ["declared", "route", "steps", "alternatives", "waypoints", "matrix"]
    assert rows["walking"] == ["yes", "yes", "no", "no", "no", "yes"]
    assert rows["transit"] == ["no"] * 6
    assert "terms      © The harbour town's mapmakers (https://example.org/terms)" in ran.out
    assert "draw on    any map" in ran.out


def test_json(mapagent: CommandLine) -> None:
    ran = mapagent("provider", "check", f"recorded:{HARBOUR}", "--json")
    record = json.loads(ran.out)
    assert (ran.code, record["passed"], record["provider"], record["map"]) == (0, True, "recorded", "harbour")
    assert sum(record["counts"].values()) == len(record["findings"])
    assert set(record["findings"][0]) == {"check", "sentence", "outcome", "seen", "remedy"}
    assert record["capabilities"]["modes"]["driving"]["route"] is True
    assert record["capabilities"]["terms"]["attribution_url"] == "https://example.org/terms"


@pytest.mark.usefixtures("demo")
def test_the_default_provider_with_the_last_map(mapagent: CommandLine) -> None:
    ran = mapagent("provider", "check", "osm")
    assert ran.code == 0
    assert ran.out.startswith("Provider osm, map helsinki\n")


@pytest.mark.usefixtures("careless")
def test_a_provider_that_does_not(mapagent: CommandLine) -> None:
    ran = mapagent("provider", "check", "careless")
    assert ran.code == 1
    failed = [line.split()[1] for line in ran.out.splitlines() if line.startswith("FAILED")]
    assert failed == ["nearby-distances"]
    assert "m away and says" in ran.out
    assert "→ Compute them with map_tools.compute.geodesy.distance_m" in ran.out
    assert mapagent("provider", "check", "careless", "--json").code == 1


@pytest.mark.usefixtures("careless")
def test_what_is_no_provider_yet(mapagent: CommandLine, tmp_path: Path) -> None:
    sample = tmp_path / "sample.toml"
    sample.write_text((FOLDER / "atlas" / "sample.toml").read_text("utf-8"))
    ran = mapagent("provider", "check", "unfinished", "--sample", sample)
    assert ran.code == 1
    assert "FAILED  interface" in ran.out
    assert "missing: " in ran.out
    assert "1 checks: 0 passed, 1 failed" in ran.out


@pytest.mark.usefixtures("careless")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "There is no provider 'nothing'"),
        (["recorded:no-such-world.json"], "no-such-world.json"),
        (["recorded:" + str(HARBOUR), "--sample", "none.toml"], "none.toml"),
        (["remote"], "Add --live"),
        (["remote", "--live"], "--sample"),
        (["google", "--live"], "MAPAGENT_GOOGLE_KEY"),
        (["google"], "mapagent map add"),
    ],
)
def test_wrong_use(mapagent: CommandLine, arguments: list[str], words: str) -> None:
    ran = mapagent("provider", "check", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_a_package_of_somebody_else(
    mapagent: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(FOLDER, tmp_path / "site", monkeypatch)
    assert "atlas" in mapagent("provider", "list").out
    ran = mapagent("provider", "check", "atlas", "--json")
    record = json.loads(ran.out)
    skipped = {each["check"] for each in record["findings"] if each["outcome"] == "not applicable"}
    left = {"cheap-names", "secrets", "shapes", "narrow-names", "everywhere", "reach"}
    assert (ran.code, record["passed"], skipped) == (0, True, left)
    assert record["capabilities"]["terms"]["base_map"] == "Atlas"
    without_key = mapagent("provider", "check", "atlas", "--live")
    assert (without_key.code, "ATLAS_KEY" in without_key.err) == (2, True)
