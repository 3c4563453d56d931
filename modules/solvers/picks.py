"""Choosing among places by position: the closest, a pair, one in a direction, one between two others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from map_tools.compute.geodesy import (
    OCTANT_DEG,
    WINDS,
    angle_between,
    bearing_deg,
    betweenness,
    distance_m,
    wind_name,
)
from map_tools.types import LatLng, TravelMode
from mapagent.answer import Solution
from modules.offline.intents import BetweenIntent, CloserIntent, Compare, DirectionPickIntent, PairIntent
from modules.needs import NearbyNeed
from modules.solvers.ambiguity import settle
from modules.solvers.choices import Choice, choices_of, require_rivals
from modules.solvers.common import Trail, title
from modules.solvers.geometry import DIAGONAL_REACH_DEG, located, measured_m, wind_named
from modules.solvers.order import Scored, claimed, ranked
from modules.solvers.pairs import option_pairs
from modules.solvers.stand_ins import text_measures, travel_measures
from modules.solvers.ways import goals_told, solve_ways
from modules.view import CannotTellError, Found, View

MAX_DEVIATION_DEG = 45.0
"""A place further than this from a direction does not lie in it."""

MAX_DETOUR = 1.5
"""A place lies between two others if the way past it is at most half as long again as the straight line."""


def solve_closer(intent: CloserIntent, view: View) -> Solution | None:
    """Which of several places is nearest to (or farthest from) an anchor, straight or by travel.

    Raises:
        CannotTellError: The anchor or all candidates are unknown, or nothing tells the distances.
    """
    told = goals_told(intent, view)
    if told is not None:
        return told
    trail = Trail()
    anchor = view.place(intent.anchor)
    choices = choices_of(view, trail, intent.candidates)
    if anchor is None or view.waiting:
        return None
    require_rivals(view, choices)
    if intent.measure != "straight":
        mode = intent.mode or TravelMode.DRIVING
        scored = travel_measures(view, intent.anchor, choices, mode, intent.measure)
        if view.waiting:
            return None
        return claimed(view, _nearest(view, trail, anchor, scored, intent), intent.claim)

    def judge(reading: tuple[Found, ...]) -> Solution:
        own = trail.copy()
        straight = straight_measures(view, own, reading[0], choices)
        scored = straight or text_measures(view, own, intent.anchor, choices)
        return claimed(view, _nearest(view, own, reading[0], scored, intent), intent.claim)

    return settle(view, (anchor,), judge)


def _nearest(
    view: View, trail: Trail, anchor: Found, scored: Sequence[Scored], intent: CloserIntent
) -> Solution:
    if not scored:
        raise CannotTellError(f"Nothing at hand tells how far these places are from {title(anchor.place)}.")
    trail.use(anchor.evidence_id)
    return ranked(view, trail, scored, intent.pick, f"From {title(anchor.place)}", k=intent.k)


def solve_pair(intent: PairIntent, view: View) -> Solution | None:
    """Which pair of places is closest together or farthest apart.

    Raises:
        CannotTellError: No pair is known, or a position is missing.
    """
    if intent.measure != "straight":
        return solve_ways(intent, view)
    trail = Trail()
    if intent.places:
        singles = choices_of(view, trail, intent.places)
        pairs: Sequence[Choice] = [Choice((a.places[0], b.places[0])) for a, b in combinations(singles, 2)]
    else:
        pairs = option_pairs(view, trail)
    if view.waiting:
        return None
    require_rivals(view, pairs)
    scored = [Scored(pair, measured_m(view, trail, *pair.places), "m") for pair in pairs]
    if not scored:
        raise CannotTellError("The question names no pairs of places to compare.")
    return ranked(view, trail, scored, intent.pick, "Apart")


def solve_direction_pick(intent: DirectionPickIntent, view: View) -> Solution | None:
    """Which candidate lies in a direction of an anchor.

    Among given candidates the one with the smallest deviation is meant; among all places of a kind, the
    nearest one that lies in that direction.

    Raises:
        CannotTellError: No candidate lies within 45° of the direction, or positions are missing.
    """
    trail = Trail()
    wanted = wind_named(intent.direction)
    anchor = view.place(intent.anchor)
    need = NearbyNeed(what=intent.what, anchor=intent.anchor) if intent.what else None
    choices = choices_of(view, trail, intent.candidates, need)
    if anchor is None or view.waiting:
        return None
    given = bool(intent.candidates) or bool(view.question.live_options())
    return settle(
        view, (anchor,), lambda reading: _aim(view, trail.copy(), reading[0], choices, wanted, given=given)
    )


def _aim(
    view: View, trail: Trail, anchor: Found, choices: Sequence[Choice], wanted: str, *, given: bool
) -> Solution:
    start = located(view, trail, anchor)
    aimed = [
        _Aimed(choice, angle_between(bearing_deg(start, spot), WINDS.index(wanted) * OCTANT_DEG), spot)
        for choice, spot in _spots(view, trail, choices)
        if spot != start
    ]
    chosen = _in_direction(aimed, start, wind_name(wanted), anchor, given=given)
    for one in chosen:
        _claim_bearing(trail, anchor, one, bearing_deg(start, one.spot))
    winner = chosen[0]
    name = title(anchor.place)
    bearing = bearing_deg(start, winner.spot)
    shown = f"{winner.choice.label} lies {wind_name(wanted)} of {name} (bearing {bearing:.0f}°)."
    return trail.answered(winner.choice.value(view), shown, [one.choice.value(view) for one in chosen[1:]])


def solve_between(intent: BetweenIntent, view: View) -> Solution | None:
    """Which candidate lies between two places: the one with the smallest detour.

    Raises:
        CannotTellError: None lies between them, or positions are missing.
    """
    trail = Trail()
    a, b = view.place(intent.a), view.place(intent.b)
    need = NearbyNeed(what=intent.what, anchor=intent.a) if intent.what else None
    choices = choices_of(view, trail, intent.candidates, need)
    if a is None or b is None or view.waiting:
        return None
    return settle(view, (a, b), lambda reading: _between(view, trail.copy(), reading[0], reading[1], choices))


def _between(view: View, trail: Trail, a: Found, b: Found, choices: Sequence[Choice]) -> Solution:
    start, end = located(view, trail, a), located(view, trail, b)
    if start == end:
        raise CannotTellError(f"{title(a.place)} and {title(b.place)} are at the same position.")
    measured_m(view, trail, a, b)
    scores = [
        (choice, betweenness(start, end, spot))
        for choice, spot in _spots(view, trail, choices)
        if spot not in {start, end}
    ]
    fitting = [Scored(choice, 1 / score, "ratio") for choice, score in scores if score >= 1 / MAX_DETOUR]
    if not fitting:
        raise CannotTellError(f"None of the candidates lies between {title(a.place)} and {title(b.place)}.")
    return ranked(view, trail, fitting, Compare.MIN, f"Detour between {title(a.place)} and {title(b.place)}")


@dataclass(frozen=True, slots=True)
class _Aimed:
    choice: Choice
    off_deg: float
    spot: LatLng


def _in_direction(
    aimed: Sequence[_Aimed], start: LatLng, words: str, anchor: Found, *, given: bool
) -> list[_Aimed]:
    """The candidates in a direction, best first."""
    reach = MAX_DEVIATION_DEG if given else DIAGONAL_REACH_DEG
    order: Callable[[_Aimed], float] = (
        (lambda one: one.off_deg) if given else (lambda one: distance_m(start, one.spot))
    )
    fitting = sorted((one for one in aimed if one.off_deg <= reach), key=order)
    if not fitting:
        raise CannotTellError(f"None of the candidates lies {words} of {title(anchor.place)}.")
    return fitting


def _claim_bearing(trail: Trail, anchor: Found, one: _Aimed, bearing: float) -> None:
    found = one.choice.places[0]
    names = {"a": title(anchor.place), "b": title(found.place)}
    trail.claim("bearing", (anchor.evidence_id, found.evidence_id), bearing, **names)


def _spots(view: View, trail: Trail, choices: Sequence[Choice]) -> list[tuple[Choice, LatLng]]:
    """The positions of the choices; those without one are left out with a warning.

    Raises:
        CannotTellError: None has a position.
    """
    spots, missing = [], []
    for choice in choices:
        try:
            spots.append((choice, located(view, trail, choice.places[0])))
        except CannotTellError:
            missing.append(choice.label)
    if not spots:
        raise CannotTellError(f"The positions of {', '.join(missing)} are not known, and never guessed.")
    if missing:
        trail.warn(f"Without a position and left out: {', '.join(missing)}.")
    return spots


def straight_measures(view: View, trail: Trail, anchor: Found, choices: Sequence[Choice]) -> list[Scored]:
    """Straight-line distances; empty if any position is missing, since the missing one may be the answer."""
    try:
        for found in (anchor, *(choice.places[0] for choice in choices)):
            located(view, Trail(), found)
    except CannotTellError:
        return []
    return [Scored(choice, measured_m(view, trail, anchor, choice.places[0]), "m") for choice in choices]
