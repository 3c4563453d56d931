"""The operator that recommends: a wish ranks, conditions bind."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from map_tools.compute.measures import format_distance
from map_tools.facts import ComputedFact, FailureFact, NearbyFact
from map_tools.types import Place as MapPlace
from map_tools.types import TravelMode
from modules.query.interpreter.context import Context, ModuleRequest, Reply, unknown_of
from modules.query.interpreter.needs import WHOLE_MAP, shape_of
from modules.query.language import syntax
from modules.query.operators.base import Area, Length, Line, Place, Places, Test, Text, operator
from modules.query.operators.search import filtered
from modules.query.values import algebra
from modules.query.values.things import Function, Items, Thing, Way
from modules.query.values.unknown import Unknown, Waiting, Why

MODULE = "recommender"
CANDIDATES, RANK = "candidates", "rank"
"""Requests to the module: places within the bounds, and the ranking of those that fulfil the conditions."""
REASONS = "reasons"
"""The label of the computed fact that says why places were chosen."""
WIDER = 2.0
"""Factor of the wider search that says what loosening would give, if nothing was found."""


@dataclass(frozen=True, slots=True)
class Given:
    """A thing of the program that distances are measured from.

    Attributes:
        reference: The words by which a map tool finds exactly this; empty for the whole map.
        name: What it is called.
        wkt: The outline or course, where it is to be taken as the program has it; empty for places of the map.
        mode: How a way is travelled; None for what is no way.
        own: The ids of places that it begins and ends at, which are not recommended.
    """

    reference: str
    name: str
    wkt: str = ""
    mode: TravelMode | None = None
    own: tuple[str, ...] = ()

    @classmethod
    def of(cls, thing: Thing) -> "Given":
        """A place or area of a program."""
        if thing.id == WHOLE_MAP:
            return cls("", thing.name)
        return cls(thing.reference, thing.name, thing.shape or "")

    @classmethod
    def along(cls, course: Thing | Way, context: Context) -> "Given | Unknown":
        """A street, river or way by its course.

        Raises:
            Waiting: It is still to be fetched.
        """
        shape = shape_of(course, context)
        if isinstance(shape, Unknown):
            return shape
        if isinstance(course, Thing):
            return cls(course.reference, course.name, shape.wkt)
        ends = (course.origin, course.destination)
        name = f"the {course.mode.value} way from {ends[0].name} to {ends[1].name}"
        return cls("", name, shape.wkt, course.mode, tuple(end.id for end in ends))


@operator(
    module=MODULE,
    phrase="what suits “{wish}”[ within {within} of {near}/ within {within} of {along}/ near {near}/ along {along}]"
    "[ in {inside}][ {where|that}], best first",
)
def recommend(
    context: Context,
    wish: Text,
    *,
    near: Place | None = None,
    within: Length | None = None,
    inside: Area | None = None,
    along: Line | None = None,
    where: Test | None = None,
) -> Places | Unknown:
    """The 20 places that best suit a wish (kind and character, not where), best first; where= binds, it only ranks."""
    if within is not None and near is None and along is None:
        return Unknown(Why.UNSUPPORTED, f"Within {within.value:g} m of what? Give near= or along=.")
    given = _measured_from(context, near, inside, along)
    if isinstance(given, Unknown):
        return given
    asked = (
        ("wish", wish),
        *given.items(),
        ("within_m", None if within is None else within.value),
        ("bound", where is not None),
    )
    lying = _listed(context, context.need(ModuleRequest(MODULE, CANDIDATES, (*asked, ("factor", 1.0)))))
    if isinstance(lying, Unknown):
        return lying
    found = _items(lying)
    kept = found if where is None else filtered(context, found, where)
    if isinstance(kept, Unknown):
        return kept
    if not kept.items:
        return _none_left(context, asked, lying, kept, where)
    ids = tuple(one.id for one in kept)
    reply = context.need(ModuleRequest(MODULE, RANK, (*asked, ("kept", ids))))
    ranked = _listed(context, reply)
    if isinstance(ranked, Unknown):
        return ranked
    _explain(context, reply)
    return kept.like(_items(ranked), complete=ranked.complete and lying.complete)


def _measured_from(
    context: Context, near: Thing | None, inside: Thing | None, along: Thing | Way | None
) -> dict[str, Given | None] | Unknown:
    """What the program gives to be measured from; without it the whole map, where that ends somewhere."""
    if near is not None and along is not None:
        return Unknown(Why.UNSUPPORTED, "Give near= or along=: a distance is measured from one of them.")
    if near is None and inside is None and along is None:
        if not context.situation.bounded:
            return Unknown(
                Why.UNSUPPORTED, "Where? Give near=, inside= or along=: this map has no end to search to."
            )
        inside = Thing(MapPlace(id=WHOLE_MAP, name=context.situation.map_name or "the map"), role="area")
    course = None if along is None else Given.along(along, context)
    if isinstance(course, Unknown):
        return course
    return {
        "near": None if near is None else Given.of(near),
        "along": course,
        "inside": None if inside is None else Given.of(inside),
    }


def _listed(context: Context, reply: Reply) -> NearbyFact | Unknown:
    """The last list of a reply; a failure behind all lists is why there is none."""
    if reply.failure is not None:
        return unknown_of(reply.failure)
    for item in reply.fact:
        for warning in item.warnings:
            context.warn(warning)
    facts = [item.value for item in reply.fact]
    if facts and isinstance(facts[-1], FailureFact):
        return unknown_of(facts[-1])
    lists = [fact for fact in facts if isinstance(fact, NearbyFact)]
    return lists[-1] if lists else Unknown(Why.FAILED, "The recommender brought no list of places.")


def _items(fact: NearbyFact) -> Items:
    things = tuple(Thing(item.place) for item in fact.items)
    return Items(things, searched=True, complete=fact.complete, what=fact.what)


def _explain(context: Context, reply: Reply) -> None:
    for item in reply.fact:
        if isinstance(item.value, ComputedFact) and item.value.label == REASONS:
            context.explain(item.value.value)


def _none_left(
    context: Context,
    asked: tuple[tuple[str, object], ...],
    lying: NearbyFact,
    kept: Items,
    where: Function | None,
) -> Unknown:
    """Why no place is recommended, and what loosening would give."""
    reach = reach_words(lying.radius_m, lying.anchor)
    loosening = [] if lying.radius_m is None else [_wider(context, asked, where)]
    if not lying.items:
        reason = f"There is no {lying.what} {reach}."
    else:
        reason = f"None of the {len(lying.items)} places ({lying.what}) {reach} fulfils the condition."
    if kept.unstated:
        reason = f"{reason} Of {len(kept.unstated)} it is not stated."
    if where is not None:
        loosening = [*_loosened(context, where, _items(lying)), *loosening]
    why = Why.NOT_STATED if kept.unstated else Why.NONE if lying.complete else Why.LIMIT
    return Unknown(why, reason, shown=" ".join(filter(None, loosening)))


def _loosened(context: Context, where: Function, found: Items) -> list[str]:
    """How many places would be left without each part of a condition, as far as the facts at hand tell."""
    body = where.node.body
    if not isinstance(body, syntax.Logic) or body.operator != "and":
        return []
    told = []
    for part in body.items:
        others = replace(body, items=tuple(one for one in body.items if one is not part))
        count = _count(context, replace(where, node=replace(where.node, body=others)), found)
        if count:
            words = context.calls.phrase(replace(where.node, body=part))
            told.append(f"Without “{words}” {count} would be left.")
    return told


def _wider(context: Context, asked: tuple[tuple[str, object], ...], where: Function | None) -> str:
    """What a wider search would give, in a sentence; empty if it gives nothing or there is none."""
    request = ModuleRequest(MODULE, CANDIDATES, (*asked, ("factor", WIDER)))
    reply = context.need(request)
    facts = [] if reply.failure is not None else [item.value for item in reply.fact]
    wide = next((fact for fact in reversed(facts) if isinstance(fact, NearbyFact)), None)
    if wide is None or wide.radius_m is None or isinstance(facts[-1], FailureFact):
        return ""
    found = _items(wide)
    count = len(found) if where is None else _count(context, where, found)
    return f"There would be {count} {reach_words(wide.radius_m, wide.anchor)}." if count else ""


def _count(context: Context, where: Function, found: Items) -> int:
    """How many fulfil a condition by what is known already."""
    muted, context.muted = context.muted, True
    try:
        verdicts: Sequence[object] = [algebra.truth(value) for value in context.apply(where, found.items)]
    except Waiting:
        return 0
    finally:
        context.muted = muted
    return sum(verdict is True for verdict in verdicts)


def reach_words(radius_m: float | None, anchor: str) -> str:
    """Where was searched: "within 500 m of the walking way from A to B", "in X"."""
    return f"in {anchor}" if radius_m is None else f"within {format_distance(radius_m)} of {anchor}"


OPERATORS = (recommend,)
