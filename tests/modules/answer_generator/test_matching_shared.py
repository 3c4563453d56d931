"""Every option of the public development questions means itself, however it is read."""

import json
from collections.abc import Iterator

from map_tools.compute.clocks import parse_clock
from map_tools.compute.measures import parse_distance_m, parse_duration_s
from map_tools.compute.scanning import parse_number
from mapagent.core.answer import ClockTime, Named, Quantity, Sequence, Text, Value
from mapagent.core.question import Question
from modules.answer_generator.matching import Match, match_one, special_kind
from modules.answer_generator.orders import split_items
from modules.answer_generator.outcome import same_text
from modules.answer_generator.quantities import clocks_in
from tests.support.data import shared


def questions() -> Iterator[Question]:
    textual = json.loads(shared("mapeval_textual/dev.json").read_text(encoding="utf-8"))
    for record in textual:
        yield Question(text=record["question"], options=tuple(record["answer"]["options"]))
    for line in shared("mapeval_visual/dev.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        yield Question(text=record["question"], options=tuple(record["options"]))


def readings(text: str) -> Iterator[Value]:
    """What an option's text can be parsed as, by the parsers of quantities."""
    if (seconds := parse_duration_s(text)) is not None:
        yield Quantity(value=seconds, unit="s")
    elif (metres := parse_distance_m(text)) is not None:
        yield Quantity(value=metres, unit="m")
    elif (number := parse_number(text)) is not None:
        yield Quantity(value=number, unit="count")
    elif (clock := parse_clock(text)) is not None:
        yield ClockTime(at=clock)
    elif "\n" in text or "->" in text:
        if not clocks_in(text):  # with times of day it is a schedule, not an order
            yield Sequence(names=split_items(text))
    elif text.lower().startswith("via "):
        yield Text(text=text[4:], topic="via")
    elif text.startswith(("Turn ", "Continue ", "Keep ", "Merge ")):
        yield Text(text=text, topic="instruction")
    else:
        yield Named(name=text)


def test_every_option_means_itself() -> None:
    wrong = []
    for question in questions():
        for index, text in question.live_options():
            if special_kind(text) is not None:
                continue
            for value in readings(text):
                found = match_one(value, question)
                if not isinstance(found, Match) or not same_text(found.text, text):
                    wrong.append((question.options, index, value, found))
    assert not wrong, f"{len(wrong)}: " + "\n".join(map(str, wrong[:20]))
