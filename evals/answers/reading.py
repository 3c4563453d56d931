"""An answer, typed or in words, as places and numbers that can be compared with the right ones."""

from evals.answers.amounts import areas_m2, azimuths_deg, lengths_m, numbers
from evals.answers.documents import said_by_document
from evals.answers.names import names_in
from evals.answers.positions import positions_in
from evals.answers.said import AnswerKind, Said
from evals.answers.values import said_by_value
from evals.methods.parsing import json_objects
from mapagent.answer import Answer, Status


def read_said(answer: Answer, kind: AnswerKind) -> tuple[Said, ...]:
    """What an answer says as an answer of this type; nothing for a refusal or a failure.

    A typed value counts before a JSON document, a document before words: what is stated is never
    read from prose.
    """
    if answer.status is not Status.ANSWERED:
        return ()
    if answer.value is not None and (typed := said_by_value(answer.value, kind)):
        return typed
    documents = [said_by_document(found) for found in json_objects(answer.text)]
    if stated := tuple(said for said in documents if said is not None):
        return stated
    return said_in_words(answer.text, kind)


def said_in_words(text: str, kind: AnswerKind) -> tuple[Said, ...]:
    """What prose says as an answer of this type; nothing where it says nothing of the kind."""
    match kind:
        case "name":
            return tuple(Said(name=name, fact=name) for name in names_in(text))
        case "loc":
            return _places(text)
        case "angle":
            return tuple(Said(azimuth_deg=value) for value in azimuths_deg(text) or _bare_azimuth(text))
        case "count":
            return tuple(Said(count=value) for value in numbers(text)[:1])
        case "distance":
            return tuple(Said(distance_m=value) for value in lengths_m(text) or _bare(text))
        case "length":
            return tuple(Said(length_m=value) for value in lengths_m(text) or _bare(text))
        case "area":
            return tuple(Said(area_m2=value) for value in areas_m2(text) or _bare(text))


def _places(text: str) -> tuple[Said, ...]:
    """Addresses in words, or bare positions; with one position in the text it belongs to its one address."""
    positions = positions_in(text)
    names = names_in(text)
    if len(positions) == len(names):
        return tuple(
            Said(name=name, address=name, position=position)
            for name, position in zip(names, positions, strict=True)
        )
    return (
        *(Said(position=position) for position in positions),
        *(Said(name=name, address=name) for name in names),
    )


def _bare(text: str) -> tuple[float, ...]:
    """A number without a unit, in the schema's unit, if it is the only one."""
    found = numbers(text)
    return found if len(found) == 1 else ()


def _bare_azimuth(text: str) -> tuple[float, ...]:
    return tuple(value % 360 for value in _bare(text))
