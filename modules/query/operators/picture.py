"""Operators on the picture of a question."""

from modules.query.interpreter.context import Context
from modules.query.operators.base import Mark, Text, operator
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


OPERATORS = (mark,)
