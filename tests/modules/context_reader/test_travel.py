from types import SimpleNamespace

import pytest

from map_tools.facts import NearbyFact, NoteFact, TravelFact
from map_tools.types import TravelMode
from modules.context_reader.parsers import marked
from modules.context_reader.reader import read_text
from modules.nlu.marks import NAME, Mark
from tests.modules.context_reader.support import facts

CAR, FOOT, BIKE, TRANSIT = TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING, TravelMode.TRANSIT
type Row = tuple[str, str, TravelMode, float | None, float | None]


def rows(text: str) -> list[Row]:
    return [
        (fact.origin, fact.destination, fact.mode, fact.duration_s, fact.distance_m)
        for fact in facts(text, TravelFact)
    ]


@pytest.mark.parametrize(
    ("line", "mode", "duration_s", "distance_m"),
    [
        ("Travel Time from Old Inn to New Hall by car is 14 mins (3.8 km).", CAR, 840, 3800),
        (
            "Travel Time from <b>Old Inn</b> to <b>New Hall</b> on foot is 1 hour 25 mins (6.0 km).",
            FOOT,
            5100,
            6000,
        ),
        ("Travel Time from Old Inn to New Hall by cycle is 1 min (74 m).", BIKE, 60, 74),
        ("Distance from Old Inn to New Hall by public transport is 3.6 km (12 mins).", TRANSIT, 720, 3600),
        ("Distance from Old Inn  to New Hall  is 8.4 km (16 mins) by car.", CAR, 960, 8400),
        ("The travel time(distance) from Old Inn to New Hall is 5 mins (1.6 km)", CAR, 300, 1600),
        ("Driving from Old Inn to New Hall takes 14 minutes (3.8 km).", CAR, 840, 3800),
        ("It takes 25 minutes to walk from Old Inn to New Hall.", FOOT, 1500, None),
        ("By bicycle, it takes about 12 minutes to get from Old Inn to New Hall.", BIKE, 720, None),
        ("Travel time from Old Inn to New Hall by bus is 1 hr 5 min (12 km).", TRANSIT, 3900, 12000),
        ("Old Inn → New Hall (walking): 45 mins, 3.1 km", FOOT, 2700, 3100),
        ("From Old Inn to New Hall by bicycle: 12 min / 3.0 km", BIKE, 720, 3000),
        ("Old Inn to New Hall by car - 12 mins (5 km)", CAR, 720, 5000),
        ("The drive from Old Inn to New Hall takes about 12 minutes.", CAR, 720, None),
        (
            "Travel Time from Old Inn to New Hall by car is 1 day 2 hours (1,950 miles).",
            CAR,
            93600,
            1950 * 1609.344,
        ),
        (
            "Walking from Old Inn to New Hall would take 45 minutes and cover a distance of 3.1 km.",
            FOOT,
            2700,
            3100,
        ),
    ],
)
def test_one_line(line: str, mode: TravelMode, duration_s: float, distance_m: float | None) -> None:
    ((origin, destination, found, seconds, metres),) = rows(line)
    assert (origin, destination, found) == ("Old Inn", "New Hall", mode)
    assert seconds == pytest.approx(duration_s)
    assert metres == (pytest.approx(distance_m) if distance_m is not None else None)


@pytest.mark.parametrize(
    "line",
    [
        "Old Inn → New Hall: 14 mins by car, 30 mins on foot",
        "From Old Inn to New Hall: driving 14 min, walking 30 min",
        "Travel time from Old Inn to New Hall by car is 14 mins, and on foot is 30 mins.",
        "Driving time from Old Inn to New Hall: 14 minutes; walking time: 30 minutes.",
    ],
)
def test_two_modes_give_two_facts(line: str) -> None:
    assert rows(line) == [("Old Inn", "New Hall", CAR, 840, None), ("Old Inn", "New Hall", FOOT, 1800, None)]


def test_between_holds_both_ways() -> None:
    assert [row[:2] for row in rows("The distance between Old Inn and New Hall is 2.4 miles by car.")] == [
        ("Old Inn", "New Hall"),
        ("New Hall", "Old Inn"),
    ]


def test_without_a_mode_it_is_by_car() -> None:
    assert rows("Travel time from A to B is 5 mins (1.6 km)") == [("A", "B", CAR, 300, 1600)]


def test_name_with_to_in_it_is_known_from_elsewhere() -> None:
    block = "Information of Way to Heaven:\n- Location: A.\n"
    text = f"Travel Time from Way to Heaven to Old Inn by car is 5 mins (2 km).\n{block}"
    assert rows(text)[0][:2] == ("Way to Heaven", "Old Inn")


def test_names_that_end_in_a_means_of_transport_stay_whole() -> None:
    assert rows("Travel Time from Harbor Walk to Union Metro by car is 5 mins (2 km).")[0][:3] == (
        "Harbor Walk",
        "Union Metro",
        CAR,
    )


@pytest.mark.parametrize(
    "line",
    [
        "Travel Time from Old Inn to New Hall by public transport is not available.",
        "Travel Time from Old Inn to New Hall by public transport is N/A.",
        "There is no route from Old Inn to New Hall by public transport.",
        "There are 0 routes from Old Inn to New Hall by public transport.",
        "No routes from Old Inn to New Hall by public transport",
        "It is not possible to go from Old Inn to New Hall by public transport.",
        "There are no routes between Old Inn and New Hall by public transport.",
    ],
)
def test_no_way_is_understood_and_stays_quotable(line: str) -> None:
    assert [note.text for note in facts(line, NoteFact)] == [line]
    assert read_text(line).misses == ()
    assert rows(line) == []


def test_straight_line_distance_is_no_travel() -> None:
    text = "The straight-line distance from Old Inn to New Hall is 2 km."
    assert rows(text) == []
    (told,) = facts(text, NearbyFact)
    assert [one.distance_m for one in told.items] == [2000]


@pytest.mark.parametrize(
    "line",
    [
        "Travel Time from Old Inn to New Hall by car is 12 mins, and back 14 mins.",
        "The drive from Old Inn to New Hall takes 12 minutes, the way back takes 14 minutes.",
        "From Old Inn to New Hall it is 12 mins by car, in the other direction 14 mins.",
    ],
)
def test_the_way_back_on_the_same_line(line: str) -> None:
    assert rows(line) == [("Old Inn", "New Hall", CAR, 720, None), ("New Hall", "Old Inn", CAR, 840, None)]


def test_the_front_door_is_that_of_the_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "My flat is in Elm Street. Mill Bakery is two minutes on foot from my front door."

    def mark(words: str, label: str, of: str | None = None, start: str | None = None) -> Mark:
        ends = (None if name is None else text.index(name) for name in (of, start))
        begin = text.index(words)
        return Mark(begin, begin + len(words), label, *ends, mode="walk" if start else "")

    marks = (
        mark("My flat", NAME),
        mark("Mill Bakery", NAME),
        mark("two minutes", "time", "Mill Bakery", "my front door"),
        mark("my front door", NAME),
    )
    monkeypatch.setattr(marked, "marker", lambda: SimpleNamespace(marks=lambda _: marks))
    (way,) = facts(text, TravelFact)
    assert (way.origin, way.destination, way.duration_s) == ("My flat", "Mill Bakery", 120)
