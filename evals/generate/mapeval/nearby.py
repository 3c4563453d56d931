"""Questions about what is around a place.

Areas count from their nearest to their farthest point, so that no definition of distance changes an answer.
"""

from evals.generate.mapeval.amounts import others, wrong_counts
from evals.generate.mapeval.draft import Bench, Draft, Kind, said_clock
from evals.generate.weekly_hours import DAY_NAMES, read_week
from evals.generate.world import RawPlace, fold

CLEAR_SHARE = 0.12
"""The nearest one must be nearer than the next by this share."""
CLEAR_M = 25.0
"""... and by this many metres; and nothing may lie closer than this to the edge of a circle."""
NAMES = 12
"""Wrong options are taken from so many places, so that they are near too."""
CLEAR_MINUTES = 20
"""A moment is at least this far from any opening and closing."""
RADII_M = (200, 300, 400, 500, 750, 1000)


def nearest(bench: Bench) -> Draft | None:
    """The nearest place of a kind."""
    anchor, kind = _anchor_and_kind(bench)
    found = _found(bench, anchor, kind)
    if not found:
        return None
    best = min(found[:NAMES], key=lambda place: anchor.range_m(place)[1])
    rivals = [place for place in found if place is not best]
    wrong = _other_names(bench, found, best)
    if wrong is None or not _is_clear(bench, anchor, best, rivals, kind):
        return None
    slots = {"a": anchor.name, "kind": kind.one, "kinds": kind.many}
    return Draft(slots, best.name, wrong, _distances(anchor, found), (anchor.osm, best.osm))


def count(bench: Bench) -> Draft | None:
    """How many places of a kind lie within a circle."""
    anchor, kind = _anchor_and_kind(bench)
    if kind.has(anchor):
        return None  # people differ on whether the place itself counts
    radius_m = bench.dice.choice(RADII_M)
    ranges = [anchor.range_m(place) for place in bench.of_kind(kind)]
    if any(low - CLEAR_M < radius_m < high + CLEAR_M for low, high in ranges):
        return None
    inside = sum(high < radius_m for _, high in ranges)
    if not 1 <= inside <= 12:
        return None
    slots = {"a": anchor.name, "kinds": kind.many, "radius": str(radius_m)}
    tags = " or ".join(f"{key}={value}" for key, value in kind.tags)
    why = f"{inside} with {tags} within {radius_m} m."
    return Draft(slots, str(inside), wrong_counts(bench.dice, inside), why, (anchor.osm,))


def within(bench: Bench) -> Draft | None:
    """Which one of four places of a kind lies within a circle."""
    anchor, kind = _anchor_and_kind(bench)
    radius_m = bench.dice.choice(RADII_M)
    found = _found(bench, anchor, kind)
    inside = [place for place in found if anchor.range_m(place)[1] < radius_m - CLEAR_M]
    outside = [place for place in found if anchor.range_m(place)[0] > radius_m * 1.2 + CLEAR_M]
    if not inside:
        return None
    best = bench.dice.choice(inside)
    taken = {fold(place.name) for place in found if place not in outside}
    farther = {fold(place.name): place.name for place in outside if fold(place.name) not in taken}
    wrong = others(bench.dice, sorted(farther.values()), best.name)
    if wrong is None:
        return None
    slots = {"a": anchor.name, "kind": kind.one, "kinds": kind.many, "radius": str(radius_m)}
    return Draft(slots, best.name, wrong, _distances(anchor, [best, *outside[:3]]), (anchor.osm, best.osm))


def nearest_open(bench: Bench) -> Draft | None:
    """The nearest place of a kind that is open at a moment, with nearer ones that are shut."""
    anchor, kind = _anchor_and_kind(bench)
    day, moment = bench.dice.randrange(7), bench.clock()
    found = _found(bench, anchor, kind)
    states = [_is_open(place, day, moment) for place in found[:NAMES]]
    if True not in states or not all(state is False for state in states[: states.index(True)]):
        return None
    shut, best = found[: states.index(True)], found[states.index(True)]
    rivals = [place for place in found if place is not best and place not in shut]
    if not shut or not _is_clear(bench, anchor, best, rivals, kind):
        return None
    wrong = _other_names(bench, found, best)
    if wrong is None:
        return None
    slots = {"a": anchor.name, "kind": kind.one, "day": DAY_NAMES[day], "clock": said_clock(moment)}
    why = f"{_distances(anchor, [*shut, best])}; open then: {best.name}, but no nearer one."
    return Draft(slots, best.name, wrong, why, (anchor.osm, best.osm))


def _is_open(place: RawPlace, day: int, moment: int) -> bool | None:
    """Whether a place is open; None if it does not say, or the moment is too near to an edge."""
    week = read_week(place.tags.get("opening_hours", ""))
    if week is None:
        return None
    span = week[day]
    if span is None:
        return False
    return None if min(abs(moment - edge) for edge in span) < CLEAR_MINUTES else span[0] <= moment < span[1]


def _anchor_and_kind(bench: Bench) -> tuple[RawPlace, Kind]:
    return bench.places(1)[0], bench.kind()


def _found(bench: Bench, anchor: RawPlace, kind: Kind) -> list[RawPlace]:
    """The named places of a kind besides the anchor, nearest first (roughly: margins are checked exactly)."""
    places = [place for place in bench.of_kind(kind) if place.name and place != anchor]
    return sorted(places, key=anchor.rough_m)


def _is_clear(bench: Bench, anchor: RawPlace, best: RawPlace, rivals: list[RawPlace], kind: Kind) -> bool:
    """True if nothing else of the kind, named or not, is as near as `best` but for a little."""
    far_m = anchor.range_m(best)[1]
    limit_m = max(far_m * (1 + CLEAR_SHARE), far_m + CLEAR_M)
    nameless = (place for place in bench.of_kind(kind) if not place.name)
    return all(anchor.range_m(place)[0] >= limit_m for place in (*rivals, *nameless))


def _other_names(bench: Bench, found: list[RawPlace], best: RawPlace) -> tuple[str, ...] | None:
    """Names of the others; None if one of them sounds like the best one's."""
    rest = {fold(place.name): place.name for place in found[:NAMES] if place is not best}
    if fold(best.name) in rest:
        return None
    return others(bench.dice, sorted(rest.values()), best.name)


def _distances(anchor: RawPlace, found: list[RawPlace]) -> str:
    return ", ".join(f"{place.name} {anchor.range_m(place)[0]:.0f} m" for place in found[:6])
