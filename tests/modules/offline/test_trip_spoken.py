# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Trips as they are spoken: headings, margins, vehicles left behind, lists joined by dashes (by hand)."""

from datetime import time

import pytest

from map_tools.types import TravelMode
from modules.offline.analyser import analyse
from modules.offline.intents import TripIntent
from modules.offline.trip_grammar import read

BIKE, FOOT, CAR = TravelMode.BICYCLING, TravelMode.WALKING, TravelMode.DRIVING


def reading(text: str) -> TripIntent:
    found = read(analyse(text, None, ()))
    assert found, "not understood"
    intent = max(found, key=lambda one: one.score).intent
    assert isinstance(intent, TripIntent)
    return intent


def stops(intent: TripIntent) -> list[tuple[str, float]]:
    return [(visit.place, visit.dwell_s / 60) for visit in intent.visits]


SAID: list[tuple[str, list[tuple[str, float]]]] = [
    ("Parent taxi: from Lindenhof drive to Seehof, wait 10 minutes, then drive to Old Mill. How long does all this take?", [("Seehof", 10), ("Old Mill", 0)]),
    ("Delivery round: start at Lindenhof, Seehof, Old Mill, 4 minutes per stop, by bike. Total time?", [("Seehof", 4), ("Old Mill", 4)]),
    ("Courier here. Lindenhof to Seehof, then on to Bergheim, all by car, 5 minutes to unload at Seehof. How long in total?", [("Seehof", 5), ("Bergheim", 0)]),
    ("Starting at Lindenhof I walk to Seehof and Old Mill, 3 minutes per stop. Total time?", [("Seehof", 3), ("Old Mill", 3)]),
    ("I start from Lindenhof on foot, spend 20 minutes at Seehof, and walk to The bike shop. How long in all?", [("Seehof", 20), ("bike shop", 0)]),
    ("I pick up flowers at Seehof, then take them to Old Mill. I start from Lindenhof by car. How long?", [("Seehof", 0), ("Old Mill", 0)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), SAID)
def test_stops_and_stays(text: str, wanted: list[tuple[str, float]]) -> None:
    intent = reading(text)
    assert intent.start == "Lindenhof"
    assert stops(intent) == wanted


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("We drive from Lindenhof to Seehof. The play begins at 20:00 and we want to be there a quarter of an hour early. When must we leave at the latest?", time(19, 45)),
        ("The concert at Seehof starts at 8 pm and we like to be half an hour early. Latest departure from Lindenhof by car?", time(19, 30)),
        ("My train leaves from Seehof at 18:00 and I want to be there 10 minutes before it departs. When do I need to leave Lindenhof on foot?", time(17, 50)),
    ],
)  # fmt: skip
def test_a_margin_brings_the_date_forward(text: str, at: time) -> None:
    intent = reading(text)
    assert (intent.start, intent.ask, stops(intent)) == ("Lindenhof", "latest_departure", [("Seehof", 0)])
    assert intent.visits[0].arrive_by == at


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Bike from Lindenhof to Seehof, leave the bike there for repair and walk to Old Mill. Total travel time?", BIKE),
        ("I drive from Lindenhof to Seehof, park the car there and walk to Old Mill. How long in total?", CAR),
        ("Cycle from Lindenhof to Seehof, lock the bike, and go on foot to Old Mill, total minutes?", BIKE),
    ],
)  # fmt: skip
def test_a_vehicle_left_behind(text: str, first: TravelMode) -> None:
    assert [visit.mode for visit in reading(text).visits] == [first, FOOT]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("I've got 20 minutes. Enough to drive Lindenhof - Seehof and back?", 20),
        ("Just half an hour. Is that enough to walk Lindenhof - Seehof and back?", 30),
        ("I have 40 minutes. Sufficient to bike from Lindenhof to Seehof and back?", 40),
    ],
)
def test_enough_time_for_there_and_back(text: str, minutes: float) -> None:
    intent = reading(text)
    places = [*([intent.start] if intent.start else []), *(visit.place for visit in intent.visits)]
    assert (places, intent.returns, intent.ask) == (["Lindenhof", "Seehof"], True, "feasible")
    assert intent.available_s == minutes * 60


@pytest.mark.parametrize(
    ("text", "ask"),
    [
        ("total distance driving guildhall - seehof - old mill", "distance"),
        ("walking time guildhall - seehof - old mill", "travel_time"),
        ("guildhall > seehof > old mill on foot, total km?", "distance"),
        ("how far is it in total by bike, guildhall > seehof > old mill?", "distance"),
    ],
)
def test_chains_without_capitals(text: str, ask: str) -> None:
    intent = reading(text)
    assert ([visit.place for visit in intent.visits], intent.ask) == (
        ["guildhall", "seehof", "old mill"],
        ask,
    )


def test_the_way_to_where_one_must_be_back() -> None:
    intent = reading(
        "I need to be back at Lindenhof at 6 pm. If I go by bus, when must I leave Seehof at the latest?"
    )
    assert (intent.start, stops(intent), intent.end_by) == ("Seehof", [("Lindenhof", 0)], time(18))
    assert intent.ask == "latest_departure"


def test_when_one_left_is_reckoned_from_the_arrival() -> None:
    intent = reading("I walked from Seehof to Old Mill and arrived at 11:20 am. When did I leave?")
    assert (intent.start, intent.visits[0].arrive_by, intent.ask) == (
        "Seehof",
        time(11, 20),
        "latest_departure",
    )


def test_a_meal_until_then_is_where_the_trip_begins() -> None:
    intent = reading(
        "I have breakfast at the hotel (Lindenhof) until 8:30 am, then drive to Seehof. When do I arrive?"
    )
    assert intent.depart_at == time(8, 30)


def test_a_time_before_an_arrow_is_the_start() -> None:
    text = "My plan: hotel at 10:00 -> Seehof (2 hours) -> Old Mill (1 hour) -> hotel, by taxi from Lindenhof. When am I back?"
    intent = reading(text)
    assert (intent.start, intent.depart_at, intent.returns) == ("Lindenhof", time(10), True)


def test_minutes_left_at_a_place_before_it_closes() -> None:
    intent = reading(
        "I leave Lindenhof at 5 pm on foot for Seehof. How many minutes can I spend there before it closes?"
    )
    assert (intent.start, stops(intent), intent.ask) == ("Lindenhof", [("Seehof", 0)], "spare")
