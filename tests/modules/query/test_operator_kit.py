"""The kit for operators of other packages: a good one has no fault, each bad one has its own."""

# Tables stand as they are read.

import random
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from map_tools.types import TravelMode
from modules.query.interpreter.needs import duration_of
from modules.query.operator_kit import Example, faults_of
from modules.query.operators.base import (
    Claim,
    Context,
    Length,
    List,
    Number,
    Operator,
    Place,
    Text,
    Time,
    YesNo,
    operator,
)
from modules.query.values.amount import Amount
from modules.query.values.things import Way
from modules.query.values.unknown import Unknown, Why
from tests.modules.query.language.running import town

STROLL_S = 15 * 60
CALLS: list[str] = []


def _of_values(claim: Claim) -> str:
    right = sum(one.value for one in claim.arguments["xs"])
    return "" if isinstance(claim.result, Amount) and claim.result.value == right else "it is another sum"


@operator(module="strolling", phrase="whether {to} is a stroll from {a}")
def stroll_away(context: Context, a: Place, *, to: Place) -> YesNo | Unknown:
    """Whether the walk from a to another place takes a quarter of an hour at most."""
    walk = duration_of(Way(a, to, TravelMode.WALKING), context)
    return walk if isinstance(walk, Unknown) else walk.value <= STROLL_S


@operator(module="reckoning", phrase="the total of {xs}[ above {least}]", check=_of_values)
def odd_total(context: Context, xs: List, least: Number | None = None) -> Number | Unknown:
    """The sum of the numbers of a list."""
    if any(isinstance(one, Unknown) for one in xs):
        return Unknown(Why.NOT_STATED, "One of them is not stated.")
    return Amount.of(sum(one.value for one in xs if least is None or one.value > least.value))


@operator(module="clocks", phrase="how long it is until {at}")
def wait_until(context: Context, at: Time) -> Number | Unknown:
    """How many minutes it is until a time."""
    now = context.situation.now
    return (
        Unknown(Why.UNSUPPORTED, "No present time.")
        if now is None
        else Amount.of((at.at - now).total_seconds() / 60)
    )


@operator(module="logic", phrase="whether {x} is stated", takes_unknown=True)
def is_stated(context: Context, x: Text) -> YesNo:
    """Whether something is stated."""
    return not isinstance(x, Unknown)


def test_good_operators_have_no_fault() -> None:
    provider = town()
    assert (
        faults_of(
            stroll_away,
            [Example('stroll_away("Opera", to="Town Hall")', result=True, most_requests=3)],
            provider,
        )
        == ()
    )
    assert (
        faults_of(
            stroll_away, [Example('stroll_away("Opera", to="Zoo")', result=False, most_requests=3)], provider
        )
        == ()
    )
    reckoned = [Example("odd_total([1, 2, 3])", result=6, most_requests=0)]
    assert faults_of(odd_total, reckoned) == ()
    noon = datetime(2026, 11, 24, 12)  # noqa: DTZ001 (local time)
    waited = [Example('wait_until("14:30")', result=150, most_requests=0)]
    assert faults_of(wait_until, waited, now=noon) == ()
    assert faults_of(is_stated, [Example('is_stated("a")', result=True, most_requests=0)]) == ()


def _made(
    function: Any, name: str = "my_operator", phrase: str = "something with {x}", **told: Any
) -> Operator:
    return operator(**{"module": "mine", "phrase": phrase, "name": name, **told})(function)


def pure(context: Context, x: Text) -> Text | Unknown:
    """Its argument."""
    return x


def undescribed(context: Context, x: Text) -> Text | Unknown:
    return x


def keeps_count(context: Context, x: Text) -> Text | Unknown:
    """Counts its calls."""
    CALLS.append(x)
    return x


def counts_up(context: Context, x: Text) -> Number | Unknown:
    """How often it was called."""
    CALLS.append(x)
    return Amount.of(float(len(CALLS)))


def reads_clock(context: Context, x: Text) -> Number | Unknown:
    """Seconds since 1970."""
    return Amount.of(float(time.time() // 1e6))


def reads_today(context: Context, x: Text) -> Text | Unknown:
    """The year."""
    return str(datetime.now().year)  # noqa: DTZ005


def guesses(context: Context, x: Text) -> YesNo | Unknown:
    """Heads or tails."""
    return random.random() < 2


def _helper() -> float:
    return random.random() * 0


def guesses_in_a_helper(context: Context, x: Text) -> Number | Unknown:
    """Nothing, after all."""
    return Amount.of(_helper())


def reads_files(context: Context, x: Text) -> YesNo | Unknown:
    """Whether a file is there."""
    with Path(__file__).open(encoding="utf-8") as file:
        return bool(file.readline())


def guesses_without_facts(context: Context, a: Place, *, to: Place) -> Number | Unknown:
    """Minutes of walking, ten where nobody knows."""
    walk = duration_of(Way(a, to, TravelMode.WALKING), context)
    return Amount.of(10.0 if isinstance(walk, Unknown) else walk.value / 60)


def other_type(context: Context, x: Text) -> Length | Unknown:
    """A length, it is said."""
    return Amount.of(5.0)


def rates_unknown(context: Context, x: Text) -> Number | Unknown:
    """Letters of a text."""
    return Amount.of(float(len(x)))


def breaks(context: Context, x: Text) -> Text | Unknown:
    """The part behind a colon."""
    return x.split(":")[1]


def further(context: Context, x: Text, **more: Text) -> Text | Unknown:
    """Takes everything."""
    return x


WORD = Example('my_operator("a")', result="a", most_requests=0)


@pytest.mark.parametrize(
    ("bad", "example", "fault"),
    [
        (_made(pure, name="plain"), Example('plain("a")', result="a", most_requests=0), "no prefix"),
        (_made(pure, name="is_open"), Example('is_open("a")', result="a", most_requests=0), "is taken"),
        (_made(pure, module=""), WORD, "No module"),
        (_made(undescribed), WORD, "no docstring"),
        (_made(pure, phrase=""), WORD, "no phrase"),
        (_made(pure, phrase="something"), WORD, "does not tell {x}"),
        (_made(pure, phrase="{x} and {y}"), WORD, "{y}, which is no parameter"),
        (
            _made(odd_total.function, phrase="{xs} above {least}"),
            Example("my_operator([1])", result=1, most_requests=0),
            "put it in […]",
        ),
        (_made(further), WORD, "any further arguments"),
        (_made(keeps_count), WORD, "keeps something between calls"),
        (
            _made(counts_up),
            Example('my_operator("a")', result=1, most_requests=0),
            "called again with the same facts",
        ),
        (
            _made(reads_clock),
            Example('my_operator("a")', result=float(time.time() // 1e6), most_requests=0),
            "`time.time`",
        ),
        (_made(reads_today), Example('my_operator("a")', result="2026", most_requests=0), "`datetime.now`"),
        (_made(guesses), Example('my_operator("a")', result=True, most_requests=0), "`random.random`"),
        (
            _made(guesses_in_a_helper),
            Example('my_operator("a")', result=0, most_requests=0),
            "`random.random`",
        ),
        (
            _made(reads_files),
            Example('my_operator("a")', result=True, most_requests=0),
            "reaches outside (open)",
        ),
        (_made(other_type), Example('my_operator("a")', result=5, most_requests=0), "which is no Length"),
        (_made(pure), Example('my_operator("a")', result="b", most_requests=0), "and not 'b'"),
        (
            _made(pure),
            Example('distance("a", "b")', result="a", most_requests=0),
            "does not call `my_operator`",
        ),
        (_made(pure), Example("my_operator(", result="a", most_requests=0), "ends too early"),
        (
            _made(odd_total.function, phrase="{xs}[ above {least}]", check=lambda claim: ""),
            Example("my_operator([1])", result=1, most_requests=0),
            "Its check lets",
        ),
        (
            _made(odd_total.function, phrase="{xs}[ above {least}]", check=lambda claim: "no"),
            Example("my_operator([1])", result=1, most_requests=0),
            "speaks against a right value",
        ),
    ],
)
def test_bad_operators_have_their_fault(bad: Operator, example: Example, fault: str) -> None:
    CALLS.clear()
    found = faults_of(bad, [example])
    assert any(fault in one for one in found), found


def test_facts_that_cannot_be_had_and_cost() -> None:
    bad = _made(guesses_without_facts, phrase="minutes from {a} to {to}")
    walk = Example('my_operator("Opera", to="Town Hall")', result=None, most_requests=2)
    found = " ".join(faults_of(bad, [walk], town()))
    assert "Where no fact can be had it gives 10, and not Unknown" in found
    assert "It asks for 3 facts, and 2 are declared" in found


def test_what_is_raised_is_not_hidden() -> None:
    with pytest.raises(IndexError):
        faults_of(_made(breaks), [WORD])
    with pytest.raises(TypeError):
        faults_of(
            _made(rates_unknown, takes_unknown=True), [Example('my_operator("a")', result=1, most_requests=0)]
        )


def test_no_example_is_a_fault() -> None:
    assert faults_of(_made(pure), []) == ("There is no example.",)
