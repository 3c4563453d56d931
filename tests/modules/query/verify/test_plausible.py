"""Ways that cannot be: each limit is passed by a little, and kept by a little."""

import pytest

from map_tools.facts import TravelFact
from map_tools.types import LatLng, Place, TravelMode
from modules.query.verify.plausible import doubts
from tests.support.evidence import evidence

EQUATOR_M = 111_319.49
"""A degree on the equator: the Earth's radius there, 6,378,137 m, times pi over 180."""


def place(name: str, *, east_m: float = 0.0, kind: str = "shop", address: str | None = None) -> Place:
    here = LatLng(lat=0, lng=10 + east_m / EQUATOR_M)
    return Place(id=f"osm:{name}", name=name, location=here, categories=(kind,), address=address)


def way(
    origin: str | Place,
    destination: str | Place,
    duration_s: float | None,
    distance_m: float | None,
    mode: TravelMode = TravelMode.WALKING,
    *,
    ferry: bool = False,
) -> TravelFact:
    names = [one.name if isinstance(one, Place) else one for one in (origin, destination)]
    return TravelFact(
        origin=names[0],
        destination=names[1],
        mode=mode,
        duration_s=duration_s,
        distance_m=distance_m,
        origin_place=origin if isinstance(origin, Place) else None,
        destination_place=destination if isinstance(destination, Place) else None,
        ferry=ferry,
    )


def doubted(*facts: TravelFact) -> list[bool]:
    """For what is doubted of the first way, whether the answer is to be rejected."""
    return [reject for _, reject in doubts(evidence(*facts), frozenset({"e1"}))]


@pytest.mark.parametrize(
    ("mode", "mps"),
    [
        (TravelMode.WALKING, 3.0),
        (TravelMode.BICYCLING, 14.0),
        (TravelMode.DRIVING, 56.0),
        (TravelMode.TRANSIT, 120.0),
    ],
)
def test_too_fast(mode: TravelMode, mps: float) -> None:
    assert doubted(way("A", "B", 1001, mps * 1001 + 1, mode)) == [True]
    assert doubted(way("A", "B", 1001, mps * 1001, mode)) == []


def test_whole_minutes_may_be_half_a_minute_more() -> None:
    assert doubted(way("A", "B", 600, 3.0 * 630)) == []
    assert doubted(way("A", "B", 600, 3.0 * 630 + 1)) == [True]


def test_a_ferry_may_be_faster_than_one_walks() -> None:
    assert doubted(way("A", "B", 1001, 25_000, ferry=True)) == []
    assert doubted(way("A", "B", 1001, 25_026, ferry=True)) == [True]
    assert doubted(way("A", "B", 1001, 56_000, TravelMode.DRIVING, ferry=True)) == []


def test_no_time_for_a_way() -> None:
    assert doubted(way("A", "B", 0, 21)) == [True]
    assert doubted(way("A", "B", 0, None)) == [True]
    assert doubted(way("A", "B", 0, 20)) == []
    assert doubted(way("A", "A", 0, 21)) == []


def test_shorter_than_the_straight_line() -> None:
    """By more than a twentieth and 150 m; a park is too wide for a reason to reject."""
    far, park = place("B", east_m=2000), place("B", east_m=2000, kind="park")
    assert doubted(way(place("A"), far, 1501, 1751)) == []
    assert doubted(way(place("A"), far, 1501, 1749)) == [True]
    assert doubted(way(place("A"), park, 1501, 1749)) == [False]
    assert doubted(way(place("A"), "B", 1501, 1749)) == []


def test_tiny_though_the_places_lie_apart() -> None:
    assert doubted(way(place("A"), place("B", east_m=201), 61, 20)) == [True, True]  # the straight line too
    assert doubted(way(place("A"), place("B", east_m=150), 61, 20)) == []
    assert doubted(way(place("A"), place("B", east_m=250), 60, None)) == [True]
    assert doubted(way(place("A"), place("B", east_m=199), 60, None)) == []
    assert doubted(way(place("A"), place("B", east_m=250), 61, None)) == []


def test_tiny_though_another_way_is_long() -> None:
    tiny = way("A", "B", 61, 10)
    assert doubted(tiny, way("A", "B", 400, 201)) == [True]
    assert doubted(tiny, way("B", "A", 400, 201)) == [True]
    assert doubted(tiny, way("A", "B", 400, 200)) == []
    assert doubted(tiny, way("A", "C", 400, 201)) == []
    assert doubted(way("A", "B", 61, 21), way("A", "B", 400, 500)) == []


def test_tiny_though_a_third_place_is_near_to_one_end_alone() -> None:
    """From A to C is more than three times the way over B, and 300 m."""
    tiny, onward = way("A", "B", 61, 10), way("B", "C", 100, 90)
    assert doubted(tiny, onward, way("A", "C", 900, 601)) == [True]
    assert doubted(tiny, onward, way("A", "C", 900, 600)) == []
    assert doubted(tiny, onward, way("A", "D", 900, 601)) == []
    assert doubted(tiny, onward, way("A", "C", 900, 601, TravelMode.DRIVING)) == []


def test_tiny_though_the_addresses_are_of_other_quarters() -> None:
    one, other = place("A", address="5 Long Street, Old Town"), place("B", address="9 Harbour Way, Seaside")
    assert doubted(way(one, other, 61, 10)) == [True]
    assert doubted(way(one, place("B", address="7 Long Street, Seaside"), 61, 10)) == []
    assert doubted(way(one, place("B"), 61, 10)) == []


def test_only_what_is_used_is_doubted() -> None:
    assert list(doubts(evidence(way("A", "B", 1001, 9000)), frozenset())) == []
