"""Questions about one way; the options are far enough apart for any rounding."""

from collections.abc import Callable

from evals.generate.mapeval.amounts import distance_text, duration_text, wrong_amounts
from evals.generate.mapeval.draft import Bench, Draft
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
