# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Terse and unusual wordings of questions about one route, with what each of them means (written by hand)."""

from typing import Any

import pytest

from map_tools.types import TravelMode
from modules.offline.analyser import analyse
from modules.offline.intents import UNSAID, CloserIntent, Compare, PairIntent, RouteIntent
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
    ("On which side will the Marktplatz be if I drive from Lindenhof to the Marktplatz via Elm Road?", ("Left", "Right"), {"ask": "arrival_side", "along": "Elm Road"}),
    # routes compared
    ("I want to avoid roundabouts and tolls when driving from Lindenhof to Marktplatz. Which way should I go?", ("Via Elm Road", "Via A5"), {"ask": "fewest", "feature": "roundabout", "more_features": ("toll",)}),
    ("What's the difference in travel time between the fastest and the slowest driving route from Lindenhof to Marktplatz?", (), {"ask": "difference", "select": "fastest", "against": "slowest"}),
    ("How much longer is the A5 route than the Elm Road route by car from Lindenhof to Marktplatz?", (), {"ask": "difference", "along": "A5", "against": "Elm Road"}),
    # modes compared
    ("How would I get from Lindenhof to Marktplatz fastest?", ("Walking", "Cycling", "Driving"), {"ask": "best_mode", "modes": MODES}),
    ("How would I get from Lindenhof to Marktplatz fastest?", (), {"ask": "best_mode", "modes": ()}),
    ("Car or bike: what gets me from Lindenhof to Marktplatz sooner?", ("Car", "Bike"), {"ask": "best_mode", "modes": (CAR, BIKE)}),
    ("How much further is it to drive than to walk from Lindenhof to Marktplatz?", (), {"ask": "difference", "modes": (CAR, FOOT), "select": "shortest"}),
    ("I don't have a car and I don't want to walk. What's the quickest way from Lindenhof to Marktplatz?", ("Walking", "Cycling", "Driving"), {"ask": "best_mode", "modes": (BIKE,)}),
    ("By how many minutes is cycling faster than driving from Lindenhof to Marktplatz?", (), {"ask": "difference", "modes": (BIKE, CAR)}),
    # modes compared by yes or no
    ("From Lindenhof to Marktplatz, am I quicker by car than on foot?", (), {"ask": "best_mode", "claim": CAR, "select": "fastest"}),
    ("Is cycling slower than driving from Lindenhof to Marktplatz?", (), {"ask": "best_mode", "claim": BIKE, "select": "slowest"}),
    ("Does walking from Lindenhof to Marktplatz take longer than driving?", ("Yes", "No"), {"ask": "best_mode", "claim": FOOT, "select": "slowest"}),
    ("Is it a shorter way on foot than by car from Lindenhof to Marktplatz?", (), {"ask": "best_mode", "claim": FOOT, "select": "shortest"}),
    ("Am I sooner at Marktplatz from Lindenhof by bike or on foot?", (), {"ask": "best_mode", "modes": (BIKE, FOOT), "claim": None}),
    # a pace no map knows
    ("How long to run from Lindenhof to Marktplatz?", (), {"ask": "duration", "mode": FOOT, "pace": "run"}),
    ("I'd like to jog from Lindenhof to Marktplatz, how long will it take?", (), {"mode": FOOT, "pace": "jog"}),
    ("Which road does the drive from Lindenhof to Marktplatz run along?", (), {"mode": CAR, "pace": None}),
    # time and length in one question
    ("How long and how far is it from Lindenhof to Marktplatz by bike?", (), {"ask": "duration", "also": True}),
    ("Distance and time by car between Lindenhof and Marktplatz?", (), {"also": True}),
    ("How far is it from Lindenhof to Marktplatz by bike?", (), {"ask": "distance", "also": False}),
    # a street once it is behind one
    ("On the drive from Lindenhof to Marktplatz, what comes next once I've turned onto Long Lane?", (), {"ask": "next_step", "after": "Long Lane"}),
    ("When I'm past Long Lane on the walk from Lindenhof to Marktplatz, what do I do next?", (), {"ask": "next_step", "after": "Long Lane"}),
    ("Which street follows once I've gone past Long Lane on the drive from Lindenhof to Marktplatz?", (), {"ask": "next_street", "after": "Long Lane"}),
    # a stretch of the route, one of several roundabouts, what is left out
    ("How far do I stay on the A7 when I drive from Lindenhof to Marktplatz via A7?", (), {"ask": "distance", "stretch": "A7", "along": "A7"}),
    ("For how many minutes do I follow Mill Road on the drive from Lindenhof to Marktplatz?", ("5 mins", "8 mins"), {"ask": "duration", "stretch": "Mill Road"}),
    ("How long does it take to drive from Lindenhof to Marktplatz on Mill Road?", (), {"ask": "duration", "stretch": None}),
    ("Which exit do I take at the second roundabout on the drive from Lindenhof to Marktplatz?", ("1st", "2nd"), {"ask": "exit", "nth": 2}),
    ("Which exit do I take from the A7 when driving from Lindenhof to Marktplatz?", ("Exit 5", "Exit 9"), {"ask": "exit", "after": "A7", "nth": None}),
    ("On the Mill Road route from Lindenhof to Marktplatz, how many roundabouts do I pass?", ("1", "2"), {"ask": "count", "along": "Mill Road", "after": None}),
    ("I don't want to pay a toll. Which route from Lindenhof to Marktplatz should I drive?", ("Via A7", "Via Mill Road"), {"ask": "fewest", "feature": "toll", "select": "fastest"}),
    ("Which toll-free route from Lindenhof to Marktplatz has the shortest driving time?", ("Via A7", "Via Mill Road"), {"ask": "fewest", "feature": "toll", "select": "fastest"}),
    ("Which of the routes from Lindenhof to Marktplatz starts by heading west?", ("Via A7", "Via Mill Road"), {"ask": "most", "feature": "heading west"}),
    ("By car, which route from Lindenhof to Marktplatz takes the least time?", ("Via A7", "Via Mill Road"), {"ask": "via", "select": "fastest"}),
    ("What is the length of the drive via Ring Rd/D9 from Lindenhof to Marktplatz?", (), {"ask": "distance", "along": "Ring Rd/D9"}),
    # compared with a detour, or with another mode
    ("How many minutes longer is the walk from Lindenhof to Marktplatz via Old Mill than the direct way?", (), {"ask": "difference", "via": ("Old Mill",), "select": "fastest"}),
    ("How many minutes do I save by driving instead of walking from Lindenhof to Marktplatz?", ("5", "9"), {"ask": "difference", "modes": (CAR, FOOT)}),
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


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("bike route length guildhall to old mill", ("guildhall", "old mill")),
        ("how far by car seehof - old mill", ("seehof", "old mill")),
        ("walking time guildhall to st paul's", ("guildhall", "st paul's")),
    ],
)
def test_ends_without_capitals(text: str, ends: tuple[str, str]) -> None:
    (intent,) = intents(text)
    assert (intent.origin, intent.destination) == ends


@pytest.mark.parametrize(
    "name", ["Next Corner Shop", "Baker and Sons", "Book Shop (Castle)", "Granger and Co", "Far East Market"]
)
def test_names_of_common_words(name: str) -> None:
    (intent,) = intents(f"How long is the walk from Lindenhof to {name}?")
    assert (intent.origin, intent.destination) == ("Lindenhof", name)


def test_a_time_in_brackets_is_no_part_of_a_name() -> None:
    (intent,) = intents("How long is the walk from Lindenhof to Marktplatz (Monday)?")
    assert intent.destination == "Marktplatz"


ORDERS: list[tuple[str, TravelMode, str]] = [
    ("Order these from soonest to latest reached when driving from Lindenhof: Seehof, Old Mill, Bergheim.", CAR, "fastest"),
    ("Rank Seehof, Old Mill and Bergheim by walking time from Lindenhof, longest first.", FOOT, "slowest"),
    ("Sort by distance from Lindenhof on foot: Seehof, Old Mill, Bergheim.", FOOT, "shortest"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "mode", "select"), ORDERS)
def test_places_put_in_order_by_the_way(text: str, mode: TravelMode, select: str) -> None:
    (intent,) = intents(text)
    assert (intent.ask, intent.origin, intent.mode, intent.select) == ("order", "Lindenhof", mode, select)
    assert (intent.destination, *intent.others) == ("Seehof", "Old Mill", "Bergheim")


def test_the_best_order_of_visits_is_a_trip() -> None:
    text = (
        "In which order should I visit Seehof and Old Mill from Lindenhof to take the shortest time on foot?"
    )
    assert all(intent.ask != "order" for intent in intents(text))


LONGER: list[tuple[str, Compare, str]] = [
    ("Is the walk from Lindenhof longer to Seehof than to Old Mill?", Compare.MAX, "duration"),
    ("Is Seehof quicker to reach on foot from Lindenhof than to get to Old Mill?", Compare.MIN, "duration"),
    ("Is it further by car from Lindenhof to Seehof than to Old Mill?", Compare.MAX, "distance"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "pick", "measure"), LONGER)
def test_two_ways_compared_by_their_ends(text: str, pick: Compare, measure: str) -> None:
    (intent,) = intents(text)
    assert isinstance(intent, CloserIntent)
    assert (intent.anchor, intent.candidates, intent.claim) == ("Lindenhof", ("Seehof", "Old Mill"), "Seehof")
    assert (intent.pick, intent.measure) == (pick, measure)


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


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("On the route via Mill Road and A7, what comes right after turning onto Hill St?", {"ask": "next_step", "after": "Hill St", "along": "Mill Road and A7"}),
        ("In which direction do I head first when I drive via the A7?", {"ask": "first_step", "along": "A7"}),
        ("On the Mill Road route, on which side of the road is the hotel when I arrive?", {"ask": "arrival_side", "along": "Mill Road"}),
    ],
)  # fmt: skip
def test_a_street_alone_tells_the_route(text: str, wanted: dict[str, Any]) -> None:
    (intent,) = intents(text)
    assert intent.destination == UNSAID
    assert {key: getattr(intent, key) for key in wanted} == wanted


@pytest.mark.parametrize(
    ("text", "pick", "measure"),
    [
        ("Which trip takes longer by bus?", Compare.MAX, "duration"),
        ("Is it faster to drive from Lindenhof to Seehof or the other way round?", Compare.MIN, "duration"),
        ("Which of these walks is the longest in kilometres?", Compare.MAX, "distance"),
    ],
)
def test_ways_named_by_the_options(text: str, pick: Compare, measure: str) -> None:
    (intent,) = intents(text, "Lindenhof to Seehof", "Seehof to Lindenhof", "Both are equal")
    assert isinstance(intent, PairIntent)
    assert (intent.pick, intent.measure) == (pick, measure)
