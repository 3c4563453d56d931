# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Terse and unusual wordings of questions about one route, with what each of them means (written by hand)."""

from typing import Any

import pytest

from map_tools.types import TravelMode
from modules.intents import CloserIntent, Compare, RouteIntent
from modules.offline.analysis import analyse
from modules.offline.route_grammar import read

CAR, FOOT, BIKE = TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING
MODES = (FOOT, BIKE, CAR)


def intents(text: str, *options: str) -> list[Any]:
    return [one.intent for one in read(analyse(text, None, options))]


WORDINGS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    # only a way and a mode
    ("Lindenhof to Marktplatz by car?", (), {"ask": "duration", "mode": CAR}),
    ("Lindenhof → Marktplatz walking", (), {"ask": "duration", "mode": FOOT}),
    ("Travel time on foot, Lindenhof to Marktplatz?", (), {"ask": "duration", "mode": FOOT}),
    ("Lindenhof - Marktplatz on foot, how many metres?", (), {"ask": "distance", "mode": FOOT}),
    ("Distance on foot Lindenhof / Marktplatz?", (), {"ask": "distance", "mode": FOOT}),
    ("How many miles on foot is Marktplatz from Lindenhof?", (), {"ask": "distance", "mode": FOOT}),
    ("Lindenhof to Marktplatz walking distance in miles", (), {"ask": "distance", "mode": FOOT}),
    ("From Lindenhof to the Marktplatz by bike, how many minutes?", (), {"ask": "duration", "mode": BIKE}),
    # the way itself
    ("What is the length of the bicycle route from Lindenhof to Marktplatz?", (), {"ask": "distance", "along": None}),
    ("What's the main road when driving from Lindenhof to Marktplatz?", (), {"ask": "via"}),
    ("Does the fastest drive from Lindenhof to Marktplatz use Elm Road?", (), {"ask": "has", "feature": "Elm Road"}),
    # where it begins and ends
    ("What do I do first when walking from Lindenhof to Marktplatz?", (), {"ask": "first_step"}),
    ("Walking from Lindenhof to Marktplatz, which way do I turn at the start?", (), {"ask": "first_step"}),
    ("How does the walk from Lindenhof to Marktplatz start?", (), {"ask": "first_step"}),
    ("Where do I turn first when driving from Lindenhof to Marktplatz?", (), {"ask": "first_step"}),
    ("What's the first street I drive along when I go from Lindenhof to Marktplatz?", (), {"ask": "next_street", "after": None}),
    ("What street do I start on if I walk from Lindenhof to Marktplatz?", (), {"ask": "next_street", "after": None}),
    ("What's the last street I walk along from Lindenhof to Marktplatz?", (), {"ask": "previous_street", "after": None}),
    # at a street
    ("After turning onto Elm Road on the walk from Lindenhof to Marktplatz, what's next?", (), {"ask": "next_step", "after": "Elm Road"}),
    ("Driving from Lindenhof to Marktplatz: do I turn left or right onto Elm Road?", ("Left", "Right"), {"ask": "turn_onto", "after": "Elm Road"}),
    ("What turn do I make onto Elm Road when I walk from Lindenhof to Marktplatz?", (), {"ask": "turn_onto", "after": "Elm Road"}),
    ("Which road do I take after Elm Road when driving from Lindenhof to Marktplatz?", (), {"ask": "next_street", "after": "Elm Road"}),
    # modes compared
    ("How would I get from Lindenhof to Marktplatz fastest?", ("Walking", "Cycling", "Driving"), {"ask": "best_mode", "modes": MODES}),
    ("How would I get from Lindenhof to Marktplatz fastest?", (), {"ask": "best_mode", "modes": ()}),
    ("Car or bike: what gets me from Lindenhof to Marktplatz sooner?", ("Car", "Bike"), {"ask": "best_mode", "modes": (CAR, BIKE)}),
    ("How much further is it to drive than to walk from Lindenhof to Marktplatz?", (), {"ask": "difference", "modes": (CAR, FOOT), "select": "shortest"}),
    # yes or no
    ("Can my grandmother walk from Lindenhof to Marktplatz in 5 minutes?", (), {"ask": "duration", "at_most": 300}),
    ("Is Marktplatz within a 15 minute walk of Lindenhof?", (), {"ask": "duration", "at_most": 900}),
    ("Is the walk from Lindenhof to Marktplatz shorter than 2 km?", (), {"ask": "distance", "at_most": 2000}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "wanted"), WORDINGS)
def test_wordings(text: str, options: tuple[str, ...], wanted: dict[str, Any]) -> None:
    (intent,) = intents(text, *options)
    assert isinstance(intent, RouteIntent)
    wanted = {"origin": "Lindenhof", "destination": "Marktplatz", **wanted}
    assert {key: getattr(intent, key) for key in wanted} == wanted


def test_names_without_capitals() -> None:
    (intent,) = intents("walking directions guildhall to barbican library")
    assert (intent.origin, intent.destination, intent.ask) == ("guildhall", "barbican library", "steps")


def test_a_name_goes_on_in_plain_words() -> None:
    (intent,) = intents("How long by car from the Musée océanographique to Marktplatz?")
    assert intent.origin == "Musée océanographique"


@pytest.mark.parametrize(
    "text",
    [
        "How many minutes longer is the walk from Lindenhof to Marktplatz than to Seehof?",
        "Which has fewer stairs, walking or cycling from Lindenhof to Marktplatz?",
    ],
)
def test_what_no_solver_answers_is_not_read(text: str) -> None:
    assert intents(text) == []


REACHED: list[tuple[str, tuple[str, ...], tuple[str, ...], Compare, str]] = [
    ("Which is quicker to reach by car from Lindenhof: Seehof or Old Mill?", (), ("Seehof", "Old Mill"), Compare.MIN, "duration"),
    ("Which of these takes the least time to walk to from Lindenhof?", ("Seehof", "Old Mill"), (), Compare.MIN, "duration"),
    ("Which takes longer from Lindenhof on foot, the Seehof or the Old Mill?", (), ("Seehof", "Old Mill"), Compare.MAX, "duration"),
    ("Which can I reach first on foot from Lindenhof: Seehof, Marktplatz or Old Mill?", (), ("Seehof", "Marktplatz", "Old Mill"), Compare.MIN, "duration"),
    ("Which of the two is the shorter walk from Lindenhof, Seehof or Old Mill?", (), ("Seehof", "Old Mill"), Compare.MIN, "duration"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "places", "pick", "measure"), REACHED)
def test_which_is_reached_sooner(
    text: str, options: tuple[str, ...], places: tuple[str, ...], pick: Compare, measure: str
) -> None:
    (intent,) = intents(text, *options)
    assert isinstance(intent, CloserIntent)
    assert (intent.anchor, intent.candidates, intent.pick, intent.measure) == (
        "Lindenhof",
        places,
        pick,
        measure,
    )
