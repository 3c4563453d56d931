"""`mapagent provider check`: what it prints, and how it ends."""

import json
from pathlib import Path

import pytest

from tests.support.cli import CommandLine
from tests.support.sample_provider import FOLDER, install

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
