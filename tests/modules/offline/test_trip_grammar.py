# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Phrasings of questions about trips, with the intent each of them means (written by hand)."""

from datetime import time
from typing import Any

import pytest

from map_tools.types import TravelMode
from modules.offline.analyser import analyse
from modules.offline.intents import TripIntent, When
from modules.offline.trip_grammar import read

CAR, FOOT, BIKE, BUS = TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING, TravelMode.TRANSIT

HOUR = 3600.0
MIN = 60.0


def reading(text: str, *options: str) -> TripIntent | None:
    found = read(analyse(text, None, options))
    if not found:
        return None
    intent = max(found, key=lambda one: one.score).intent
    assert isinstance(intent, TripIntent)
    return intent


def outline(intent: TripIntent) -> tuple[str | None, list[tuple[str, float]]]:
    return intent.start, [(visit.place, visit.dwell_s) for visit in intent.visits]


Stops = list[tuple[str, float]]

HOSTEL = "I'm staying at Hostel Adler. I want to visit Lindenhof for 1 hour, Seehof for 1.5 hours and the Old Mill for 45 minutes."
HOSTEL_STOPS: Stops = [("Lindenhof", HOUR), ("Seehof", 1.5 * HOUR), ("Old Mill", 45 * MIN)]

MAX_VISITS: list[tuple[str, dict[str, Any]]] = [
    (
        f"{HOSTEL} I have 5 hours available. I leave my hostel at 9 am by public transport. How many places can I visit?",
        {"available_s": 5 * HOUR, "depart_at": time(9), "mode": BUS},
    ),
    (
        f"{HOSTEL} I only have 3.5 hours. What is the maximum number of places I can see on foot?",
        {"available_s": 3.5 * HOUR, "mode": FOOT},
    ),
    (
        f"{HOSTEL} How many of them can I fit in within 4 hours if I take my bike?",
        {"available_s": 4 * HOUR, "mode": BIKE},
    ),
    (
        f"{HOSTEL} I start at 10:30 and must be back by 3 pm. How many of these places can I visit? I will drive.",
        {"depart_at": time(10, 30), "end_by": time(15), "returns": True, "mode": CAR},
    ),
]


@pytest.mark.parametrize(("text", "wanted"), MAX_VISITS)
def test_max_visits(text: str, wanted: dict[str, Any]) -> None:
    intent = reading(text)
    assert intent is not None
    assert intent.ask == "max_visits"
    assert not intent.ordered
    assert outline(intent) == ("Hostel Adler", HOSTEL_STOPS)
    assert {key: getattr(intent, key) for key in wanted} == wanted


TRAVEL: list[tuple[str, str | None, Stops, dict[str, Any]]] = [
    (
        "How long will it take by car to travel from Lindenhof to Seehof and then to Marktplatz?",
        "Lindenhof",
        [("Seehof", 0), ("Marktplatz", 0)],
        {"mode": CAR},
    ),
    (
        "I am at Lindenhof. I want to drive to Seehof and then to Marktplatz. How long will this take?",
        "Lindenhof",
        [("Seehof", 0), ("Marktplatz", 0)],
        {"mode": CAR},
    ),
    (
        (
            "I am at Hotel Adler. First I walk to Seehof, then I take a taxi to Marktplatz and finally I return by bus. "
            "How much time do I spend travelling?"
        ),
        "Hotel Adler",
        [("Seehof", 0), ("Marktplatz", 0)],
        {"returns": True, "return_mode": BUS},
    ),
    (
        "My home is in Lindenhof. I walked to Seehof School and returned by car. How long did it take?",
        "Lindenhof",
        [("Seehof School", 0)],
        {"returns": True, "return_mode": CAR},
    ),
    (
        "Starting from Lindenhof I cycle to Seehof, then to Marktplatz, and cycle back home. What is the total travel time?",
        "Lindenhof",
        [("Seehof", 0), ("Marktplatz", 0)],
        {"mode": BIKE, "returns": True},
    ),
    (
        "What's the total travel time by bus for the trip Lindenhof to Seehof, followed by Marktplatz, and back to Lindenhof?",
        "Lindenhof",
        [("Seehof", 0), ("Marktplatz", 0)],
        {"mode": BUS, "returns": True},
    ),
    (
        "I'm at Hotel Adler. I'll go to Kings College and Hospital by bicycle, walk to Lindenhof, and go back by train. How long is the journey?",
        "Hotel Adler",
        [("Kings College and Hospital", 0), ("Lindenhof", 0)],
        {"returns": True, "return_mode": BUS},
    ),
]


@pytest.mark.parametrize(("text", "start", "stops", "wanted"), TRAVEL)
def test_travel_time(text: str, start: str | None, stops: Stops, wanted: dict[str, Any]) -> None:
    intent = reading(text, "20 mins", "25 mins", "1 hour 5 mins")
    assert intent is not None
    assert intent.ask == "travel_time"
    assert intent.ordered
    assert outline(intent) == (start, stops)
    assert {key: getattr(intent, key) for key in wanted} == wanted


def test_each_leg_has_its_mode() -> None:
    intent = reading(
        "I am at Hotel Adler. I drive to Seehof, then cycle to Marktplatz, and finally return by bus. How long does it take?"
    )
    assert intent is not None
    assert [visit.mode for visit in intent.visits] == [CAR, BIKE]
    assert (intent.mode, intent.return_mode) == (None, BUS)


def test_a_mode_after_the_place_belongs_to_it() -> None:
    intent = reading(
        "I am at Hotel Adler. I go to Seehof on foot, then to Marktplatz by car, and return to my hotel on foot. How long?"
    )
    assert intent is not None
    assert [visit.mode for visit in intent.visits] == [FOOT, CAR]
    assert intent.return_mode is FOOT


def test_a_leg_without_a_mode_goes_on_as_before() -> None:
    intent = reading(
        "I am at Hotel Adler. I walk to Seehof, then to Marktplatz, then take a taxi to Lindenhof. How long does it take?"
    )
    assert intent is not None
    assert [visit.mode for visit in intent.visits] == [FOOT, FOOT, CAR]


TOTAL = [
    "I leave Hotel Adler, visit Seehof for 2 hours, then Marktplatz for 30 minutes, by car. How long will the whole trip take including the visits?",
    "From Hotel Adler I drive to Seehof to spend 2 hours, then to Marktplatz for half an hour. How much time do I need in total?",
]


@pytest.mark.parametrize("text", TOTAL)
def test_total_time(text: str) -> None:
    intent = reading(text)
    assert intent is not None
    assert intent.ask == "total_time"
    assert outline(intent) == ("Hotel Adler", [("Seehof", 2 * HOUR), ("Marktplatz", 30 * MIN)])


def test_stays_do_not_count_where_only_travel_is_asked() -> None:
    intent = reading(
        "From Hotel Adler I drive to Seehof for 2 hours, then to Marktplatz for 1 hour. What is the total driving time?"
    )
    assert intent is not None
    assert intent.ask == "travel_time"


LATEST: list[tuple[str, str | None, Stops, dict[str, Any]]] = [
    (
        "What is the latest time I can leave home to reach Seehof before it closes? I live in Lindenhof and go by car.",
        "Lindenhof",
        [("Seehof", 0)],
        {"mode": CAR},
    ),
    (
        "I live in Lindenhof. When must I leave at the latest to be at Seehof by 6 pm on foot?",
        "Lindenhof",
        [("Seehof", 0)],
        {"mode": FOOT},
    ),
    (
        (
            "I want to visit Lindenhof for 2 hours, have lunch at Cafe Adler for 1 hour, and then spend 1 hour at Seehof. "
            "If I drive, what time should I start my day to finish by 3 PM?"
        ),
        None,
        [("Lindenhof", 2 * HOUR), ("Cafe Adler", HOUR), ("Seehof", HOUR)],
        {"end_by": time(15), "mode": CAR},
    ),
]


@pytest.mark.parametrize(("text", "start", "stops", "wanted"), LATEST)
def test_latest_departure(text: str, start: str | None, stops: Stops, wanted: dict[str, Any]) -> None:
    intent = reading(text)
    assert intent is not None
    assert intent.ask == "latest_departure"
    assert outline(intent) == (start, stops)
    assert {key: getattr(intent, key) for key in wanted} == wanted


def test_a_time_to_be_at_a_stop_bounds_that_stop() -> None:
    intent = reading(
        "I visit Lindenhof for 1.5 hours, then spend 1 hour at Seehof, and finish with a 45-minute visit to the Old Mill. "
        "When should I visit Lindenhof so that I can visit the Old Mill at 1.00 pm? I will use public transport."
    )
    assert intent is not None
    assert intent.ask == "latest_departure"
    assert [visit.dwell_s for visit in intent.visits] == [1.5 * HOUR, HOUR, 45 * MIN]
    assert intent.visits[2].arrive_by == time(13)


def test_leaving_a_named_stop_begins_the_trip_there() -> None:
    intent = reading(
        "I visit the Glass Museum for 2 hours and then Seehof for 45 minutes, before heading back to my hotel, Hotel Adler, "
        "by 6:00 PM. What is the latest time I can leave Seehof to be back at my hotel by 6:00 PM? I travel by car."
    )
    assert intent is not None
    assert intent.ask == "latest_departure"
    assert outline(intent) == ("Seehof", [("Hotel Adler", 0)])
    assert intent.end_by == time(18)


def test_an_order_said_later_overrules_the_order_of_the_list() -> None:
    intent = reading(
        "Tomorrow I plan to visit the Glass Museum for 2 hours, the Old Mill (which will take 30 minutes) and Seehof (1 hour). "
        "I want to visit them in the following order: Old Mill first, followed by Seehof, and then the Glass Museum. "
        "I live in Lindenhof. What is the latest time I can leave home to still leave the Glass Museum before it closes?"
    )
    assert intent is not None
    assert outline(intent) == (
        "Lindenhof",
        [("Old Mill", 30 * MIN), ("Seehof", HOUR), ("Glass Museum", 2 * HOUR)],
    )
    assert intent.day == When(relative_days=1)
    assert intent.ordered


ARRIVAL: list[tuple[str, str, dict[str, Any]]] = [
    (
        "It's 4:15 pm. I am at Lindenhof and drive to Seehof. After that, what time will I reach Marktplatz?",
        "arrival",
        {"depart_at": time(16, 15), "mode": CAR},
    ),
    (
        "I leave Lindenhof at 9 am, spend 1 hour at Seehof and go on to Marktplatz on foot. When will I arrive?",
        "arrival",
        {"depart_at": time(9), "mode": FOOT},
    ),
    (
        "I visit Lindenhof for 2 hours, followed by a 1.5-hour visit to Seehof. If I start at 1.00 pm by car, when will I finish?",
        "leave_at",
        {"depart_at": time(13), "mode": CAR},
    ),
]


@pytest.mark.parametrize(("text", "ask", "wanted"), ARRIVAL)
def test_arrival(text: str, ask: str, wanted: dict[str, Any]) -> None:
    intent = reading(text)
    assert intent is not None
    assert intent.ask == ask
    assert {key: getattr(intent, key) for key in wanted} == wanted


FEASIBLE: list[tuple[str, dict[str, Any]]] = [
    (
        f"{HOSTEL} I have 5 hours available. Can I visit the places in this order: Seehof -> Old Mill -> Lindenhof?",
        {"available_s": 5 * HOUR, "ordered": True},
    ),
    (
        f"{HOSTEL} Is it possible to see all of them and be back by 2 pm if I leave at 9 am?",
        {"end_by": time(14), "depart_at": time(9), "returns": True, "ordered": False},
    ),
    (f"{HOSTEL} Can I do all of this in 4 hours on foot?", {"available_s": 4 * HOUR, "mode": FOOT}),
    (f"{HOSTEL} Do I have enough time for everything if I have 6 hours?", {"available_s": 6 * HOUR}),
]


@pytest.mark.parametrize(("text", "wanted"), FEASIBLE)
def test_feasible(text: str, wanted: dict[str, Any]) -> None:
    intent = reading(text, "Yes", "No")
    assert intent is not None
    assert intent.ask == "feasible"
    assert {place for place, _ in outline(intent)[1]} == {place for place, _ in HOSTEL_STOPS}
    assert {key: getattr(intent, key) for key in wanted} == wanted


def test_the_order_of_a_feasible_trip_is_read() -> None:
    intent = reading(FEASIBLE[0][0], "Yes", "No")
    assert intent is not None
    assert [visit.place for visit in intent.visits] == ["Seehof", "Old Mill", "Lindenhof"]


ORDERS = [
    "In which order should I visit Seehof, Marktplatz and the Old Mill to minimise travel time? I start from Hotel Adler and drive.",
    "I start from Hotel Adler by car. What is the best order to visit Seehof, Marktplatz and the Old Mill?",
    "I live at Hotel Adler. I need to go to Seehof, Marktplatz and the Old Mill by car. Where should I go first?",
]


@pytest.mark.parametrize("text", ORDERS)
def test_best_order(text: str) -> None:
    intent = reading(text)
    assert intent is not None
    assert (intent.ask, intent.ordered, intent.mode) == ("best_order", False, CAR)
    assert outline(intent) == ("Hotel Adler", [("Seehof", 0), ("Marktplatz", 0), ("Old Mill", 0)])


def test_schedule() -> None:
    intent = reading(
        "I plan to spend a day in Lausanne visiting the Glass Museum for 2 hours, then take a 1.5-hour tour of the Tower of Bells, "
        "and finally enjoy a 45-minute ride on the Lake Wheel. How should I schedule my day by public transport?"
    )
    assert intent is not None
    assert intent.ask == "schedule"
    assert outline(intent) == (
        None,
        [("Glass Museum", 2 * HOUR), ("Tower of Bells", 1.5 * HOUR), ("Lake Wheel", 45 * MIN)],
    )
    assert intent.ordered


def test_spare_time_at_a_stop() -> None:
    intent = reading(
        "If I arrive at Lindenhof at 9:00 AM and spend 2 hours there, followed by a drive to Seehof, what's the maximum time "
        "I can spend at Seehof before I need to leave at 3:00 PM for Marktplatz?"
    )
    assert intent is not None
    assert (intent.ask, intent.depart_at, intent.end_by) == ("spare", time(9), time(15))
    assert outline(intent) == (None, [("Lindenhof", 2 * HOUR), ("Seehof", 0)])


def test_distance_of_a_round() -> None:
    intent = reading(
        "What is the total distance if I drive from Lindenhof to Seehof, then to Marktplatz and back to Lindenhof?"
    )
    assert intent is not None
    assert (intent.ask, intent.returns) == ("distance", True)


def test_a_name_with_a_comma_is_one_stop_where_each_stop_has_its_stay() -> None:
    intent = reading(
        "I live in Lindenhof. I need to visit Seehof for 2 hours and City Bank, Harbour Branch for 30 minutes and the Old Mill for "
        "1 hour. In which order should I go?"
    )
    assert intent is not None
    assert [visit.place for visit in intent.visits] == ["Seehof", "City Bank, Harbour Branch", "Old Mill"]


FREE: list[tuple[str, str, str | None, list[str], dict[str, Any]]] = [
    (
        "We have 4 hours in Lausanne. Can we visit Seehof for 2 hours and the Old Mill for 1 hour and return to Hotel Adler by car?",
        "feasible",
        "Hotel Adler",
        ["Seehof", "Old Mill"],
        {"available_s": 4 * HOUR, "returns": True},
    ),
    (
        "Starting at Central Station, what is the most efficient order to visit the Zoo, the Aquarium and the Planetarium by bike?",
        "best_order",
        "Central Station",
        ["Zoo", "Aquarium", "Planetarium"],
        {"mode": BIKE},
    ),
    (
        "Suppose I leave the Grand Bazaar at 3:30 PM by taxi for Seehof Palace, stay there for 2 hours, and then walk to Rose Park. At what time will I be at Rose Park?",
        "arrival",
        "Grand Bazaar",
        ["Seehof Palace", "Rose Park"],
        {"depart_at": time(15, 30)},
    ),
    (
        "i am at kings cross. i will go to camden market by bus and then walk to regents park. how long will it take",
        "travel_time",
        "kings cross",
        ["camden market", "regents park"],
        {},
    ),
    (
        "What time do I need to leave Hotel Lux to arrive at the Old Mill at 9:00 AM on foot?",
        "latest_departure",
        "Hotel Lux",
        ["Old Mill"],
        {"depart_at": None, "mode": FOOT},
    ),
    (
        "If I want to be at the airport by 6 pm, when do I need to leave Hotel Lux by car?",
        "latest_departure",
        "Hotel Lux",
        ["airport"],
        {"mode": CAR},
    ),
    (
        "I need to drop off a parcel at the Main Post Office (10 minutes) and then buy milk at Lidl (30 minutes) before returning to my flat in Elm Road. I drive. How long will I be away?",
        "total_time",
        "Elm Road",
        ["Main Post Office", "Lidl"],
        {"returns": True, "mode": CAR},
    ),
    (
        "How many of the following places can I visit in 6 hours by car starting from Hotel Lux: Seehof (2 hours), Old Mill (1 hour), Glass Museum (3 hours)?",
        "max_visits",
        "Hotel Lux",
        ["Seehof", "Old Mill", "Glass Museum"],
        {"available_s": 6 * HOUR},
    ),
]


@pytest.mark.parametrize(("text", "ask", "start", "places", "wanted"), FREE)
def test_free_wording(
    text: str, ask: str, start: str | None, places: list[str], wanted: dict[str, Any]
) -> None:
    intent = reading(text)
    assert intent is not None
    assert (intent.ask, intent.start, [visit.place for visit in intent.visits]) == (ask, start, places)
    assert {key: getattr(intent, key) for key in wanted} == wanted


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("How long does it take to drive from Lindenhof to Seehof?", ()),
        ("Which route from Lindenhof to Seehof is fastest?", ("Via A3", "Via B7")),
        ("What is the rating of Cafe Adler?", ()),
        ("Which museum is closest to Lindenhof?", ()),
    ],
)
def test_other_questions_are_left_alone(text: str, options: tuple[str, ...]) -> None:
    assert reading(text, *options) is None
