"""Lists and candidates of services name each place once."""

from map_tools.providers.base import CutList
from map_tools.tools.candidates import found_once, listed_once
from map_tools.types import Candidate, LatLng, NearbyPlace, Place


def place(number: int, name: str, lng: float = 8.0, **more: object) -> Place:
    kind = {"categories": ("museum", "attraction"), **more}
    location = LatLng(lat=47, lng=lng)
    return Place.model_validate({"id": f"x:{number}", "name": name, "location": location, **kind})


def listed(*places: Place) -> tuple[NearbyPlace, ...]:
    return tuple(NearbyPlace(place=each, distance_m=float(number)) for number, each in enumerate(places))


def test_two_entries_of_a_museum_are_one_with_what_both_say() -> None:
    found = listed_once(
        listed(
            place(1, "Art House"),
            place(2, "Other"),
            place(3, "art house", 8.001, phone="1", rating=4.5, website="https://example.org"),
        )
    )
    assert [(item.place.id, item.distance_m) for item in found] == [("x:3", 0.0), ("x:2", 1.0)]
    assert found[0].place.merged_from == ("x:1",)
    assert found[0].place.rating == 4.5


def test_branches_and_other_kinds_stay() -> None:
    cafe = {"categories": ("cafe", "food")}
    places = (
        place(1, "Bean", 8.0, **cafe),
        place(2, "Bean", 8.001, **cafe),
        place(3, "Bean", 8.0001, categories=("bakery", "shop")),
        place(4, "Bean", 8.0, **cafe, address="3 Lane, Town"),
        place(5, "Bean", 8.0, **cafe, address="5 Lane, Town"),
        place(6, "", 8.0, **cafe),
        place(7, "", 8.0, **cafe),
    )
    found = listed_once(listed(*places))
    ids = [item.place.id for item in found]
    assert ids == ["x:4", "x:2", "x:3", "x:5", "x:6", "x:7"]  # 1 may be either, and cannot be both


def test_without_positions_one_address_tells() -> None:
    hidden = {"location": None, "address": "3 Lane, Town"}
    found = listed_once(listed(place(1, "Art House", **hidden), place(2, "Art House", **hidden)))
    assert [item.place.merged_from for item in found] == [("x:2",)]
    apart = listed_once(listed(place(1, "Art House", location=None), place(2, "Art House", location=None)))
    assert len(apart) == 2


def test_a_cut_list_stays_cut_and_a_whole_list_as_it_is() -> None:
    whole = listed(place(1, "Art House"), place(2, "Other"))
    assert listed_once(whole) is whole
    assert isinstance(listed_once(CutList(listed(place(1, "A"), place(2, "A")))), CutList)


def test_candidates() -> None:
    found = found_once(
        (
            Candidate(place=place(1, "Art House"), score=1.0),
            Candidate(place=place(2, "Art House", 8.001), score=0.9),
            Candidate(place=Place(id="x:3", name="Art House", location=LatLng(lat=48, lng=8)), score=0.9),
        )
    )
    assert [(item.place.id, item.score) for item in found] == [("x:1", 1.0), ("x:3", 0.9)]
    assert found[0].place.merged_from == ("x:2",)
