"""The smoke run's own parts: its questions, its town, its judge."""

from datetime import time

import pytest

from benchmarks.smoke.questions import (
    Amount,
    Clock,
    Count,
    Lists,
    Refuses,
    Says,
    Truth,
    Wind,
    Yes,
    is_right,
    questions,
    world_path,
)
from map_tools.providers.world_file import read_world
from mapagent.core.answer import Answer, Status


def test_half_of_forty_questions_are_in_free_words() -> None:
    asked = questions()
    assert len({one.id for one in asked}) == 40
    assert sum(one.wording == "free" for one in asked) == 20
    assert all(one.how for one in asked)


def test_every_choice_holds_its_truth_once() -> None:
    for one in questions():
        if one.options:
            rights = [option for option in one.options if is_right(answered(option), one.truth)]
            assert len(rights) == 1, one.id


def answered(text: str) -> Answer:
    return Answer(status=Status.ANSWERED, text=text)


@pytest.mark.parametrize(
    ("truth", "right", "wrong"),
    [
        (Says(kind="says", any=("+1 555 0100",)), "Phone: +1-555-0100", "+1 555 0101"),
        (Lists(kind="lists", names=("Mill", "Inn"), **{"not": ("Gate",)}), "Inn, Mill", "Inn, Mill, Gate"),
        (Count(kind="count", value=3), "3", "13"),
        (Amount(kind="metres", value=901, within=10), "0.9 km", "950 m"),
        (Amount(kind="minutes", value=75, within=1), "1 h 15 min", "15 min"),
        (Clock(kind="clock", value=time(18)), "6:00 PM", "6:00 AM"),
        (Clock(kind="clock", value=time(9, 52)), "09:52", "9:53 AM"),
        (Yes(kind="yes", value=False), "No, it is shut.", "Yes"),
        (Wind(kind="wind", any=("east", "E")), "East", "northeast"),
    ],
)
def test_the_judge_reads_answers_by_itself(truth: Truth, right: str, wrong: str) -> None:
    assert is_right(answered(right), truth)
    assert not is_right(answered(wrong), truth)
    assert not is_right(Answer(status=Status.UNANSWERABLE, text=right), truth)


def test_where_there_is_no_answer_a_refusal_is_right() -> None:
    truth = Refuses(kind="refuses")
    assert is_right(Answer(status=Status.UNANSWERABLE, text=""), truth)
    assert not is_right(answered("+1 555 0100"), truth)
    assert not is_right(Answer(status=Status.ERROR, text=""), truth)


def test_the_town_is_a_world() -> None:
    (town,) = read_world(world_path())
    assert {place.name for place in town.places} >= {"Willow Museum", "Otter Café"}
