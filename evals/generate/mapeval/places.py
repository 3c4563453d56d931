"""Questions about places: single ones, how two lie to each other, what is around one, and what the map cannot tell.

Unanswerable are places that are not on the map, and facts it does not hold.

Areas count from their nearest to their farthest point, so that no definition of distance changes an answer.
"""

from collections.abc import Callable

from evals.generate.mapeval.draft import (
    Bench,
    Draft,
    Kind,
    distance_text,
    duration_text,
    others,
    said_clock,
    wrong_amounts,
    wrong_counts,
)
from evals.generate.world import DAY_NAMES, RawPlace, azimuth_deg, distance_m, fold, read_week

WINDS = ("North", "Northeast", "East", "Southeast", "South", "Southwest", "West", "Northwest")
CLEAR_DEG = 12.0
"""A direction is asked only if it is at most this far from the middle of its octant."""
CLEAR_MINUTES = 20
"""A time is asked only if opening and closing are at least this far from it."""


def distance(bench: Bench) -> Draft | None:
    """The straight line between two places."""
    a, b = bench.places(2)
    length_m = distance_m(a.point, b.point)
    wrong = wrong_amounts(bench.dice, length_m, distance_text, apart=max(60.0, 0.12 * length_m))
    if length_m < 150 or wrong is None:
        return None
    why = f"Geodesic distance {length_m:.1f} m."
    return Draft({"a": a.name, "b": b.name}, distance_text(length_m), wrong, why, (a.osm, b.osm))


def direction(bench: Bench) -> Draft | None:
    """The octant in which one place lies as seen from another."""
    a, b = bench.places(2)
    angle = azimuth_deg(a.point, b.point)
    octant = round(angle / 45) % 8
    if abs((angle - octant * 45 + 180) % 360 - 180) > CLEAR_DEG or distance_m(a.point, b.point) < 100:
        return None
    neighbours = {WINDS[(octant + turn) % 8] for turn in (-1, 1)}
    far = [wind for wind in WINDS if wind not in neighbours]
    wrong = others(bench.dice, far, WINDS[octant])
    if wrong is None:
        return None
    why = f"The azimuth from {a.name} to {b.name} is {angle:.1f} degrees."
    return Draft({"a": a.name, "b": b.name}, WINDS[octant], wrong, why, (a.osm, b.osm))


def address(bench: Bench) -> Draft | None:
    """Street and number."""
    pool = [place for place in bench.raw.unique if {"addr:street", "addr:housenumber"} <= place.tags.keys()]
    return _tagged(bench, pool, _address, "Tags addr:street and addr:housenumber.")


def _address(tags: dict[str, str]) -> str:
    return f"{tags['addr:street']} {tags['addr:housenumber']}"


def phone(bench: Bench) -> Draft | None:
    """The telephone number."""
    return _tagged(bench, [place for place in bench.raw.unique if _phone(place.tags)], _phone, "Tag phone.")


def _phone(tags: dict[str, str]) -> str:
    values = {tags.get("phone", ""), tags.get("contact:phone", "")} - {""}
    text = values.pop() if len(values) == 1 else ""
    return "" if ";" in text or "," in text else text


def _tagged(
    bench: Bench, pool: list[RawPlace], say: Callable[[dict[str, str]], str], why: str
) -> Draft | None:
    """What a place's tags say, among what those of others of the pool say."""
    if len(pool) < 8:
        return None
    place, *rest = bench.dice.sample(pool, 8)
    right = say(place.tags)
    wrong = tuple(dict.fromkeys(text for text in (say(other.tags) for other in rest) if text != right))
    if len(wrong) < 3:
        return None
    return Draft({"a": place.name}, right, wrong[:3], why, (place.osm,))


def open_at(bench: Bench) -> Draft | None:
    """Whether a place is open at a moment of the week."""
    timed = [place for place in bench.raw.unique if read_week(_hours(place.tags))]
    if not timed:
        return None
    place = bench.dice.choice(timed)
    day, moment = bench.dice.randrange(7), bench.clock()
    right = open_state(place, day, moment)
    if right is None:
        return None
    slots = {"a": place.name, "day": DAY_NAMES[day], "clock": said_clock(moment)}
    why = f"Opening hours: {_hours(place.tags)}."
    return Draft(slots, "Yes" if right else "No", ("No" if right else "Yes",), why, (place.osm,))


def closes_at(bench: Bench) -> Draft | None:
    """When a place closes on a day."""
    timed = [(place, week) for place in bench.raw.unique if (week := read_week(_hours(place.tags)))]
    if not timed:
        return None
    place, week = bench.dice.choice(timed)
    day = bench.dice.randrange(7)
    span = week[day]
    if span is None or span[1] == 24 * 60:
        return None
    shifts = bench.dice.sample((-120, -90, -60, -30, 30, 60, 90), 3)
    slots = {"a": place.name, "day": DAY_NAMES[day]}
    wrong = tuple(said_clock(span[1] + shift) for shift in shifts)
    return Draft(slots, said_clock(span[1]), wrong, f"Opening hours: {_hours(place.tags)}.", (place.osm,))


def _hours(tags: dict[str, str]) -> str:
    return tags.get("opening_hours", "")


def northernmost(bench: Bench) -> Draft | None:
    """Which of four places lies furthest in one of the four main directions."""
    four = bench.places(4)
    if len(four) < 4:
        return None
    name, axis, sign = bench.dice.choice((("north", 0, 1), ("south", 0, -1), ("east", 1, 1), ("west", 1, -1)))
    ranked = sorted(four, key=lambda place: sign * place.point[axis], reverse=True)
    gap = abs(ranked[0].point[axis] - ranked[1].point[axis])
    spread = abs(ranked[0].point[axis] - ranked[-1].point[axis])
    if gap < 0.1 * spread:
        return None
    why = ", ".join(f"{place.name}: {place.point[axis]:.5f}" for place in ranked)
    return Draft(
        {"direction": name},
        ranked[0].name,
        tuple(place.name for place in ranked[1:]),
        why,
        tuple(place.osm for place in ranked),
    )


CLEAR_SHARE = 0.12
"""The nearest one must be nearer than the next by this share."""
CLEAR_M = 25.0
"""... and by this many metres; and nothing may lie closer than this to the edge of a circle."""
NAMES = 12
"""Wrong options are taken from so many places, so that they are near too."""
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
    states = [open_state(place, day, moment) for place in found[:NAMES]]
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


def open_state(place: RawPlace, day: int, moment: int) -> bool | None:
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


SYLLABLES = (
    "bel",
    "cor",
    "dun",
    "far",
    "gol",
    "har",
    "kel",
    "lor",
    "mon",
    "nar",
    "pel",
    "quin",
    "ros",
    "tav",
    "vel",
)
ENDINGS = ("House", "Gallery", "Market", "Tower", "Gardens", "Arcade")
FACT_TAGS = ("stars", "rating", "review", "price", "price_range", "charge", "fee")


def nowhere(bench: Bench) -> Draft | None:
    """A place that does not exist."""
    name = f"{''.join(bench.dice.sample(SYLLABLES, 3)).capitalize()} {bench.dice.choice(ENDINGS)}"
    if any(fold(name) in fold(place.name) for place in bench.raw.places):
        return None
    a, kind = bench.places(1)[0], bench.kind()
    wrong = tuple(duration_text(60 * minutes) for minutes in bench.dice.sample(range(5, 50), 4))
    slots = {"a": a.name, "nowhere": name, "kind": kind.one, "day": bench.dice.choice(DAY_NAMES)}
    return Draft(slots, None, wrong, f"Nothing on the map is called {name}.", (a.osm,))


def unknown_fact(bench: Bench) -> Draft | None:
    """A fact that no tag of the place tells."""
    place = bench.places(1)[0]
    if any(key.startswith(FACT_TAGS) for key in place.tags):
        return None
    wrong = tuple(str(number) for number in bench.dice.sample(range(1, 60), 4))
    return Draft({"a": place.name}, None, wrong, "No tag tells reviews, ratings or prices.", (place.osm,))


def no_phone(bench: Bench) -> Draft | None:
    """The telephone number of a place that has none on the map."""
    place = bench.places(1)[0]
    known = [
        other.tags["phone"]
        for other in bench.raw.unique
        if "phone" in other.tags and ";" not in other.tags["phone"]
    ]
    if any("phone" in key or "mobile" in key for key in place.tags) or len(known) < 4:
        return None
    wrong = tuple(bench.dice.sample(sorted(set(known)), 4)) if len(set(known)) >= 4 else ()
    return (
        Draft({"a": place.name}, None, wrong, "The place has no tag phone.", (place.osm,)) if wrong else None
    )
