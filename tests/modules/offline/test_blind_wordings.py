# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Wordings of travel questions as people write them who speak another language at home (meanings by hand)."""

from datetime import time
from typing import Any

import pytest

from map_tools.types import TravelMode
from modules.offline.analyser import analyse
from modules.offline.intents import NearbyIntent, RouteIntent, TripIntent
from modules.offline.nearby_grammar import read as read_nearby
from modules.offline.route_grammar import read as read_route
from modules.offline.trip_grammar import read as read_trip

MIN = 60.0
WALK, CAR, BUS = TravelMode.WALKING, TravelMode.DRIVING, TravelMode.TRANSIT


def best(readings: list[Any]) -> Any:
    assert readings, "not understood"
    return max(readings, key=lambda one: one.score).intent


TRIPS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    # the time at hand is what is no stay
    ("I am at Lindenhof with 6 hours and a car. I want to see Seehof (2 hours) and Old Mill (1 hour). What is the maximum number of places I can visit?", ("1", "2"), {"available_s": 360 * MIN, "ask": "max_visits"}),
    ("I'm at Lindenhof. I want to spend 1 hour at Seehof and 1 hour at Old Mill and I have just 3 hours. How many places at most can I see by car?", ("One", "Two"), {"available_s": 180 * MIN, "ask": "max_visits"}),
    ("I have a 2-hour lecture in the Lindenhof College, then shopping for 1 hour in Old Mill Market and return home to Seehof. I go by car and leave home at 8:00 AM. When will I be home?", ("1:00 PM", "2:00 PM"), {"start": "Seehof", "available_s": None, "ask": "arrival"}),
    # what is told later comes earlier
    ("I have an appointment in Lindenhof Clinic at 11:00 AM. Before that I have to submit a form in Old Mill College, which takes 20 minutes. If I walk from Seehof, when should I leave at the latest?", ("10:20 AM", "10:40 AM"), {"ask": "latest_departure", "places": ("Old Mill College", "Lindenhof Clinic"), "stays": (20, 0)}),
    # coming back and going on, giving back
    ("My class in Lindenhof College ends at 4:45 PM, I drive home to Seehof, rest for 30 minutes and drive to Old Mill Station. When do I get there?", ("5:26 PM", "5:40 PM"), {"places": ("Lindenhof College", "Seehof", "Old Mill Station"), "stays": (0, 30, 0), "returns": False}),
    ("From Seehof I walk to Old Mill Library where I return books for 10 minutes, then I walk to Lindenhof. If I left at 12:40 PM, at what time will I reach Lindenhof?", ("1:00 PM", "2:00 PM"), {"returns": False, "places": ("Old Mill Library", "Lindenhof")}),
    # only some of the legs
    ("I go on foot from Seehof to Old Mill and on to Lindenhof. Then I return to Seehof by car. How much time am I going to spend walking?", ("1 hour", "2 hours"), {"counted": WALK, "returns": True}),
    ("I go on foot from Seehof to Old Mill and on to Lindenhof. Then I return to Seehof by car. How much time does all of it take?", ("1 hour", "2 hours"), {"counted": None}),
    # days and vehicles that are not those of the trip
    ("Seehof is closed on Mondays, so I go on Friday. If I leave Lindenhof by car at 10:30 AM, how long can I stay in Seehof before it closes?", ("1 hour", "2 hours"), {"weekday": 4, "depart_at": time(10, 30)}),
    ("A bus will pick me up at Lindenhof at 5:45 PM. Now I am at Seehof and my car is parked there. Until what time can I stay?", ("5:19 PM", "4:54 PM"), {"ask": "latest_departure", "mode": CAR}),
    ("Starting at 1 pm from Seehof by car I want to visit Lindenhof for 1 hour and Old Mill for 2 hours. Which of the following schedules is feasible?", ("Lindenhof (1:06 PM - 2:06 PM), Old Mill (2:23 PM - 4:23 PM)", "Lindenhof (1 PM - 2 PM), Old Mill (2 PM - 4 PM)"), {"ask": "schedule"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "wanted"), TRIPS)
def test_trips(text: str, options: tuple[str, ...], wanted: dict[str, Any]) -> None:
    intent = best(read_trip(analyse(text, None, options)))
    assert isinstance(intent, TripIntent)
    told = intent.model_dump() | {
        "places": tuple(visit.place for visit in intent.visits),
        "stays": tuple(visit.dwell_s / MIN for visit in intent.visits),
        "weekday": intent.day.weekday if intent.day else None,
        "mode": intent.mode or next((visit.mode for visit in intent.visits if visit.mode), None),
    }
    assert {key: told[key] for key in wanted} == wanted


ROUTES: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("Which exit do I have to take at the last roundabout when I drive from Seehof to Lindenhof via A7?", ("1st", "2nd"), {"ask": "exit", "nth": -1}),
    ("I drive from Seehof to Lindenhof via A7. What do I do after the second roundabout?", ("Turn left", "Turn right"), {"ask": "next_step", "feature": "roundabout", "nth": 2}),
    ("Walking from Seehof to Lindenhof, which route should we avoid because of the stairs?", ("Via Elm Road", "Via Oak Road"), {"ask": "most", "feature": "stairs"}),
    ("When I arrive at Lindenhof by car from Seehof via A7, on which side will I find it?", ("Left", "Right"), {"ask": "arrival_side", "destination": "Lindenhof", "feature": None}),
    ("Going on foot from Seehof to Lindenhof via Elm Road, which direction should I head at the very beginning?", ("North", "South"), {"ask": "first_step", "along": "Elm Road"}),
    ("If I walk from Seehof to Lindenhof, how much more time does Elm Road take compared to Oak Road?", ("5 mins", "6 mins"), {"ask": "difference", "along": "Elm Road", "against": "Oak Road"}),
    ("How many miles do I save if I choose Elm Road in place of Oak Road when driving from Seehof to Lindenhof?", ("1.5", "2"), {"ask": "difference", "along": "Elm Road", "against": "Oak Road"}),
    ("I want to stop at Dollar Barn while driving from Seehof to Lindenhof. Which route goes past it?", ("Via Elm Road", "Via Oak Road"), {"ask": "most", "feature": "Dollar Barn"}),
    ("I walk from Seehof to Lindenhof via Elm Road. After I take the stairs on Oak Road, where should I go next?", ("Turn left", "Turn right"), {"ask": "next_step", "after": "Oak Road"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "wanted"), ROUTES)
def test_routes(text: str, options: tuple[str, ...], wanted: dict[str, Any]) -> None:
    intent = best(read_route(analyse(text, None, options)))
    assert isinstance(intent, RouteIntent)
    told = intent.model_dump()
    assert {key: told[key] for key in wanted} == wanted


SEARCHES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("My wife is sick. Which hospital is closest to my current location?", {"anchors": ("here",)}, {}),
    ("I am at Lindenhof and want coffee on Elm Street, but not in Old Mill Bakery. Which café should I go to?", {"anchors": ("Lindenhof",)}, {"exclude": ("Old Mill Bakery",), "address_contains": "Elm Street"}),
    ("I live in Seehof Lodge. Which library is on the same street with my hotel?", {}, {"same_street_as": "Seehof Lodge"}),
    ("Seehof Lodge is at Elm Street near Lindenhof. Which bank is on the same road?", {"anchors": ("Lindenhof",)}, {"address_contains": "Elm Street"}),
    ("How many cafés around Lindenhof are there having rating greater than or equal to 4.4?", {"anchors": ("Lindenhof",), "ask": "count"}, {"min_rating": 4.4}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted", "filters"), SEARCHES)
def test_searches(text: str, wanted: dict[str, Any], filters: dict[str, Any]) -> None:
    intent = best(read_nearby(analyse(text, None)))
    assert isinstance(intent, NearbyIntent)
    told = intent.model_dump()
    assert {key: told[key] for key in wanted} == wanted
    assert {key: told["filters"][key] for key in filters} == filters
