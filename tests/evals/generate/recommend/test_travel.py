"""Generated wishes against the guide itself: pyproj, shapely and the extract, nothing of the generator's."""

import asyncio
import json
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shapely
from pyproj import Geod, Transformer

from evals.generate.cli import RECOMMEND
from evals.generate.recommend.generator import generate_beside, generate_travel
from evals.suites.recommend import Recommend
from map_tools.errors import LimitError, UsageError
from map_tools.maps.home import MapHome
from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng, TravelMode
from mapagent.runtime.config import Settings
from tests.evals.generate.gsqa.extract import objects, tagged
from tests.evals.generate.recommend.guide import wikivoyage
from tests.support.data import demo_extract, shared
from tests.support.maps import demo_map

EACH = 6
GEOD = Geod(ellps="WGS84")
PLANE = Transformer.from_crs(4326, 32635, always_xy=True).transform
"""UTM zone 35, which Helsinki lies in: lengths right within 0.04 %."""
STATED = {
    "near": 1000,
    "close by": 1000,
    "walking distance": 2000,
    "not too far": 3000,
    "8 to 10 block": 1500,
}
KIND = {"restaurant": "eat", "bar": "drink", "hotel": "sleep", "sight": "see"}

type Records = list[dict[str, Any]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def made(home: Path) -> Path:
    guide = wikivoyage(home / "guide.jsonl")
    generate_travel(
        guide,
        "wikivoyage",
        {},
        name="guide",
        home=MapHome(home / "maps"),
        each=EACH,
        seed=5,
        out=home / "made",
        extract=demo_extract(),
    )
    return home / "made"


@pytest.fixture(scope="module")
def records(made: Path) -> Records:
    found: Records = json.loads((made / "dataset.json").read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def listed(home: Path) -> dict[str, dict[str, Any]]:
    """The guide's listings by name, as written."""
    lines = (home / "guide.jsonl").read_text("utf-8").splitlines()
    return {record["name"]: record for record in map(json.loads, lines)}


@pytest.fixture(scope="module")
def spots(listed: dict[str, dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Where everything lies that a wish may be measured from: (longitude, latitude) by name."""
    named = [one for one in objects(demo_extract()) if "name" in one.tags and one.osm.startswith("n")]
    return {one.tags["name"].strip(): (one.shape.x, one.shape.y) for one in named} | {
        name: (one["lon"], one["lat"]) for name, one in listed.items()
    }


def of(records: Records, family: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The wishes of a family, each with the kind it asks for."""
    found = [record for record in records if record["family"] == family]
    assert len(found) == EACH
    for record in found:
        (word,) = [word for word in KIND if re.search(rf"\b{word}\b", record["question"])]
        yield record, KIND[word]


def test_around_a_point(
    records: Records, listed: dict[str, dict[str, Any]], spots: dict[str, tuple[float, float]]
) -> None:
    for record, kind in of(records, "point"):
        anchor = _anchors(record["question"], spots)[0]
        stated = re.search(r"(\d+) m from", record["question"])
        limit = (
            int(stated[1]) if stated else next(m for word, m in STATED.items() if word in record["question"])
        )
        inside = {
            name
            for name, one in listed.items()
            if one["kind"] == kind
            and name != anchor
            and GEOD.inv(*spots[anchor], one["lon"], one["lat"])[2] <= limit
        }
        assert inside == set(record["lies"]), record["id"]


def test_along_a_way(
    home: Path, records: Records, listed: dict[str, dict[str, Any]], spots: dict[str, tuple[float, float]]
) -> None:
    provider = OsmProvider.open(home / "maps" / "guide")
    try:
        for record, kind in of(records, "route"):
            ends = _anchors(record["question"], spots)
            assert len(ends) == 2
            stated = re.search(r"(\d+) m ", record["question"])
            limit = int(stated[1]) if stated else 500
            start, end = (LatLng(lat=lat, lng=lng) for lng, lat in (spots[name] for name in ends))
            (way, *_) = asyncio.run(provider.directions(start, end, mode=TravelMode.WALKING))
            line = shapely.LineString([PLANE(point.lng, point.lat) for point in way.geometry])
            inside = {
                name
                for name, one in listed.items()
                if one["kind"] == kind
                and name not in ends
                and line.distance(shapely.Point(PLANE(one["lon"], one["lat"]))) <= limit
            }
            assert inside == set(record["lies"]), record["id"]
    finally:
        asyncio.run(provider.close())


def test_inside_a_region(tmp_path: Path) -> None:
    extract = shared("osm/helsinki-centre-2019-04-21.osm.pbf")
    guide = wikivoyage(tmp_path / "guide.jsonl")
    arguments = {"name": "quarters", "home": MapHome(tmp_path / "maps"), "each": EACH, "extract": extract}
    generate_travel(guide, "wikivoyage", {}, seed=5, out=tmp_path / "made", **arguments)
    records = json.loads((tmp_path / "made" / "dataset.json").read_text("utf-8"))
    listed = [json.loads(line) for line in guide.read_text("utf-8").splitlines()]
    quarters = {
        one.tags["name"]: one.shape for one in tagged(extract, "admin_level=10") if "name" in one.tags
    }
    for record, kind in of(records, "region"):
        (name,) = [name for name in quarters if re.search(rf"\b{name}\b", record["question"])]
        inside = {
            one["name"]
            for one in listed
            if one["kind"] == kind and quarters[name].contains(shapely.Point(one["lon"], one["lat"]))
        }
        assert inside == set(record["lies"]), record["id"]


def test_grades_say_how_much_of_the_wish_is_fulfilled(made: Path, records: Records) -> None:
    asked = [json.loads(line) for line in (made / "truth.jsonl").read_text("utf-8").splitlines()]
    for record, truth in zip(records, asked, strict=True):
        full = {name for name, grade in record["grades"].items() if grade == 2}
        parts = [
            set(record["lies"]),
            set(record["alike"]),
            *([set(record["surrounded"])] if "surrounded" in record else []),
        ]
        assert full == set.intersection(*parts), record["id"]
        assert 1 <= len(full) <= len(record["lies"]) / 2
        assert set(record["grades"]) <= set(record["lies"])
        assert record["question"].count("None") == 0
        assert truth["facets"]


def test_the_texts_that_the_map_shows_state_no_facet(home: Path) -> None:
    provider = OsmProvider.open(home / "maps" / "guide")
    try:
        (found,) = asyncio.run(provider.find_place("Moss House", limit=1))
        assert "description" in found.place.attributes
        nearby = asyncio.run(
            provider.nearby(
                LatLng(lat=60.17, lng=24.94), radius_m=5000, categories=("restaurant",), limit=None
            )
        )
    finally:
        asyncio.run(provider.close())
    assert all(" House " in item.place.name for item in nearby)  # the extract's own restaurants are gone
    shown = " ".join(item.place.attributes["description"] for item in nearby)
    assert not re.search(r"quiet|jazz|wine|kids|patio|romantic|Upscale", shown)


def test_equal_seeds_make_equal_wishes_and_the_suite_reads_them(
    home: Path, made: Path, tmp_path: Path
) -> None:
    arguments = {"name": "again", "home": MapHome(tmp_path / "maps"), "each": EACH, "extract": demo_extract()}
    again = generate_travel(
        home / "guide.jsonl", "wikivoyage", {}, seed=5, out=tmp_path / "again", **arguments
    )
    manifest = json.loads((made / "manifest.json").read_text("utf-8"))
    assert again["withheld_sha256"] == manifest["withheld_sha256"]
    texts = [(folder / "dataset.json").read_text("utf-8") for folder in (made, tmp_path / "again")]
    assert texts[0].replace('"guide-', '"again-') == texts[1]
    suite = Recommend()
    assert len(suite.load(made, "fair")) == manifest["n"] == 2 * EACH
    provider = suite.provider(made, Settings(data_home=home))
    assert provider is not None
    assert provider.map_name == "guide"
    asyncio.run(provider.close())


def test_beside_the_places_of_a_map(tmp_path: Path) -> None:
    manifest = generate_beside(demo_map(), each=EACH, seed=2, out=tmp_path / "made")
    items = Recommend().load(tmp_path / "made", "fair")
    assert (manifest["n"], len(items)) == (2 * EACH, 2 * EACH)
    assert all(item.gold.whole for item in items)


def test_what_cannot_be_made_is_told(tmp_path: Path) -> None:
    guide = wikivoyage(tmp_path / "g.jsonl")
    arguments = {"name": "g", "home": MapHome(tmp_path / "maps"), "each": 1, "seed": 1, "out": tmp_path / "o"}
    with pytest.raises(LimitError, match="has no such listing"):
        generate_travel(guide, "wikivoyage", {"city": "Atlantis"}, **arguments)
    sparse = wikivoyage(tmp_path / "few.jsonl", count=3)
    with pytest.raises(LimitError, match="no wish at all"):
        generate_travel(sparse, "wikivoyage", {}, **arguments)
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "o"], "not clear what the questions are about"),
        (["--listings", "g.jsonl", "--out", "o"], "not clear"),
        (
            ["--listings", "g.jsonl", "--name", "g", "--where", "city", "--out", "o"],
            "--where city says no value",
        ),
    ],
)
def test_the_command_says_what_is_missing(words: list[str], message: str) -> None:
    parser = ArgumentParser()
    RECOMMEND.configure(parser)
    with pytest.raises(UsageError, match=message):
        RECOMMEND.run(parser.parse_args(words))


def _anchors(question: str, spots: dict[str, tuple[float, float]]) -> list[str]:
    """The longest names that a question has, in its order."""
    found = [
        (match.start(), name)
        for name in spots
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question)
    ]
    outer = [
        (start, name)
        for start, name in found
        if not any(
            other != name and at <= start and start + len(name) <= at + len(other) for at, other in found
        )
    ]
    return [name for _, name in sorted(outer)]
