"""Huge, broken and hostile texts: read as far as they can be, quotable for the rest, with bounded work."""

import json
import random
import sys
from collections.abc import Callable

import pytest

from map_tools.facts import NoteFact, PlaceFact
from modules.context_reader import reader
from modules.context_reader.world import TextProvider
from modules.nlu import marks
from tests.modules.context_reader.support import facts

WORDS = (
    *(
        "Hotel Aurora",
        "Quay",
        "from",
        "to",
        "is",
        "open",
        "5 min",
        "km",
        "10:00-18:00",
        "Mon",
        "closed",
        "rated 4.5",
    ),
    *(
        "POINT (1 2)",
        "POLYGON ((",
        '{"name":',
        '"lat": 1e999',
        "[",
        "]",
        "}",
        ",",
        ";",
        "\t",
        "\n",
        "\n\n",
        "---",
        "1.",
        "-",
    ),
    *("Nearby cafes of", "Information of", ":", "\0", "\x1b", "\u202f", "\x85", "(", ")", "**", "<b>", "|"),
)


@pytest.mark.parametrize("seed", range(20))
def test_any_mixture_of_pieces_is_read_without_an_error(seed: int) -> None:
    chosen = random.Random(seed)
    text = " ".join(chosen.choice(WORDS) for _ in range(1_500))
    places = TextProvider(text).world.places.values()
    assert all(place.location is None or abs(place.location.lat) <= 90 for place in places)


TOOL = 4
"""A tool number that no debugger, coverage or profiler has."""


def name_of(number: int) -> str:
    """A name in letters alone: "Abca"."""
    return "A" + "".join("abcdefghij"[int(digit)] for digit in str(number))


HUGE: dict[str, Callable[[int], str]] = {
    "one line": lambda size: "Hotel Aurora is 5 min from Quay " * 10 * size,
    "one word": lambda size: "a" * 200 * size,
    "lines": lambda size: "The inn is here.\n" * size,
    "names": lambda size: "".join(
        f"Travel time from {name_of(n)} Inn to {name_of(n)} Hall by car is 5 mins.\n" for n in range(size)
    ),
    "places": lambda size: "".join(f"Information of Place {n}:\n- Rating: 4.5\n\n" for n in range(size)),
    "one name": lambda size: f"Nearby cafes of Quay are:\n{'1. Same\n' * size}",
    "rows": lambda size: "name,rating\n" + "".join(f"Place {n},4.5\n" for n in range(size)),
    "records": lambda size: json.dumps([{"name": f"Place {n}", "rating": 4.5} for n in range(size)]),
    "open brackets": lambda size: "{\n[" * size,
    "anchors": lambda size: f"Nearby {' of x' * 20 * size}:",
    "ways": lambda size: f"{'from a to b is ' * 10 * size}5 min",
    "tags": lambda size: f"- x {'<div>' * 20 * size}",
    "round brackets": lambda size: "(" * 50 * size,
    "deep": lambda size: '{"a":' * 10 * size,
    "controls": lambda size: "".join(chr(n % 32) for n in range(100 * size)),
}


def steps_of(work: Callable[[], object]) -> int:
    """How many calls and rounds of loops some work takes, which is the same on every machine."""
    events = sys.monitoring.events.PY_START | sys.monitoring.events.JUMP
    count = 0

    def step(*_: object) -> None:
        nonlocal count
        count += 1

    sys.monitoring.use_tool_id(TOOL, "steps")
    try:
        for event in (sys.monitoring.events.PY_START, sys.monitoring.events.JUMP):
            sys.monitoring.register_callback(TOOL, event, step)
        sys.monitoring.set_events(TOOL, events)
        work()
    finally:
        sys.monitoring.set_events(TOOL, 0)
        sys.monitoring.free_tool_id(TOOL)
    return count


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE)
def test_work_grows_no_faster_than_a_text(
    text: Callable[[int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        marks, "MOST_WINDOWS", 2
    )  # what stands in so many is read, as long as the text may be
    once, twice = (steps_of(lambda size=size: TextProvider(text(size))) for size in (1_000, 2_000))
    assert twice < 3 * once, "twice the text is far less than four times the work"


def test_what_stands_after_the_limit_stays_quotable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_TEXT_CHARS", 60)
    text = "Information of Old Inn:\n- Rating: 4.5\n\nInformation of Mill:\n- Rating: 4.1\n"
    assert [(fact.place.name, fact.place.rating) for fact in facts(text, PlaceFact)] == [
        ("Old Inn", 4.5),
        ("Mill", None),
    ]
    assert [note.text for note in facts(text, NoteFact)] == ["- Rating: 4.1"]


def test_records_after_one_that_breaks_off_are_read() -> None:
    text = '{"name": "Old Inn", "rating":\n{"name": "Mill", "rating": 4.1}\n'
    assert [(fact.place.name, fact.place.rating) for fact in facts(text, PlaceFact)] == [("Mill", 4.1)]
