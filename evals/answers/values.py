"""Typed answers (`mapagent.answer.Value`) in GS-QA's schema: nothing has to be guessed from words."""

from evals.answers.amounts import azimuths_deg, lengths_m
from evals.answers.said import AnswerKind, Said
from mapagent.answer import Named, NameSet, OptionPick, Quantity, Sequence, Text, Value

ADDRESS = "address"
_UNITS = {"m": ("distance", "length"), "m2": ("area",), "count": ("count",), "deg": ("angle",)}
"""Units of a quantity, and the output types they can be an answer of."""


def said_by_value(value: Value, kind: AnswerKind) -> tuple[Said, ...]:
    """What a value says as an answer of this type; nothing if it is of another type."""
    match value:
        case Quantity():
            return (_quantity(value.value, kind),) if kind in _UNITS.get(value.unit, ()) else ()
        case Named():
            return (_named(value, kind),)
        case NameSet() | Sequence():
            return tuple(Said(name=name) for name in value.names)
        case OptionPick():
            return (Said(name=value.text),)
        case Text():
            return (_text(value, kind),)
        case _:
            return ()


def _quantity(number: float, kind: AnswerKind) -> Said:
    match kind:
        case "angle":
            return Said(azimuth_deg=number % 360)
        case "count":
            return Said(count=number)
        case "area":
            return Said(area_m2=number)
        case "length":
            return Said(length_m=number)
        case _:
            return Said(distance_m=number)


def _named(value: Named, kind: AnswerKind) -> Said:
    """A place; the note beside it is what was asked about it ("101 m", "north-east")."""
    distances, directions = lengths_m(value.note), azimuths_deg(value.note or value.name)
    return Said(
        name=value.name,
        address=(value.place.address or "") if value.place else "",
        position=value.place.location if value.place else None,
        distance_m=distances[0] if distances and kind == "distance" else None,
        azimuth_deg=directions[0] if directions and kind == "angle" else None,
        fact=value.note,
    )


def _text(value: Text, kind: AnswerKind) -> Said:
    if value.topic == ADDRESS:
        return Said(address=value.text)
    directions = azimuths_deg(value.text) if kind == "angle" else ()
    return Said(name=value.text, fact=value.text, azimuth_deg=directions[0] if directions else None)
