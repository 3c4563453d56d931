"""What a computed step says to the reader of the evidence."""

from typing import Any

import pytest

from mapagent.answer import Claim
from mapagent.facttext import fact_text
from modules.answer_generator.verify.rules import RULES
from modules.solution_generator.wording import fact_of

CASES: list[tuple[str, Any, dict[str, Any], str]] = [
    ("lookup", 4.5, {"place": "Blue Cup", "field": "rating"}, "rating of Blue Cup = 4.5"),
    ("lookup", True, {"place": "Blue Cup", "field": "services.wifi"}, "services: wifi of Blue Cup = yes"),
    (
        "travel",
        900.0,
        {"origin": "Mill", "destination": "Quay", "mode": "walking"},
        "walking time from Mill to Quay = 15 min",
    ),
    (
        "travel",
        12_300.0,
        {"origin": "Mill", "destination": "Quay", "mode": "driving", "unit": "m", "route": "A3"},
        "driving way from Mill to Quay = 12.3 km [via A3]",
    ),
    ("distance", 350.4, {"a": "Mill", "b": "Quay"}, "straight line from Mill to Quay = 350 m"),
    (
        "bearing",
        134.7,
        {"a": "Mill", "b": "Quay"},
        "direction from Mill to Quay = south-east [135° from north]",
    ),
    ("sum", 2400.0, {"values": [600.0, 1800.0], "unit": "s"}, "total = 40 min [10 min + 30 min]"),
    ("difference", 1200.0, {"values": [1800.0, 600.0], "unit": "s"}, "difference = 20 min [30 min − 10 min]"),
    (
        "difference",
        600.0,
        {"values": [1800.0, 1200.0], "unit": "s (summed)"},
        "difference = 10 min [30 min − 20 min]",
    ),
    (
        "min",
        "Mill",
        {"values": {"Mill": 350.0, "Quay": 1200.0}, "unit": "m", "k": 1},
        "smallest = Mill [Mill 350 m; Quay 1.2 km]",
    ),
    (
        "max",
        "Quay",
        {"values": {"Mill": 4.7, "Quay": 4.5}, "unit": "", "k": 2},
        "number 2 from the greatest on = Quay [Mill 4.7; Quay 4.5]",
    ),
    (
        "min",
        "Mill",
        {"values": {"Mill": 1, "Quay": 2}, "unit": "rank", "k": 1},
        "smallest = Mill [Mill; Quay]",
    ),
    ("count", 2, {"labels": ["Mill", "Quay"]}, "number = 2 [Mill; Quay]"),
    (
        "filter",
        1,
        {"condition": "rating of at least 4", "kept": ["Mill"], "dropped": ["Quay"]},
        "rating of at least 4 = Mill [not Quay]",
    ),
    (
        "open",
        False,
        {"place": "Mill", "at": "2026-11-20T09:00"},
        "Mill open at 2026-11-20T09:00 = no",
    ),
    (
        "step",
        "Turn left onto Quay St",
        {"route": "A3", "after": "Mill St"},
        "instruction via A3 after Mill St = Turn left onto Quay St",
    ),
    (
        "itinerary",
        37_200.0,
        {
            "order": ["Mill", "Quay"],
            "start_s": 32_400.0,
            "dwell": {"Quay": 3600.0},
            "legs": [["Mill", "Quay", 1200.0]],
        },
        "end of the trip Mill → Quay = 10:20 AM [start 9:00 AM, Mill to Quay 20 min, 1 h at Quay]",
    ),
    (
        "option",
        1,
        {"texts": ["Quay"], "reason": "It opens first."},
        "option that fits = Quay [It opens first.]",
    ),
    ("detour", 3, {"by": [1, 2]}, "detour = 3 [by 1, 2]"),
]


@pytest.mark.parametrize(("rule", "result", "arguments", "expected"), CASES)
def test_words_of_a_rule(rule: str, result: Any, arguments: dict[str, Any], expected: str) -> None:
    assert (
        fact_text(fact_of(Claim(rule=rule, inputs=("m.1",), result=result, arguments=arguments))) == expected
    )


def test_every_rule_has_words() -> None:
    assert {rule for rule, *_ in CASES} >= set(RULES)


def test_long_lists_are_counted_not_cut_silently() -> None:
    labels = [f"place {number}" for number in range(11)]
    words = fact_text(fact_of(Claim(rule="count", inputs=("m.1",), result=11, arguments={"labels": labels})))
    assert words.endswith("place 7 and 3 more]")
    assert "place 8" not in words


@pytest.mark.parametrize("rule", sorted(set(RULES) - {"step"}))
def test_a_claim_without_its_arguments_is_told_as_it_is(rule: str) -> None:
    fact = fact_of(Claim(rule=rule, inputs=("m.1",), result="Mill", arguments={"odd": 1}))
    assert (fact.label, fact.value, fact.formula) == (rule, "Mill", "odd 1")
