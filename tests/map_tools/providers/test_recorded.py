"""The recorded provider over the hand-written world; expected values are read off `harbour.json`."""

import json
from pathlib import Path
from typing import Any

import pytest

from map_tools.errors import ConfigError, InputFileError, NoRouteError, UnsupportedError
from map_tools.providers.base import Provider, ProviderSetting
from map_tools.providers.recorded import RecordedProvider
from map_tools.types import LatLng, TravelMode
from tests.map_tools.providers.contract import ProviderContract, Sample, run
from tests.map_tools.providers.worlds import HARBOUR, harbour


class TestContract(ProviderContract):
    @pytest.fixture
    def provider(self) -> Provider:
        return harbour()

    @pytest.fixture
    def sample(self) -> Sample:
        return Sample(
            name="Lighthouse Museum",
            position=LatLng(lat=-12.5, lng=130.75),
            category="restaurant",
            origin="Customs House",
            destination="Lighthouse Museum",
            mode=TravelMode.DRIVING,
        )


def world(tmp_path: Path, **content: Any) -> RecordedProvider:
    path = tmp_path / "world.json"
    path.write_text(json.dumps({"format": "mapagent-world", "version": 1, **content}), encoding="utf-8")
    return RecordedProvider.open(path)


def test_place_fields_in_friendly_forms() -> None:
    place = run(harbour().place_details("lighthouse-museum"))
    assert (place.rating, place.rating_count) == (4.6, 812)
    assert place.services == {"wheelchair": True, "dogs": False}
    assert place.reviews[0].text == "A long climb and a fine view."
    assert place.hours is not None
    assert place.hours.spec
    smoke = run(harbour().place_details("salt-smoke"))
    assert smoke.price_level == 3
    assert smoke.location == LatLng(lat=-12.503, lng=130.752)
    assert smoke.services == {"serves_dinner": True, "reservable": True}


@pytest.mark.parametrize(
    ("text", "place_id"),
    [
        ("Lighthouse Museum", "lighthouse-museum"),
        ("lighthouse musem", "lighthouse-museum"),
        ("Old Light", "lighthouse-museum"),
        ("Salt and Smoke", "salt-smoke"),
        ("Tides Coffee, South Parade", "tides-south"),
        ("12 Quay Lane, Harbourtown", "customs-house"),
    ],
)
def test_finds_names_aliases_and_addresses(text: str, place_id: str) -> None:
    assert run(harbour().find_place(text))[0].place.id == place_id


def test_equal_names_by_distance_from_the_context() -> None:
    near_south = LatLng(lat=-12.53, lng=130.74)
    found = run(harbour().find_place("Tides Coffee", near=near_south))
    assert [item.place.id for item in found] == ["tides-south", "tides-north"]


def test_recorded_list_keeps_the_printed_distances() -> None:
    provider = harbour()
    hotel = run(provider.place_details("customs-house"))
    found = run(provider.nearby(hotel, radius_m=20_000, categories=("restaurant",)))
    assert [(item.place.name, item.distance_m) for item in found] == [
        ("Salt & Smoke", 350),
        ("Green Bowl", 600),
        ("Quay Noodles", 900),
    ]
    within = run(provider.nearby(hotel, radius_m=600, categories=("restaurant",)))
    assert [item.place.name for item in within] == ["Salt & Smoke", "Green Bowl"]


def test_keyword_filters_by_what_is_known_of_the_place() -> None:
    provider = harbour()
    museum = run(provider.place_details("lighthouse-museum"))
    found = run(provider.nearby(museum, radius_m=2_000, categories=("restaurant",), keyword="vegan"))
    assert [item.place.name for item in found] == ["Green Bowl"]


def test_no_list_and_no_position_is_said() -> None:
    provider = harbour()
    hotel = run(provider.place_details("customs-house"))
    with pytest.raises(UnsupportedError, match="Customs House"):
        run(provider.nearby(hotel, radius_m=500, categories=("museum",)))


def test_routes_with_steps_read_from_plain_text() -> None:
    provider = harbour()
    origin, destination = (
        run(provider.place_details(name)) for name in ("customs-house", "lighthouse-museum")
    )
    routes = run(provider.directions(origin, destination, mode=TravelMode.DRIVING, alternatives=True))
    assert [(route.summary, route.distance_m, route.duration_s) for route in routes] == [
        ("Pier Road", 3_800, 720),
        ("Coast Highway", 5_100, 840),
    ]
    left, roundabout = routes[0].steps[1:]
    assert left.streets == ("Pier Road",)
    assert left.maneuver == "turn-left"
    assert (roundabout.roundabout_exit, roundabout.distance_m, roundabout.duration_s) == (2, 900, 180)
    assert routes[1].warnings == ("Toll road",)


def test_the_way_back_is_not_the_way_there() -> None:
    provider = harbour()
    hotel, museum = (run(provider.place_details(name)) for name in ("customs-house", "lighthouse-museum"))
    matrix = run(provider.matrix((hotel, museum), (hotel, museum), mode=TravelMode.DRIVING))
    # There: the fastest recorded route. Back: the recorded travel time.
    assert matrix.rows[0][1].duration_s == 720
    assert matrix.rows[1][0].duration_s == 780
    (back,) = run(provider.directions(museum, hotel, mode=TravelMode.DRIVING))
    assert (back.duration_s, back.distance_m, back.steps) == (780, 4_000, ())


def test_a_time_of_another_mode_is_never_given() -> None:
    provider = harbour()
    hotel, museum = (run(provider.place_details(name)) for name in ("customs-house", "lighthouse-museum"))
    with pytest.raises(NoRouteError):
        run(provider.directions(hotel, museum, mode=TravelMode.WALKING))
    cell = run(provider.matrix((hotel,), (museum,), mode=TravelMode.WALKING)).rows[0][0]
    assert (cell.duration_s, cell.distance_m) == (None, None)


def test_a_bare_position_stands_for_the_place_on_it() -> None:
    provider = harbour()
    hotel = run(provider.place_details("customs-house"))
    spot = LatLng(lat=-12.50003, lng=130.75003)
    assert run(provider.directions(hotel, spot, mode=TravelMode.DRIVING))[0].summary == "Pier Road"


def test_declares_what_it_holds() -> None:
    capabilities = harbour().capabilities
    assert capabilities.modes == {TravelMode.DRIVING, TravelMode.WALKING}
    assert {"rating", "hours", "price_level", "reviews"} <= capabilities.facts
    assert "email" not in capabilities.facts
    assert not capabilities.areas


def test_names_cost_nothing() -> None:
    assert harbour().score("Green Bowl") == 1
    assert harbour().score("Zzyzx") == 0


def test_inside_lists(tmp_path: Path) -> None:
    provider = world(
        tmp_path,
        nearby=[{"anchor": "Old Town", "what": "museums", "inside": True, "items": ["Mint", "Armoury"]}],
    )
    assert provider.capabilities.areas
    found = run(provider.inside("old-town", categories=("museum",)))
    assert [place.name for place in found] == ["Mint", "Armoury"]
    with pytest.raises(UnsupportedError):
        run(provider.inside("mint"))


def test_routes_over_waypoints(tmp_path: Path) -> None:
    legs = [{"duration": "5 min"}, {"duration": "7 min"}]
    routes = [
        {"origin": "A", "destination": "C", "waypoints": ["B"], "routes": [{"duration": 720, "legs": legs}]}
    ]
    provider = world(tmp_path, routes=routes)
    a, b, c = (run(provider.place_details(name)) for name in "abc")
    (route,) = run(provider.directions(a, c, mode=TravelMode.DRIVING, waypoints=(b,)))
    assert [leg.duration_s for leg in route.legs] == [300, 420]
    with pytest.raises(NoRouteError):
        run(provider.directions(a, c, mode=TravelMode.DRIVING))


def test_setting() -> None:
    provider = RecordedProvider.from_setting(ProviderSetting(name="recorded", argument=str(HARBOUR)))
    assert provider.map_name == "harbour"
    with pytest.raises(ConfigError, match="recorded:PATH"):
        RecordedProvider.from_setting(ProviderSetting(name="recorded"))
    with pytest.raises(InputFileError, match="nowhere"):
        RecordedProvider.from_setting(ProviderSetting(name="recorded", argument="nowhere.json"))


def test_an_empty_world_serves_no_mode(tmp_path: Path) -> None:
    provider = world(tmp_path)
    assert provider.capabilities.modes == frozenset()
    assert run(provider.find_place("A")) == ()
