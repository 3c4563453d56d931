"""What the sequencer derives from single facts."""

from map_tools.types import TravelMode
from modules.sequencer.derive import derive
from tests.support.evidence import evidence, nearby_fact, place, route, routes_fact


def test_routes_are_compared_by_time_and_by_length() -> None:
    quick, short = route("Ring Road", 10, 9000), route("Old Road", 15, 7000)
    (item,) = evidence(routes_fact("A", "B", [short, quick], TravelMode.DRIVING))
    fastest, shortest = derive(item)
    assert (fastest.value, fastest.formula) == ("Ring Road", "600 s < 900 s")
    assert (shortest.value, shortest.formula) == ("Old Road", "7000 m < 9000 m")


def test_a_whole_list_is_counted_and_its_nearest_place_named() -> None:
    (item,) = evidence(nearby_fact("A", "cafe", [(place("Far"), 300.0), (place(""), 20.0)]))
    count, nearest = derive(item)
    assert count.value == "2"
    assert (nearest.value, nearest.formula) == ("(unnamed)", "20 m")


def test_a_cut_list_is_not_counted() -> None:
    (item,) = evidence(nearby_fact("A", "cafe", [(place("Near"), 30.0)], complete=False))
    assert [fact.label for fact in derive(item)] == ["nearest cafe around A"]
