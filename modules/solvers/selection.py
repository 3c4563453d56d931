"""From the candidates of a nearby question to those that fulfil it, in the order asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from map_tools.concepts import is_nameless
from map_tools.types import Place, TravelMode
from modules.offline.intents import NearbyIntent
from modules.solvers.candidates import Candidate, Pool, evidence_of
from modules.solvers.common import Trail, match_options, option_places
from modules.solvers.conditions import Condition, Sifted, claim_arguments, conditions_of, excluded, sift
from modules.solvers.rankings import Ranked, rank, travel_mode
from modules.view import CannotTellError, View

SECTOR_DEG = 22.5
WIDE_SECTOR_DEG = 45.0
"""A direction is one of eight; only where no option lies in its octant is the neighbourhood widened."""

MAX_SPEED_M_S: Mapping[TravelMode, float] = {
    TravelMode.WALKING: 1.8,
    TravelMode.BICYCLING: 12.0,
    TravelMode.TRANSIT: 40.0,
    TravelMode.DRIVING: 40.0,
}
"""Nobody gets further than this in a straight line; bounds the search for "within a ten-minute walk"."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is left of the candidates, best first, and what the conditions did to `judged`."""

    ranked: tuple[Ranked, ...]
    judged: tuple[Candidate, ...]
    sifted: Sifted


def bounded(intent: NearbyIntent) -> NearbyIntent:
    """The intent with a radius that a limit on the travel time implies."""
    if intent.max_duration_s is None or intent.radius_m is not None:
        return intent
    reach_m = intent.max_duration_s * MAX_SPEED_M_S[travel_mode(intent)]
    return intent.model_copy(update={"radius_m": reach_m})


def select(view: View, trail: Trail, intent: NearbyIntent, pool: Pool) -> Selection | None:
    """The candidates that fulfil the question, best first; None while travel times are to be fetched.

    Raises:
        CannotTellError: The facts to judge or rank by are not stated at all.
    """
    candidates = [one for one in pool.candidates if not excluded(one.place, intent.filters)]
    candidates = _within_radius(trail, intent, pool, candidates)
    if intent.ask == "name":
        candidates += _added_options(view, trail, intent, pool, candidates)
        if view.waiting:
            return None
    candidates = _nameable(view, trail, intent, candidates)
    sifted = _sift(view, trail, intent, pool, candidates)
    kept = [candidates[position] for position in sifted.kept]
    _claim(trail, candidates, sifted)
    ranked = rank(view, trail, intent, pool, kept)
    return None if ranked is None else Selection(tuple(ranked), tuple(candidates), sifted)


def _within_radius(
    trail: Trail, intent: NearbyIntent, pool: Pool, candidates: Sequence[Candidate]
) -> list[Candidate]:
    radius = intent.radius_m
    if radius is None or intent.inside:
        return list(candidates)
    if pool.radius_m is not None and pool.radius_m < radius:
        if intent.ask == "count":
            raise CannotTellError(
                f"{pool.source} lists the places within {pool.radius_m:g} m only, not {radius:g} m."
            )
        trail.warn(f"The list at hand reaches only {pool.radius_m:g} m.")
    listed = pool.radius_m is not None and pool.radius_m <= radius
    unknown = [one for one in candidates if one.farthest_m is None]
    if unknown and not listed:
        if len(unknown) == len(candidates):
            raise CannotTellError(
                f"{pool.source} does not say how far the places are, so {radius:g} m cannot be checked."
            )
        trail.warn(f"Left out, having no distance: {len(unknown)}.")
    return [one for one in candidates if (listed if one.farthest_m is None else one.farthest_m <= radius)]


def _nameable(
    view: View, trail: Trail, intent: NearbyIntent, candidates: Sequence[Candidate]
) -> list[Candidate]:
    """Without places that have no name where a name is asked for.

    They stay where most have none and the kind needs none: nobody asks for a bench or a toilet by its name.
    """
    named = [one for one in candidates if one.place.name]
    if intent.ask not in {"name", "names"} or len(named) == len(candidates):
        return list(candidates)
    nameless = is_nameless(intent.what.categories) and 2 * len(named) < len(candidates)
    if not named or (nameless and not view.question.live_options()):
        return list(candidates)
    trail.warn(_unnamed(candidates, named))
    return named


def _unnamed(candidates: Sequence[Candidate], named: Sequence[Candidate]) -> str:
    """How many places were left out, and how near the nearest of them is if it is nearer than all others."""
    left_out = f"Left out, having no name: {len(candidates) - len(named)}"
    unnamed_m = [one.distance_m for one in candidates if not one.place.name and one.distance_m is not None]
    named_m = [one.distance_m for one in named if one.distance_m is not None]
    if not unnamed_m or (named_m and min(named_m) <= min(unnamed_m)):
        return f"{left_out}."
    return f"{left_out}, the nearest {min(unnamed_m):.0f} m away."


def _added_options(
    view: View, trail: Trail, intent: NearbyIntent, pool: Pool, candidates: Sequence[Candidate]
) -> list[Candidate]:
    """Where no option is on the list, the options' places by themselves."""
    options = view.question.live_options()
    if not options or match_options(options, [one.place for one in candidates]):
        return []
    added: list[Candidate] = []
    for _, found in option_places(view):
        spot = pool.anchors[0] if len(pool.anchors) == 1 else None
        metres = None
        if spot is not None and found.place.location is not None:
            from map_tools.compute.geodesy import distance_m

            metres = distance_m(spot, found.place.location)
        if intent.radius_m is not None and (metres is None or metres > intent.radius_m):
            continue
        position = len(pool.candidates) + len(added)
        added.append(Candidate(found.place, position, metres, metres, (found.evidence_id,)))
    if added:
        trail.warn(f"No option is on the list of {intent.what.text}; the options were looked up by name.")
    return added


def _sift(
    view: View, trail: Trail, intent: NearbyIntent, pool: Pool, candidates: Sequence[Candidate]
) -> Sifted:
    places = [one.place for one in candidates]
    conditions = conditions_of(view, intent.filters)
    wanted = intent.filters.direction
    if wanted is None:
        sifted = sift(places, conditions)
    else:
        sifted = sift(places, (*conditions, _direction(pool, wanted, SECTOR_DEG)))
        options = view.question.live_options()
        if options and not match_options(options, [places[position] for position in sifted.kept]):
            wide = sift(places, (*conditions, _direction(pool, wanted, WIDE_SECTOR_DEG)))
            if match_options(options, [places[position] for position in wide.kept]):
                trail.warn(
                    f"No option lies closely {wanted} of the anchor; up to 45° to each side is allowed."
                )
                sifted = wide
    for warning in sifted.warnings():
        trail.warn(warning)
    return sifted


def _direction(pool: Pool, wanted: str, reach_deg: float) -> Condition:
    from map_tools.compute.geodesy import OCTANT_DEG, WINDS, angle_between, bearing_deg, wind_name
    from modules.solvers.geometry import wind_named

    wind = wind_named(wanted)
    spot = pool.anchors[0]
    if spot is None:
        raise CannotTellError("The position of the anchor is not known, so no direction from it can be told.")

    def test(place: Place) -> bool | None:
        if place.location is None or place.location == spot:
            return None
        return angle_between(bearing_deg(spot, place.location), WINDS.index(wind) * OCTANT_DEG) <= reach_deg

    return Condition(f"{wind_name(wind)} of the anchor", "position", test)


def _claim(trail: Trail, candidates: Sequence[Candidate], sifted: Sifted) -> None:
    places = [one.place for one in candidates]
    for outcome in sifted.outcomes:
        trail.claim("filter", evidence_of(candidates), len(outcome.kept), **claim_arguments(places, outcome))
