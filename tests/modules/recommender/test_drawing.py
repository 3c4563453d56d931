"""Point, way, street, region and the area between two places: as GeoJSON, judged by shapely, and drawn."""

import asyncio
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import shapely
from pyproj import Geod

from map_tools.maps.store import MapStore
from map_tools.providers.osm import OsmProvider
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.recommender.draw_command import HEIGHT_PX, WIDTH_PX, Frame, backdrop_of, draw
from modules.recommender.geojson import feature_collection
from tests.support.chat import model
from tests.support.cli import CommandLine, Ran
from tests.support.maps import demo_map

SVG = "{http://www.w3.org/2000/svg}"
FRIDAY = datetime(2026, 3, 6, 18)  # noqa: DTZ001 - local time of the place
WGS84 = Geod(ellps="WGS84")
POINT = 'recommend("quiet restaurant", near="Kiasma", where=lambda p: "italian" in p.cuisine)'
ROUTE = 'recommend("cosy cafe", along=travel("Kiasma", "Ateneum", "walk"), within="500 m")'
STREET = 'recommend("cosy cafe", along="Mannerheimintie", within="100 m")'
REGION = 'recommend("cosy place for dinner", inside="Esplanadinpuisto")'
BETWEEN = 'recommend("quiet cafe", inside=between("Kiasma", "Ateneum"))'
EVERY = [POINT, ROUTE, STREET, REGION, BETWEEN]


@pytest.fixture(scope="module")
def asked() -> Iterator[Callable[[str], Answer]]:
    agent = MapAgent(
        Settings(modules={"recommender": {"embed": {"model": "hashing"}}}),
        provider=OsmProvider.open(demo_map()),
    )
    question = Question(text="A wish", at=FRIDAY)
    yield lambda call: asyncio.run(agent.query(f"answer({call}[:3])", question=question))
    asyncio.run(agent.close())


def outlines(store: MapStore) -> Callable[[str], bytes | None]:
    return lambda place_id: None if (row := store.row_of(place_id)) is None else store.outline(row)


def collection(asked: Callable[[str], Answer], store: MapStore, text: str) -> dict[str, list[dict[str, Any]]]:
    """The features of a recommendation by their role."""
    made = feature_collection(asked(text), outlines(store))
    json.dumps(made)
    assert made["type"] == "FeatureCollection"
    by_role: dict[str, list[dict[str, Any]]] = {}
    for feature in made["features"]:
        by_role.setdefault(feature["properties"]["role"], []).append(feature)
    return by_role


@pytest.mark.parametrize("text", EVERY)
def test_what_is_recommended_is_a_candidate_and_candidates_lie_in_the_area(
    asked: Callable[[str], Answer], store: MapStore, text: str
) -> None:
    features = collection(asked, store, text)
    (area,) = (shapely.from_geojson(json.dumps(one["geometry"])) for one in features["area"])
    assert area.is_valid
    assert area.exterior.is_ccw  # RFC 7946, section 3.1.6
    near = area.buffer(2e-5)  # two metres for corners cut from circles
    for feature in features["candidate"]:
        assert near.contains(shapely.Point(feature["geometry"]["coordinates"]))
    ids = {feature["properties"]["id"] for feature in features["candidate"]}
    chosen = features["recommended"]
    assert [one["properties"]["rank"] for one in chosen] == list(range(1, len(chosen) + 1))
    assert {one["properties"]["id"] for one in chosen} <= ids
    assert [one["properties"]["id"] for one in chosen] == [place.id for place in asked(text).places]


def test_a_circle_has_its_radius(asked: Callable[[str], Answer], store: MapStore) -> None:
    features = collection(asked, store, POINT)
    (lng, lat) = features["anchor"][0]["geometry"]["coordinates"]
    ring = features["area"][0]["geometry"]["coordinates"][0]
    assert ring[0] == ring[-1]
    assert all(WGS84.inv(lng, lat, *corner)[2] == pytest.approx(1000, abs=0.5) for corner in ring)


def test_a_route_is_the_routing_engine_s(asked: Callable[[str], Answer], store: MapStore) -> None:
    features = collection(asked, store, ROUTE)
    (route,) = features["route"]
    line = route["geometry"]["coordinates"]
    assert route["properties"]["name"] == "the walking way from Kiasma to Ateneum"
    assert len(line) > 5
    ends = {one["properties"]["name"]: one["geometry"]["coordinates"] for one in features["anchor"]}
    for name, end in (("Kiasma", line[0]), ("Ateneum", line[-1])):
        assert WGS84.inv(*ends[name], *end)[2] < 150  # from the house to the street


def test_a_region_is_the_map_s_outline(asked: Callable[[str], Answer], store: MapStore) -> None:
    ring = collection(asked, store, REGION)["area"][0]["geometry"]["coordinates"][0]
    row = store.find("Esplanadinpuisto")[0][0]
    wkb = store.outline(row)
    assert wkb is not None
    outline = shapely.from_wkb(wkb)
    largest = max(shapely.get_parts(outline), key=lambda part: part.area)
    assert shapely.Polygon(ring).area == pytest.approx(shapely.Polygon(largest.exterior).area, rel=1e-3)


def test_without_outlines_a_region_has_none(asked: Callable[[str], Answer]) -> None:
    roles = {one["properties"]["role"] for one in feature_collection(asked(REGION))["features"]}
    assert "area" not in roles
    assert "recommended" in roles


@pytest.mark.parametrize("text", EVERY)
def test_the_picture_shows_everything(asked: Callable[[str], Answer], store: MapStore, text: str) -> None:
    made = feature_collection(asked(text), outlines(store))
    root = ET.fromstring(draw(made, backdrop_of(store)))
    words = [element.text or "" for element in root.iter(f"{SVG}text")]
    chosen = [one["properties"] for one in made["features"] if one["properties"]["role"] == "recommended"]
    for one in chosen:
        assert any(line.startswith(f"{one['rank']}. {one['name']}") for line in words)
    assert "© OpenStreetMap contributors" in words
    candidates = [one for one in made["features"] if one["properties"]["role"] == "candidate"]
    assert len(list(root.iter(f"{SVG}circle"))) == len(candidates) + len(chosen)
    assert len(list(root.iter(f"{SVG}path"))) > 50  # streets and parks


def test_a_frame_holds_its_points_and_is_true_to_scale() -> None:
    import numpy as np

    points = np.array([(24.93, 60.16), (24.96, 60.18)])
    frame = Frame.around(points)
    (x1, y1), (x2, y2) = frame.px(points)
    assert 0 < x1 < x2 < WIDTH_PX
    assert 0 < y2 < y1 < HEIGHT_PX
    length_px = float(np.hypot(x2 - x1, y2 - y1))
    assert length_px * frame.metres_per_px == pytest.approx(
        WGS84.inv(24.93, 60.16, 24.96, 60.18)[2], rel=1e-3
    )


def test_names_of_the_map_are_only_words_in_the_picture() -> None:
    trap = "</text><script>alert(1)</script>\u202e\x07"
    point = {"type": "Point", "coordinates": [24.94, 60.17]}
    properties = {"role": "recommended", "name": trap, "id": "x", "rank": 1, "note": ""}
    made = {
        "features": [{"type": "Feature", "geometry": point, "properties": properties}],
        "attribution": "©",
    }
    root = ET.fromstring(draw(made))
    assert not list(root.iter(f"{SVG}script"))
    assert any("alert(1)" in (element.text or "") for element in root.iter(f"{SVG}text"))


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data home with the demo map."""
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    (tmp_path / "maps").symlink_to(demo_map().parent)
    return tmp_path


def recommended(capsys: pytest.CaptureFixture[str], call: str, *arguments: str | Path) -> Ran:
    """The command, with a model that writes a program for whatever is asked."""
    with model(f"answer({call})", rerank={"order": [1]}) as server:
        given = ("--map", "helsinki", "--model", "small", "--base-url", f"{server.url}/v1")
        return CommandLine(capsys)("recommend", "Where to?", *given, *arguments)


def test_the_command_writes_both(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    geojson, picture = at_home / "found.json", at_home / "found.svg"
    ran = recommended(capsys, f"{POINT}[:3]", "--geojson", geojson, "--picture", picture)
    assert ran.code == 0, ran.err
    made = json.loads(geojson.read_text("utf-8"))
    best = next(one for one in made["features"] if one["properties"].get("rank") == 1)
    assert ran.out.startswith(best["properties"]["name"])
    assert ET.fromstring(picture.read_text("utf-8")).tag == f"{SVG}svg"


def test_what_is_no_wish_is_not_drawn(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = recommended(capsys, 'nearest("cafe", to="Kiasma")', "--picture", at_home / "x.svg")
    assert ran.code == 2
    assert "nothing to draw" in ran.err
    assert not (at_home / "x.svg").exists()


def test_a_file_that_cannot_be_written_is_named(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = recommended(capsys, f"{POINT}[:3]", "--geojson", at_home / "no" / "x.json")
    assert ran.code == 2
    assert "x.json cannot be written" in ran.err
