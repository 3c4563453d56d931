"""Operators that end a program: the answer, its parts, the option that holds, or why there is none."""

from dataclasses import replace
from typing import Any

from modules.query.interpreter.context import Context
from modules.query.interpreter.needs import best_route, with_measures
from modules.query.operators.base import Answer, Any_, List, Option, Text, operator
from modules.query.values import algebra
from modules.query.values.algebra import ValueTypeError
from modules.query.values.things import Finished, Items, Way
from modules.query.values.unknown import Unknown, Why


@operator(module="answer_generator", phrase="{value}", takes_unknown=True)
def answer(context: Context, value: Any_, **parts: Any) -> Answer:
    """The main value, and further things asked as named parts."""
    return Finished(
        _told(context, value), tuple((name, _told(context, part)) for name, part in parts.items())
    )


def _told(context: Context, value: Any) -> Any:
    """A value with what it takes to tell it: of a way its course, of the ways of a list their measures."""
    if isinstance(value, Finished):
        return value.value  # a part that is refused
    if isinstance(value, Way) and value.route is None:
        found = best_route(value, context)
        return with_measures(value, context) if isinstance(found, Unknown) else replace(value, route=found)
    if isinstance(value, Items) and any(isinstance(one, Way) for one in value):
        return value.like(context.each(value, lambda one: with_measures(one, context)))
    return value


@operator(module="answer_generator", phrase="no answer: {reason}")
def unanswerable(context: Context, reason: Text) -> Answer:
    """Why no map could tell, or do, what is asked; also as a part of an answer."""
    return Finished(Unknown(Why.UNSUPPORTED, reason), (), reason)


@operator(module="answer_generator", phrase="the option whose statement holds: {tests|tests}")
def judge(context: Context, tests: List) -> Option | Unknown:
    """Of one test per option, in order, the option that holds."""
    options = context.situation.options
    if len(tests) != len(options):
        raise ValueTypeError(
            f"`judge` takes one test for each of the {len(options)} options, and this has {len(tests)}"
        )
    verdicts = [algebra.truth(test) for test in tests]
    holding = [number for number, verdict in enumerate(verdicts) if verdict is True]
    open_ = [verdict for verdict in verdicts if isinstance(verdict, Unknown)]
    if len(holding) == 1 and not open_:
        return options[holding[0]]
    if len(holding) == 1:
        context.warn("Of another option it is not stated whether it holds.")
        return options[holding[0]]
    if not holding:
        return open_[0] if open_ else Unknown(Why.NONE, "None of the options holds.")
    return Unknown(Why.AMBIGUOUS, f"{len(holding)} options hold.")


OPERATORS = (answer, unanswerable, judge)
