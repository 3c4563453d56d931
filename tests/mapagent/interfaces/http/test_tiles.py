"""Tiles: what mapbox-vector-tile reads out of ours, and where it lies."""

import gzip
import math
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mapbox_vector_tile
import numpy as np
import pytest
import shapely
from mapbox_vector_tile.Mapbox import vector_tile_pb2
from shapely.geometry import shape

from map_tools.maps.home import MapHome
from map_tools.maps.info import read_info, write_info
from map_tools.maps.store import MapStore
from mapagent.interfaces.http.tiles.grid import EXTENT, MARGIN, Tile
from mapagent.interfaces.http.tiles.mvt import Kind, Layer, only_layers
from mapagent.interfaces.http.tiles.render import layers
from mapagent.interfaces.http.tiles.service import ENTRY_BYTES, OpenMap, TileService, landmarks
from mapagent.interfaces.http.tiles.style import style
from tests.support.http_server import Client
from tests.support.maps import demo_map

CENTER = (60.1712, 24.9443)


@pytest.fixture
def store() -> Iterator[MapStore]:
    store = MapStore.open(demo_map())
    yield store
    store.close()


def column_and_row(lat: float, lng: float, zoom: int) -> tuple[float, float]:
    """Tile numbers by the formula of https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames."""
    side = 2**zoom
    x = (lng + 180) / 360 * side
    y = (1 - math.log(math.tan(math.radians(lat)) + 1 / math.cos(math.radians(lat))) / math.pi) / 2 * side
    return x, y


def around(lat: float, lng: float, zoom: int) -> Tile:
    x, y = column_and_row(lat, lng, zoom)
    return Tile(zoom, int(x), int(y))


def fetched(client: Client, tile: Tile) -> dict[str, Any]:
    reply = client.get(f"/tiles/helsinki/{tile.z}/{tile.x}/{tile.y}.mvt")
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "application/vnd.mapbox-vector-tile"
    return dict(mapbox_vector_tile.decode(reply.content, default_options={"y_coord_down": True}))


def named(layer: dict[str, Any], name: str) -> dict[str, Any]:
    return next(feature for feature in layer["features"] if feature["properties"].get("name") == name)


@pytest.mark.parametrize("zoom", [10, 12, 14])
def test_a_place_lies_where_the_map_has_it(client: Client, zoom: int, store: MapStore) -> None:
    row, _ = store.find("Helsinki", limit=1)[0]
    at = store.location(row)
    tile = around(at.lat, at.lng, zoom)
    found = named(fetched(client, tile)["place"], "Helsinki")
    x, y = column_and_row(at.lat, at.lng, zoom)
    expected = ((x - tile.x) * EXTENT, (y - tile.y) * EXTENT)
    assert found["geometry"]["coordinates"] == pytest.approx(expected, abs=1)
    assert found["properties"]["kind"] == "city"


def test_a_building_covers_what_its_outline_covers(client: Client, store: MapStore) -> None:
    row, _ = store.find("Ateneum", limit=1)[0]
    outline = store.outline(row)
    assert outline is not None
    tile = around(*CENTER, 14)

    def grid(points: Any) -> Any:
        moved = [column_and_row(lat, lng, 14) for lng, lat in points]
        return np.asarray([((x - tile.x) * EXTENT, (y - tile.y) * EXTENT) for x, y in moved])

    expected = shapely.transform(shapely.from_wkb(outline), grid)
    buildings = [shape(each["geometry"]) for each in fetched(client, tile)["building"]["features"]]
    best = max(buildings, key=lambda each: each.intersection(expected).area)
    shared = best.intersection(expected).area / best.union(expected).area
    assert shared > 0.95, "the corners are rounded to the grid of the tile"


def test_outer_rings_turn_clockwise_on_the_screen(client: Client) -> None:
    """Section 4.3.4.4 of the specification: positive area by the surveyor's formula, y downwards."""
    for name, layer in fetched(client, around(*CENTER, 14)).items():
        for feature in layer["features"]:
            geometry = shape(feature["geometry"])
            for polygon in shapely.get_parts(geometry) if geometry.area else []:
                assert shapely.is_ccw(shapely.get_exterior_ring(polygon)), (name, feature["properties"])


def test_nothing_lies_beyond_the_margin(client: Client) -> None:
    tile = fetched(client, around(*CENTER, 14))
    for layer in layers():
        for feature in tile.get(layer.name, {"features": ()})["features"]:
            west, south, east, north = shape(feature["geometry"]).bounds
            assert min(west, south) >= -MARGIN
            assert max(east, north) <= EXTENT + MARGIN


def test_the_roads_of_the_router_are_in_it(client: Client) -> None:
    roads = fetched(client, around(*CENTER, 14))["edges"]["features"]
    assert len(roads) > 500
    assert {0 <= road["properties"]["road_class"] <= 7 for road in roads} == {True}


def test_the_sea_is_where_boats_are_and_not_where_trams_are(client: Client) -> None:
    """The bay behind Kaisaniemi park and the Senate Square."""
    bay, square = (60.1775, 24.9440), (60.1694, 24.9522)
    for (lat, lng), wet in ((bay, True), (square, False)):
        tile = around(lat, lng, 14)
        x, y = column_and_row(lat, lng, 14)
        point = shapely.Point((x - tile.x) * EXTENT, (y - tile.y) * EXTENT)
        sea = [
            shape(each["geometry"]) for each in fetched(client, tile).get("sea", {"features": ()})["features"]
        ]
        assert any(piece.contains(point) for piece in sea) is wet


def test_ferries_are_told_from_roads(client: Client) -> None:
    described = client.get("/tiles/helsinki/style.json").json()
    lines = [each for each in described["layers"] if each.get("source-layer") == "edges"]
    dashed = [each["id"] for each in lines if each["id"] == "ferry" and "line-dasharray" in each["paint"]]
    assert dashed == ["ferry"]
    uses = {road["properties"]["use"] for road in fetched(client, around(*CENTER, 14))["edges"]["features"]}
    assert {0, 25} <= uses, "roads and footways, by the numbers of Valhalla's `enum class Use`"


def test_the_closer_the_more(client: Client) -> None:
    counts = [
        sum(len(layer["features"]) for layer in fetched(client, around(*CENTER, zoom)).values())
        for zoom in (8, 11, 13)
    ]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]


def test_tiles_of_a_build_never_change(client: Client) -> None:
    described = client.get("/tiles/helsinki/style.json").json()
    (address,) = described["sources"]["map"]["tiles"]
    tile = around(*CENTER, 12)
    path = address.format(z=tile.z, x=tile.x, y=tile.y)
    first = client.get(path)
    assert "immutable" in first.headers["cache-control"]
    again = client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "immutable" not in client.get(path.partition("?")[0]).headers["cache-control"]


def test_where_there_is_nothing_there_is_no_tile(client: Client) -> None:
    assert client.get("/tiles/helsinki/14/0/0.mvt").status_code == 204


def test_the_style_names_no_other_host(client: Client) -> None:
    for theme in ("light", "dark"):
        text = client.get(f"/tiles/helsinki/style.json?theme={theme}").text
        assert "@" not in text, "every colour has its value"
        assert "http" not in text.replace("https://www.openstreetmap.org/copyright", "")
        described = client.get(f"/tiles/helsinki/style.json?theme={theme}").json()
        drawn = {layer["source-layer"] for layer in described["layers"] if "source-layer" in layer}
        assert drawn == {layer.name for layer in layers()} | {"edges", "place", "sea"}
        assert not {"glyphs", "sprite"} & described.keys()


def test_a_credit_is_text(store: MapStore) -> None:
    info = store.info.model_copy(
        update={"attribution": "<script>x</script>", "attribution_url": "javascript:x"}
    )
    credit = style(info, "build", "light")["sources"]["map"]["attribution"]
    assert credit == "&lt;script&gt;x&lt;/script&gt;"


@pytest.mark.anyio
async def test_what_was_drawn_is_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for ten empty tiles: the grid has more of them than any memory."""
    monkeypatch.setattr("mapagent.interfaces.http.tiles.service.CACHE_BYTES", 10 * ENTRY_BYTES)
    counts: Counter[str] = Counter()
    service = TileService(MapHome(demo_map().parent), counts)
    try:
        for x in (*range(20), *range(20), *range(15, 20)):
            assert await service.tile("helsinki", Tile(14, x, 0)) == b""
    finally:
        await service.close()
    assert counts == {"drawn": 40, "memory": 5}


@pytest.mark.anyio
async def test_a_map_without_roads_is_drawn_too(tmp_path: Path) -> None:
    folder = shutil.copytree(demo_map().resolve(), tmp_path / "helsinki")
    write_info(folder, read_info(folder).model_copy(update={"routable": False}))
    opened = OpenMap.open(folder)
    try:
        drawn = mapbox_vector_tile.decode(gzip.decompress(await opened.tile(around(*CENTER, 12))))
    finally:
        await opened.close()
    assert "edges" not in drawn
    assert drawn["street"]["features"]


@pytest.mark.parametrize(
    ("kind", "paths", "expected"),
    [
        (Kind.POINT, [[(25, 17)]], [9, 50, 34]),
        (Kind.POINT, [[(5, 7), (3, 2)]], [17, 10, 14, 3, 9]),
        (Kind.LINE, [[(2, 2), (2, 10), (10, 10)]], [9, 4, 4, 18, 0, 16, 16, 0]),
        (
            Kind.LINE,
            [[(2, 2), (2, 10), (10, 10)], [(1, 1), (3, 5)]],
            [9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8],
        ),
        (Kind.POLYGON, [[(3, 6), (8, 12), (20, 34)]], [9, 6, 12, 18, 10, 12, 24, 44, 15]),
    ],
    ids=["point", "points", "line", "lines", "polygon"],
)
def test_the_examples_of_the_specification(
    kind: Kind, paths: list[list[tuple[int, int]]], expected: list[int]
) -> None:
    """Section 4.3.5 of the specification gives these geometries with their commands."""
    layer = Layer("example")
    layer.add(kind, paths, {"name": "Ä", "rank": 300})
    tile = vector_tile_pb2.tile()
    tile.ParseFromString(layer.encoded())
    (feature,) = tile.layers[0].features
    assert (feature.type, list(feature.geometry)) == (kind.value, expected)
    assert [tile.layers[0].keys[number] for number in feature.tags[::2]] == ["name", "rank"]
    name, rank = (tile.layers[0].values[number] for number in feature.tags[1::2])
    assert (name.string_value, rank.uint_value) == ("Ä", 300)


@pytest.mark.parametrize("path", [[(1, 1)], [(1, 1), (1, 1)], []])
def test_what_vanishes_in_the_grid_is_left_out(path: list[tuple[int, int]]) -> None:
    layer = Layer("example")
    layer.add(Kind.LINE, [path], {})
    layer.add(Kind.POLYGON, [[*path, (2, 1)]], {})
    assert layer.encoded() == b""


def test_layers_are_picked_out_of_a_tile() -> None:
    parts = []
    for name in ("roads", "nodes", "more"):
        layer = Layer(name)
        layer.add(Kind.POINT, [[(number, 300 * number) for number in range(100)]], {})
        parts.append(layer.encoded())
    assert only_layers(b"".join(parts), ("roads", "more")) == parts[0] + parts[2]
    assert only_layers(b"", ("roads",)) == b""


def test_landmarks_are_what_many_languages_have_a_name_for(client: Client, store: MapStore) -> None:
    """Each of another kind, and no area such as a suburb; the cathedral has names in a dozen languages."""
    (record,) = client.get("/api/maps").json()
    assert "Helsingin tuomiokirkko" in record["examples"][0]
    found = landmarks(store, 6)
    kinds = [store.place(store.find(name, limit=1)[0][0]).categories[0] for name in found]
    assert len(set(kinds)) == len(found) == 6
    assert not {"city", "suburb", "admin"} & set(kinds)
