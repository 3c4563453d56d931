# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Phrasings of questions about one route, with the intent each of them means (written by hand)."""

from typing import Any

import pytest

from map_tools.types import TravelMode
from modules.offline.analyser import analyse
from modules.offline.intents import HERE, RouteIntent
from modules.offline.route_grammar import read

CAR, FOOT, BIKE, BUS = TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING, TravelMode.TRANSIT


def reading(text: str, *options: str) -> RouteIntent | None:
    found = read(analyse(text, None, options))
    if not found:
        return None
    intent = max(found, key=lambda one: one.score).intent
    assert isinstance(intent, RouteIntent)
    return intent


def check(text: str, options: tuple[str, ...], wanted: dict[str, Any]) -> None:
    intent = reading(text, *options)
    assert intent is not None, "not understood"
    assert {key: getattr(intent, key) for key in wanted} == wanted


TIMES: list[tuple[str, dict[str, Any]]] = [
    ("How long does it take to drive from Lindenhof to Marktplatz?", {"mode": CAR}),
    ("How much time do I need from Lindenhof to Marktplatz on foot?", {"mode": FOOT}),
    ("what is the travel time from Lindenhof to Marktplatz by bike", {"mode": BIKE}),
    ("how many minutes is it by bus from Lindenhof to Marktplatz?", {"mode": BUS}),
    ("Walking time between Lindenhof and Marktplatz?", {"mode": FOOT}),
    ("I'm at Lindenhof. How long would it take me to walk to Marktplatz?", {"mode": FOOT}),
    ("Could you tell me how long the drive from Lindenhof to Marktplatz takes?", {"mode": CAR}),
    ("Travelling by public transport, how long to get to Marktplatz from Lindenhof?", {"mode": BUS}),
    ("How quickly can I cycle from Lindenhof to Marktplatz?", {"mode": BIKE}),
    ("how long does it take to get from Lindenhof to Marktplatz", {"mode": None}),
]


@pytest.mark.parametrize(("text", "wanted"), TIMES)
def test_duration(text: str, wanted: dict[str, Any]) -> None:
    check(text, (), {"ask": "duration", "origin": "Lindenhof", "destination": "Marktplatz", **wanted})


DISTANCES: list[tuple[str, dict[str, Any]]] = [
    ("How far is it on foot from Lindenhof to Marktplatz?", {"mode": FOOT}),
    ("What is the driving distance from Lindenhof to Marktplatz?", {"mode": CAR}),
    ("How many kilometres is the drive from Lindenhof to Marktplatz?", {"mode": CAR}),
    ("How far do I have to cycle to get from Lindenhof to Marktplatz?", {"mode": BIKE}),
    ("how many km by car from Lindenhof to Marktplatz", {"mode": CAR}),
]


@pytest.mark.parametrize(("text", "wanted"), DISTANCES)
def test_distance(text: str, wanted: dict[str, Any]) -> None:
    check(text, (), {"ask": "distance", "origin": "Lindenhof", "destination": "Marktplatz", **wanted})


WAYS: list[tuple[str, dict[str, Any]]] = [
    ("What's the fastest way to drive from Lindenhof to Marktplatz?", {"select": "fastest", "mode": CAR}),
    ("Which is the quickest route by car from Lindenhof to Marktplatz?", {"select": "fastest", "mode": CAR}),
    (
        "Give me the shortest walking route from Lindenhof to Marktplatz.",
        {"select": "shortest", "mode": FOOT},
    ),
    ("Which route from Lindenhof to Marktplatz has the least distance?", {"select": "shortest"}),
    ("Which driving route takes the longest time from Lindenhof to Marktplatz?", {"select": "slowest"}),
    ("What is the longest path on foot from Lindenhof to Marktplatz?", {"select": "longest", "mode": FOOT}),
    ("What is the best cycling route to Marktplatz from Lindenhof?", {"select": "fastest", "mode": BIKE}),
]


@pytest.mark.parametrize(("text", "wanted"), WAYS)
def test_via(text: str, wanted: dict[str, Any]) -> None:
    options = ("Via Ringstrasse", "Via A3 and B7", "Via Kanalweg")
    check(text, options, {"ask": "via", "origin": "Lindenhof", "destination": "Marktplatz", **wanted})


def test_fastest_way_without_options_is_a_question_for_the_way() -> None:
    check("What is the fastest route from Lindenhof to Marktplatz?", (), {"ask": "via", "select": "fastest"})


TURNS: list[tuple[str, dict[str, Any]]] = [
    (
        "I am driving from Lindenhof to Marktplatz via Ringstrasse. After reaching Elm St, where should I go next?",
        {"ask": "next_step", "along": "Ringstrasse", "after": "Elm St", "mode": CAR},
    ),
    (
        "I'm walking from Lindenhof to Marktplatz Via Harbour Rd/A12. What should I do after Elm Street?",
        {"ask": "next_step", "along": "Harbour Rd/A12", "after": "Elm Street", "mode": FOOT},
    ),
    (
        "On the way from Lindenhof to Marktplatz by car via B84, what is the next step after turning left onto Elm Ave?",
        {"ask": "next_step", "along": "B84", "after": "Elm Ave"},
    ),
    (
        "Driving from Lindenhof to Marktplatz, once I am on Elm Avenue, what do I do next?",
        {"ask": "next_step", "after": "Elm Avenue"},
    ),
    (
        "i am cycling from Lindenhof to Marktplatz. When I reach Elm Road where do I turn?",
        {"ask": "next_step", "after": "Elm Road", "mode": BIKE},
    ),
    (
        "I am going from Lindenhof to Marktplatz by car. Which road should I take after Elm Avenue on the Harbour Rd route?",
        {"ask": "next_street", "after": "Elm Avenue", "along": "Harbour Rd"},
    ),
    (
        "Which street comes after Elm Street when I drive from Lindenhof to Marktplatz?",
        {"ask": "next_street", "after": "Elm Street"},
    ),
    (
        "I am driving from Lindenhof to Marktplatz via A3. Which exit do I take at the roundabout on Bd Central?",
        {"ask": "exit", "along": "A3", "after": "Bd Central"},
    ),
    (
        "Going by car from Lindenhof to Marktplatz, at the roundabout near Elm Street what exit should I take?",
        {"ask": "exit", "after": "Elm Street"},
    ),
    (
        "On the driving route from Lindenhof to Marktplatz via A3, how many roundabouts will I encounter?",
        {"ask": "count", "feature": "roundabout", "along": "A3"},
    ),
    (
        "How many left turns are there on the fastest route from Lindenhof to Marktplatz by car?",
        {"ask": "count", "feature": "left_turn", "select": "fastest"},
    ),
    (
        "I drive from Lindenhof to Marktplatz. How many roundabouts do I pass on Harbour Road?",
        {"ask": "count", "feature": "roundabout", "after": "Harbour Road"},
    ),
    (
        "I am going from Lindenhof to Marktplatz by car. On the Elm Rd route, what landmark will I pass after turning left onto Elm Rd?",
        {"ask": "landmark", "along": "Elm Rd", "after": "Elm Rd"},
    ),
    ("What is the first step of the drive from Lindenhof to Marktplatz?", {"ask": "first_step"}),
    ("What is the last turn on the route from Lindenhof to Marktplatz by car?", {"ask": "last_step"}),
]


@pytest.mark.parametrize(("text", "wanted"), TURNS)
def test_turns(text: str, wanted: dict[str, Any]) -> None:
    check(text, (), {"origin": "Lindenhof", "destination": "Marktplatz", **wanted})


COMPARED: list[tuple[str, dict[str, Any]]] = [
    ("Which route from Lindenhof to Marktplatz has the fewest turns?", {"ask": "fewest", "feature": "turn"}),
    ("Which route by car from Lindenhof to Marktplatz avoids tolls?", {"ask": "fewest", "feature": "toll"}),
    (
        "If I drive from Lindenhof to Marktplatz and want to minimise the number of roundabouts, which route should I take?",
        {"ask": "fewest", "feature": "roundabout"},
    ),
    (
        "I want to walk from Lindenhof to Marktplatz. Which route passes through the most roundabouts?",
        {"ask": "most", "feature": "roundabout"},
    ),
    (
        "Which walking route from Lindenhof to Marktplatz involves taking stairs?",
        {"ask": "most", "feature": "stairs"},
    ),
    (
        "Which cycling route from Lindenhof to Marktplatz goes through Elm Street?",
        {"ask": "most", "feature": "elm street"},
    ),
    (
        "Which walking route from Lindenhof to Marktplatz involves taking the pedestrian bridge?",
        {"ask": "most", "feature": "pedestrian bridge"},
    ),
]


@pytest.mark.parametrize(("text", "wanted"), COMPARED)
def test_compared_routes(text: str, wanted: dict[str, Any]) -> None:
    check(text, ("Via Ringstrasse", "Via A3"), {"origin": "Lindenhof", "destination": "Marktplatz", **wanted})


OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("Should I walk or cycle from Lindenhof to Marktplatz?", {"ask": "best_mode", "modes": (FOOT, BIKE)}),
    (
        "Is it faster to drive or to take the bus from Lindenhof to Marktplatz?",
        {"ask": "best_mode", "modes": (CAR, BUS)},
    ),
    ("Which mode of transport is fastest from Lindenhof to Marktplatz?", {"ask": "best_mode", "modes": ()}),
    ("How many routes are there from Lindenhof to Marktplatz by car?", {"ask": "alternatives", "mode": CAR}),
    (
        "How much longer does the second fastest route take from Lindenhof to Marktplatz by car?",
        {"ask": "difference", "mode": CAR},
    ),
    ("Are there any tolls on the drive from Lindenhof to Marktplatz?", {"ask": "has", "feature": "toll"}),
    ("Does the walking route from Lindenhof to Marktplatz have stairs?", {"ask": "has", "feature": "stairs"}),
    ("Does the route from Lindenhof to Marktplatz include a ferry?", {"ask": "has", "feature": "ferry"}),
    ("Give me step-by-step directions from Lindenhof to Marktplatz on foot.", {"ask": "steps", "mode": FOOT}),
    ("How do I get from Lindenhof to Marktplatz by car?", {"ask": "steps", "mode": CAR}),
]


@pytest.mark.parametrize(("text", "wanted"), OTHERS)
def test_other_asks(text: str, wanted: dict[str, Any]) -> None:
    check(text, (), {"origin": "Lindenhof", "destination": "Marktplatz", **wanted})


LIMITS: list[tuple[str, dict[str, Any]]] = [
    (
        "Does it take less than 30 min to drive from Lindenhof to Marktplatz?",
        {"ask": "duration", "at_most": 1800.0},
    ),
    ("Can I walk from Lindenhof to Marktplatz in under 20 minutes?", {"ask": "duration", "at_most": 1200.0}),
    ("Is it more than 5 km by car from Lindenhof to Marktplatz?", {"ask": "distance", "at_least": 5000.0}),
]


@pytest.mark.parametrize(("text", "wanted"), LIMITS)
def test_yes_no_limits(text: str, wanted: dict[str, Any]) -> None:
    check(text, ("Yes", "No"), {"origin": "Lindenhof", "destination": "Marktplatz", **wanted})


def test_a_street_after_via_tells_the_route_and_a_place_is_a_stop() -> None:
    street = reading("How long does it take to drive from Lindenhof to Marktplatz via Broad Ave and 7th Ave?")
    assert street is not None
    assert (street.along, street.via, street.select) == ("Broad Ave and 7th Ave", (), "along")
    stop = reading("How long does it take to drive from Lindenhof to Marktplatz via Seehof?")
    assert stop is not None
    assert (stop.along, stop.via) == (None, ("Seehof",))


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("How long does it take to walk to Marktplatz?", HERE),
        ("How long does it take from here to Marktplatz on foot?", HERE),
        ("I'm staying at Hotel Adler. How long is the drive to Marktplatz?", "Hotel Adler"),
        (
            "I am at Hotel Adler. How long does it take from my current location to Marktplatz by bike?",
            "Hotel Adler",
        ),
    ],
)
def test_origin_left_to_the_position(text: str, origin: str) -> None:
    check(text, (), {"origin": origin, "destination": "Marktplatz", "ask": "duration"})


@pytest.mark.parametrize(
    ("text", "origin", "destination"),
    [
        (
            "How long is the drive from Museum of Modern Art to Gare du Nord?",
            "Museum of Modern Art",
            "Gare du Nord",
        ),
        (
            "How long is the walk from Kings College and Hospital to St. James Park, Leeds?",
            "Kings College and Hospital",
            "St. James Park, Leeds",
        ),
        ("how long is the walk from lindenhof to the old market", "lindenhof", "old market"),
        ('How long does it take to drive from "Bar 25" to Marktplatz?', "Bar 25", "Marktplatz"),
    ],
)
def test_names(text: str, origin: str, destination: str) -> None:
    check(text, (), {"origin": origin, "destination": destination})


@pytest.mark.parametrize(
    "text",
    [
        "Where is the nearest pharmacy?",
        "What is the phone number of Hotel Adler?",
        "Is Hotel Adler open on Sunday?",
    ],
)
def test_questions_of_other_families_are_left_alone(text: str) -> None:
    assert reading(text) is None
