"""Operators that search: all places of a kind, the nearest one."""

from collections.abc import Sequence

from map_tools.facts import NearbyFact
from map_tools.types import LatLng, Shape
from modules.query.interpreter.context import Context, unknown_of
from modules.query.interpreter.kinds import meaning, suggestion
from modules.query.interpreter.requests import Reply, SearchRequest
from modules.query.interpreter.shapes import MADE_PREFIX, extent_of, shape_of
from modules.query.operators.base import Area, Length, Line, Place, Places, Test, What, operator
from modules.query.operators.lookup import WHOLE_MAP, as_thing
from modules.query.values import algebra
from modules.query.values import things
from modules.query.values.things import Function, Items, Thing
from modules.query.values.unknown import Unknown, Why

FEW = 20
"""So many of the nearest a search without a bound gives."""
WIDER = 4
"""A search whose condition too few of the nearest fulfil goes on with so many times as many."""
IN_SOURCE_ORDER = 0.6
"""How sure the nearest of a list is that the source gives without distances, in an order of its own."""
NEARBY_M = 20_000.0
"""A source that lists places as near something means no farther ones (MapAgent, appendix C)."""
FARTHEST_M = 200_000.0
ON_LINE_M = 30.0
ALONG_M = 200.0


@operator(
    module="map_service",
    phrase="{what|many}[ within {within} of {near}/ near {near}][ in {inside}][ on {on}][ along {along}][ where {where}]",
)
def places(
    context: Context,
    what: What,
    *,
    near: Place | None = None,
    within: Length | None = None,
    inside: Area | None = None,
    on: Line | None = None,
    along: Line | None = None,
    where: Test | None = None,
) -> Places | Unknown:
    """All of a kind, brand or name: by distance from near=, in the order passed along=, else by name.

    near= without within= gives only the 20 nearest; to count, bound it.
    """
    found = _candidates(context, what, near=near, within=within, inside=inside, on=on, along=along)
    if isinstance(found, Unknown) or where is None:
        return found
    if near is not None and within is None and inside is None and what.things is None and not found.complete:
        return _widened(context, what, near, where)
    return _filtered(context, found, where)


@operator(
    module="map_service",
    phrase="the {what} nearest to {to}[ within {within}][ in {inside}][ where {where}]",
)
def nearest(
    context: Context,
    what: What,
    to: Place,
    *,
    within: Length | None = None,
    inside: Area | None = None,
    where: Test | None = None,
) -> Place | Unknown:
    """The nearest by straight line that fulfils where=; never `to` itself. `what` may be a list of places.

    The nearest by walking time: min(places(…), key=lambda p: travel(x, p, "walk").duration).
    """
    found = _ranked(context, what, to, within=within, inside=inside, where=where)
    if isinstance(found, Unknown):
        return found
    found = _nameable(context, found)
    if found.items:
        _warn_of_nearer(context, found)
        first: Thing = found.items[0]
        context.ranked(first, found.items[1:])
        return first
    why = Why.NOT_STATED if found.unstated else Why.NONE if found.complete else Why.LIMIT
    return Unknown(why, _none_of(found, what, to, within), shown=found.around)


def _nameable(context: Context, found: Items) -> Items:
    """Without places that have no name, where most have one: nobody can be sent to an unnamed cafe.

    They stay where the kind needs no name: nobody asks for a bench by its name.
    """
    named = [one for one in found if one.place.name]
    if not found.searched or len(named) == len(found) or not named or 2 * len(named) < len(found):
        return found
    first: Thing = found.items[0]
    if first not in named:
        context.warn("A nearer one has no name on the map.")
    return found.like(named)


def _ranked(
    context: Context,
    what: things.What,
    to: Thing,
    *,
    within: object,
    inside: Thing | None,
    where: Function | None,
) -> Items | Unknown:
    if what.things is not None:
        found: Items | Unknown = _of_list(context, what.things, to, within)
    elif within is None and inside is None:
        return _widened(context, what, to, where, enough=1)
    else:
        found = _candidates(context, what, near=to, within=within, inside=inside)
    if isinstance(found, Unknown) or where is None:
        return found
    return _filtered(context, found, where, first=True)


def _warn_of_nearer(context: Context, found: Items) -> None:
    """Nearer ones of which the condition is not stated are named beside the one that is given."""
    if found.unstated:
        names = ", ".join(one.name for one in found.unstated[:3])
        more = f" and {len(found.unstated) - 3} more" if len(found.unstated) > 3 else ""
        context.warn(f"Of {names}{more}, which are nearer, it is not stated.")


def _none_of(found: Items, what: things.What, to: Thing, within: object) -> str:
    named = found.what or what.text or "place of the list"
    limit = f" within {_shown(within)}" if within is not None else ""
    if found.unstated:
        return f"None of the {len(found.unstated)} places ({named}) near {to.name} states it."
    around = f" {found.around}" if found.around else ""
    return (
        f"There is no {named}{limit} of {to.name} that fulfils this.{around}"
        if within is not None
        else (f"There is no {named} near {to.name} that fulfils this.{around}")
    )


def _shown(within: object) -> str:
    from modules.query.interpreter.showing import shown

    return shown(within)


def _candidates(
    context: Context,
    what: things.What,
    *,
    near: Thing | None = None,
    within: object = None,
    inside: Thing | None = None,
    on: things.Thing | things.Way | None = None,
    along: things.Thing | things.Way | None = None,
) -> Items | Unknown:
    """What lies within all bounds, in the order the search promises."""
    if what.things is not None:
        return _of_list(context, what.things, near, within)
    radius_m = getattr(within, "value", None)
    course = on if on is not None else along
    if course is not None:
        return _on_course(context, what, course, ON_LINE_M if on is not None else radius_m or ALONG_M)
    if inside is not None:
        found = _inside(context, what, inside)
        if isinstance(found, Unknown) or near is None:
            return found
        return _near_of(context, found, near, radius_m)
    if near is None:
        return _whole_map(context, what)
    return _around(context, what, near, radius_m, None if radius_m is not None else FEW)


def _around(
    context: Context, what: things.What, near: Thing, radius_m: float | None, limit: int | None
) -> Items | Unknown:
    categories, keyword = meaning(what.text)
    request = SearchRequest(
        what=what.text,
        categories=categories,
        keyword=keyword,
        center=near.reference,
        radius_m=radius_m,
        limit=limit,
    )
    if near.id.startswith(MADE_PREFIX):
        return _around_made(context, what, near, radius_m)
    found = _listed(context, what, context.need(request))
    if isinstance(found, Unknown):
        return found
    if found.unranked:
        ranked = _near_of(context, found.like(found, searched=False), near, radius_m)
        if not isinstance(ranked, Unknown):
            return ranked.like(ranked, searched=True)
        if not found.complete or (radius_m is not None and radius_m < NEARBY_M):
            return ranked
        context.warn(f"How far they are from {near.name} is not stated; the order of the source is taken.")
        context.sureness(IN_SOURCE_ORDER)
        return found
    if found.items or radius_m is None:
        return found
    return found.like((), around=_just_outside(context, what, near))


def _just_outside(context: Context, what: things.What, near: Thing) -> str:
    """Before "none" is said: what comes nearest beyond the bound, and how far it is."""
    categories, keyword = meaning(what.text)
    request = SearchRequest(
        what=what.text, categories=categories, keyword=keyword, center=near.reference, limit=FEW
    )
    reply = context.need(request)
    items = reply.fact.items if isinstance(reply.fact, NearbyFact) else ()
    if not items:
        return ""
    from map_tools.compute.distances import format_distance

    first = items[0]
    away = f", {format_distance(first.distance_m)}" if first.distance_m is not None else ""
    return f"The nearest is {Thing(first.place).name}{away}."


def _listed(context: Context, what: things.What, reply: Reply) -> Items | Unknown:
    """The reply to a search as a list."""
    if not isinstance(reply.fact, NearbyFact):
        return (
            unknown_of(reply.failure)
            if reply.failure
            else Unknown(Why.FAILED, f"No list of {what.text} came back.")
        )
    listed: NearbyFact = reply.fact
    members = tuple(Thing(item.place) for item in listed.items)
    if not members and not listed.categories:
        hint = suggestion(what.text)
        return Unknown(
            Why.NOT_FOUND, f"“{what.text}” is no kind of place, and nothing here is called so. {hint}".strip()
        )
    unranked = any(item.distance_m is None and item.rank is None for item in listed.items)
    return Items(members, searched=True, complete=listed.complete, what=what.text, unranked=unranked)


def _whole_map(context: Context, what: things.What) -> Items | Unknown:
    if not context.situation.bounded:
        return Unknown(Why.UNSUPPORTED, f"Where? Say near or inside what {what.text} is looked for.")
    categories, keyword = meaning(what.text)
    reply = context.need(SearchRequest(what=what.text, categories=categories, keyword=keyword, center=""))
    return _by_name(_listed(context, what, reply))


def _by_name(found: Items | Unknown) -> Items | Unknown:
    if isinstance(found, Unknown):
        return found
    return found.like(sorted(found, key=lambda one: one.name.casefold()))


def _inside(context: Context, what: things.What, area: Thing) -> Items | Unknown:
    """Those inside an area: its label point counts for things with an outline; never the area itself."""
    if area.id == WHOLE_MAP:
        return _whole_map(context, what)
    if area.shape is not None:
        return _inside_made(context, what, area)
    categories, keyword = meaning(what.text)
    request = SearchRequest(
        what=what.text, categories=categories, keyword=keyword, center=area.reference, inside=True
    )
    found = _listed(context, what, context.need(request))
    if isinstance(found, Unknown):
        return found
    return _by_name(found.like(one for one in found if one != area))


def _inside_made(context: Context, what: things.What, area: Thing) -> Items | Unknown:
    """Those inside an area that the program made: searched around its middle, kept by its outline."""
    from map_tools.compute import shapes

    shape = shape_of(area, context)
    if isinstance(shape, Unknown):
        return shape
    around = _in_circle_of(context, what, shape)
    if isinstance(around, Unknown):
        return around
    kept = [
        one for one in around if one.place.location is not None and shapes.contains(shape, one.place.location)
    ]
    return around.like(kept)


def _in_circle_of(
    context: Context, what: things.What, shape: Shape, margin_m: float = 0.0
) -> Items | Unknown:
    """All of a kind in a circle that holds a shape."""
    from map_tools.compute.corridors import circle_around

    center, radius_m = circle_around(shape)
    return _around(context, what, things.point(center), min(radius_m + margin_m + 1.0, FARTHEST_M), None)


def _around_made(context: Context, what: things.What, near: Thing, radius_m: float | None) -> Items | Unknown:
    from map_tools.compute import shapes

    shape = shape_of(near, context)
    if isinstance(shape, Unknown):
        return shape
    found = _in_circle_of(context, what, shape, radius_m or FARTHEST_M)
    if isinstance(found, Unknown):
        return found
    away = {
        one.id: shapes.distance_m(shape, one.place.location)
        for one in found
        if one.place.location is not None
    }
    kept = sorted((one for one in found if one.id in away), key=lambda one: away[one.id])
    if radius_m is None:
        return found.like(kept[:FEW], complete=len(kept) <= FEW)
    return found.like(one for one in kept if away[one.id] <= radius_m)


def _on_course(
    context: Context, what: things.What, course: things.Thing | things.Way, width_m: float
) -> Items | Unknown:
    """Those along a line or way, in the order one passes them."""
    from map_tools.compute import shapes
    from map_tools.compute.corridors import along_m

    shape = shape_of(course, context)
    if isinstance(shape, Unknown):
        return shape
    found = _in_circle_of(context, what, shape, width_m)
    if isinstance(found, Unknown):
        return found
    placed = [
        (along_m(shape, one.place.location), one)
        for one in found
        if one.place.location is not None
        and shapes.distance_m(shape, one.place.location) <= width_m
        and one != course
    ]
    return found.like(one for _, one in sorted(placed, key=lambda pair: pair[0]))


def _of_list(context: Context, given: Items, near: Thing | None, within: object) -> Items | Unknown:
    """The members of a list by their distance; those that are words or options are looked up."""
    members: list[Thing] = []
    for found in context.each(given, lambda member: as_thing(context, member)):
        if isinstance(found, Unknown):
            if not given.searched:
                return found
            continue
        members.append(found)
    listed = given.like(members)
    return listed if near is None else _near_of(context, listed, near, getattr(within, "value", None))


def _near_of(context: Context, found: Items, near: Thing, radius_m: float | None) -> Items | Unknown:
    """A list ordered by the distance from a place, cut at a radius."""
    away: dict[str, float] = {}
    kept: list[Thing] = []
    for one in found:
        if one == near:
            continue
        metres = context.calls.look_up("distance", {"a": near, "b": one})
        if isinstance(metres, Unknown):
            if not found.searched:
                return metres
            continue
        if radius_m is None or metres.value <= radius_m:
            away[one.id] = metres.value
            kept.append(one)
    return found.like(sorted(kept, key=lambda one: away[one.id]))


def _widened(
    context: Context, what: things.What, near: Thing, where: Function | None, enough: int = FEW
) -> Items | Unknown:
    """The nearest that fulfil a condition: searched wider until enough do, or all have been judged."""
    limit = FEW
    while True:
        found = _around(context, what, near, None, limit)
        if isinstance(found, Unknown) or where is None:
            return found
        judged = _filtered(context, found, where, first=enough == 1)
        if len(judged.items) >= enough or found.complete or limit > FEW * WIDER**3:
            return judged
        limit *= WIDER


def _filtered(context: Context, found: Items, where: Function, *, first: bool = False) -> Items:
    """The members that fulfil a condition; those of which it is not known are kept apart.

    Args:
        first: Only the first one that fulfils it is wanted: what comes behind it does not count.
    """
    verdicts: Sequence[object] = [algebra.truth(value) for value in context.apply(where, found.items)]
    pairs = list(zip(found, verdicts, strict=True))
    kept = [one for one, verdict in pairs if verdict is True]
    if first and kept:
        pairs = pairs[: verdicts.index(True) + 1]
    unstated = [one for one, verdict in pairs if isinstance(verdict, Unknown)]
    if unstated and found.searched and not first:
        denied = len(pairs) - len(kept) - len(unstated)
        context.warn(
            f"Of {len(pairs)} places ({found.what or 'listed'}), {len(kept)} fulfil the condition, {denied} do not, "
            f"and of {len(unstated)} it is not stated."
        )
    return found.like(kept, unstated=(*found.unstated, *unstated))


def spot_of(context: Context, thing: Thing) -> Shape | LatLng | Unknown:
    """What distances from a thing are measured from."""
    return extent_of(thing, context)


OPERATORS = (places, nearest)
