"""Ways to tamper: with one node of a derivation, and with an operator, so that all above it fits together."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from map_tools.errors import MapAgentError
from map_tools.types import LatLng, Place
from modules.query.interpreter.context import Derived
from modules.query.interpreter.running import Outcome
from modules.query.language import syntax
from modules.query.operators.base import Operator
from modules.query.values.amount import Amount
from modules.query.values.moment import Moment
from modules.query.values.things import Bearing, Finished, Items, Plan, Thing
from modules.query.values.unknown import Unknown, Why
from modules.query.verify.agreement import agree
from tests.modules.query.verify.worked import Worked

STRANGER = Thing(
    Place(id="osm:n1", name="Nowhere Inn", categories=("hotel",), location=LatLng(lat=60.17, lng=24.94))
)
"""A place that no evidence tells of."""


def other_values(value: Any) -> Iterator[tuple[str, Any]]:
    """What may be claimed in place of a value, each with a name for it."""
    return ((how, other) for how, other in _changed(value) if not agree(other, value))


def _changed(value: Any) -> Iterator[tuple[str, Any]]:
    match value:
        case bool():
            yield "turned round", not value
        case str():
            yield "another word", f"{value} II"
        case Amount() if value.exact:
            yield "a little more", replace(value, low=value.low * 1.05 + 1, high=value.high * 1.05 + 1)
            yield "half", replace(value, low=value.low / 2 - 1, high=value.high / 2 - 1)
        case Moment():
            yield "an hour later", replace(value, at=value.at + timedelta(hours=1))
        case Bearing():
            yield "turned", Bearing((value.degrees + 90) % 360)
        case Thing():
            yield "a stranger", STRANGER
        case Items() if len(value) > 1:
            yield "half the list", value.like(value.items[: len(value) // 2])
            yield "without the first", value.like(value.items[1:])
            yield "the other way round", value.like(value.items[::-1])
            yield "the first twice", value.like((value.items[0], *value.items))
        case Items() if len(value) == 1:
            yield "emptied", value.like(())
        case Plan():
            yield "quicker", replace(value, travel_s=value.travel_s / 2)
            yield "with fewer stops", replace(value, stops=value.stops[1:])
        case Unknown(why=Why.NONE):
            yield "a stranger", STRANGER
    if not isinstance(value, Unknown | Finished):
        yield "none", Unknown(Why.NONE, "There is none.")


def node_tampered(outcome: Outcome) -> Iterator[tuple[str, Outcome]]:
    """Outcomes with the value, or the evidence, of one node changed; what is told twice counts as told last."""
    last = {_place(one): number for number, one in enumerate(outcome.derivation)}
    for number, one in enumerate(outcome.derivation):
        if last[_place(one)] != number:
            continue
        for how, value in other_values(one.result):
            yield f"{one.operator} at {one.node}: {how}", _with(outcome, number, replace(one, result=value))
        if one.evidence:
            yield (
                f"{one.operator} at {one.node}: evidence left out",
                _with(outcome, number, replace(one, evidence=())),
            )
        yield (
            f"{one.operator} at {one.node}: invented evidence",
            _with(outcome, number, replace(one, evidence=(*one.evidence, "e999"))),
        )


def end_tampered(outcome: Outcome) -> Iterator[tuple[str, Outcome]]:
    """Outcomes whose answer, or a part of it, is another than the derivation's."""
    finished = outcome.finished
    for how, value in other_values(finished.value):
        yield f"answer: {how}", replace(outcome, finished=replace(finished, value=value))
    for number, (name, value) in enumerate(finished.parts):
        for how, other in other_values(value):
            parts = (*finished.parts[:number], (name, other), *finished.parts[number + 1 :])
            yield f"{name}: {how}", replace(outcome, finished=replace(finished, parts=parts))


def _place(one: Derived) -> tuple[Any, ...]:
    return (one.path, one.node, one.subject if one.operator == "look-up" else one.operator == "lambda")


def _with(outcome: Outcome, number: int, one: Derived) -> Outcome:
    made = (*outcome.derivation[:number], one, *outcome.derivation[number + 1 :])
    return replace(outcome, derivation=made)


type Distortion = Callable[[Any], Any]


def _scaled(factor: float) -> Distortion:
    return lambda value: (
        replace(value, low=value.low * factor, high=value.high * factor)
        if isinstance(value, Amount)
        else value
    )


def _shortened(value: Any) -> Any:
    return value.like(value.items[: (len(value) + 1) // 2]) if isinstance(value, Items) else value


def _without_the_first(value: Any) -> Any:
    return value.like(value.items[1:]) if isinstance(value, Items) and len(value) > 1 else value


def _reversed(value: Any) -> Any:
    return value.like(value.items[::-1]) if isinstance(value, Items) else value


def _turned(value: Any) -> Any:
    return not value if isinstance(value, bool) else value


def _later(value: Any) -> Any:
    return replace(value, at=value.at + timedelta(hours=1)) if isinstance(value, Moment) else value


def _quicker(value: Any) -> Any:
    return replace(value, travel_s=value.travel_s / 2) if isinstance(value, Plan) else value


def _turned_by_90(value: Any) -> Any:
    return Bearing((value.degrees + 90) % 360) if isinstance(value, Bearing) else value


def _none(value: Any) -> Any:
    return Unknown(Why.NONE, "There is none.") if isinstance(value, Thing) else value


def _stranger(value: Any) -> Any:
    return STRANGER if isinstance(value, Thing) else value


FAULTS: Mapping[str, tuple[Distortion, ...]] = {
    "count": (_scaled(0.5), _scaled(2.0)),
    "sum": (_scaled(0.5), _scaled(1.2)),
    "mean": (_scaled(0.9), _scaled(1.2)),
    "distance": (_scaled(0.8), _scaled(1.3)),
    "places": (_shortened, _without_the_first, _reversed),
    "nearest": (_none, _stranger),
    "sort": (_reversed, _without_the_first),
    "pairs": (_shortened,),
    "group": (_shortened, _without_the_first),
    "hours": (_without_the_first, _shortened),
    "is_open": (_turned,),
    "lies": (_turned,),
    "any": (_turned,),
    "all": (_turned,),
    "known": (_turned,),
    "opens": (_later,),
    "closes": (_later,),
    "trip": (_quicker,),
    "direction": (_turned_by_90,),
}
"""Operators with what may be made of their values: the rest of the program goes on with that."""


def faulty(operator: Operator, distortion: Distortion) -> Operator:
    """An operator whose values are distorted."""

    def work(context: Any, **arguments: Any) -> Any:
        return distortion(operator.function(context, **arguments))

    def work_in_place(context: Any, *positional: Any, **arguments: Any) -> Any:
        return work(
            context, **dict(zip((one.name for one in operator.plain), positional, strict=False)), **arguments
        )

    return replace(operator, function=work_in_place)


def runner_up(operator: Operator) -> Operator:
    """`min`, `max` or `nearest` that leave out the winner."""

    def work(context: Any, xs: Any = None, **arguments: Any) -> Any:
        first = (
            operator.function(context, xs, **arguments)
            if xs is not None
            else operator.function(context, **arguments)
        )
        if xs is None or not isinstance(first, Thing | Amount | Items):
            return first
        return operator.function(context, xs.like([one for one in xs if one is not first]), **arguments)

    return replace(operator, function=work)


def keeps_all(operator: Operator) -> Operator:
    """A search that keeps what does not fulfil its condition."""

    def work(context: Any, what: Any, where: Any = None, **arguments: Any) -> Any:
        if where is not None:
            operator.function(context, what, where=where, **arguments)
        return operator.function(context, what, **arguments)

    return replace(operator, function=work)


def lying(
    program: syntax.Program, operators: Mapping[str, Operator]
) -> Iterator[tuple[str, Mapping[str, Operator]]]:
    """For each operator of a program those that give something else in its place, with a name for what they do."""
    nodes = (node for one in program.statements for node in syntax.walk(one.expr))
    used = {node.operator for node in nodes if isinstance(node, syntax.Call)}
    for one in sorted(used & FAULTS.keys()):
        for number, distortion in enumerate(FAULTS[one]):
            yield f"{one} {number}", {one: faulty(operators[one], distortion)}
    for one in sorted({"min", "max"} & used):
        yield f"{one}: left out the winner", {one: runner_up(operators[one])}
    for one in sorted({"places", "nearest"} & used):
        yield f"{one}: kept all", {one: keeps_all(operators[one])}


def faulty_runs(
    right: Worked, work: Callable[[Mapping[str, Operator]], Worked]
) -> Iterator[tuple[str, Worked]]:
    """A program run with one of its operators lying, where that makes a difference.

    Args:
        right: The program as it was run.
        work: Runs it with other operators.
    """
    for how, liar in lying(right.program, right.operators):
        try:
            found = work(liar)
        except MapAgentError:
            continue  # the wrong value does not go with the rest of the program: it never comes so far
        if not agree(found.outcome.finished, right.outcome.finished):
            yield how, found
