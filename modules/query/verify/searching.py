"""Searches, checked: who is listed by the cited facts, who of them lies within the bounds, who fulfils the condition.

A search may give its members in any order that measuring does not contradict, and those at the very edge of its
bounds or not; beyond that nothing may be left out and nothing added.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import Any

from map_tools.facts import NearbyFact
from map_tools.kinds.concepts import is_nameless, label_of
from map_tools.types import LatLng, Shape, TravelMode
from modules.query.language.words import is_loose
from modules.query.values.amount import Amount
from modules.query.values.things import Choice, Function, Items, Thing, Way, What
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import bounds, computing, measuring
from modules.query.verify.agreement import agree
from modules.query.verify.bounds import Listed
from modules.query.verify.cited import ADDRESSED_M, WIDEST_M, Asked, Cited, NotTold
from modules.query.verify.fields import way_amount

WHOLE_MAP = "made:map"
_FEW = 20
"""Number of nearest places that a search without a bound returns."""
_ALONG_M = 200.0
_REACH_M = 50_000.0
"""On an unbounded map, places whose middle is farther than this from an area are not considered."""


def places(asked: Asked) -> Any:
    """All of a kind within the bounds that fulfil the condition, in order."""
    listed = _listed(asked, asked["near"])
    if not isinstance(listed, Listed):
        return listed
    found, edge = _judged(asked, listed)
    claimed = asked.claimed
    if not isinstance(claimed, Items):
        return _without(found, edge)
    wanted = {one.id for one in claimed}
    mine = found.like(one for one in found if one.id not in edge or one.id in wanted)
    return _in_order_of(mine, claimed, listed)


def nearest(asked: Asked) -> Any:
    """The least far of those that fulfil the condition; among named ones where most have a name."""
    listed = _listed(asked, asked["to"])
    if not isinstance(listed, Listed):
        return _only(asked) or listed
    found, edge = _judged(asked, listed, first=True)
    named = found.like(one for one in found if one.place.name)
    nameless = any(is_nameless(one.place.categories) for one in found)
    if found.searched and named.items and 2 * len(named) >= len(found) and not nameless:
        found = named
    sure = _without(found, edge)
    if not found.items or (not sure.items and not isinstance(asked.claimed, Thing)):
        untold = found.unstated or (asked.cited.situation.text and not found.complete)
        why = Why.NOT_STATED if untold else Why.NONE if found.complete else Why.LIMIT
        return Unknown(why, "There is none.")
    if listed.rank is None:
        return found.items[0]
    least = min(listed.rank[one.id] for one in sure.items or found.items)
    if least == inf and len(found) > 1:
        return Unknown(Why.NOT_STATED, "Of none it is told how far it is.")
    for one in found:
        if agree(one, asked.claimed) and (
            listed.rank[one.id] < least or measuring.close(listed.rank[one.id], least)
        ):
            return one
    return min(found, key=lambda one: listed.rank[one.id] if listed.rank else 0.0)


def _only(asked: Asked) -> Thing | None:
    """The one member of a written list that fulfils the condition, however far it is."""
    if asked["what"].things is None or asked["where"] is None or asked["within"] is not None:
        return None
    listed = _listed(asked, None)
    if not isinstance(listed, Listed):
        return None
    found, _ = _judged(asked, listed, first=True)
    return found.items[0] if len(found) == 1 and not found.unstated else None


def _without(found: Items, edge: set[str]) -> Items:
    return found.like(one for one in found if one.id not in edge)


def _judged(asked: Asked, listed: Listed, *, first: bool = False) -> tuple[Items, set[str]]:
    """The members that lie within and fulfil the condition, and the ids of those at the edge of the bounds."""
    edge = [one for one in listed.members if listed.at_edge(one)]
    ids = {one.id for one in edge}
    sure = [one for one in listed.members if one.id not in ids and listed.within(one)]
    where: Function | None = asked["where"]
    if where is None:
        kept, unstated = [*sure, *edge], list[Thing]()
    else:
        kept, unstated = asked.by.filtered(where, sure, first=first)
        for one in edge:
            try:
                also, open_ = asked.by.filtered(where, [one], first=first)
            except NotTold:
                continue
            kept, unstated = [*kept, *also], [*unstated, *open_]
    chosen = {one.id for one in kept}
    found = listed.members.like(one for one in listed.members if one.id in chosen)
    return found.like(found, unstated=(*listed.members.unstated, *unstated)), ids


def _in_order_of(mine: Items, claimed: Items, listed: Listed) -> Items:
    """The own members as the claim has them, if they may stand so; else in the own order."""
    rank = listed.rank
    by_id = {one.id: one for one in mine}
    if rank is None or len(mine) != len(claimed) or by_id.keys() != {one.id for one in claimed}:
        return mine if rank is None else mine.like(sorted(mine, key=lambda one: rank[one.id]))
    far = [rank[one.id] for one in claimed]
    untold = [[one.id for one in listing if rank[one.id] == inf] for listing in (mine, claimed)]
    if untold[0] == untold[1] and all(a <= b or measuring.close(a, b) for a, b in pairwise(far)):
        return mine.like(by_id[one.id] for one in claimed)
    return mine.like(sorted(mine, key=lambda one: rank[one.id]))


def _listed(asked: Asked, near: Thing | None) -> Any:
    """Who may be a member, by the kind of the search."""
    what: What = asked["what"]
    radius_m = asked["within"].low if asked["within"] is not None else None
    inside, course = asked["inside"], asked["on"] if asked["on"] is not None else asked["along"]
    area = inside if inside is not None else asked["touching"]
    width_m = None if asked["on"] is not None else (radius_m if near is None else None) or _ALONG_M
    if what.things is not None:
        members = computing.sought(asked.things(what.things))
        named = zip(what.things, members, strict=True)
        lost = next(
            (one for told, one in named if isinstance(one, Unknown) and not _left_out(told, one)), None
        )
        if lost is not None and not what.things.searched:
            return lost
        placed = what.things.like(one for one in members if isinstance(one, Thing))
        if course is None:
            return _written(asked, placed, near, radius_m, area=area)
        passed = bounds.lying_along(asked, placed, course, width_m)
        return _also(asked, passed, near, radius_m, area)
    if course is not None:
        passed = _along(asked, what, course, width_m)
        return _also(asked, passed, near, radius_m, area)
    return _in_or_near(asked, what, near, radius_m)


def _in_or_near(asked: Asked, what: What, near: Thing | None, radius_m: float | None) -> Any:
    """Those in an area or near a place, or both, or anywhere on the map."""
    inside = asked["inside"]
    area = inside if inside is not None else asked["touching"]
    relation = "inside" if inside is not None else "touching"
    if area is not None and area.id != WHOLE_MAP and asked.cited.situation.database:
        return _from(asked, _in_area(asked, what, area, relation), near, radius_m)
    if area is not None and area is not inside and area.id != WHOLE_MAP:
        return _touching(asked, what, area, near, radius_m)
    if inside is not None and inside.shape is not None:
        within = _within(asked, what, inside)
        return (
            within if near is None or not isinstance(within, Listed) else _cut(asked, within, near, radius_m)
        )
    if inside is not None and inside.id != WHOLE_MAP:
        found = _of(asked, what, inside.reference, None, relation="inside")
        kept = found.like(one for one in found if one.id != inside.id) if isinstance(found, Items) else found
        return _from(asked, _by_name(kept), near, radius_m)
    if area is not None or near is None:
        bounded = asked.cited.situation.bounded
        return _from(asked, _by_name(_of(asked, what, "", None)), near, radius_m) if bounded else _NO_WHERE
    if near.shape is not None:
        return _about(asked, what, near, radius_m, bounds.off_m)
    return _around(asked, what, near, radius_m)


def _also(asked: Asked, passed: Any, near: Thing | None, radius_m: float | None, area: Thing | None) -> Any:
    """What lies along a course, as far as it lies in an area too, and by the distance from a place if there is one."""
    if isinstance(passed, Listed) and area is not None:
        both = _written(asked, passed.members, None, None, area=area)
        passed = replace(passed, members=both.members) if isinstance(both, Listed) else both
    if near is None or not isinstance(passed, Listed):
        return passed
    return _cut(asked, passed, near, radius_m)


def _left_out(told: Any, found: Unknown) -> bool:
    """Whether a member of a written list may be passed over: an option that nothing is called."""
    return isinstance(told, Choice) and found.why is Why.NOT_FOUND


def _written(
    asked: Asked, members: Items, near: Thing | None, radius_m: float | None, *, area: Thing | None
) -> Any:
    """The members of a written list that lie in an area, or about a place."""
    if area is None or area.id == WHOLE_MAP:
        return _from(asked, members, near, radius_m)
    found = bounds.lying_in(asked, members, area, by_middle=asked["inside"] is not None)
    return _from(asked, found, near, radius_m)


def _within(asked: Asked, what: What, inside: Thing) -> Any:
    """Those in an area that the program made; what stands on a street, if it is the area of one."""
    street = bounds.street_of(inside, asked.cited)
    return _about(asked, what, inside, 0.0, None) if street is None else _along(asked, what, street, None)


def _along(asked: Asked, what: What, course: Any, width_m: float | None) -> Any:
    """Those along a line or way; without a width those on it."""
    if width_m is not None:
        return _about(asked, what, course, width_m, measuring.along_m)
    found = _about(asked, what, course, ADDRESSED_M, measuring.along_m)
    return bounds.on_it(found, course) if isinstance(found, Listed) else found


_NO_WHERE = Unknown(Why.UNSUPPORTED, "It is not said where.")


def _in_area(asked: Asked, what: What, area: Thing, relation: str) -> Any:
    """What a database lists in an area; that it lies there is what it says."""
    center, outline = (area.reference, "") if area.shape is None else ("", area.shape)
    fact = asked.cited.listed(what.text, center, None, relation=relation, outline=outline)
    found = asked.cited.lost() if fact is None else _members(fact, what)
    return _by_name(
        found.like(one for one in found if one.id != area.id) if isinstance(found, Items) else found
    )


def _touching(asked: Asked, what: What, area: Thing, near: Thing | None, radius_m: float | None) -> Any:
    """Those of the whole map, or of a circle about the area, that have any part in it."""
    shape = asked.cited.shape(area)
    if shape is None:
        return asked.cited.shapeless(area)
    if asked.cited.situation.bounded:
        found = _of(asked, what, "", None)
    else:
        about = _about(asked, what, area, _REACH_M, None)
        found = about.members if isinstance(about, Listed) else about
    if not isinstance(found, Items):
        return found
    spots = [(one, asked.cited.spot(one)) for one in found if one.id != area.id]
    kept = [one for one, spot in spots if spot is not None and measuring.away_m(shape, spot) == 0.0]
    return _from(asked, _by_name(found.like(kept)), near, radius_m)


def _of(asked: Asked, what: What, center: str, radius_m: float | None, *, relation: str = "around") -> Any:
    """The members of the cited list of a search."""
    fact = asked.cited.listed(what.text, center, radius_m, relation=relation)
    if fact is None:
        return asked.cited.lost()
    return _members(fact, what)


def _members(fact: NearbyFact, what: What) -> Any:
    if not fact.items and not fact.categories:
        return Unknown(Why.NOT_FOUND, f"“{what.text}” is no kind of place.")
    return Items(tuple(Thing(one.place) for one in fact.items), searched=True, complete=fact.complete)


def _by_name(found: Any) -> Any:
    return (
        found.like(sorted(found, key=lambda one: one.name.casefold())) if isinstance(found, Items) else found
    )


def _from(asked: Asked, members: Any, near: Thing | None, radius_m: float | None) -> Any:
    """A list by the distances from a place, which are measured; the place itself is none of it."""
    if near is None or not isinstance(members, Items):
        return Listed(members) if isinstance(members, Items) else members
    others = members.like(one for one in members if one.id != near.id)
    if radius_m is None and not members.searched and None in [one.place.location for one in (*others, near)]:
        listed = _as_listed(asked, others, near)
        if listed is not None:
            return listed
    far = {one.id: asked.cited.away(near, one) for one in others}
    off = {one: metres for one, metres in far.items() if isinstance(metres, float)}
    if len(off) < len(others) and radius_m is None and asked.cited.situation.text:
        off = _seconds(asked.cited, others, near, off)
    lost = computing.broken(far.values())
    if not (members.searched and off):
        lost = next((one for one in far.values() if isinstance(one, Unknown)), None)
    if len(off) < len(others) and lost is not None:
        return lost
    return Listed(others.like(one for one in others if one.id in off), off, radius_m, off)


def _as_listed(asked: Asked, others: Items, near: Thing) -> Listed | None:
    """The members in the order of a cited list of their kind that a text gives by distance, if all stand in it."""
    kinds = set.intersection(*(set(one.place.categories) for one in others)) if others.items else set()
    fact = asked.cited.listed(label_of(min(kinds)), near.reference, None) if kinds else None
    if fact is None or not asked.cited.situation.text:
        return None
    rank = {one.place.id: float(number) for number, one in enumerate(fact.items)}
    if any(one.distance_m is None and one.rank is None for one in fact.items):
        return None
    return Listed(others, rank=rank) if all(one.id in rank for one in others) else None


def _seconds(cited: Cited, others: Items, near: Thing, off: dict[str, float]) -> dict[str, float]:
    """The times of one mode where more of them are told than distances: on foot, else of a faster one."""
    found = off
    for mode in (TravelMode.WALKING, TravelMode.BICYCLING, TravelMode.DRIVING, TravelMode.TRANSIT):
        times = {one.id: way_amount(Way(near, one, mode), "duration_s", cited) for one in others}
        told = {one: time.low for one, time in times.items() if isinstance(time, Amount)}
        found = told if len(told) > len(found) else found
    return found


def _cut(asked: Asked, within: Listed, near: Thing, radius_m: float | None) -> Any:
    """Those within a made area, by their distance from a place; at the edge of the area it is taken as claimed."""
    kept = within.members.like(one for one in within.members if within.within(one) or within.at_edge(one))
    return _from(asked, kept, near, radius_m)


def _around(asked: Asked, what: What, near: Thing, radius_m: float | None) -> Any:
    """Those around a place as the source lists them; that they are so near, and in order, is measured."""
    fact = asked.cited.listed(what.text, near.reference, radius_m or WIDEST_M)
    found = asked.cited.lost() if fact is None else _members(fact, what)
    if fact is None or not isinstance(found, Items):
        return found
    if not found.items and is_loose(what.text) and isinstance(asked.claimed, Unknown):
        return Unknown(Why.NOT_FOUND, f"Nothing is told to be a “{what.text}”.")
    if any(one.distance_m is None and one.rank is None for one in fact.items):
        ranked = _from(asked, found.like(found, searched=radius_m is None), near, radius_m)
        if isinstance(ranked, Listed) and ranked.rank is not None and radius_m is not None:
            return Listed(found.like(ranked.members), ranked.off_m, radius_m, ranked.rank)
        if not isinstance(ranked, Listed) and not fact.complete:
            return ranked
        # What is told of stands before what nothing is told of; that keeps the order of the source.
        told = ranked.off_m if isinstance(ranked, Listed) else {}
        rank = {one.id: told.get(one.id, inf) for one in found}
        return Listed(found.like(one for one in found if one.id != near.id or not told), rank=rank)
    off = {item.place.id: bounds.listed_m(asked.cited, near, item) for item in fact.items}
    known = {one: metres for one, metres in off.items() if metres is not None}
    return Listed(found, known, radius_m, known) if len(known) == len(off) else Listed(found)


def _about(
    asked: Asked,
    what: What,
    about: Any,
    bound_m: float | None,
    rank_by: Callable[[Shape, LatLng], float] | None,
) -> Any:
    """Those within a distance of a shape, out of a list about a point whose circle holds all of that."""
    shape = asked.cited.shape(about)
    if shape is None:
        return asked.cited.shapeless(about)
    corners = [measuring.position(corner) for path in measuring.paths(shape) for corner in path]
    for item, fact in asked.cited.of(NearbyFact):
        middle = fact.anchor_place.location if fact.anchor_place is not None else None
        if fact.what != what.text or fact.inside or middle is None or fact.radius_m is None:
            continue
        reach_m = max(measuring.inverse(middle, one)[0] for one in corners) + (
            WIDEST_M if bound_m is None else bound_m
        )
        if fact.radius_m < min(reach_m * 0.995 - 1.0, WIDEST_M):
            continue
        asked.cited.using(item)
        found = _members(fact, what)
        if not isinstance(found, Items):
            return found
        placed = {one.id: one.place.location for one in found if one.place.location is not None}
        placed.pop(getattr(about, "id", ""), None)
        measure = bounds.beyond_m if bound_m == 0.0 else bounds.off_m
        off = {one: measure(shape, at) for one, at in placed.items()}
        rank = None if rank_by is None else {one: rank_by(shape, at) for one, at in placed.items()}
        members = found.like(one for one in found if one.id in placed)
        if bound_m is None:
            ranked = sorted(members, key=lambda one: off[one.id])
            return Listed(found.like(ranked[:_FEW], complete=len(ranked) <= _FEW), off, None, off)
        return Listed(members, off, bound_m, rank)
    return asked.cited.lost()
