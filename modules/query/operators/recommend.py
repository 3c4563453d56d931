"""The operator that recommends: a wish ranks, conditions bind."""

from map_tools.facts import FailureFact, NearbyFact
from modules.query.interpreter.context import Context, unknown_of
from modules.query.interpreter.requests import ModuleRequest
from modules.query.operators.base import Area, Place, Places, Test, Text, operator
from modules.query.values import algebra
from modules.query.values.things import Items, Thing
from modules.query.values.unknown import Unknown, Why


@operator(
    module="recommender",
    phrase="places that suit “{wish}”[ near {near}][ in {inside}][ where {where}], best first",
)
def recommend(
    context: Context,
    wish: Text,
    *,
    near: Place | None = None,
    inside: Area | None = None,
    where: Test | None = None,
) -> Places | Unknown:
    """Places that suit a wish in words, best first; where= is binding, the wish only ranks."""
    arguments = (
        ("wish", wish),
        ("near", near.place if near is not None else None),
        ("inside", inside.place if inside is not None else None),
    )
    reply = context.need(ModuleRequest("recommender", "recommend", _hashable(arguments)))
    if reply.failure is not None:
        return unknown_of(reply.failure)
    ranked = next((item.value for item in reversed(reply.fact) if isinstance(item.value, NearbyFact)), None)
    if ranked is None:
        failures = [item.value for item in reply.fact if isinstance(item.value, FailureFact)]
        return unknown_of(failures[0]) if failures else Unknown(Why.NONE, "No place suits the wish.")
    for item in reply.fact:
        for warning in item.warnings:
            context.warn(warning)
    found = Items(
        tuple(Thing(item.place) for item in ranked.items), searched=True, complete=True, what=ranked.what
    )
    if where is None:
        return found
    verdicts = [algebra.truth(value) for value in context.apply(where, found.items)]
    kept = [one for one, verdict in zip(found, verdicts, strict=True) if verdict is True]
    unstated = [one for one, verdict in zip(found, verdicts, strict=True) if isinstance(verdict, Unknown)]
    return found.like(kept, unstated=unstated)


def _hashable(arguments: tuple[tuple[str, object], ...]) -> tuple[tuple[str, object], ...]:
    """Arguments with places by their id and position, which tell them exactly."""
    made: list[tuple[str, object]] = []
    for name, value in arguments:
        place_id = getattr(value, "id", None)
        made.append((name, value if place_id is None else place_id))
    return tuple(made)


OPERATORS = (recommend,)
