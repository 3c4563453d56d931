"""Readings that come to the same answer count together."""

import math

import pytest

from mapagent.core.answer import Answer, Part, Status
from modules.nlu.reader import Reading
from modules.planner.certainty import SURE, Figures, Outcome, Tally, outcome, pooled

PLAIN = {"constant": 0.0, "score": 1.0, **dict.fromkeys(("weakest", "margin", "length", "unused"), 0.0)}
PLAIN |= dict.fromkeys(("unread", "unasked", "assumed", "chosen"), 0.0)


def reached(number: int, chance: float, *says: str) -> Outcome:
    features = Figures(math.log(chance), -0.1 * (number + 1), 0.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0)
    return Outcome(number, says, features)


def odds(sure: float) -> float:
    return sure / (1 - sure)


def test_probabilities_of_the_same_answer_add_up() -> None:
    seen = [reached(0, 0.4, "a"), reached(1, 0.3, "b"), reached(2, 0.2, "a")]
    first, second = pooled(seen, [math.log(one) for one in (0.4, 0.3, 0.2, 0.05)])
    assert math.exp(first.figures.score) == pytest.approx(0.6)
    assert math.exp(first.figures.margin) == pytest.approx(0.6 / 0.3)
    assert math.exp(second.figures.margin) == pytest.approx(0.3 / 0.6)
    assert (first.number, first.figures.weakest) == (0, -0.1)


def test_the_lead_is_over_readings_that_were_not_run_too() -> None:
    (only,) = pooled([reached(0, 0.5, "a")], [math.log(0.5), math.log(0.25)])
    assert math.exp(only.figures.margin) == pytest.approx(2)
    (alone,) = pooled([reached(0, 0.5, "a")], [math.log(0.5)])
    assert alone.figures.margin == 5.0


def test_a_reading_that_came_to_nothing_does_not_count_against_the_others() -> None:
    seen = [reached(0, 0.5, "nothing", "0"), reached(1, 0.2, "a"), reached(2, 0.1, "b")]
    lost, first, second = pooled(seen, [math.log(one) for one in (0.5, 0.2, 0.1)])
    assert math.exp(lost.figures.margin) == pytest.approx(0.5 / 0.2)
    assert math.exp(first.figures.margin) == pytest.approx(0.2 / 0.1)
    assert math.exp(second.figures.margin) == pytest.approx(0.1 / 0.2)


def test_two_that_agree_outweigh_a_likelier_one() -> None:
    scores = [math.log(one) for one in (0.4, 0.35, 0.3)]
    tally = Tally(scores, 0.35, PLAIN)
    ran = [tally.add(one) for one in (reached(0, 0.4, "a"), reached(1, 0.35, "b"), reached(2, 0.3, "b"))]
    assert ran == [False, False, False]
    given = tally.given()
    assert given is not None
    sure, chosen = given
    assert chosen.number == 1
    assert odds(sure) == pytest.approx(0.65)


def test_a_sure_answer_needs_no_second_opinion() -> None:
    tally = Tally([math.log(0.9)], 0.5, PLAIN | {"constant": 3.0})
    assert tally.add(reached(0, 0.9, "a"))
    assert tally.surest > SURE


def test_nothing_is_given_below_the_threshold() -> None:
    tally = Tally([math.log(0.3)], 0.5, PLAIN)
    assert not tally.add(reached(0, 0.3, "a"))
    assert tally.given() is None
    assert odds(tally.surest) == pytest.approx(0.3)
    assert Tally([], 0.5, PLAIN).given() is None


def test_a_sure_reading_without_an_answer_stands() -> None:
    lost = reached(0, 1.0, "nothing", "0")
    tally = Tally([0.0, -1.0], 0.5, PLAIN | {"constant": 2.0})
    assert tally.add(lost)
    given = tally.given()
    assert given is not None
    assert given[1].number == 0
    assert not given[1].settled


def test_only_the_likeliest_reading_stands_without_an_answer() -> None:
    sure = PLAIN | {"constant": 3.0}
    tally = Tally([math.log(one) for one in (0.6, 0.5, 0.4)], 0.2, sure)
    assert not tally.add(reached(1, 0.5, "nothing", "1"))  # the first made no program
    tally.add(reached(2, 0.4, "a"))
    given = tally.given()
    assert given is not None
    assert given[1].says == ("a",)


def test_an_unsure_one_gives_way_to_an_answer() -> None:
    scores = [math.log(0.5), math.log(0.4)]
    tally = Tally(scores, 0.2, PLAIN)
    assert not tally.add(reached(0, 0.5, "nothing", "0"))
    tally.add(reached(1, 0.4, "a"))
    given = tally.given()
    assert given is not None
    assert given[1].number == 1


def test_what_readings_say() -> None:
    readings = [Reading('answer(place("X").phone)', -0.5), Reading('unanswerable("deed")', -1.0)]
    parts = {"b": Part(text="two"), "a": Part(text="one")}
    told = outcome(0, readings, Answer(status=Status.ANSWERED, text="7", parts=parts), asked=3)
    assert told.says == ("answer", "7", "one", "two")
    assert told.settled
    assert told.figures.unasked == 0
    assert outcome(0, readings, Answer(status=Status.ANSWERED, text="7", option="B"), 1).says == (
        "option",
        "B",
    )
    refused = outcome(1, readings, Answer(status=Status.UNANSWERABLE, reason="deed"), 1)
    assert (refused.says, refused.settled) == (("refusal",), True)
    lost = outcome(0, readings, Answer(status=Status.UNANSWERABLE, reason="none"), 2)
    assert (lost.says, lost.settled, lost.figures.unasked) == (("nothing", "0"), False, 1.0)
