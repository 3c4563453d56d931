"""The generator as a whole: its files, its balance, its seeds, and what it refuses."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from string import Formatter

import osmium
import pytest

from evals.generate.mapeval.draft import WordingSet, distance_text, duration_text, load_wordings
from evals.generate.mapeval.generator import FAMILIES, Generator, generate
from evals.generate.travel import COSTING
from evals.generate.world import read_week
from evals.suites.mapeval import read_mapeval
from map_tools.errors import LimitError, UsageError
from map_tools.maps.home import MapHome
from map_tools.maps.making.ingest import add_map
from map_tools.maps.synth import synth
from map_tools.providers.osm import OsmProvider
from mapagent.core.agent import MapAgent
from tests.evals.generate.oracle import COUNT, SEED, bench
from tests.support.cli import CommandLine, snapshot
from tests.support.maps import demo_map

SETS: tuple[WordingSet, ...] = ("base", "more", "fresh")


@pytest.fixture
def mapagent(capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(home))
    return CommandLine(capsys)


def roadless(home: Path, size: int) -> Path:
    """A made-up map without routing."""
    maps = MapHome(home)
    return maps.path(synth(seed=1, size=size, home=maps, name="town", roads=False).name)


def test_the_suite_reads_what_was_made() -> None:
    records = read_mapeval(bench().folder)
    assert len(records) == COUNT
    assert not any(record.defect for record in records)


def test_options_are_different_and_one_is_right() -> None:
    for case in bench().cases:
        assert len(set(case.options)) == len(case.options)
        assert len(case.options) == (2 if case.family == "open_at" else 4)
        assert (case.correct == -1) == (case.family in FAMILIES["unanswerable"])
        assert "{" not in case.text


def test_the_right_option_stands_anywhere() -> None:
    places = Counter(case.correct for case in bench().cases if len(case.options) == 4 and case.correct >= 0)
    assert set(places) == {0, 1, 2, 3}
    assert max(places.values()) < 0.5 * sum(places.values())


def test_categories_have_equal_shares_and_all_families_a_turn() -> None:
    shares = Counter(record.category for record in read_mapeval(bench().folder))
    assert shares == dict.fromkeys(("poi", "nearby", "routing", "trip", "unanswerable"), COUNT // 5)
    manifest = json.loads((bench().folder / "manifest.json").read_text("utf-8"))
    families = {family for known in FAMILIES.values() for family in known}
    assert {case.family for case in bench().cases} | manifest["given_up"].keys() == families


def test_questions_do_not_repeat() -> None:
    assert len({(case.text, frozenset(case.options)) for case in bench().cases}) == COUNT


def test_truths_explain_themselves() -> None:
    lines = (bench().folder / "truth.jsonl").read_text("utf-8").splitlines()
    assert all(json.loads(line)["why"] and json.loads(line)["osm"] for line in lines)


def test_equal_seeds_make_equal_files(tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("same", 3), ("other", 4)):
        generate(demo_map(), 15, seed, tmp_path / name)
    one, same, other = (snapshot(tmp_path / name) for name in ("one", "same", "other"))
    assert one == same
    assert one["dataset.json"] != other["dataset.json"]


def test_the_manifest_tells_the_source_and_the_hash() -> None:
    manifest = json.loads((bench().folder / "manifest.json").read_text("utf-8"))
    assert manifest["sha256"] == snapshot(bench().folder)["dataset.json"]
    assert (manifest["n"], manifest["seed"], manifest["wordings"]) == (COUNT, SEED, "all")
    assert "OpenStreetMap" in manifest["attribution"]


def test_families_without_material_are_listed(tmp_path: Path) -> None:
    manifest = generate(roadless(tmp_path / "maps", 600), 12, 1, tmp_path / "out")
    assert FAMILIES["routing"].keys() | FAMILIES["trip"].keys() <= manifest["given_up"].keys()
    assert {record.category for record in read_mapeval(tmp_path / "out")} == {"poi", "nearby", "unanswerable"}


def test_a_map_with_few_names_is_refused(tmp_path: Path) -> None:
    extract = tmp_path / "hamlet.osm.pbf"
    writer = osmium.SimpleWriter(str(extract))
    for number in range(1, 6):
        tags = {"name": f"Wayside {'ABCDE'[number - 1] * 3}", "amenity": "cafe"}
        writer.add_node(osmium.osm.mutable.Node(id=number, location=(9.5 + number / 1000, 47.1), tags=tags))
    writer.close()
    maps = MapHome(tmp_path / "maps")
    with pytest.raises(UsageError, match="has only 5 places"):
        Generator(maps.path(add_map(extract, name="hamlet", home=maps).name), seed=1)


def test_more_than_the_map_gives_is_refused_and_nothing_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    families = {"poi": {"closes_at": FAMILIES["poi"]["closes_at"]}}
    monkeypatch.setattr("evals.generate.mapeval.generator.FAMILIES", families)
    with pytest.raises(LimitError, match="no more than"):
        generate(roadless(tmp_path / "maps", 60), 10_000, 1, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "dataset.json").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for name, message in (("full", "is not empty"), ("file", "is not a folder")):
        with pytest.raises(UsageError, match=message):
            generate(demo_map(), 5, 1, tmp_path / name)
    assert (tmp_path / "full" / "dataset.json").read_text() == "mine"


def test_from_the_command_line(mapagent: CommandLine, tmp_path: Path, home: Path) -> None:
    (home / "maps").mkdir(parents=True)
    (home / "maps" / "helsinki").symlink_to(demo_map().resolve())
    out = tmp_path / "out"
    ran = mapagent(
        "generate", "mapeval", "--map", "helsinki", "--n", "10", "--wordings", "more", "--out", out
    )
    assert ran.code == 0, ran.err
    assert "10 questions about the map 'helsinki'" in ran.out
    assert "OpenStreetMap contributors" in ran.out
    again = mapagent("generate", "mapeval", "--map", "helsinki", "--out", out)
    assert again.code == 2
    assert str(out) in again.err


def test_an_unknown_map_is_refused(mapagent: CommandLine, tmp_path: Path) -> None:
    ran = mapagent("generate", "mapeval", "--map", "atlantis", "--out", tmp_path / "out")
    assert ran.code == 2
    assert "atlantis" in ran.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("which", SETS)
def test_wordings_of_a_family_have_the_slots_of_its_questions(which: WordingSet) -> None:
    wordings = load_wordings(which)
    families = {family for known in FAMILIES.values() for family in known}
    assert wordings.families.keys() == families
    assert wordings.moves.keys() == COSTING.keys()
    known = {
        family: {slot for one in texts for slot in _slots(one.text)}
        for family, texts in load_wordings("base").families.items()
    }
    optional = {"kind", "kinds", "day", "move"}
    for family, texts in wordings.families.items():
        for one in texts:
            assert _slots(one.text) - optional <= known[family], one.id


def test_all_wordings_are_those_of_all_sets() -> None:
    every = load_wordings("all").families
    for family, texts in every.items():
        base, more, fresh = (load_wordings(which).families[family] for which in SETS)
        assert texts == (*base, *more, *fresh)
        assert len({one.text for one in texts}) == len(texts)


def _slots(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(59, "1 min"), (2820, "47 mins"), (3600, "1 hour"), (4380, "1 hour 13 mins"), (7230, "2 hours")],
)
def test_durations_in_words(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(("meters", "text"), [(418, "420 m"), (1000, "1.0 km"), (3449, "3.4 km")])
def test_distances_in_words(meters: float, text: str) -> None:
    assert distance_text(meters) == text


@pytest.mark.parametrize(
    ("written", "week"),
    [
        ("24/7", ((0, 1440),) * 7),
        ("Mo-Fr 09:00-18:00; Sa 10:00-16:00", (*((540, 1080),) * 5, (600, 960), None)),
        ("Sa-Mo 10:00-12:00", ((600, 720), *(None,) * 4, (600, 720), (600, 720))),
        ("10:00-24:00", ((600, 1440),) * 7),
        ("Mo-Fr 09:00-12:00,13:00-18:00", None),
        ("Fr 20:00-02:00", None),
        ("Mo-Fr 09:00-18:00; PH off", None),
        ("Mo-Su 09:00-18:00; Sa 10:00-16:00", None),
        ("by appointment", None),
    ],
)
def test_weekly_hours_are_read_in_their_simplest_form_only(
    written: str, week: tuple[tuple[int, int] | None, ...] | None
) -> None:
    assert read_week(written) == week


SYNTHETIC_COUNT = 40
MOST_WRONG = 2
"""The agent may refuse what it does not understand."""


@pytest.fixture(scope="module")
def city(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The map's folder."""
    home = MapHome(tmp_path_factory.mktemp("maps"))
    return home.path(synth(seed=21, size=2_500, home=home, name="city").name)


def test_all_families_find_material(city: Path, tmp_path: Path) -> None:
    manifest = generate(city, SYNTHETIC_COUNT, 4, tmp_path / "questions")
    assert manifest["given_up"] == {}
    assert manifest["attribution"] == "Synthetic data (public domain)"
    lines = (tmp_path / "questions" / "truth.jsonl").read_text("utf-8").splitlines()
    families = Counter(json.loads(line)["family"] for line in lines)
    known = {family for category in FAMILIES.values() for family in category}
    assert families.keys() <= known
    assert len(families) > 15


def test_the_agent_answers_them(city: Path, tmp_path: Path) -> None:
    generate(city, SYNTHETIC_COUNT, 5, tmp_path / "questions")
    records = json.loads((tmp_path / "questions" / "dataset.json").read_text("utf-8"))

    async def wrong() -> list[str]:
        async with MapAgent(provider=OsmProvider.open(city)) as agent:
            return [
                record["question"]
                for record in records
                if not await _is_right(agent, record["question"], record["answer"])
            ]

    assert len(asyncio.run(wrong())) <= MOST_WRONG


async def _is_right(agent: MapAgent, question: str, key: dict[str, object]) -> bool:
    options = key["options"]
    assert isinstance(options, list)
    answer = await agent.ask(question, options=tuple(options))
    return (-1 if answer.option_index is None else answer.option_index) == key["correct"]
