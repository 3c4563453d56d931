"""Worlds built from texts: places across texts, conflicts with provenance, the cache, odd lines."""

import asyncio
from pathlib import Path

import pytest
from anyio import run

from evals.suites.mapeval import MapEvalApi, read_mapeval
from evals.worlds.maps import Extract, ListedPlace, build_place_map, kept_place_map
from evals.worlds.recorded import REPORT_FILE, WORLD_FILE, Passage, build_world_of, world_for
from map_tools.errors import InputFileError
from map_tools.maps.home import MapHome
from map_tools.providers.osm import OsmProvider
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import build_world
from map_tools.types import LatLng, Place, TravelMode
from mapagent.runtime.config import Settings
from modules.context_reader.gather import compatible
from tests.evals.support import LITTLE
from tests.support.data import demo_extract, shared


def passages() -> list[Passage]:
    return [Passage(str(record.id), record.context) for record in read_mapeval(LITTLE)]


def test_a_place_of_two_texts_is_one_place_and_the_first_text_counts() -> None:
    built = build_world_of(passages(), name="little", attribution="nobody")
    museums = [place for place in built.world.places if place.name == "Tidal Museum"]
    assert [(place.rating, place.rating_count) for place in museums] == [(4.6, 812)]
    assert built.report.sources["tidal-museum"] == ("1", "5")


def test_a_conflict_tells_both_values_and_both_texts() -> None:
    report = build_world_of(passages(), name="little", attribution="nobody").report
    told = {
        (each.about, each.what, each.kept_from, each.kept, each.other_from, each.other)
        for each in report.conflicts
    }
    assert told == {
        ("tidal-museum", "rating", "1", "4.6", "5", "4.5"),
        ("tidal-museum", "rating_count", "1", "812", "5", "820"),
    }


def test_places_of_one_name_in_two_towns_stay_apart() -> None:
    world = build_world_of(passages(), name="little", attribution="nobody").world
    inns = sorted(place.address or "" for place in world.places if place.name == "Copper Inn")
    assert inns == ["30 Mill Street, Oldham Ferry", "9 Quay Lane, Saltby, Westland"]


def test_routes_told_twice_are_kept_once_with_the_steps_of_either_text() -> None:
    world = build_world_of(passages(), name="little", attribution="nobody").world
    (routes,) = world.routes
    assert [len(route.steps) for route in routes.routes] == [2, 2]
    assert [route.duration for route in routes.routes] == [21 * 60, 26 * 60]


def test_a_kind_nobody_states_is_read_from_the_name() -> None:
    world = build_world_of(passages(), name="little", attribution="nobody").world
    kinds = {place.name: place.categories for place in world.places}
    assert "museum" in kinds["Tidal Museum"]
    assert "restaurant" in kinds["Three Herons"]


def test_lines_that_are_not_understood_are_counted_and_named() -> None:
    report = build_world_of([Passage("7", "Qwertz uiop asdf!\n")], name="odd", attribution="").report
    assert (report.lines, report.share_understood) == (1, 0.0)
    assert [(miss.passage, miss.line) for miss in report.misses] == [("7", "Qwertz uiop asdf!")]


def test_a_world_full_of_gaps_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match=r"Only 0\.0% of the lines .* 7: 'Qwertz uiop asdf!'"):
        world_for([Passage("7", "Qwertz uiop asdf!\n")], name="odd", attribution="", root=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_world_is_built_once_and_read_back(tmp_path: Path) -> None:
    first = world_for(passages(), name="little", attribution="nobody", root=tmp_path)
    before = first.path.stat().st_mtime_ns
    second = world_for(passages(), name="little", attribution="nobody", root=tmp_path)
    assert second.path == first.path
    assert second.path.stat().st_mtime_ns == before
    assert second.report == first.report
    other = world_for(passages()[:3], name="little", attribution="nobody", root=tmp_path)
    assert other.path != first.path


def test_a_damaged_world_is_built_again(tmp_path: Path) -> None:
    kept = world_for(passages(), name="little", attribution="nobody", root=tmp_path)
    (kept.path.parent / REPORT_FILE).write_text("{")
    again = world_for(passages(), name="little", attribution="nobody", root=tmp_path)
    assert again.report == kept.report
    assert {path.name for path in again.path.parent.iterdir()} == {WORLD_FILE, REPORT_FILE}


def test_a_world_of_other_code_is_built_again(tmp_path: Path) -> None:
    kept = world_for(passages(), name="little", attribution="nobody", root=tmp_path)
    old = kept.report.model_copy(update={"built_by": "older code", "lines": 1})
    (kept.path.parent / REPORT_FILE).write_text(old.model_dump_json())
    again = world_for(passages(), name="little", attribution="nobody", root=tmp_path)
    assert (again.path, again.report) == (kept.path, kept.report)


def test_what_is_written_is_what_is_served(tmp_path: Path) -> None:
    async def times() -> list[float | None]:
        provider = MapEvalApi().provider(LITTLE, Settings(data_home=tmp_path))
        assert provider is not None
        try:
            places = [(await provider.find_place(name))[0].place for name in ("Gull Point", "Tidal Museum")]
            there = await provider.matrix((places[0],), (places[1],), mode=TravelMode.DRIVING)
            back = await provider.matrix((places[1],), (places[0],), mode=TravelMode.DRIVING)
            return [there.rows[0][0].duration_s, back.rows[0][0].duration_s]
        finally:
            await provider.close()

    assert run(times) == [14 * 60, 12 * 60]


def test_a_world_in_memory_is_the_world_on_disk() -> None:
    built = build_world_of(passages(), name="little", attribution="nobody")
    provider = RecordedProvider(build_world((built.world,)))
    assert provider.score("Market Square") == 1.0


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ({"address": "4 Pier Road, Saltby, Westland"}, {"address": "4 Pier Rd, Saltby"}, True),
        ({"address": "4 Pier Road, Saltby"}, {"address": "4 Quay Lane, Saltby"}, False),
        ({"address": "4 Pier Road, Saltby"}, {}, True),
        # A thousandth of a degree of latitude is 111 m, two are 222 m.
        ({"location": LatLng(lat=51.0, lng=3.0)}, {"location": LatLng(lat=51.001, lng=3.0)}, True),
        ({"location": LatLng(lat=51.0, lng=3.0)}, {"location": LatLng(lat=51.002, lng=3.0)}, False),
    ],
)
def test_when_two_entries_of_one_name_can_be_one_place(
    a: dict[str, object], b: dict[str, object], *, same: bool
) -> None:
    one, other = (Place.model_validate({"id": "", "name": "X", **values}) for values in (a, b))
    assert compatible(one, other) is same


def test_every_line_of_the_development_file_is_understood() -> None:
    records = read_mapeval(shared("mapeval_textual/dev.json"))
    report = build_world_of(
        [Passage(str(record.id), record.context) for record in records], name="dev", attribution=""
    ).report
    assert report.misses == ()
    assert report.passages == len({record.context for record in records})


SPOT = LatLng(lat=60.1699, lng=24.9410)
LISTED = [
    ListedPlace(SPOT.lat, SPOT.lng, {"name": "Moss House", "amenity": "restaurant", "description": "Plain."}),
    ListedPlace(SPOT.lat, SPOT.lng + 0.001, {"name": "Fern Corner"}),
]


def nearby(provider: OsmProvider, category: str) -> list[Place]:
    found = asyncio.run(provider.nearby(SPOT, radius_m=3000, categories=(category,), limit=None))
    return [item.place for item in found]


def find(provider: OsmProvider, name: str) -> Place:
    (found,) = asyncio.run(provider.find_place(name, limit=1))
    return found.place


def test_places_alone_are_a_map_without_ways(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    info = build_place_map(LISTED, name="alone", home=home, source="test", attribution="Somebody")
    assert (info.routable, info.timezone, info.attribution) == (False, "Europe/Helsinki", "Somebody")
    provider = OsmProvider.open(home.path("alone"))
    try:
        assert provider.capabilities.modes == frozenset()
        assert [place.name for place in nearby(provider, "restaurant")] == ["Moss House"]
        assert find(provider, "Moss House").attributes["description"] == "Plain."
        assert find(provider, "Fern Corner").location == LatLng(lat=SPOT.lat, lng=SPOT.lng + 0.001)
    finally:
        asyncio.run(provider.close())


def test_places_in_an_extract_have_its_streets_and_not_its_places(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    extract = Extract(demo_extract(), kept=lambda feature: "restaurant" not in feature.categories)
    build_place_map(LISTED, name="town", home=home, source="test", attribution="", extract=extract)
    provider = OsmProvider.open(home.path("town"))
    try:
        assert [place.name for place in nearby(provider, "restaurant")] == ["Moss House"]
        assert len(nearby(provider, "cafe")) > 10
        ways = asyncio.run(
            provider.directions(SPOT, LatLng(lat=60.1750, lng=24.9450), mode=TravelMode.WALKING)
        )
        assert ways
    finally:
        asyncio.run(provider.close())


def test_a_map_is_kept_under_the_hash_of_its_places(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    same = {"prefix": "kept", "home": home, "source": "test", "attribution": ""}
    first = kept_place_map(LISTED, **same)
    built = first.resolve()
    assert kept_place_map(list(LISTED), **same).resolve() == built
    other = kept_place_map(LISTED[:1], **same)
    assert other.name != first.name
    assert set(home.list()) == {first.name, other.name}
