# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Trips and routes of a benchmark's kinds in other words, over invented places (what they mean written by hand)."""

from datetime import time
from typing import Any

import pytest

from map_tools.types import TravelMode
from modules.offline.intents import HERE, RouteIntent, TripIntent, Visit
from tests.modules.offline.travel_reading import assert_read, best

CAR, FOOT, BIKE, BUS = TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING, TravelMode.TRANSIT
HOUR = 3600.0
CLOCKS, MINUTES, NUMBERS = ("3:15 PM", "4:00 PM"), ("20 mins", "45 mins"), ("One", "Two", "Three")
VIAS, STEPS = (
    ("Via Elm Road", "Via Oak Lane"),
    ("Turn left onto Ash St", "Continue onto Oak Lane", "Turn right onto Elm Road"),
)


def visits(intent: TripIntent) -> list[tuple[str, float]]:
    return [(visit.place, visit.dwell_s / HOUR) for visit in intent.visits]


SEEN = [("Old Mill", 1.0), ("Marktplatz", 2.0)]
FIT: list[str] = [
    "My base is the Lindenhof in Seestadt. On my list: Old Mill (1 hour), Marktplatz (2 hours). I've got 4 hours in total and set off at 9 am by bus. What number of these places can I manage to see?",
    "I sleep at Lindenhof in Seestadt. I'll leave at 9 am by bus; I have 4 hours. The Old Mill takes me 1 hour and the Marktplatz 2 hours. What is the largest number of them I can visit?",
    "Lindenhof, Seestadt is where I stay. With 4 hours on hand from 9 am and the bus only, how many of these could I see: the Old Mill for an hour, the Marktplatz for two hours?",
    "A friend of mine is at the Lindenhof in Seestadt and has 4 hours from 9 am on. She takes the bus and would like to spend 1 hour at the Old Mill and 2 hours at the Marktplatz. How many of these will she be able to visit?",
    "Given 4 hours starting at 9 am from Lindenhof and travelling by bus only, what's the maximum number of these I can do: Old Mill, 1 hour; Marktplatz, 2 hours?",
    "I stay at the Lindenhof, start at 9 am by bus and have 4 hours. Sights on my list are Old Mill (1 hour) and Marktplatz (2 hours). What's the most I can visit?",
    "I leave the Lindenhof by bus at 9 am with 4 hours in hand. Old Mill (1 hour), Marktplatz (2 hours): your guess?",
]


@pytest.mark.parametrize("text", FIT)
def test_how_many_places_fit(text: str) -> None:
    """The last one says it by its options alone."""
    intent = best(text, *NUMBERS)
    assert isinstance(intent, TripIntent)
    assert (intent.ask, visits(intent), intent.available_s) == ("max_visits", SEEN, 4 * HOUR)
    assert (intent.depart_at, intent.mode) == (time(9), BUS)
    assert (intent.start or "").startswith("Lindenhof")


TRIPS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    # how long
    ("From Lindenhof I drive to Old Mill, then to Marktplatz, and back to the hotel. What does the driving add up to?", MINUTES, {"ask": "travel_time", "returns": True}),
    ("From Lindenhof I'll drive first to Old Mill, next to Marktplatz. What does that take altogether?", MINUTES, {"ask": "travel_time"}),
    ("I bike from Lindenhof to Old Mill and then walk all the way back. How long in total?", MINUTES, {"returns": True, "return_mode": FOOT}),
    ("I walked from Lindenhof to Old Mill and took the car back. How long was I on the way?", MINUTES, {"returns": True, "return_mode": CAR}),
    ("I walked from Lindenhof to Old Mill, and a taxi brought me home again. What was the total travel time?", MINUTES, {"returns": True, "return_mode": CAR}),
    # when to set out
    ("My plan, by car from my home in Lindendorf, Seestadt 2010, Utopia: first Old Mill for 30 minutes, then Marktplatz for 1 hour. What is the latest I may leave home and still be out of the Marktplatz by closing time?", CLOCKS, {"ask": "latest_departure", "start": "Lindendorf, Seestadt 2010, Utopia"}),
    ("In Seestadt I'll see the Old Mill for 1 hour and then the Marktplatz for 45 minutes by bus. To be at the Marktplatz at 1.00 pm, at what time should my visit to Old Mill begin?", CLOCKS, {"ask": "latest_departure", "start": None}),
    ("I want to be at the Marktplatz at 1 pm, after 1.5 hours at the Old Mill and then 1 hour at the Seehof, going by bus. When do I have to be at the Old Mill?", CLOCKS, {"ask": "latest_departure", "start": None, "end_by": None}),
    ("My plan for Seestadt by bus is 1.5 hours at the Old Mill and 45 minutes at the Marktplatz, in that order. If I have to reach the Marktplatz by 1.00 pm, when should I begin at the Old Mill?", CLOCKS, {"ask": "latest_departure", "start": None}),
    ("Planning Seestadt by car: Old Mill (2 hours), Marktplatz (1 hour). I want to finish by 3 PM. What's the right time to start?", CLOCKS, {"ask": "latest_departure", "end_by": time(15), "start": None}),
    ("I'm out by car: at 9:00 AM the Old Mill for 2 hours, a cruise of 1 hour that departs at 2:00 PM, and the Marktplatz for 45 minutes. I must be back at my hotel, Lindenhof, by 6:00 PM. When do I have to leave the Marktplatz at the latest?", CLOCKS, {"start": "Marktplatz", "end_by": time(18)}),
    ("I tour Seestadt by car. 9:00 AM: Old Mill, 2 hours. Lunch at Seehof, 1 hour. Then the Marktplatz, 45 minutes. At 6:00 PM I have to be at my hotel, Lindenhof. How late can I leave the Marktplatz?", CLOCKS, {"start": "Marktplatz", "end_by": time(18)}),
    # orders
    ("Leaving my home on Linden Road at 8:30 pm by car, I have to spend half an hour at Old Mill and an hour over dinner at Seehof. Which of the two should I go to first?", ("Old Mill", "Seehof"), {"ask": "best_order", "wanted": "first", "depart_at": time(20, 30)}),
    ("I live on Linden Road, and at 8:30 pm I'm going out by car: half an hour at Old Mill, one hour at Seehof. Which should come first?", ("Old Mill", "Seehof"), {"ask": "best_order", "wanted": "first", "depart_at": time(20, 30)}),
    ("Please schedule my day in Seestadt by bus: Old Mill for 2 hours, then Marktplatz for 1.5 hours.", (), {"ask": "schedule"}),
    ("I've a day for Seestadt and use the bus. How can I fit in Old Mill (2 hours) and a tour of the Marktplatz (1.5 hours), in this order?", (), {"ask": "schedule"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "slots"), TRIPS)
def test_trips(text: str, options: tuple[str, ...], slots: dict[str, Any]) -> None:
    assert_read(TripIntent, slots, text, *options)


STOPS: list[tuple[str, list[tuple[str, float]]]] = [
    ('I drive: 2 hours at the Old Mill, then lunch for 1 hour at "SEEHOF" in Lindendorf. To be finished by 3 PM, when do I have to begin?', [("Old Mill", 2), ("SEEHOF", 1)]),
    ('I drive: the Old Mill for 2 hours, next an hour\'s lunch at the restaurant "SEEHOF", then Marktplatz for 1 hour. I want to be done by 3 PM. What time should I start?', [("Old Mill", 2), ("SEEHOF", 1), ("Marktplatz", 1)]),
    ("I leave Lindenhof at 2 pm by bus: 2 hours at the Old Mill, and 1 hour at Seehof, Nordkai for my papers. Which order brings me home the soonest?", [("Old Mill", 2), ("Seehof, Nordkai", 1)]),
    ("I want to be at the Marktplatz at 1 pm, after 1.5 hours at the Old Mill and then 1 hour at the Seehof. When do I have to be at the Old Mill?", [("Old Mill", 1.5), ("Seehof", 1), ("Marktplatz", 0)]),
    ("I start at Lindenhof at 9 am by car and spend two hours at the Fir and Lighthouse Museum. When am I back?", [("Fir and Lighthouse Museum", 2)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), STOPS)
def test_stops_and_stays(text: str, wanted: list[tuple[str, float]]) -> None:
    assert visits(best(text, *CLOCKS)) == wanted


def test_what_takes_one_there_is_the_mode_of_the_leg() -> None:
    text = "I'm at Lindenhof. First I walk to Old Mill. From there a taxi takes me to the Marktplatz, then a train to the Seehof. What's the total time?"
    intent = best(text, *MINUTES)
    assert [(visit.place, visit.mode) for visit in intent.visits] == [
        ("Old Mill", FOOT),
        ("Marktplatz", CAR),
        ("Seehof", BUS),
    ]


def test_options_that_are_stops_ask_for_the_first() -> None:
    intent = best(
        "By car from Lindenhof at 8 pm: Old Mill, 30 minutes, and Seehof, one hour. Your advice?",
        "Old Mill",
        "Seehof",
    )
    assert (intent.ask, intent.visits[0]) == ("best_order", Visit(place="Old Mill", dwell_s=1800.0))


NEXT: list[str] = [
    "Heading for Old Mill in Seestadt by car via Elm Road, I've arrived at Oak Lane. Which road next?",
    "On my drive to Old Mill in Seestadt via Elm Road I have just reached Oak Lane. What do I do now?",
    "We're heading to Old Mill in Seestadt by car and chose the route via Elm Road. What's the instruction that follows once we are on Oak Lane?",
    "I'm driving to Old Mill in Seestadt, via Elm Road. Now I'm on Oak Lane. What's my next turn?",
    "I'm driving on the route via Elm Road to Old Mill and have reached Oak Lane. What's next?",
    "I drive to Old Mill via Elm Road. Oak Lane reached: and then?",
]
NEXT_FROM: list[str] = [
    "On the Elm Road route from Lindenhof to Old Mill by car, where do I go from Oak Lane?",
    "I'm on foot from Lindenhof to Old Mill, following the route via Elm Road. Once at Oak Lane, how do I continue?",
    "I drive from Lindenhof to Old Mill via Elm Road. I've got to Oak Lane. Which way now?",
    "Via Elm Road, driving from Lindenhof to Old Mill. I'm at Oak Lane. Where to go next?",
    "I'm at Lindenhof, driving to Old Mill by the Elm Road route. I've come to Oak Lane. Where to now?",
    "Route via Elm Road, driving from Lindenhof to Old Mill. I just passed Oak Lane. What do I have to do now?",
    "Going by car to Old Mill from Lindenhof, the route being via Elm Road: at Oak Lane, what is my next move?",
    "Oak Lane reached, walking from Lindenhof to Old Mill via Elm Road: what's the next turn?",
]


@pytest.mark.parametrize("text", [*NEXT, *NEXT_FROM])
def test_the_step_behind_a_street(text: str) -> None:
    intent = best(text, *STEPS)
    assert isinstance(intent, RouteIntent)
    assert intent.ask in {"next_step", "next_street"}
    assert (intent.along, intent.after, intent.destination) == ("Elm Road", "Oak Lane", "Old Mill")
    assert intent.origin == ("Lindenhof" if text in NEXT_FROM else HERE)


ROUTES: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("Which walking route is the longest between Centre of Utopia and Old Mill?", VIAS, {"ask": "via", "select": "longest", "origin": "Centre of Utopia"}),
    ("Of the ways to walk from Lindenhof to Old Mill, which one covers the most ground?", VIAS, {"ask": "via", "select": "longest"}),
    ("How do I get from Lindenhof to Old Mill on foot the fastest?", VIAS, {"ask": "via", "mode": FOOT}),
    ("What route should I drive from Lindenhof to Old Mill to meet as few roundabouts as possible?", VIAS, {"ask": "fewest", "feature": "roundabout"}),
    ("Walking from Lindenhof to Old Mill, on which route do I cross the pedestrian overpass?", VIAS, {"ask": "most", "feature": "pedestrian overpass"}),
    ("Which walking route uses the pedestrian overpass between Lindenhof and Old Mill, Nordkai?", VIAS, {"ask": "most", "feature": "pedestrian overpass", "destination": "Old Mill, Nordkai"}),
    ("Which walk from Lindenhof to Old Mill uses Ash St?", VIAS, {"ask": "most", "feature": "ash st"}),
    ("Which walking route to Old Mill from Lindenhof leads along Ash St?", VIAS, {"ask": "most", "feature": "ash st", "origin": "Lindenhof"}),
    ("I can't walk stairs well. Which of the walking routes from Lindenhof to Old Mill makes me take stairs several times?", VIAS, {"ask": "most", "feature": "stairs", "mode": FOOT}),
    ("Lindenhof to Old Mill by car, Elm Road route: which landmark comes after the left turn onto Oak Lane?", ("Salt & Smoke", "Fir Cash"), {"ask": "landmark", "along": "Elm Road", "after": "Oak Lane"}),
    ("Driving from Lindenhof to Old Mill via A3, how many roundabouts do I go through on Oak Lane before I turn left onto Ash St?", ("1", "2"), {"ask": "count", "feature": "roundabout", "after": "Oak Lane"}),
    ("Before the left turn onto Ash St, how many roundabouts are there on Oak Lane, driving from Lindenhof to Old Mill via A3?", ("1", "2"), {"ask": "count", "after": "Oak Lane"}),
    ("Going by car via A3 from Lindenhof to Old Mill, at the first of the roundabouts on Oak Lane, what exit do I take?", ("1st exit", "2nd exit"), {"ask": "exit", "after": "Oak Lane", "nth": 1}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "slots"), ROUTES)
def test_routes(text: str, options: tuple[str, ...], slots: dict[str, Any]) -> None:
    assert_read(RouteIntent, slots, text, *options)
