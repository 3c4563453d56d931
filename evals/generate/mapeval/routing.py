"""Questions about one way; the options are far enough apart for any rounding."""

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
    (a, b), mode = bench.places(2), bench.dice.choice(MODES)
    found = way(bench, a, b, mode)
    if found is None:
        return None
    wrong = wrong_amounts(
        bench.dice, found.duration_s, duration_text, apart=max(120, 0.12 * found.duration_s)
    )
    if wrong is None:
        return None
    slots = {"a": a.name, "b": b.name, **mode_words(bench, mode)}
    return Draft(slots, duration_text(found.duration_s), wrong, f"{found.duration_s:.0f} s.", (a.osm, b.osm))


def length(bench: Bench) -> Draft | None:
    """How long one way is."""
    (a, b), mode = bench.places(2), bench.dice.choice(MODES)
    found = way(bench, a, b, mode)
    if found is None:
        return None
    wrong = wrong_amounts(
        bench.dice, found.distance_m, distance_text, apart=max(100, 0.12 * found.distance_m)
    )
    if wrong is None:
        return None
    slots = {"a": a.name, "b": b.name, **mode_words(bench, mode)}
    return Draft(slots, distance_text(found.distance_m), wrong, f"{found.distance_m:.0f} m.", (a.osm, b.osm))


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
