"""Operators on the picture of a question."""

from typing import Any

from mapagent.core.answer import Status
from mapagent.core.question import Question
from modules.query.interpreter.context import Context
from modules.query.interpreter.showing import value_of
from modules.query.operators.base import Fact, Mark, Text, YesNo, operator
from modules.query.values.things import Thing
from modules.query.values.unknown import Unknown, Why

_NO_PICTURE = Unknown(Why.UNSUPPORTED, "The question comes with no picture.")


@operator(module="visual_place_recognizer", phrase="the mark “{label}”")
def mark(context: Context, label: Text) -> Mark | Unknown:
    """A label that was read in the picture; it is a place, measured in metres where the scale is known."""
    picture = context.situation.picture
    if picture is None:
        return _NO_PICTURE
    found: Thing | Unknown = picture.mark(label)
    return found


@operator(
    module="visual_place_recognizer",
    phrase="what the picture shows to “{question}”[ or supports best{guess|yes}]",
)
def seen(context: Context, question: Text, *, guess: YesNo = False) -> Fact | Unknown:
    """What the embedded reader of pictures makes of a question; guess=True: the option that is supported best."""
    from modules.visual_place_recognizer.solving import best_supported, solve_picture

    picture: Any = context.situation.picture
    if picture is None:
        return _NO_PICTURE
    options = [""] * (max((one.index for one in context.situation.options), default=-1) + 1)
    for one in context.situation.options:
        options[one.index] = one.text
    asked = Question(text=question, options=tuple(options))
    if guess and picture.fact.frame is not None:
        return Unknown(Why.NOT_STATED, "The picture does not tell.")
    solve = best_supported if guess else solve_picture
    found = solve(asked, picture.fact, picture.evidence_id)
    if found is None or found.status is not Status.ANSWERED or found.value is None:
        reason = found.reason if found is not None and found.reason else "The picture does not tell."
        read = ", ".join(label.text for label in picture.fact.labels[:8]) or "no text"
        return Unknown(Why.NOT_STATED, f"{reason} In the picture were read: {read}.")
    for warning in found.warnings:
        context.warn(warning)
    value = value_of(found.value)
    context.ranked(value, [value_of(one) for one in found.ranking])
    context.sureness(found.confidence)
    return value


OPERATORS = (mark, seen)
