"""Questions about one way, or several legs with stays, deadlines and orders.

The options are far enough apart for any rounding.
"""

from collections.abc import Callable
from itertools import pairwise, permutations

from evals.generate.mapeval.draft import Bench, Draft, distance_text, duration_text, said_clock, wrong_amounts
from evals.generate.travel import COSTING, Way
from evals.generate.world import RawPlace, distance_m

MODES = tuple(COSTING)
LEAST_S = 240.0
"""Shorter ways have options too close to each other."""
CLEAR_SHARE = 0.2
"""The quickest way must be quicker than the next by this share."""


def mode_words(bench: Bench, mode: str) -> dict[str, str]:
    """The slots that say how one travels."""
    return {slot: bench.dice.choice(texts) for slot, texts in bench.wordings.moves[mode].items()}


def way(bench: Bench, a: RawPlace, b: RawPlace, mode: str) -> Way | None:
    """The way between two places, None if there is none or it is no matter for a question.

    A way shorter than the straight line begins or ends far from one of the places: on a pier, on a summit.
    """
    found = bench.travel.way(a.point, b.point, mode) if bench.travel else None
    if found is None or found.duration_s < LEAST_S or found.distance_m < distance_m(a.point, b.point):
        return None
    return found


def duration(bench: Bench) -> Draft | None:
    """How long one way takes."""
    return _measured(bench, lambda found: found.duration_s, duration_text, least_apart=120, unit="s")


def length(bench: Bench) -> Draft | None:
    """How long one way is."""
    return _measured(bench, lambda found: found.distance_m, distance_text, least_apart=100, unit="m")


def _measured(
    bench: Bench,
    measure: Callable[[Way], float],
    told: Callable[[float], str],
    *,
    least_apart: float,
    unit: str,
) -> Draft | None:
    """What one way measures; wrong amounts lie 0.12 of it apart, and at least `least_apart`."""
    (a, b), mode = bench.places(2), bench.dice.choice(MODES)
    found = way(bench, a, b, mode)
    if found is None:
        return None
    amount = measure(found)
    wrong = wrong_amounts(bench.dice, amount, told, apart=max(least_apart, 0.12 * amount))
    if wrong is None:
        return None
    slots = {"a": a.name, "b": b.name, **mode_words(bench, mode)}
    return Draft(slots, told(amount), wrong, f"{amount:.0f} {unit}.", (a.osm, b.osm))


def quickest(bench: Bench) -> Draft | None:
    """Which of four places is reached soonest."""
    (a, *four), mode = bench.places(5), bench.dice.choice(MODES)
    ways = [(found.duration_s, place) for place in four if (found := way(bench, a, place, mode))]
    if len(ways) < 4:
        return None
    ways.sort(key=lambda pair: pair[0])
    if ways[1][0] < ways[0][0] * (1 + CLEAR_SHARE) + 60:
        return None
    slots = {"a": a.name, **mode_words(bench, mode)}
    why = ", ".join(f"{place.name} {seconds:.0f} s" for seconds, place in ways)
    names = [place.name for _, place in ways]
    return Draft(slots, names[0], tuple(names[1:]), why, (a.osm, *(place.osm for _, place in ways)))


STAYS_MIN = (20, 30, 45, 60, 90)
SHIFTS_MIN = (-55, -35, -20, 20, 35, 50, 75)
CLEAR_TRIP_SHARE = 0.08
"""The best order must be better than the next by this share."""


def trip_time(bench: Bench) -> Draft | None:
    """The travel time of a round trip."""
    (a, b, c), mode = bench.places(3), bench.dice.choice(MODES)
    legs = _legs(bench, (a, b, c, a), mode)
    if legs is None:
        return None
    total_s = sum(legs)
    wrong = wrong_amounts(bench.dice, total_s, duration_text, apart=max(180, 0.12 * total_s))
    if wrong is None:
        return None
    slots = {"a": a.name, "b": b.name, "c": c.name, **mode_words(bench, mode)}
    why = f"Legs of {_seconds(legs)}."
    return Draft(slots, duration_text(total_s), wrong, why, (a.osm, b.osm, c.osm))


def trip_end(bench: Bench) -> Draft | None:
    """When the last visit of a trip ends."""
    (a, b, c), mode = bench.places(3), bench.dice.choice(MODES)
    legs = _legs(bench, (a, b, c), mode)
    if legs is None:
        return None
    start, stay_b, stay_c = bench.clock(8, 15), *bench.dice.sample(STAYS_MIN, 2)
    end = start + stay_b + stay_c + round(sum(legs) / 60)
    wrong = tuple(said_clock(end + shift) for shift in bench.dice.sample(SHIFTS_MIN, 3))
    slots = {
        "a": a.name,
        "b": b.name,
        "c": c.name,
        "clock": said_clock(start),
        "stay_b": _stay(stay_b),
        "stay_c": _stay(stay_c),
        **mode_words(bench, mode),
    }
    why = f"Legs of {_seconds(legs)}, stays of {stay_b} and {stay_c} min."
    return Draft(slots, said_clock(end), wrong, why, (a.osm, b.osm, c.osm))


def latest_start(bench: Bench) -> Draft | None:
    """The latest departure for an appointment."""
    (a, b), mode = bench.places(2), bench.dice.choice(MODES)
    legs = _legs(bench, (a, b), mode)
    if legs is None:
        return None
    due = bench.clock(10, 20)
    start = due - round(legs[0] / 60)
    wrong = tuple(said_clock(start + shift) for shift in bench.dice.sample(SHIFTS_MIN, 3))
    slots = {"a": a.name, "b": b.name, "clock": said_clock(due), **mode_words(bench, mode)}
    return Draft(slots, said_clock(start), wrong, f"One leg of {_seconds(legs)}.", (a.osm, b.osm))


def best_order(bench: Bench) -> Draft | None:
    """The order of three visits that takes the least time, one way."""
    (a, *three), mode = bench.places(4), bench.dice.choice(MODES)
    totals: list[tuple[float, tuple[RawPlace, ...]]] = []
    for order in permutations(three):
        legs = _legs(bench, (a, *order), mode)
        if legs is None:
            return None
        totals.append((sum(legs), order))
    totals.sort(key=lambda pair: pair[0])
    if len(three) < 3 or totals[1][0] < totals[0][0] * (1 + CLEAR_TRIP_SHARE) + 60:
        return None
    slots = {
        "a": a.name,
        **dict(zip("bcd", (place.name for place in three), strict=True)),
        **mode_words(bench, mode),
    }
    texts = [", ".join(place.name for place in order) for _, order in totals]
    why = "; ".join(f"{text}: {total:.0f} s" for text, (total, _) in zip(texts, totals, strict=True))
    wrong = tuple(bench.dice.sample(texts[1:], 3))
    return Draft(slots, texts[0], wrong, why, (a.osm, *(place.osm for place in three)))


def _legs(bench: Bench, stops: tuple[RawPlace, ...], mode: str) -> list[float] | None:
    legs: list[float] = []
    for start, end in pairwise(stops):
        found = way(bench, start, end, mode)
        if found is None:
            return None
        legs.append(found.duration_s)
    return legs


def _seconds(legs: list[float]) -> str:
    return " + ".join(f"{leg:.0f} s" for leg in legs)


def _stay(minutes: int) -> str:
    known = {60: "1 hour", 90: "an hour and a half"}
    return known.get(minutes, f"{minutes} minutes")
