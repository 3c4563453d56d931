"""What a search looks at: everything of a kind within its bounds, before a where= is judged."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from map_tools.compute import shapes
from map_tools.compute.measures import format_distance
from map_tools.compute.shapes import along_m, circle_around
from map_tools.facts import NearbyFact
from map_tools.kinds.concepts import label_of
from map_tools.types import MADE_PREFIX, Shape, TravelMode
from modules.query.interpreter.context import Context, Reply, SearchRequest, unknown_of
from modules.query.interpreter.needs import ADDRESSED_M, WHOLE_MAP, duration_of, extent_of, shape_of
from modules.query.language.types import MODE_NAMES
from modules.query.language.words import is_loose, is_sparse, meaning, suggestion
from modules.query.operators.bounds import most_off_m, only_along, only_in, street_of
from modules.query.operators.lookup import as_thing
from modules.query.operators.pushdown import Sector, sector_of
from modules.query.values import things
from modules.query.values.amount import Amount
from modules.query.values.things import Function, Items, Thing, Way
from modules.query.values.unknown import Unknown, Why, broken_off

FEW = 20
"""Number of nearest places that a search without a bound returns."""
IN_SOURCE_ORDER = 0.6
"""Confidence of the nearest of a list that the source gives in an order of its own, without distances."""
FARTHEST_M = 200_000.0
REACH_M = 50_000.0
"""On an unbounded map, places whose middle is farther than this from an area are not considered."""
ALONG_M = 200.0
"""So near to a line is what lies along it, unless a distance from it is given."""
BY_PACE = (TravelMode.WALKING, TravelMode.BICYCLING, TravelMode.DRIVING, TravelMode.TRANSIT)
"""The modes whose times may replace distances, the most reliable first."""


def candidates(
    context: Context,
    what: things.What,
    *,
    near: Thing | None = None,
    within: object = None,
    inside: Thing | None = None,
    touching: Thing | None = None,
    on: things.Thing | things.Way | None = None,
    along: things.Thing | things.Way | None = None,
    where: Function | None = None,
) -> Items | Unknown:
    """What lies within all bounds, in the order the search promises.

    A distance `within` is that from `near`, if there is one, else that from `along`.
    """
    radius_m = getattr(within, "value", None)
    course = on if on is not None else along
    width_m = None if on is not None else (radius_m if near is None else None) or ALONG_M
    area = inside if inside is not None else touching
    if what.things is not None and course is not None:
        found = only_along(context, of_list(context, what.things, None, None), course, width_m)
    elif what.things is not None:
        found = of_list(context, what.things, near, within)
    elif course is not None:
        found = _on_course(context, what, course, width_m)
    elif area is not None:
        found = (_inside if inside is not None else _touching)(context, what, area)
    elif near is not None:
        return around(context, what, near, radius_m=radius_m, sector=sector_of(context, where, near))
    else:
        return _whole_map(context, what)
    if area is not None and (what.things is not None or course is not None):
        found = only_in(context, found, area, by_middle=inside is not None)
    measured = what.things is not None and course is None
    if near is None or measured or isinstance(found, Unknown):
        return found
    return _near_of(context, found, near, radius_m)


def around(
    context: Context,
    what: things.What,
    near: Thing,
    *,
    radius_m: float | None = None,
    limit: int | None = None,
    sector: Sector | None = None,
) -> Items | Unknown:
    """What lies around a place, nearest first: within a radius, so many of the nearest, or all there is."""
    if near.id == WHOLE_MAP:
        return Unknown(
            Why.UNSUPPORTED, "Near the whole map is everything; search inside= it, or near a place of it."
        )
    if near.id.startswith(MADE_PREFIX):
        return _around_made(context, what, near, radius_m)
    request = replace(_request(what, center=near.reference), radius_m=radius_m, limit=limit, sector=sector)
    reply = context.need(request)
    found = _listed(context, what, reply)
    if isinstance(found, Unknown):
        return found
    if radius_m is None and isinstance(reply.fact, NearbyFact):
        told = {one.place.id: one.distance_m for one in reply.fact.items if one.distance_m is not None}
        found = found.like(found, unranked=found.unranked, away=told)
    if found.unranked:
        return _told_first(context, found, near, radius_m)
    if found.items:
        return found
    outside = _just_outside(context, what, near) if radius_m is not None else ""
    if is_loose(what.text) and not outside:
        return _unheard_of(what)
    return found.like((), around=outside)


def _unheard_of(what: things.What) -> Unknown:
    kind = label_of(meaning(what.text)[0][0])
    return Unknown(Why.NOT_FOUND, f"Nothing here is told to be a “{what.text}”. Search for “{kind}” alone.")


def _told_first(context: Context, found: Items, near: Thing, radius_m: float | None) -> Items | Unknown:
    """Members of a list that states no distances: first those with a distance stated elsewhere, then the others.

    Within a radius nothing is left to guess: the list itself states that all of them lie there.
    """
    ranked = _near_of(context, found.like(found, searched=radius_m is None), near, radius_m)
    if isinstance(ranked, Unknown):
        if not found.complete:
            return ranked
        context.warn(f"How far they are from {near.name} is not stated; the order of the source is taken.")
        context.sureness(IN_SOURCE_ORDER)
        return found
    told = {one.id for one in ranked}
    untold = [one for one in found if one.id not in told and one != near] if radius_m is None else []
    if untold:
        context.warn(
            f"How far it is from {near.name} is not stated of {', '.join(one.name for one in untold)}."
        )
    return found.like((*ranked, *untold), unranked=len(untold))


def _just_outside(context: Context, what: things.What, near: Thing) -> str:
    """For an empty result: the nearest one beyond the bound, and how far it is."""
    reply = context.need(replace(_request(what, center=near.reference), limit=FEW))
    items = reply.fact.items if isinstance(reply.fact, NearbyFact) else ()
    if not items:
        return ""

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
    if members and is_sparse(what.text) and not context.situation.text:
        context.warn(f"Maps keep only a few of what is called “{what.text}”.")
    if not members and not listed.categories and meaning(what.text)[1]:
        hint = suggestion(what.text)
        return Unknown(
            Why.NOT_FOUND, f"“{what.text}” is no kind of place, and nothing here is called so. {hint}".strip()
        )
    unranked = any(item.distance_m is None and item.rank is None for item in listed.items)
    return Items(
        members,
        searched=True,
        complete=listed.complete,
        what=what.text,
        unranked=len(members) if unranked else 0,
    )


def _whole_map(context: Context, what: things.What) -> Items | Unknown:
    if not context.situation.bounded:
        return Unknown(Why.UNSUPPORTED, f"Where? Say near or inside what {what.text} is looked for.")
    return _by_name(_listed(context, what, context.need(_request(what, center=""))))


def _by_name(found: Items | Unknown) -> Items | Unknown:
    if isinstance(found, Unknown):
        return found
    return found.like(sorted(found, key=lambda one: one.name.casefold()))


def _inside(context: Context, what: things.What, area: Thing) -> Items | Unknown:
    """Those inside an area: its label point counts for things with an outline; never the area itself."""
    if area.id == WHOLE_MAP:
        return _whole_map(context, what)
    street = street_of(context, area)
    if street is not None:
        return _on_course(context, what, street, None)
    if area.shape is not None and not context.situation.database:
        return _inside_made(context, what, area)
    return _in_area(context, what, area)


def _in_area(context: Context, what: things.What, area: Thing, *, touching: bool = False) -> Items | Unknown:
    """Those that the source finds in an area."""
    center, outline = (area.reference, "") if area.shape is None else ("", area.shape)
    request = replace(_request(what, center=center), inside=True, touching=touching, outline=outline)
    found = _listed(context, what, context.need(request))
    if isinstance(found, Unknown):
        return found
    return _by_name(found.like(one for one in found if one != area))


def _touching(context: Context, what: things.What, area: Thing) -> Items | Unknown:
    """Those that reach into an area: what stands in it, and outlines and lines with any part in it."""
    if area.id == WHOLE_MAP:
        return _whole_map(context, what)
    if context.situation.database:
        return _in_area(context, what, area, touching=True)

    shape = shape_of(area, context)
    if isinstance(shape, Unknown):
        return shape
    found = (
        _whole_map(context, what)
        if context.situation.bounded
        else _in_circle_of(context, what, shape, REACH_M)
    )
    if isinstance(found, Unknown):
        return found

    def reaches(one: Thing) -> bool:
        spot = extent_of(one, context)
        return not isinstance(spot, Unknown) and shapes.intersects(shape, spot)

    verdicts = context.each(found, reaches)
    kept = [one for one, inside in zip(found, verdicts, strict=True) if inside and one != area]
    return _by_name(found.like(kept))


def _inside_made(context: Context, what: things.What, area: Thing) -> Items | Unknown:
    """Those inside an area that the program made: searched around its middle, kept by its outline."""
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
    center, radius_m = circle_around(shape)
    return around(context, what, things.point(center), radius_m=min(radius_m + margin_m + 1.0, FARTHEST_M))


def _around_made(context: Context, what: things.What, near: Thing, radius_m: float | None) -> Items | Unknown:
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
    context: Context, what: things.What, course: things.Thing | things.Way, width_m: float | None
) -> Items | Unknown:
    """Those along a line or way, in the order one passes them; without a width those on it."""
    shape = shape_of(course, context)
    if isinstance(shape, Unknown):
        return shape
    found = _in_circle_of(context, what, shape, ADDRESSED_M if width_m is None else width_m)
    if isinstance(found, Unknown):
        return found
    placed = [
        (along_m(shape, one.place.location), one)
        for one in found
        if one.place.location is not None
        and shapes.distance_m(shape, one.place.location) <= most_off_m(one, course, width_m)
        and one != course
    ]
    return found.like(one for _, one in sorted(placed, key=lambda pair: pair[0]))


def of_list(context: Context, given: Items, near: Thing | None, within: object) -> Items | Unknown:
    """The members of a list by their distance; those that are words or options are looked up.

    Options that match no place are left out with a warning: one wrong option must not hide the right one.
    """
    members: list[Thing] = []
    lost: list[str] = []
    looked_up = context.each(given, lambda member: as_thing(context, member))
    for member, found in zip(given, looked_up, strict=True):
        if not isinstance(found, Unknown):
            members.append(found)
        elif isinstance(member, things.Choice) and found.why is Why.NOT_FOUND:
            lost.append(member.text)
        elif not given.searched or broken_off((found,)):
            return found
    if lost and not members:
        return Unknown(Why.NOT_FOUND, f"Nothing is called {' or '.join(lost)}.")
    if lost:
        context.warn(f"Nothing is called {', '.join(lost)}; left out.")
        context.sureness(IN_SOURCE_ORDER)
    listed = given.like(members)
    return listed if near is None else _near_of(context, listed, near, getattr(within, "value", None))


def _near_of(context: Context, found: Items, near: Thing, radius_m: float | None) -> Items | Unknown:
    """A list ordered by the distance from a place, cut at a radius.

    If a supplied text states travel times for more of them than distances, the times count.
    Members with neither are left out of a list that was searched.
    """
    others = [one for one in found if one != near]
    placed = all(one.place.location is not None for one in (*others, near))
    if radius_m is None and not found.searched and not placed:
        listed = _as_listed(context, found.like(others), near)
        if listed is not None:
            return listed
    far = context.each(others, lambda one: context.calls.look_up("distance", {"a": near, "b": one}))
    if radius_m is None and context.situation.text and _stated(far) < len(others):
        far = _times(context, others, near, far)
    lost = broken_off(far)
    if not (found.searched and _stated(far)):
        lost = next((one for one in far if isinstance(one, Unknown)), None)
    if lost is not None:
        return lost
    ranked = sorted((one.value, number) for number, one in enumerate(far) if isinstance(one, Amount))
    return found.like(others[number] for value, number in ranked if radius_m is None or value <= radius_m)


def _as_listed(context: Context, found: Items, near: Thing) -> Items | None:
    """The members in the order of what a text lists of their kind around a place; None if it does not list all."""
    kinds = [set(one.place.categories) for one in found]
    shared = sorted(set.intersection(*kinds)) if kinds else []
    if not context.situation.text or near.id.startswith(MADE_PREFIX) or not shared:
        return None
    kind = things.What(label_of(shared[0]))
    listed = _listed(context, kind, context.need(replace(_request(kind, center=near.reference), limit=FEW)))
    if isinstance(listed, Unknown) or listed.unranked:
        return None
    order = {one.id: number for number, one in enumerate(listed)}
    if any(one.id not in order for one in found):
        return None
    context.warn(
        f"How far they are from {near.name} is not stated; the order of the list around it is taken."
    )
    return found.like(sorted(found, key=lambda one: order[one.id]))


def _times(context: Context, others: list[Thing], near: Thing, far: list[Any]) -> list[Any]:
    """How long the ways take by the mode that most are told of, if that is more than have a distance."""
    best = far
    for mode in BY_PACE:
        ways = [Way(near, one, mode) for one in others]
        times = context.each(ways, lambda way: duration_of(way, context))
        if _stated(times) > _stated(best):
            best, pace = times, mode
    if best is not far:
        context.warn(
            f"How far they are from {near.name} is not stated; the times told ({MODE_NAMES[pace]}) are compared."
        )
    return best


def _stated(values: Iterable[Any]) -> int:
    return sum(isinstance(one, Amount) for one in values)


def _request(what: things.What, *, center: str) -> SearchRequest:
    """The request for a kind of place around or inside something; empty: on the whole map."""
    categories, keyword = meaning(what.text)
    return SearchRequest(what=what.text, categories=categories, keyword=keyword, center=center)
