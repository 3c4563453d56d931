# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Trips told as lists, with where one stays beside them, over invented places (what they mean written by hand)."""

from datetime import time
from typing import Any

import pytest

from map_tools.types import TravelMode
from mapagent.question import Question
from modules.offline.analyser import analyse
from modules.offline.intents import RouteIntent, TripIntent
from modules.offline.parser import parse
from tests.modules.offline.travel_reading import assert_read, best

CAR, FOOT, BIKE, BUS = TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING, TravelMode.TRANSIT
HOUR = 3600.0
CLOCKS, MINUTES, NUMBERS = ("3:15 PM", "4:00 PM"), ("20 mins", "45 mins"), ("One", "Two", "Three")
STEPS = ("Turn left onto Ash St", "Continue onto Oak Lane", "Turn right onto Elm Road")

STAYING: list[str] = [
    "Tell me how many of these sights I can go to in 4 hours by bus: Old Mill, staying 1 hour; Marktplatz, 2 hours. The hostel in Seestadt I now stay in is the Lindenhof and I go out of it at nine in the morning.",
    "Taking the bus is how I'll move about Seestadt. Lodging at present: Lindenhof; I head off from it at 9 am; I've 4 hours at hand. Intended stops are Old Mill (one hour) and the Marktplatz (two hours). To how many of these can I go?",
    "With the bus as my only transport, what's the most I can fit in? Departure is 9 am from where I'm staying now, Lindenhof in Seestadt, and I've 4 hours at hand. Candidates are Old Mill, 1 hour; and Marktplatz, likewise 2 hours.",
    "Going everywhere by bus, and with no more than 4 hours at my disposal, how many of the following can I visit? Old Mill (one hour) and the Marktplatz (two hours). My hostel, where I'm staying now, is Lindenhof in Seestadt; I leave it at 9 am.",
    "I take the bus and have 4 hours. I start at 9 in the morning from the hostel I'm staying at, Lindenhof in Seestadt. How many of these can I do: Old Mill for 1 hour, Marktplatz for 2 hours?",
]


@pytest.mark.parametrize("text", STAYING)
def test_how_many_places_fit(text: str) -> None:
    intent = best(text, *NUMBERS)
    assert isinstance(intent, TripIntent)
    assert [(visit.place, visit.dwell_s / HOUR) for visit in intent.visits] == [
        ("Old Mill", 1),
        ("Marktplatz", 2),
    ]
    assert (intent.ask, intent.available_s, intent.depart_at) == ("max_visits", 4 * HOUR, time(9))
    assert (intent.start, intent.visits[0].mode or intent.mode) == ("Lindenhof", BUS)


TRIPS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    # the city a plan is for is no stop
    ("Setting off at one in the afternoon in a car, I'd see Seestadt as follows: Old Mill, two hours; Marktplatz to end with, an hour. At what time is my journey over?", CLOCKS, {"start": None, "depart_at": time(13), "ask": "leave_at"}),
    ("My Seestadt plan, all of it by car: two hours in the Old Mill, after which an hour at the Marktplatz. I'd like everything to be over by 3 in the afternoon. When must the day begin?", CLOCKS, {"start": None, "end_by": time(15), "ask": "latest_departure"}),
    ("By 6 in the evening I must be back at Lindenhof, my hotel in Seestadt. Old Mill from 9 in the morning, for two hours, then 45 minutes at the Marktplatz. How late can I leave the Marktplatz by car?", CLOCKS, {"start": "Marktplatz", "end_by": time(18)}),
    # loops
    ("How long is this round trip of mine: out of Lindenhof on a bicycle to Old Mill, walking to Marktplatz, then a taxi back to where I began?", MINUTES, {"start": "Lindenhof", "returns": True, "return_mode": CAR}),
    ("From Lindenhof I walk to Old Mill; a car then takes me on to the Marktplatz; and it's back to the Lindenhof, again walking. What is the travel time?", MINUTES, {"start": "Lindenhof", "returns": True, "return_mode": FOOT}),
    ("I leave Lindenhof by car, stop first at Old Mill, carry on to Marktplatz and end up at Lindenhof again. The total travelling time would be what?", MINUTES, {"start": "Lindenhof", "returns": True}),
    ("Just walking: from Lindenhof to Old Mill, on to Marktplatz, then to where I began. What's the time for the full round?", MINUTES, {"start": "Lindenhof", "returns": True, "mode": FOOT}),
    ("Three legs: bicycle to Old Mill, walking to Marktplatz, train back to the start. The start is Lindenhof. How long for everything?", MINUTES, {"start": "Lindenhof", "returns": True, "return_mode": BUS}),
    ("Out on foot, back by car: from my house in Lindenhof I went to Old Mill and home again like this. How long did it take?", MINUTES, {"start": "Lindenhof", "returns": True, "return_mode": CAR}),
    ("going up to Old Mill by bus from Lindenhof at 3:45 pm, staying 1h40, then bus back. what time am i at Lindenhof again?", CLOCKS, {"returns": True, "depart_at": time(15, 45)}),
    # when it begins
    ("I take the bus at 10:15 AM from Lindenhof to Old Mill and want to be back at Lindenhof at 5:30 PM, again by bus. How much time can I spend at Old Mill?", MINUTES, {"ask": "spare", "depart_at": time(10, 15), "end_by": time(17, 30)}),
    ("I arrive at the Old Mill at 2:50 PM. I have to be back at Lindenhof by 6:00 PM and will use the bus. How long can I stay up there at the most?", MINUTES, {"ask": "spare", "start": None, "depart_at": time(14, 50), "end": "Lindenhof", "end_by": time(18)}),
    ("I set off in the car from Lindenhof at a quarter past four in the afternoon, and I'm on my way to Old Mill. Marktplatz comes after that. At what o'clock will I get there?", CLOCKS, {"ask": "arrival", "depart_at": time(16, 15)}),
    ("I live in Lindenhof. By car I'd do Old Mill for 30 minutes, and after it comes Marktplatz, an hour of shopping. How late at the very latest may I set off from home to be out of Marktplatz before closing?", CLOCKS, {"ask": "latest_departure", "start": "Lindenhof"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "slots"), TRIPS)
def test_trips(text: str, options: tuple[str, ...], slots: dict[str, Any]) -> None:
    assert_read(TripIntent, slots, text, *options)


def test_stays_told_in_the_order_of_the_stops() -> None:
    intent = best(
        "Can I do Old Mill first, Seehof second, Marktplatz last? I want 2 hours, 3 hours and 1.5 hours at them respectively. I start from Lindenhof at 9 am by bus and have 5 hours.",
        "Yes",
        "No",
    )
    assert [(visit.place, visit.dwell_s / HOUR) for visit in intent.visits] == [
        ("Old Mill", 2),
        ("Seehof", 3),
        ("Marktplatz", 1.5),
    ]


def test_the_first_leg_is_that_out() -> None:
    intent = best(
        "Out by bike, back by bus: from Lindenhof I went to Old Mill and home again. How long was that?",
        *MINUTES,
    )
    assert (intent.visits[0].mode, intent.return_mode) == (BIKE, BUS)


def test_the_beginning_of_an_event_binds_the_last_stop() -> None:
    """At 7 pm, with a quarter of an hour to spare; one walks to what is only pointed at."""
    intent = best(
        "The opera begins at 7:00 PM and I want to arrive at the Opera House 15 minutes early. Before that I'll drive from Old Mill to Hotel Linde, need 1 hour there to change, then walk to the opera. What is the latest time I can leave Old Mill?",
        *CLOCKS,
    )
    assert [visit.mode for visit in intent.visits] == [CAR, FOOT]
    assert intent.visits[1].arrive_by == time(18, 45)


def test_a_place_called_by_its_name() -> None:
    intent = best(
        "I drive: two hours in the Old Mill, an hour's lunch at the Seestadt restaurant called Seehof. When do I have to begin to be done by 3 PM?",
        *CLOCKS,
    )
    assert [visit.place for visit in intent.visits] == ["Old Mill", "Seehof"]


@pytest.mark.parametrize(
    "text",
    [
        "Two wheels, one day: I leave Lindenhof, where I'm sleeping, at 9 am and have six hours. The Seehof needs two hours, Marktplatz one, and Old Mill an hour and a half. How many will I be able to see?",
        "We are at Lindenhof in Seestadt. With six hours from 9 am, what's the most I could manage out of Seehof (two hours there), Marktplatz (one) and Old Mill (one and a half)?",
    ],
)
def test_stays_whose_unit_was_told_before(text: str) -> None:
    intent = best(text, *NUMBERS)
    assert intent.start.startswith("Lindenhof")
    stays = [(visit.place, visit.dwell_s / HOUR) for visit in intent.visits]
    assert stays == [("Seehof", 2), ("Marktplatz", 1), ("Old Mill", 1.5)]


def test_the_city_of_a_supplied_text_is_no_stop() -> None:
    """Its addresses tell that it is one; a city that a way begins at stays the start."""
    text = "When will my Seestadt tour be over? It begins at 1 pm by car: 2 hours at Old Mill, then an hour at Marktplatz."
    facts = "Information of <b>Old Mill</b>:\n- Location: Mill Road 3, 1234 Seestadt, Utopia.\n\n"
    way = "Travel Time from Seestadt to Old Mill by car is 5 mins (2 km).\n"
    for context, start in ((facts, None), (facts + way, "Seestadt")):
        reading = parse(Question(text=text, options=CLOCKS, context=context))
        assert reading is not None
        assert isinstance(reading.intent, TripIntent)
        assert reading.intent.start == start


ROUTES: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("I'm driving from Lindenhof to Old Mill via Route 38 and have just turned right onto Parkova. What do I do next?", STEPS, {"ask": "next_step", "after": "Parkova", "along": "Route 38"}),
    ("If I walk from Lindenhof to Old Mill by the route via Parkova and Zlata, how long will it take in total?", MINUTES, {"ask": "duration", "along": "Parkova", "via": ()}),
    ("Walking from Lindenhof to Old Mill, how many minutes do I spend on River Embankment itself?", MINUTES, {"stretch": "River Embankment"}),
    ("We can't do stairs. Which walking route from Lindenhof to Old Mill should we avoid?", ("Via Elm Road", "Via Oak Lane"), {"ask": "most", "feature": "stairs"}),
    ("I don't want to pay any toll. How long will the fastest drive from Lindenhof to Old Mill take?", MINUTES, {"ask": "duration", "without": ("toll",)}),
    ("I want to use no highway. How long will the drive from Lindenhof to Old Mill take?", (), {"ask": "duration", "without": ("highway",)}),
    ("How long is the drive from Lindenhof to Old Mill without ferries and without any toll?", MINUTES, {"ask": "duration", "without": ("ferry", "toll")}),
    ("How far is a toll-free drive from Lindenhof to Old Mill?", ("2 km", "3 km"), {"ask": "distance", "without": ("toll",)}),
    ("How long is the drive from Lindenhof to Old Mill with its toll?", MINUTES, {"ask": "duration", "without": ()}),
    ("Driving from Lindenhof to Old Mill on Ring 3: which exit do I take at the last roundabout, onto Oak Lane?", ("1st", "2nd"), {"ask": "exit", "after": "Oak Lane", "nth": -1}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "slots"), ROUTES)
def test_routes(text: str, options: tuple[str, ...], slots: dict[str, Any]) -> None:
    assert_read(RouteIntent, slots, text, *options)


@pytest.mark.parametrize(
    "text", ["I just got off the train at Old Mill. How far is the Seehof?", "We are getting out of the bus."]
)
def test_what_one_has_come_by_is_no_mode(text: str) -> None:
    assert analyse(text).modes == ()


@pytest.mark.parametrize("text", ["I take the train to Old Mill.", "I get on the bus at Old Mill."])
def test_what_one_takes_is_one(text: str) -> None:
    assert [mark.value for mark in analyse(text).modes] == [BUS]
