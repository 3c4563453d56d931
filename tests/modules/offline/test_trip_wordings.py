# ruff: noqa: E501 - a phrasing stays on one line, as it would be typed
"""Everyday wordings of trips: stays as nouns, facts out of order, dates told first (meanings by hand)."""

from datetime import time
from typing import Any

import pytest

from modules.offline.analyser import analyse
from modules.offline.intents import TripIntent
from modules.offline.trip_grammar import read

MIN = 60.0


def reading(text: str, *options: str) -> TripIntent:
    found = read(analyse(text, None, options))
    assert found, "not understood"
    intent = max(found, key=lambda one: one.score).intent
    assert isinstance(intent, TripIntent)
    return intent


STAYS: list[tuple[str, list[tuple[str, float]]]] = [
    ("I'm leaving Lindenhof on foot for Seehof. I have a 40 minute coffee at Old Mill on the way. How long does it all take?", [("Old Mill", 40), ("Seehof", 0)]),
    ("I start at Lindenhof at 12:00 on foot, have a one-hour lunch at Seehof, then walk to Old Mill. When do I get there?", [("Seehof", 60), ("Old Mill", 0)]),
    ("I leave Lindenhof at 10:00 on foot, an hour's shopping at Seehof, then Old Mill. When do I arrive?", [("Seehof", 60), ("Old Mill", 0)]),
    ("Leaving Lindenhof at 2 pm by car, a quick 15-min stop at Seehof, then on to Old Mill. What time do I arrive?", [("Seehof", 15), ("Old Mill", 0)]),
    ("I leave Lindenhof at 18:00, dinner (90 min) at Seehof, then walk over to Old Mill. When am I there?", [("Seehof", 90), ("Old Mill", 0)]),
    ("If I walk from Lindenhof to Seehof, have an hour's lunch there and walk back, how long am I away?", [("Seehof", 60)]),
    ("Parcel run from Lindenhof: first Seehof, then the Old Mill, 5 minutes at each, by bike. Total time?", [("Seehof", 5), ("Old Mill", 5)]),
    ("Drive from Lindenhof to Seehof with a 10 minute stop at Old Mill: total time?", [("Old Mill", 10), ("Seehof", 0)]),
    ("Leaving Lindenhof at 10, stopping at Seehof for 20 minutes, when will I get to Old Mill on foot?", [("Seehof", 20), ("Old Mill", 0)]),
    ("Can I see both the Seehof (60 min) and the Old Mill (45 min) in 3 hours on foot, beginning and ending at the Lindenhof?", [("Seehof", 60), ("Old Mill", 45)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "stops"), STAYS)
def test_stays(text: str, stops: list[tuple[str, float]]) -> None:
    intent = reading(text)
    assert intent.start == "Lindenhof"
    assert [(visit.place, visit.dwell_s / MIN) for visit in intent.visits] == stops


DATES: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("I'm meeting a friend at Seehof at 3 pm. When should I set off from Lindenhof on foot?", ("Seehof",), {"ask": "latest_departure", "depart_at": None}),
    ("I must be at Seehof by 6 pm. I'm at Lindenhof and will stop at Old Mill for 30 minutes on the way. I go by bike. What's the latest time I can leave?", ("Old Mill", "Seehof"), {"ask": "latest_departure"}),
    ("My film at Seehof starts at 20:00 and I'm having dinner at Lindenhof until 19:15. I drive. Will I make it?", ("Seehof",), {"ask": "feasible", "depart_at": time(19, 15)}),
    ("We've got tickets for Seehof at 7:30pm. We're at Lindenhof. When do we need to head off if we walk?", ("Seehof",), {"ask": "latest_departure"}),
    ("I have to collect the kids at Seehof at 16:15. Walking from Lindenhof, when must I be off?", ("Seehof",), {"ask": "latest_departure"}),
    ("My train leaves Seehof at 17:05. I'm at Lindenhof and walk. Until when can I stay there?", ("Seehof",), {"ask": "latest_departure"}),
    ("I must be at Seehof at 6 pm, leave Lindenhof at 2 pm, and want to visit Old Mill for an hour in between, walking. Is that possible?", ("Old Mill", "Seehof"), {"ask": "feasible", "depart_at": time(14)}),
    ("I leave Lindenhof at 14:00 on foot and must be at Seehof at 16:00. How long can I stay at Old Mill on the way?", ("Old Mill", "Seehof"), {"ask": "spare", "depart_at": time(14)}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "places", "wanted"), DATES)
def test_a_date_told_first_comes_last(text: str, places: tuple[str, ...], wanted: dict[str, Any]) -> None:
    intent = reading(text)
    assert intent.start == "Lindenhof"
    ways = (*(visit.place for visit in intent.visits), *([intent.end] if intent.end else []))
    assert ways == places
    assert {key: getattr(intent, key) for key in wanted} == wanted


TIMES: list[tuple[str, dict[str, Any]]] = [
    ("It is Wednesday, 17:55. I'm at Lindenhof and need to get to Seehof before it closes; can I make it by bike?", {"ask": "feasible", "depart_at": time(17, 55)}),
    ("If I leave Lindenhof at 23:00 on foot, will Seehof still be open when I arrive?", {"ask": "feasible", "depart_at": time(23)}),
    ("I finish at the Lindenhof at 5 pm, then I need 25 minutes at the Seehof. Walking, when could I be at the Old Mill?", {"ask": "arrival", "depart_at": time(17)}),
    ("please what time I arrive to Seehof if I go out of Lindenhof at 10:15 by foot?", {"ask": "arrival", "depart_at": time(10, 15)}),
    ("I'm at Lindenhof. It's 4:30 pm on a Friday. I want to walk to Seehof and be back at Lindenhof by 5:15. Doable?", {"ask": "feasible", "depart_at": time(16, 30), "end_by": time(17, 15)}),
    ("I have until 4 pm, it's 1 pm, I'm at the Lindenhof on foot. Seehof (1 hour), Old Mill (30 minutes): how many can I do?", {"ask": "max_visits", "depart_at": time(13), "end_by": time(16)}),
    ("I've 3 hours. Start: Lindenhof. Want to see Seehof (45 min) and Old Mill (90 min), all on foot. How many fit?", {"ask": "max_visits", "available_s": 3 * 3600.0}),
    ("Do I have time to walk from Lindenhof to Seehof and back in half an hour?", {"ask": "feasible", "available_s": 1800.0, "returns": True}),
    ("Starting from Lindenhof at noon on foot, half an hour at the Seehof, 20 mins at the Old Mill, what time do I leave the mill?", {"ask": "leave_at", "depart_at": time(12)}),
    ("Is there enough time to visit Seehof for 45 minutes and Old Mill for an hour if I start at Lindenhof at 2 pm on foot and need to be at Marktplatz by 5?", {"ask": "feasible", "end": "Marktplatz", "end_by": time(17)}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), TIMES)
def test_times(text: str, wanted: dict[str, Any]) -> None:
    intent = reading(text)
    assert intent.start == "Lindenhof"
    assert {key: getattr(intent, key) for key in wanted} == wanted


@pytest.mark.parametrize(
    "text",
    [
        "How many kilometres do I drive in total for Lindenhof - Seehof - Old Mill - Lindenhof?",
        "Total walking distance for Lindenhof, Seehof, Old Mill and back?",
        "Round trip on foot Lindenhof → Seehof → Old Mill → Lindenhof, how far?",
        "What is the walking distance for the loop Lindenhof, Seehof, Old Mill, Lindenhof?",
    ],
)
def test_lists_that_close(text: str) -> None:
    intent = reading(text)
    begin = [intent.start] if intent.start else []
    assert [*begin, *(visit.place for visit in intent.visits)] == ["Lindenhof", "Seehof", "Old Mill"]
    assert (intent.returns, intent.ask) == (True, "distance")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I start at Lindenhof and walk to Seehof and Old Mill. Which should I visit last to walk the least?", "last"),
        ("Seehof first or Old Mill first? I start from Lindenhof on foot and visit both.", "first"),
        ("Starting at Lindenhof, in what order should I walk to Seehof and Old Mill?", "order"),
    ],
)  # fmt: skip
def test_first_and_last(text: str, wanted: str) -> None:
    intent = reading(text)
    assert (intent.ask, intent.wanted) == ("best_order", wanted)


def test_opening_is_a_deadline() -> None:
    intent = reading(
        "What time do I need to set off from Lindenhof on foot to be at Seehof when it opens on Sunday?"
    )
    assert intent.visits[-1].at_opening
    assert intent.day is not None
    assert intent.day.weekday == 6


def test_where_one_may_stay_is_no_position() -> None:
    intent = reading(
        "I'm at Lindenhof at 18:00 and have to be at Seehof by 20:00. How long can I stay at Old Mill on the way?"
    )
    assert [visit.place for visit in intent.visits] == ["Old Mill", "Seehof"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I leave Lindenhof at 8 am, work at Seehof until 4:30 pm, then walk to Old Mill. When do I arrive?", {"start": "Seehof", "depart_at": time(16, 30), "ask": "arrival"}),
        ("We arrive at Seehof at opening time, stay two hours and walk to Old Mill. When are we there?", {"start": None, "begins": "opening", "ask": "arrival"}),
        ("I leave Seehof at closing time on Saturday and walk to Old Mill. When do I get there?", {"start": "Seehof", "begins": "closing", "ask": "arrival"}),
        ("I have to be back at Lindenhof by 6 pm and want to spend the last hour at Seehof. When must I arrive at Seehof at the latest?", {"start": None, "end": "Lindenhof", "end_by": time(18), "ask": "latest_departure"}),
        ("What distance do I cover when I drive from Lindenhof to Seehof, then Old Mill and home again?", {"start": "Lindenhof", "returns": True, "ask": "distance"}),
    ],
)  # fmt: skip
def test_where_and_when_a_trip_begins(text: str, wanted: dict[str, Any]) -> None:
    options = ("10.5 km", "12 km") if wanted["ask"] == "distance" else ()
    intent = reading(text, *options)
    assert {key: getattr(intent, key) for key in wanted} == wanted


def test_an_hour_without_a_number_is_a_stay() -> None:
    intent = reading(
        "I walk from Lindenhof to Seehof, spend the last hour at Old Mill and walk home. How long am I out?"
    )
    assert [(visit.place, visit.dwell_s / MIN) for visit in intent.visits] == [
        ("Seehof", 0),
        ("Old Mill", 60),
    ]


def test_the_options_name_the_stops_of_an_order() -> None:
    intent = reading(
        "Which order makes the shortest bike tour, starting and ending at Lindenhof?",
        "Seehof -> Old Mill -> Long Lake",
        "Old Mill -> Seehof -> Long Lake",
    )
    assert (intent.start, intent.ask) == ("Lindenhof", "best_order")
    assert [visit.place for visit in intent.visits] == ["Seehof", "Old Mill", "Long Lake"]
