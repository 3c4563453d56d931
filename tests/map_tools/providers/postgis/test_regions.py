"""Several extracts in one database: loaded beside each other, replaced in one step, told as one map."""

import asyncio
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from map_tools.errors import InputFileError, NoRouteError, PlaceNotFoundError, UnsupportedError
from map_tools.maps.home import MapHome
from map_tools.maps.synth.city import City
from map_tools.providers.osm import OsmProvider
from map_tools.providers.postgis.load import load_region, remove_region
from map_tools.providers.postgis.provider import PostgisProvider
from map_tools.types import LatLng, TravelMode
from tests.map_tools.providers.postgis.conftest import load_village, new_database, opened
from tests.support.data import demo_extract

STATION = LatLng(lat=60.1713, lng=24.9414)
VILLAGE = City(1, 400).box.center
NOWHERE = LatLng(lat=-54.4, lng=3.4)


@pytest.fixture(scope="module")
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own-home")


@pytest.fixture(scope="module")
def twice(server: str, own_home: Path) -> str:
    """A database that holds the demo extract twice, under two names."""
    dsn = new_database(server, "twice")
    for name in ("helsinki", "stadi"):
        load_region(demo_extract(), dsn, name=name, home=MapHome(own_home / "regions"))
    return dsn


@pytest.fixture
def both(twice: str, own_home: Path) -> Iterator[PostgisProvider]:
    provider = opened(twice, own_home)
    yield provider
    asyncio.run(provider.close())


def test_what_regions_share_is_told_once(embedded: OsmProvider, both: PostgisProvider) -> None:
    async def answers(provider: OsmProvider | PostgisProvider) -> list[object]:
        park = (await provider.find_place("Esplanadi"))[0].place
        return [
            await provider.find_place("Ateneum"),
            await provider.find_place("Espresso House", near=STATION, limit=4),
            await provider.find_place("Mannerheimintie 5"),
            await provider.nearby(STATION, radius_m=800, categories=("cafe", "restaurant"), limit=30),
            await provider.nearby(STATION, radius_m=800, keyword="coffee", limit=None),
            await provider.place_details(park.id),
            await provider.matrix((STATION,), (STATION, NOWHERE), mode=TravelMode.WALKING),
        ]

    assert asyncio.run(answers(embedded)) == asyncio.run(answers(both))


def test_inside_an_area_of_two_regions(embedded: OsmProvider, both: PostgisProvider) -> None:
    async def inside(provider: OsmProvider | PostgisProvider) -> list[str]:
        area = next(each.place for each in await provider.find_place("Kluuvi", limit=10) if each.outlined)
        return sorted(place.id for place in await provider.inside(area.id, categories=("cafe",)))

    assert asyncio.run(inside(both)) == asyncio.run(inside(embedded)) != []


def everything(provider: PostgisProvider) -> tuple[str, ...]:
    """Ids of all places within reach of the invented village."""
    found = asyncio.run(provider.nearby(VILLAGE, radius_m=50_000, limit=None))
    return tuple(item.place.id for item in found)


def test_a_region_is_replaced_under_readers(server: str, tmp_path: Path) -> None:
    """Whoever asks while a region is replaced again and again gets one of the two whole answers each time."""
    dsn = new_database(server, "replaced")
    load_village(dsn, "village", tmp_path, 1)
    provider = opened(dsn, tmp_path)
    whole = {everything(provider)}
    load_village(dsn, "village", tmp_path, 2)
    whole.add(everything(provider))
    done = threading.Event()

    def replace() -> None:
        for seed in (1, 2, 1, 2):
            load_village(dsn, "village", tmp_path, seed)
        done.set()

    loading = threading.Thread(target=replace)
    loading.start()
    seen = set()
    while not done.is_set():
        seen.add(everything(provider))
    loading.join()
    assert seen <= whole
    assert len(whole) == 2
    assert partitions(dsn) == {"features": 1, "places": 1, "names": 1, "bearers": 1, "addresses": 1}
    asyncio.run(provider.close())


def partitions(dsn: str) -> dict[str, int]:
    """How many tables there are for each kind of table, attached or left behind."""
    with psycopg.connect(dsn) as connection:
        names = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'mapagent'::regnamespace AND relkind = 'r'"
        ).fetchall()
    kinds = [name.rpartition("_")[0] for (name,) in names if name != "regions"]
    return {kind: kinds.count(kind) for kind in kinds}


def test_a_load_that_fails_leaves_the_old_region(server: str, tmp_path: Path) -> None:
    dsn = new_database(server, "failing")
    load_village(dsn, "helsinki", tmp_path)
    provider = opened(dsn, tmp_path)
    expected = everything(provider)
    cut = tmp_path / "helsinki.osm.pbf"
    cut.write_bytes(demo_extract().read_bytes()[:-20_000])
    with pytest.raises(InputFileError, match="cut short"):
        load_region(cut, dsn, name="helsinki", home=MapHome(tmp_path / "regions"))
    assert everything(provider) == expected != ()
    assert partitions(dsn)["features"] == 1
    asyncio.run(provider.close())


def test_a_region_is_removed(server: str, tmp_path: Path) -> None:
    dsn = new_database(server, "removed")
    for name in ("village", "twin"):
        load_village(dsn, name, tmp_path)
    provider = opened(dsn, tmp_path)
    (first, *_) = expected = everything(provider)
    assert remove_region(dsn, "twin") is True
    assert remove_region(dsn, "twin") is False
    assert partitions(dsn)["features"] == 1
    assert everything(provider) == expected
    remove_region(dsn, "village")
    assert everything(provider) == ()
    with pytest.raises(PlaceNotFoundError):
        asyncio.run(provider.place_details(first))
    asyncio.run(provider.close())


def test_ways_stay_within_a_region(twice: str, own_home: Path) -> None:
    load_village(twice, "village", own_home)
    provider = opened(twice, own_home)
    for mode in (TravelMode.WALKING, TravelMode.DRIVING):
        with pytest.raises(UnsupportedError, match="across regions"):
            asyncio.run(provider.directions(STATION, VILLAGE, mode=mode))
        with pytest.raises(UnsupportedError, match="across regions"):
            asyncio.run(provider.matrix((STATION,), (VILLAGE,), mode=mode))
        with pytest.raises(UnsupportedError, match="'village' has no roads"):
            asyncio.run(provider.directions(VILLAGE, NOWHERE, mode=mode))
        with pytest.raises(NoRouteError):
            asyncio.run(provider.directions(STATION, NOWHERE, mode=mode))
    asyncio.run(provider.close())


def test_each_region_has_its_own_facts(twice: str, own_home: Path) -> None:
    load_village(twice, "village", own_home)
    provider = opened(twice, own_home)
    assert provider.map_name == "helsinki, stadi, village"
    assert {"rating", "reviews"} <= provider.capabilities.facts
    found = asyncio.run(provider.nearby(VILLAGE, radius_m=2_000, categories=("cafe",)))
    assert {item.place.timezone for item in found} == {"Africa/Lagos"}
    assert any(item.place.rating for item in found)
    ateneum = asyncio.run(provider.find_place("Ateneum", limit=1))[0].place
    assert (ateneum.timezone, ateneum.rating) == ("Europe/Helsinki", None)
    asyncio.run(provider.close())


def test_roads_of_another_extract_are_not_taken(helsinki: str, data_home: Path, tmp_path: Path) -> None:
    """The tiles say of which extract they were built; others could send somebody the wrong way."""
    shutil.copytree(data_home / "regions", tmp_path / "regions", symlinks=True)
    info = tmp_path / "regions" / "helsinki" / "map.json"
    text = info.read_text("utf-8")
    info.write_text(text.replace('"source_sha256": "', '"source_sha256": "0'), "utf-8")
    provider = opened(helsinki, tmp_path)
    assert provider.capabilities.modes == frozenset()
    with pytest.raises(UnsupportedError, match="no roads"):
        asyncio.run(provider.directions(STATION, STATION, mode=TravelMode.WALKING))
    asyncio.run(provider.close())
