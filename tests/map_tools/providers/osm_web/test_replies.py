"""What the services say becomes places, routes and travel times."""

import pytest

from map_tools.providers.osm_web.overpass import Search
from map_tools.providers.osm_web.places import has_outline, object_of, read_element, read_hit
from map_tools.providers.osm_web.routers import instruction, maneuver_of, read_cells, read_osrm_routes
from map_tools.types import NO_WAY, LatLng, MatrixCell
from tests.map_tools.providers.osm_web.replies import (
    HOUSE_ON_A_LINE,
    LAT,
    LIGHTHOUSE,
    LNG,
    TOWN,
    node,
    osrm_route,
    osrm_step,
    way,
)


def test_a_result_of_nominatim() -> None:
    place = read_hit(LIGHTHOUSE)
    assert place is not None
    assert (place.id, place.name, place.location) == (
        "osm:w90394480",
        "Lighthouse Museum",
        LatLng(lat=LAT, lng=LNG),
    )
    assert place.categories[0] == "museum"
    assert place.address == "Pier Road 7, 97600 Moroni"
    assert place.website == "https://lighthouse.invalid"
    assert place.services == {"wheelchair": True}
    assert place.hours is not None
    assert place.hours.spec == "Tu-Su 10:00-17:00"
    assert place.aliases == ("Musée du phare",)
    assert place.timezone == "Indian/Mayotte"


def test_a_tag_and_a_name_make_a_kind() -> None:
    church = {"amenity": "place_of_worship", "religion": "christian"}
    elements = [
        node(1, LAT, LNG, name="Corner", amenity="cafe", dog="leashed; no"),
        node(2, LAT, LNG, name="Mill", amenity="pub", dog="no"),
        node(3, LAT, LNG, name="Moroni Cathedral", **church),
        node(4, LAT, LNG, name="Cathedral School", amenity="school"),
    ]
    found = [
        [place.name for place in Search((kind,), None).among(elements)]
        for kind in ("dog=leashed", "cathedral")
    ]
    assert found == [["Corner"], ["Moroni Cathedral"]]
    assert any("religion" in one for one in Search(("cathedral",), None).selectors())


def test_a_town_is_one_though_its_tags_say_boundary() -> None:
    place = read_hit(TOWN)
    assert place is not None
    assert {"city", "admin"} <= set(place.categories)
    assert has_outline(TOWN)
    assert not has_outline({**LIGHTHOUSE, "osm_type": "node"})
    assert not has_outline({**LIGHTHOUSE, "category": "highway"})


def test_an_interpolated_house_is_no_object() -> None:
    assert read_hit(HOUSE_ON_A_LINE) is None


def test_elements_of_overpass() -> None:
    cafe = read_element(node(5, LAT, LNG, amenity="cafe", name="Quay"))
    school = read_element(way(6, LAT, LNG, amenity="school", name="Hill School"))
    assert cafe is not None
    assert school is not None
    assert (cafe.id, cafe.name, cafe.location) == ("osm:n5", "Quay", LatLng(lat=LAT, lng=LNG))
    assert (school.id, school.location) == ("osm:w6", LatLng(lat=LAT, lng=LNG))
    assert read_element(node(7, LAT, LNG, highway="residential")) is None  # background without a name
    assert read_element({"type": "relation", "id": 8, "tags": {"amenity": "cafe"}}) is None  # nowhere


@pytest.mark.parametrize(
    ("place_id", "expected"),
    [
        ("osm:n1", ("node", 1)),
        ("osm:w22", ("way", 22)),
        ("osm:r333", ("relation", 333)),
        ("osm:x1", None),
        ("osm:n", None),
        ("osm:n1;out", None),
        ("n1", None),
        ("osm:n" + "9" * 30, None),
    ],
)
def test_ids(place_id: str, expected: tuple[str, int] | None) -> None:
    assert object_of(place_id) == expected


def test_a_route_of_osrm() -> None:
    reply = osrm_route(
        osrm_step("depart", "Pier Road", 100, 20),
        osrm_step("turn", "Coast Road", 900, 60, modifier="left", ref="N2; E5"),
        osrm_step("roundabout", "Coast Road", 40, 8, modifier="right", exit=2),
        osrm_step("exit roundabout", "Hill Street", 300, 40, modifier="right"),
        osrm_step("arrive", "Hill Street", 0, 0, modifier="right"),
    )
    (route,) = read_osrm_routes(reply, (LatLng(lat=38.5, lng=-120.2), LatLng(lat=43.252, lng=-126.453)))
    assert (route.distance_m, route.duration_s, route.summary) == (1340, 128, "Coast Road")
    assert route.geometry == (
        LatLng(lat=38.5, lng=-120.2),
        LatLng(lat=40.7, lng=-120.95),
        LatLng(lat=43.252, lng=-126.453),
    )
    assert route.warnings == ()
    assert [(step.maneuver, step.instruction) for step in route.steps] == [
        ("depart", "Set off on Pier Road"),
        ("turn-left", "Turn left onto Coast Road"),
        ("roundabout", "At the roundabout, take exit 2 onto Coast Road"),
        ("arrive", "You have arrived: the destination is on the right"),
    ]
    turn, ring = route.steps[1:3]
    assert turn.streets == ("Coast Road", "N2", "E5")
    assert (ring.roundabout_exit, ring.distance_m, ring.streets) == (2, 340, ("Hill Street",))
    assert turn.location == LatLng(lat=LAT, lng=LNG)


def test_a_ferry_is_a_ferry() -> None:
    reply = osrm_route(osrm_step("notification", "Island Ferry", 900, 600, modifier="straight", mode="ferry"))
    (step,) = read_osrm_routes(reply, (LatLng(lat=38.5, lng=-120.2),) * 2)[0].steps
    assert (step.maneuver, step.notes) == ("ferry", ("Ferry",))


def test_a_table_of_osrm() -> None:
    near, far = {"distance": 4.1, "location": [LNG, LAT]}, {"distance": 80_000.0, "location": [LNG, LAT]}
    reply = {
        "code": "Ok",
        "durations": [[0, 60.5, 900], [61, None, 900]],
        "distances": [[0, 500, 9000], [500.5, None, 9000]],
        "sources": [near, near],
        "destinations": [near, near, far],
    }
    assert list(read_cells(reply)) == [
        (0, 0, MatrixCell(distance_m=0, duration_s=0)),
        (0, 1, MatrixCell(distance_m=500, duration_s=60.5)),
        (0, 2, NO_WAY),  # OSRM took the nearest road, 80 km away
        (1, 0, MatrixCell(distance_m=500.5, duration_s=61)),
        (1, 1, NO_WAY),
        (1, 2, NO_WAY),
    ]


@pytest.mark.parametrize(
    ("kind", "modifier", "word", "sentence"),
    [
        ("turn", "sharp left", "turn-sharp-left", "Turn sharply left onto A"),
        ("end of road", "right", "turn-right", "Turn right onto A"),
        ("continue", "uturn", "uturn", "Make a U-turn onto A"),
        ("continue", "straight", "straight", "Continue straight onto A"),
        ("new name", "straight", "straight", "Continue on A"),
        ("fork", "slight left", "keep-left", "Keep left onto A"),
        ("fork", "straight", "straight", "Continue straight onto A"),
        ("on ramp", "slight right", "ramp-right", "Take the ramp on the right onto A"),
        ("off ramp", "slight left", "ramp-left", "Take the exit on the left onto A"),
        ("merge", "slight left", "merge", "Merge on the left onto A"),
        ("rotary", "right", "roundabout", "At the roundabout, go round onto A"),
        ("roundabout turn", "left", "turn-left", "Turn left onto A"),
        ("something new", "right", "turn-right", "Turn right onto A"),
        ("something new", "", "", "Continue onto A"),
    ],
)
def test_words_for_manoeuvres(kind: str, modifier: str, word: str, sentence: str) -> None:
    assert maneuver_of(kind, modifier) == word
    assert instruction(kind, modifier, "A") == sentence
