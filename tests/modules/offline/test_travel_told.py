# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Trips and routes as several people would tell them, with what each of them means (written by hand)."""

from datetime import time
from typing import Any

import pytest

from map_tools.types import TravelMode
from mapagent.question import Question
from modules.offline.intents import BACK, Compare, RouteIntent, TripIntent
from modules.offline.parser import parse
from tests.modules.offline.travel_reading import assert_read, best

CAR, FOOT, BIKE, BUS = TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING, TravelMode.TRANSIT
CLOCKS, MINUTES, SIDES = ("3:15 PM", "4:00 PM"), ("20 mins", "45 mins"), ("Left", "Right")


TRIPS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    # hours
    ("We drive from Lindenhof to Seehof and then eat at Old Mill for one hour. We leave at 9:15 AM. At which hour do we finish eating?", CLOCKS, {"ask": "leave_at", "depart_at": time(9, 15)}),
    ("Biking tour: Lindenhof 5:05 PM, Seehof for 25 min, Old Mill for 10 min, Lindenhof. Back at?", CLOCKS, {"ask": "arrival", "depart_at": time(17, 5), "returns": True}),
    ("I cycle from Lindenhof to Seehof, rest 20 min and roll on to Old Mill. Started at 7:10 in the morning; arriving when?", CLOCKS, {"ask": "arrival", "depart_at": time(7, 10)}),
    ("After class ends at 2:15 PM in Lindenhof I go to Seehof by bus, then to Old Mill. What time do I reach it?", CLOCKS, {"ask": "arrival", "start": "Lindenhof", "depart_at": time(14, 15)}),
    ("I stayed at Lindenhof until it closes and then walk to Seehof. At what time am I there?", CLOCKS, {"ask": "arrival", "begins": "closing"}),
    ("What time at the latest should I get on the bike at Lindenhof on Sunday to have at least 40 minutes in the Seehof?", CLOCKS, {"ask": "latest_departure", "start": "Lindenhof"}),
    ("What is the latest I can set out from Lindenhof by car and still have two full hours in the Seehof?", CLOCKS, {"ask": "latest_departure", "start": "Lindenhof"}),
    # how long
    ("I leave Lindenhof at 1:30 PM, cycle to Seehof and stay until 4 PM. How many minutes of reading time do I get, considering that it is closed at midday?", ("46", "60"), {"ask": "spare", "end_by": None}),
    ("How long can we linger at Seehof if we leave Lindenhof at 10:30 AM by car and have to be at Old Mill when it opens at noon?", MINUTES, {"ask": "spare", "depart_at": time(10, 30)}),
    ("Leaving Lindenhof at 11:20 AM by bike I want 45 minutes at Seehof. Will I be done before its lunch break?", ("Yes", "No"), {"ask": "feasible", "before_closing": True}),
    ("How many of the Lindenhof, the Seehof and the Old Mill can be visited between 9 AM and 3 PM by car, with an hour at each?", ("One", "Two"), {"ask": "max_visits", "depart_at": time(9), "end_by": time(15)}),
    ("My ticket only covers 1 hour 15 minutes of travel. Does the round trip Lindenhof → Seehof → Old Mill → Lindenhof by bus fit?", ("Yes", "No"), {"ask": "feasible", "available_s": 4500}),
    ("We have dinner booked at the Lindenhof at 7:00 PM. How long can we stay at the Seehof if we get there at 3:40 PM and go back by car?", MINUTES, {"ask": "spare", "depart_at": time(15, 40), "returns": False}),
    ("Someone will drop me at the Seehof, and I must catch a bus back so as to reach the Lindenhof by 5 pm. What's the latest time I can leave?", CLOCKS, {"ask": "latest_departure", "start": "Seehof", "returns": False}),
    ("Two stops, Seehof 30 min and Old Mill 90 min, then home to the Lindenhof. Departing there 2:20 PM by bus. ETA home?", CLOCKS, {"ask": "arrival", "start": "Lindenhof", "depart_at": time(14, 20), "returns": True}),
    ("Driving from the Lindenhof I'd like to see the Seehof for one hour on Tuesday morning. Does it work out?", ("Yes", "No"), {"ask": "feasible", "start": "Lindenhof"}),
    # the order, told by the options alone
    ("What's the order with the least driving for the Seehof, the Old Mill and the Bergbad if I start and finish at the Lindenhof?", ("Seehof, Old Mill, Bergbad", "Old Mill, Seehof, Bergbad"), {"ask": "best_order", "start": "Lindenhof", "returns": True, "wanted": "order"}),
    ("Which direction of the round trip is quicker by car?", ("Lindenhof -> Seehof -> Old Mill -> Lindenhof", "Lindenhof -> Old Mill -> Seehof -> Lindenhof"), {"ask": "best_order", "start": "Lindenhof", "returns": True}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "slots"), TRIPS)
def test_trips(text: str, options: tuple[str, ...], slots: dict[str, Any]) -> None:
    assert_read(TripIntent, slots, text, *options)


MODES: list[tuple[str, list[TravelMode | None], TravelMode | None]] = [
    ("From Lindenhof I took a taxi to Seehof and came back in bus. How much time total it took?", [CAR], BUS),
    ("I take the bus from Lindenhof to Seehof, walk to Old Mill and take a taxi home. How long am I on the road?", [BUS, FOOT], CAR),
    ("My brother drops me by car from Lindenhof at Seehof, then I go by bus to Old Mill. How long is that?", [CAR, BUS], None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "modes", "back"), MODES)
def test_modes_of_legs(text: str, modes: list[TravelMode | None], back: TravelMode | None) -> None:
    intent = best(text, *MINUTES)
    assert isinstance(intent, TripIntent)
    assert [visit.mode for visit in intent.visits] == modes
    assert intent.return_mode == back


def test_the_stay_until_a_time_and_the_way_named() -> None:
    intent = best(
        "I leave Lindenhof at 8 AM via Elm Road and cycle to Seehof. When do I arrive there?", *CLOCKS
    )
    assert [visit.along for visit in intent.visits] == ["Elm Road"]
    intent = best(
        "I cycle from Lindenhof at 1 PM to Seehof and stay until 4 PM. How many minutes inside do I get?",
        "46",
        "60",
    )
    assert [visit.until for visit in intent.visits] == [time(16)]


STAYS: list[tuple[str, list[tuple[str, float]]]] = [
    ("We'd love a soak at the Seehof after the Old Mill. If we leave the Old Mill at 4:10 pm by bus and the soak lasts two and a half hours, at what time could we be at the Lindenhof?", [("Old Mill", 0), ("Seehof", 150), ("Lindenhof", 0)]),
    ("It takes me 25 minutes to donate blood at the Seehof. If I leave Lindenhof at 5:40 PM by car, when do I reach the Old Mill?", [("Seehof", 25), ("Old Mill", 0)]),
    ("I leave Lindenhof at 3 PM by car and want a full hour at Seehof. When do I get to the Old Mill?", [("Seehof", 60), ("Old Mill", 0)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "stays"), STAYS)
def test_stays_and_their_order(text: str, stays: list[tuple[str, float]]) -> None:
    intent = best(text, *CLOCKS)
    assert [(visit.place, visit.dwell_s / 60) for visit in intent.visits] == stays


def test_the_clinic_is_the_one_named() -> None:
    intent = best(
        "I walk from Lindenhof to Clínica Sol (10 mins) and to Seehof. When do I reach it, going to the clinic first, if I leave at 2 PM?",
        *CLOCKS,
    )
    assert [visit.place for visit in intent.visits] == ["Clínica Sol", "Seehof"]


def test_half_an_hour_before() -> None:
    intent = best(
        "The match in Seehof begins at 7:00 PM and I want to be inside 30 minutes before. What time do I have to start from Lindenhof by car?",
        *CLOCKS,
    )
    assert (intent.start, intent.visits[0].arrive_by, intent.visits[0].dwell_s) == (
        "Lindenhof",
        time(18, 30),
        0,
    )


VIAS = ("Via Elm Road", "Via A5")

ROUTES: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("How many left turns does the Elm Road drive from Lindenhof to Seehof have?", ("1", "2"), {"ask": "count", "along": "Elm Road", "feature": "left_turn"}),
    ("How many roundabouts are there along the Elm Road option when driving from Lindenhof to Seehof?", ("1", "2"), {"ask": "count", "along": "Elm Road"}),
    ("Going by car from Lindenhof to Seehof, on which way do I pay a toll?", VIAS, {"ask": "most", "feature": "toll"}),
    ("Which route by car from Lindenhof to Seehof needs me to turn around?", VIAS, {"ask": "most", "feature": "uturn"}),
    ("Which walk from Lindenhof to Seehof goes by the Blue Bakery?", VIAS, {"ask": "most", "feature": "blue bakery"}),
    ("Which driving route from Lindenhof ends with Seehof on the right-hand side?", VIAS, {"ask": "most", "feature": "arrive_right"}),
    ("By which walk will I have Seehof on my right at the end, if I come from Linden Square?", VIAS, {"origin": "Linden Square", "destination": "Seehof", "ask": "most", "feature": "arrive_right"}),
    ("On which side will I find the Old Chapel when I drive from Lindenhof to Seehof via Elm Road?", SIDES, {"ask": "arrival_side", "feature": "Old Chapel", "along": "Elm Road"}),
    ("Which walking route from Lindenhof to Seehof takes under 20 minutes?", VIAS, {"ask": "via", "at_most": 1200, "limit_unit": "s"}),
    ("How many walking routes from Lindenhof to Seehof are longer than 2 km?", ("1", "2"), {"ask": "alternatives", "at_least": 2000, "limit_unit": "m"}),
    ("By how much is the walk from Lindenhof to Seehof shorter over the Elm Road than over Mill Street?", ("1.2 km", "2 km"), {"ask": "difference", "along": "Elm Road", "against": "Mill Street", "select": "shortest"}),
    ("How many minutes quicker is Elm Road than Mill Street for driving from Lindenhof to Seehof?", ("1", "2"), {"ask": "difference", "along": "Elm Road", "against": "Mill Street"}),
    ("How many minutes longer is cycling up from Lindenhof to Seehof than cycling back down?", ("5", "9"), {"ask": "difference", "against": BACK}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "options", "slots"), ROUTES)
def test_routes(text: str, options: tuple[str, ...], slots: dict[str, Any]) -> None:
    assert_read(RouteIntent, slots, text, *options)


@pytest.mark.parametrize(
    "text",
    [
        "Which bookstore near Lindenhof sells novels in English?",
        "Which hotel near Lindenhof repairs skis?",
    ],
)
def test_what_no_fact_tells_of_a_place_is_not_understood(text: str) -> None:
    assert parse(Question(text=text, options=("Seehof", "Old Mill"))) is None


@pytest.mark.parametrize(
    ("text", "by", "pick"),
    [
        ("On which day does the Seehof stay open the longest?", "duration", Compare.MAX),
        ("On what day of the week is the Seehof open the shortest?", "duration", Compare.MIN),
        ("On which day does the Seehof have the longest opening hours?", "duration", Compare.MAX),
        ("On which day does the Seehof close the latest?", "closes", Compare.MAX),
        ("On which day does the Seehof stay open latest?", "closes", Compare.MAX),
        ("Which weekday does the Seehof open earliest?", "opens", Compare.MIN),
        ("Which days is the Seehof open?", None, Compare.MAX),
    ],
)
def test_days_compared_by_their_hours(text: str, by: str | None, pick: Compare) -> None:
    intent = best(text)
    assert (intent.kind, intent.ask, intent.by, intent.pick) == ("open", "open_days", by, pick)


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("How many bakeries near the Seehof are rated 4.4?", (4.4, 4.4)),
        ("Which bakery near the Seehof is rated 4.4 or better?", (4.4, None)),
    ],
)
def test_a_rating_counted_is_that_rating(text: str, rating: tuple[float, float | None]) -> None:
    filters = best(text).filters
    assert (filters.min_rating, filters.max_rating) == rating


def test_past_midnight_is_after_it() -> None:
    intent = best("Does any restaurant near the Seehof stay open past midnight?", "Yes", "No")
    assert intent.anchors == ("Seehof",)
    assert intent.filters.open_at.at == time(0, 1)
