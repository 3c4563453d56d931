"""Generated questions of words for tags against the extract itself: pyosmium, shapely and pyproj, nothing of ours."""

import json
import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import pytest

from evals.generate.cli import TAGS
from evals.generate.tags.generator import generate, load_words
from evals.suites.tags import Tags
from evals.worlds.maps import ListedPlace, build_place_map
from map_tools.errors import LimitError
from map_tools.maps.home import MapHome
from tests.evals.generate.gsqa.extract import Object, objects
from tests.support.data import demo_extract
from tests.support.maps import demo_map

EACH = {"kind": 4, "one": 10, "two": 6}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    out = tmp_path_factory.mktemp("made") / "benchmark"
    assert generate(demo_map(), EACH, 5, out)["given_up"] == {}
    assert len(Tags().load(out, "fair")) == sum(EACH.values())
    found: list[dict[str, Any]] = json.loads((out / "dataset.json").read_text())
    return found


def has(one: Object, tag: dict[str, Any]) -> bool:
    return any(part.strip() in tag["values"] for part in one.tags.get(tag["key"], "").split(";"))


def test_right_are_all_features_in_range_that_have_the_tags(records: list[dict[str, Any]]) -> None:
    every = list(objects(demo_extract()))
    named = {one.tags["name"].strip(): one for one in every if "name" in one.tags}
    for record in records:
        (radius_m,) = map(float, re.findall(r"\b(300|500|800|1200)\b", record["question"]))
        anchors = [one for name, one in named.items() if name in record["question"]]
        anchor = max(anchors, key=lambda one: len(one.tags["name"])).shape
        wanted = [record["kind"], *record["qualities"]]
        inside = {
            one.osm
            for one in every
            if all(has(one, tag) for tag in wanted) and min(one.distances_m(anchor.x, anchor.y)) <= radius_m
        }
        assert inside == set(record["right"]), record["question"]


def test_families_ask_for_so_many_qualities(records: list[dict[str, Any]]) -> None:
    assert [len(record["qualities"]) for record in records] == [0] * 4 + [1] * 10 + [2] * 6


def test_equal_seeds_make_equal_questions(tmp_path: Path) -> None:
    one, same, other = (
        generate(demo_map(), EACH, seed, tmp_path / name)["sha256"]
        for seed, name in ((5, "a"), (5, "b"), (6, "c"))
    )
    assert one == same != other


def test_all_words_are_of_kinds_and_their_qualities() -> None:
    words = load_words()
    used = {name for kind in words.kinds for name in kind.qualities}
    assert used == set(words.qualities)


def test_a_map_with_nothing_to_ask(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    listed = [ListedPlace(60.0, 25.0, {"name": "Old Mill", "historic": "mill"})]
    build_place_map(listed, name="little", home=home, source="a test", attribution="nobody")
    with pytest.raises(LimitError, match="no question"):
        generate(home.path("little"), EACH, 0, tmp_path / "out")


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = ArgumentParser()
    TAGS.configure(parser)
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "helsinki").symlink_to(demo_map())
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    arguments = ["--map", "helsinki", "--n", "7", "--out", str(tmp_path / "out")]
    assert TAGS.run(parser.parse_args(arguments)) == 0
    assert "7 questions about the map 'helsinki'" in capsys.readouterr().out
