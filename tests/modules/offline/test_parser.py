"""The parser as a whole: robustness, what is not understood, the development questions."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mapagent.question import Question
from modules.offline.parser import THRESHOLD, not_understood, parse, parse_all
from tests.support.data import shared

WORDS = [
    "nearest",
    "cafe",
    "to",
    "Kiasma",
    "and",
    "from",
    "open",
    "at",
    "9",
    "pm",
    "Sunday",
    ",",
    "is",
    "the",
    "of",
    "how",
    "far",
    "?",
    "rated",
    "4.5",
]
GEOMETRY = {"distance", "bearing", "direction_pick", "between", "pair", "closer"}
EXPECTED = {
    "poi": {"place_fact", "open", "compare_places", *GEOMETRY},
    "nearby": {"nearby", "compare_places", "closer"},
}
"""The kinds of intents that fit a class of the benchmark."""


@given(st.text(min_size=1, max_size=120).filter(str.strip))
@settings(max_examples=60, deadline=None)
def test_any_text_is_parsed_or_refused(text: str) -> None:
    parsed = parse_all(Question(text=text))
    assert all(0 <= reading.score <= 1 for reading in parsed.readings)
    assert (parsed.best is None) == (not parsed.readings or parsed.readings[0].score < THRESHOLD)


@given(st.lists(st.sampled_from(WORDS), min_size=1))
@settings(max_examples=80, deadline=None)
def test_any_order_of_its_words_is_parsed_or_refused(words: list[str]) -> None:
    parse_all(Question(text=" ".join(words)))


@pytest.mark.parametrize(
    "text",
    [
        "Why is the sky blue?",
        "Tell me a joke.",
        "What is 2 plus 2?",
        "Translate good morning into French",
        "Where is the first gas station on my way from Kiasma to Ateneum?",
        "What is the best time to go to Kiasma to avoid traffic?",
    ],
)
def test_what_is_no_map_question_is_not_understood(text: str) -> None:
    assert parse(Question(text=text)) is None


def test_the_reason_says_what_was_understood() -> None:
    parsed = parse_all(Question(text="Does Kiasma love Ateneum more by bike?"))
    reason = not_understood(parsed)
    assert "'Kiasma'" in reason
    assert "bicycling" in reason


@pytest.mark.parametrize("family", ["poi", "nearby"])
def test_share_of_development_questions_read_into_their_family(family: str) -> None:
    questions = json.loads(shared("mapeval_textual/dev.json").read_text(encoding="utf-8"))
    missed: list[str] = []
    counts: Counter[bool] = Counter()
    for item in questions:
        if item["classification"] != family:
            continue
        question = Question(text=item["question"], options=tuple(item["answer"]["options"]))
        reading = parse(question)
        fits = reading is not None and reading.intent.kind in EXPECTED[family]
        counts[fits] += 1
        if not fits:
            missed.append(item["question"])
    assert counts[True] / counts.total() >= 0.95, missed
