"""The module as the executor runs it: a stub run in, a verified answer out."""

import asyncio
from dataclasses import dataclass, field
from datetime import time
from types import SimpleNamespace
from typing import Any

import pytest

from mapagent.answer import (
    Answer,
    ClockTime,
    Named,
    NameSet,
    Quantity,
    Schedule,
    ScheduleStop,
    Sequence,
    Solution,
    Status,
    Value,
    YesNo,
)
from mapagent.evidence import Evidence
from mapagent.plan import Step
from mapagent.question import Question
from modules.answer_generator.module import AnswerGenerator
from modules.answer_generator.render import render
from tests.support.evidence import evidence, nearby_fact, place, travel_fact

WORLD = evidence(
    travel_fact("Mill", "Bank", 10, 3000),
    nearby_fact("Mill", "cafe", [(place("Bean"), 100.0), (place("Leaf"), 250.0)]),
)


@dataclass
class StubRun:
    question: Question
    solution: Solution | None
    evidence: tuple[Evidence, ...] = WORLD
    answer: Answer | None = None
    understanding: Any = field(default_factory=lambda: SimpleNamespace(intent=None, confidence=0.8))


def answer_of(solution: Solution | None, *options: str, facts: tuple[Evidence, ...] = WORLD) -> Answer:
    run: Any = StubRun(Question(text="Which one?", options=options), solution, facts)
    step = Step(id="s3", subgoal="answer", module="answer_generator")
    result = asyncio.run(AnswerGenerator().run(step, run))
    assert result.answer is not None
    return result.answer


def solved(value: Value, *ranking: Value) -> Solution:
    return Solution(status=Status.ANSWERED, value=value, ranking=ranking, evidence_ids=("e1", "e2"))


def test_an_option_with_its_letter_and_text() -> None:
    answer = answer_of(solved(Quantity(value=600, unit="s")), "5 mins", "10 mins")
    assert (answer.status, answer.option, answer.option_index, answer.text) == (
        Status.ANSWERED,
        "B",
        1,
        "10 mins",
    )
    assert 0 < answer.confidence <= 0.8


def test_empty_options_keep_their_letters() -> None:
    assert answer_of(solved(Named(name="Leaf")), "", "Bean", "", "Leaf").option == "D"


def test_without_options_the_value_is_put_in_words() -> None:
    answer = answer_of(solved(Quantity(value=600, unit="s")))
    assert (answer.text, answer.option, answer.confidence) == ("10 min", None, 0.8)


def test_no_solution_is_an_error() -> None:
    assert answer_of(None).status is Status.ERROR


@pytest.mark.parametrize("status", [Status.UNANSWERABLE, Status.AMBIGUOUS, Status.NOT_UNDERSTOOD])
def test_other_statuses_pass_with_their_reasons(status: Status) -> None:
    answer = answer_of(Solution(status=status, reason="Two mills fit."), "Mill", "Bank")
    assert (answer.status, answer.reason, answer.option) == (status, "Two mills fit.", None)


def test_unanswerable_takes_the_option_that_says_so() -> None:
    answer = answer_of(
        Solution(status=Status.UNANSWERABLE, reason="No facts."), "Mill", "Cannot be determined"
    )
    assert (answer.status, answer.option, answer.reason) == (Status.UNANSWERABLE, "B", "No facts.")


def test_a_bare_none_among_numbers_is_a_zero() -> None:
    answer = answer_of(Solution(status=Status.UNANSWERABLE, reason="No facts."), "None", "One", "Two")
    assert answer.option is None


def test_a_refused_value_is_not_replaced_by_the_next_best() -> None:
    refused = answer_of(solved(Quantity(value=6000, unit="s"), Quantity(value=600, unit="s")))
    assert (refused.status, refused.text) == (Status.UNANSWERABLE, "")
    assert "1 h 40 min" in refused.reason


def test_nothing_left_is_unanswerable_with_the_objection() -> None:
    answer = answer_of(solved(Quantity(value=6000, unit="s")))
    assert answer.status is Status.UNANSWERABLE
    assert "1 h 40 min" in answer.reason


def test_a_runner_up_is_verified_as_itself() -> None:
    answer = answer_of(solved(Named(name="Bean"), Named(name="Leaf")), "Leaf", "Bank")
    assert (answer.status, answer.text) == (Status.ANSWERED, "Leaf")
    assert answer.warnings


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Quantity(value=840, unit="s"), "14 min"),
        (Quantity(value=1200, unit="m"), "1.2 km"),
        (Quantity(value=3, unit="count"), "3"),
        (Quantity(value=2, unit="price_level"), "moderate"),
        (Quantity(value=3.2e6, unit="m2"), "3.20 km²"),
        (Quantity(value=817, unit="minutes_of_day"), "13:37"),
        (Quantity(value=90, unit="deg"), "90°"),
        (YesNo(value=True), "Yes"),
        (Named(name="Mill"), "Mill"),
        (Sequence(names=("A", "B")), "A → B"),
        (NameSet(names=("A", "B")), "A, B"),
        (Schedule(stops=(ScheduleStop(name="Mill", arrive_min=540, depart_min=600),)), "Mill 09:00–10:00"),
    ],
)
def test_values_in_words(value: Value, text: str) -> None:
    assert render(value) == text


def test_a_time_of_the_next_day_says_so() -> None:
    assert "+1" in render(ClockTime(at=time(0, 30), day_offset=1))
