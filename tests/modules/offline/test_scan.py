"""Quantities, days, directions and conditions in a question."""

from datetime import date, time

import pytest

from map_tools.types import TravelMode
from modules.offline.analyser import analyse
from modules.offline.intents import Filters, When
from modules.offline.options import kind_of


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("open at 9:15 AM on Tuesday", When(weekday=1, at=time(9, 15))),
        ("open on Sundays at 9 in the evening", When(weekday=6, at=time(21))),
        ("open tomorrow at noon", When(relative_days=1, at=time(12))),
        ("open from 9 am to 11 am", When(at=time(9), until=time(11))),
        ("open on 2026-12-24", When(day=date(2026, 12, 24))),
        ("open on 3rd of May 2027", When(day=date(2027, 5, 3))),
        ("is it open now", When()),
        ("the sun terrace", When()),
    ],
)
def test_moments(text: str, when: When) -> None:
    assert analyse(text).when == when


@pytest.mark.parametrize(
    ("text", "winds"),
    [
        ("directly West of the park", ["W"]),
        ("to the north-east of it", ["NE"]),
        ("a cafe southwest of Kiasma", ["SW"]),
        ("the northern side of Kiasma", ["N"]),
        ("the West End Theatre", []),
        ("North Bridge", []),
    ],
)
def test_directions(text: str, winds: list[str]) -> None:
    assert [mark.value for mark in analyse(text).winds] == winds


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        ("a restaurant with at least 4.5 rating", Filters(min_rating=4.5)),
        ("a restaurant rated 4 stars or higher", Filters(min_rating=4)),
        ("a restaurant rated above 4.5", Filters(min_rating=4.6)),
        ("a bar with over 2000 user ratings", Filters(min_rating_count=2001)),
        ("a bar with fewer than 300 reviews", Filters(max_rating_count=299)),
        ("a moderately priced cafe", Filters(price_levels=frozenset({2}))),
        ("a cheap cafe", Filters(price_levels=frozenset({1}))),
        ("a very expensive restaurant", Filters(price_levels=frozenset({4}))),
        ("a cafe that serves lunch", Filters(services=("serves_lunch",))),
        ("a cafe with outdoor seating and wifi", Filters(services=("outdoor_seating", "wifi"))),
        ("a hotel without wifi", Filters(without_services=("wifi",))),
        ("three restaurants near 5 Main Street", Filters()),
    ],
)
def test_conditions(text: str, filters: Filters) -> None:
    assert analyse(text).filters == filters


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("go there on foot", TravelMode.WALKING),
        ("I will use my own car", TravelMode.DRIVING),
        ("take a taxi", TravelMode.DRIVING),
        ("by bike", TravelMode.BICYCLING),
        ("I will use public transport", TravelMode.TRANSIT),
        ("by tram", TravelMode.TRANSIT),
        ("at the Bus Museum", None),
    ],
)
def test_modes(text: str, mode: TravelMode | None) -> None:
    assert analyse(text).mode == mode


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ((), "none"),
        (("Yes", "No"), "yes_no"),
        (("Yes, because it opens at 9", "No"), "yes_no"),
        (("One", "Two", "Three"), "count"),
        (("0", "1", "2"), "count"),
        (("1.2 km", "350 m"), "distance"),
        (("20 mins", "1 hour 5 mins"), "duration"),
        (("2:37 PM", "11.20 am"), "clock"),
        (("East", "South-west"), "direction"),
        (("Via A3", "Via Main St"), "via"),
        (("Oslo -> Moss -> Oslo", "Moss -> Oslo -> Moss"), "order"),
        (("Oslo and Moss", "Oslo and Bergen"), "pair"),
        (("Kiasma", "Ateneum"), "text"),
    ],
)
def test_what_the_options_are(options: tuple[str, ...], kind: str) -> None:
    assert kind_of(options) == kind
