"""Of several ways that a text tells for one mode, the quickest is taken, and all are listed."""

import pytest

from tests.modules.query.language.telling import parts, told

ROUTES = """There are 3 routes from Harbour to Old Mill by car. They are:
1. Via Long Rd | 25 mins | 9 km
 - Head north
2. Via Short St | 18 mins | 11 km
 - Head south
3. Via High St | 20 mins | 7 km
 - Head east

There are 2 routes from Harbour to Fort by foot. They are:
1. Via Long Rd | 2.5 km
 - Head north
2. Via Short St | 1.9 km
 - Head south
"""
LINES = """Bus 5 from Harbour to Zoo takes 30 mins.
Tram 2 from Harbour to Zoo takes 20 mins.
Travel Time from Harbour to Kiosk by car is 14 mins.
Travel Distance from Harbour to Kiosk by car is 3 km.
"""


def test_the_quickest_is_the_way() -> None:
    answer = told(
        'w = travel("Harbour", "Old Mill", "drive")\n'
        "answer(w.duration, long=w.distance, along=w.summary, steps=[s.text for s in w.steps])",
        ROUTES,
    )
    assert (answer.text, parts(answer)) == (
        "18 min",
        {"long": "11 km", "along": "Short St", "steps": "Head south"},
    )


def test_of_ways_without_a_time_the_shortest_is() -> None:
    answer = told('w = travel("Harbour", "Fort", "walk")\nanswer(w.distance, along=w.summary)', ROUTES)
    assert (answer.text, parts(answer)) == ("1.9 km", {"along": "Short St"})


def test_all_are_listed_in_the_order_of_the_text() -> None:
    answer = told('answer([w.summary for w in routes("Harbour", "Old Mill", "drive")])', ROUTES)
    assert answer.text == "Long Rd, Short St, High St"


@pytest.mark.parametrize("lines", [LINES, "\n".join(reversed(LINES.strip().splitlines()))])
def test_single_lines_tell_ways_too(lines: str) -> None:
    answer = told(
        'answer(travel("Harbour", "Zoo", "transit").duration, all=count(routes("Harbour", "Zoo", "transit")))',
        lines,
    )
    assert (answer.text, parts(answer)) == ("20 min", {"all": "2"})


def test_time_and_length_of_one_way_may_stand_apart() -> None:
    answer = told('w = travel("Harbour", "Kiosk", "drive")\nanswer(w.duration, long=w.distance)', LINES)
    assert (answer.text, parts(answer)) == ("14 min", {"long": "3 km"})
