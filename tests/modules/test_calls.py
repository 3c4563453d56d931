"""Needs become the fewest calls."""

from map_tools.types import TravelMode
from modules.offline.intents import What
from modules.map_service.calls import calls_for
from modules.needs import NearbyNeed, PlaceNeed, RoutesNeed, TravelNeed


def test_travel_of_one_mode_is_one_trip_and_its_places_are_not_asked_for_again() -> None:
    walk, drive = TravelMode.WALKING, TravelMode.DRIVING
    needs = [
        PlaceNeed(text="A"),
        PlaceNeed(text="D"),
        TravelNeed(origin="A", destination="B", mode=walk),
        TravelNeed(origin="B", destination="C", mode=walk),
        TravelNeed(origin="C", destination="A", mode=drive),
    ]
    place, by_foot, by_car = calls_for(needs)
    assert (place.tool, place.arguments) == ("PlaceInfo", {"location_address": "D"})
    assert by_foot.arguments == {
        "current_location": "A",
        "visiting_places": ["B", "C"],
        "travel_mode": "walking",
    }
    assert (by_car.tool, by_car.arguments["visiting_places"]) == ("Trip", ["A"])


def test_a_list_and_a_route_carry_what_was_asked() -> None:
    cafe = What(text="vegan cafe", categories=("cafe",), keyword="vegan")
    nearby, route = calls_for(
        [
            NearbyNeed(what=cafe, anchor="A", radius_m=300, everything=True),
            RoutesNeed(
                origin="A", destination="B", mode=TravelMode.WALKING, waypoints=("C",), alternatives=True
            ),
        ]
    )
    assert nearby.arguments == {
        "query": "vegan cafe",
        "location": "A",
        "categories": ["cafe"],
        "keyword": "vegan",
        "radius": 300,
        "everything": True,
    }
    assert route.arguments["waypoints"] == ["C"]
    assert route.arguments["alternatives"] is True
