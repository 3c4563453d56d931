"""Questions about single places and how two of them lie to each other."""

from evals.generate.mapeval.amounts import distance_text, others, wrong_amounts
from evals.generate.mapeval.draft import Bench, Draft, said_clock
from evals.generate.weekly_hours import DAY_NAMES, read_week
from evals.generate.world import azimuth_deg, distance_m

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
    if len(pool) < 8:
        return None
    place, *rest = bench.dice.sample(pool, 8)
    right = _address(place.tags)
    wrong = tuple(dict.fromkeys(text for text in (_address(other.tags) for other in rest) if text != right))
    if len(wrong) < 3:
        return None
    why = "Tags addr:street and addr:housenumber."
    return Draft({"a": place.name}, right, wrong[:3], why, (place.osm,))


def _address(tags: dict[str, str]) -> str:
    return f"{tags['addr:street']} {tags['addr:housenumber']}"


def phone(bench: Bench) -> Draft | None:
    """The telephone number."""
    pool = [place for place in bench.raw.unique if _phone(place.tags)]
    if len(pool) < 8:
        return None
    place, *rest = bench.dice.sample(pool, 8)
    right = _phone(place.tags)
    wrong = tuple(dict.fromkeys(text for text in (_phone(other.tags) for other in rest) if text != right))
    if len(wrong) < 3:
        return None
    return Draft({"a": place.name}, right, wrong[:3], "Tag phone.", (place.osm,))


def _phone(tags: dict[str, str]) -> str:
    values = {tags.get("phone", ""), tags.get("contact:phone", "")} - {""}
    text = values.pop() if len(values) == 1 else ""
    return "" if ";" in text or "," in text else text


def open_at(bench: Bench) -> Draft | None:
    """Whether a place is open at a moment of the week."""
    timed = [(place, week) for place in bench.raw.unique if (week := read_week(_hours(place.tags)))]
    if not timed:
        return None
    place, week = bench.dice.choice(timed)
    day, moment = bench.dice.randrange(7), bench.clock()
    span = week[day]
    if span is not None and min(abs(moment - edge) for edge in span) < CLEAR_MINUTES:
        return None
    right = span is not None and span[0] <= moment < span[1]
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
