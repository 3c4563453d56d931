"""Operators that search: all places of a kind, the nearest one."""

from collections.abc import Sequence

from map_tools.kinds.concepts import is_nameless
from modules.query.interpreter.context import Context
from modules.query.interpreter.showing import shown
from modules.query.operators.base import Area, Length, Line, Place, Places, Test, What, operator
from modules.query.operators.candidates import FEW, around, candidates, of_list
from modules.query.operators.pushdown import sector_of
from modules.query.values import algebra, things
from modules.query.values.things import Function, Items, Thing
from modules.query.values.unknown import Unknown, Why, broken_off

WIDENING = (FEW, 80, 200)
"""So many of the nearest are looked at, one after the other, while too few of them fulfil a condition; 200
are what the map tool gives at most. A map that ends somewhere is then asked for all there are."""


@operator(
    module="map_service",
    phrase="{what|many}[ within {within} of {near} along {along}/ near {near} along {along}"
    "/ within {within} of {near}/ within {within} of {along}/ near {near}/ along {along}]"
    "[ in {inside}][ at least partly in {touching}][ on {on}][ {where|those}]",
)
def places(
    context: Context,
    what: What,
    *,
    near: Place | None = None,
    within: Length | None = None,
    inside: Area | None = None,
    touching: Area | None = None,
    on: Line | None = None,
    along: Line | None = None,
    where: Test | None = None,
) -> Places | Unknown:
    """All of a kind: by distance from near=, else in the order passed along=, else by name.

    near= alone gives the 20 nearest; to count, bound it. inside= takes by the middle, touching= by any part.
    """
    bounds = (within, inside, touching, on, along)
    if near is not None and what.things is None and all(bound is None for bound in bounds):
        return _widened(context, what, near, where)
    found = candidates(
        context, what, near=near, within=within, inside=inside, touching=touching, on=on, along=along,
        where=where,
    )  # fmt: skip
    if isinstance(found, Unknown) or where is None:
        return found
    return filtered(context, found, where)


@operator(
    module="map_service",
    phrase="the {what|one} nearest to {to}[ within {within}][ in {inside}][ {where|that}]",
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
    """The nearest by straight line, never `to` itself.

    By walking time: min(places(…), key=lambda p: travel(x, p, "walk").duration).
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
    silent = Why.NOT_STATED if context.situation.text else Why.LIMIT
    why = Why.NOT_STATED if found.unstated else Why.NONE if found.complete else silent
    return Unknown(why, _none_of(found, what, to, within, where, why=why), shown=found.around)


def _nameable(context: Context, found: Items) -> Items:
    """Without places that have no name, where most have one: nobody can be sent to an unnamed cafe.

    They stay where the kind needs no name: nobody asks for a bench or a drinking fountain by its name.
    """
    if any(is_nameless(one.place.categories) for one in found):
        return found
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
        found: Items | Unknown = of_list(context, what.things, to, within)
        if isinstance(found, Unknown) and where is not None and within is None:
            return _only(context, what.things, where) or found
    elif inside is None:
        return _widened(context, what, to, where, enough=1, radius_m=getattr(within, "value", None))
    else:
        found = candidates(context, what, near=to, within=within, inside=inside)
    if isinstance(found, Unknown) or where is None:
        return found
    return filtered(context, found, where, first=True)


def _only(context: Context, given: Items, where: Function) -> Items | None:
    """The one member of a list that fulfils a condition: how far it is need not be known then."""
    found = of_list(context, given, None, None)
    if isinstance(found, Unknown):
        return None
    kept = filtered(context, found, where)
    return kept if isinstance(kept, Items) and len(kept) == 1 and not kept.unstated else None


def _warn_of_nearer(context: Context, found: Items) -> None:
    """Nearer ones of which the condition is not known are named beside the one that is given."""
    if found.unstated:
        names = ", ".join(one.name for one in found.unstated[:3])
        more = f" and {len(found.unstated) - 3} more" if len(found.unstated) > 3 else ""
        context.warn(f"Of {names}{more}, which are nearer, it is not known.")


def _none_of(
    found: Items, what: things.What, to: Thing, within: object, where: Function | None, *, why: Why
) -> str:
    named = found.what or what.text or "place of the list"
    if found.unstated:
        return f"None of the {len(found.unstated)} places ({named}) near {to.name} states it."
    place = f"near {to.name}" if within is None else f"within {shown(within)} of {to.name}"
    there = "The text tells of no" if why is Why.NOT_STATED else "There is no"
    return f"{there} {named} {place}{'' if where is None else ' that fulfils this'}."


def _widened(
    context: Context,
    what: things.What,
    near: Thing,
    where: Function | None,
    *,
    enough: int = FEW,
    radius_m: float | None = None,
) -> Items | Unknown:
    """The nearest that fulfil a condition: searched wider until enough do, or all have been judged."""
    sector = sector_of(context, where, near)
    limits: list[int | None] = [*WIDENING]
    if context.situation.bounded:
        limits.append(None)
    before = len(context.warnings)
    for limit in limits:
        del context.warnings[before:]  # what was said of a narrower search does not count
        found = around(context, what, near, radius_m=radius_m, limit=limit, sector=sector)
        if isinstance(found, Unknown):
            return found
        judged = found if where is None else filtered(context, found, where, first=enough == 1)
        if isinstance(judged, Unknown):
            return judged
        if enough == 1 and _untold(found, judged):
            return Unknown(
                Why.NOT_STATED,
                f"How far the {len(judged)} places ({what.text}) are from {near.name} is not stated: "
                "neither their positions, nor distances, nor times.",
                candidates=tuple(one.place for one in judged),
            )
        if where is None or len(judged.items) >= enough or found.complete or limit == limits[-1]:
            return judged
    raise AssertionError("a search ends with its last limit")


def _untold(found: Items, judged: Items) -> bool:
    """Whether there are several to choose from, and of none it is told how far it is."""
    return len(judged) > 1 and judged.items[0] in found.items[len(found) - found.unranked :]


def filtered(context: Context, found: Items, where: Function, *, first: bool = False) -> Items | Unknown:
    """The members that fulfil a condition; those of which it is not stated are kept apart.

    With `first`, only the first that fulfils it is wanted: what comes behind it does not count. Unknown where a
    limit or a failure is why it is not known of one that counts; before the first it is kept apart too.
    """
    verdicts: Sequence[object] = [algebra.truth(value) for value in context.apply(where, found.items)]
    pairs = list(zip(found, verdicts, strict=True))
    kept = [one for one, verdict in pairs if verdict is True]
    if first and kept:
        pairs = pairs[: verdicts.index(True) + 1]
    lost = broken_off(verdict for _, verdict in pairs)
    if lost is not None and not (first and kept):
        return lost
    unstated = [one for one, verdict in pairs if isinstance(verdict, Unknown)]
    if unstated and found.searched and not first:
        denied = len(pairs) - len(kept) - len(unstated)
        context.warn(
            f"Of {len(pairs)} places ({found.what or 'listed'}), {len(kept)} fulfil the condition, "
            f"{denied} do not, and of {len(unstated)} it is not stated."
        )
    return found.like(kept, unstated=(*found.unstated, *unstated))


OPERATORS = (places, nearest)
