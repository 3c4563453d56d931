"""How far apart places are by travel, and what may stand in for missing positions in supplied text."""

from collections.abc import Sequence
from typing import Literal

from map_tools.facts import NearbyFact, TravelFact
from map_tools.types import TravelMode
from modules.names import same_name
from modules.solvers.choices import Choice
from modules.solvers.common import Trail, match_options, reference
from modules.solvers.order import Scored
from modules.view import CannotTellError, View


def travel_measures(
    view: View,
    anchor: str,
    choices: Sequence[Choice],
    mode: TravelMode,
    measure: Literal["distance", "duration"],
) -> list[Scored]:
    """Travel from the anchor to each choice; those that cannot be reached are left out.

    All needs are asked for in one pass. Empty while the view waits, or if nothing is reachable.
    """
    scored = []
    for choice in choices:
        try:
            travel = view.travel(anchor, reference(choice.places[0].place), mode)
        except CannotTellError:
            continue
        if travel is None:
            continue
        value = travel.duration_s if measure == "duration" else travel.distance_m
        if value is not None:
            unit = "s" if measure == "duration" else "m"
            scored.append(Scored(choice, value, unit, travel.evidence_id))
    return [] if view.waiting else scored


def text_measures(view: View, trail: Trail, anchor: str, choices: Sequence[Choice]) -> list[Scored]:
    """What supplied text says of the distances where it gives no positions.

    Travel distances that cover every choice by one mode; else a list around the anchor sorted by distance
    that holds every choice. A warning says that the line was not measured. Empty if neither exists.
    """
    for mode in TravelMode:
        scored = [found for choice in choices if (found := _stated(view, anchor, choice, mode))]
        if scored and len(scored) == len(choices):
            trail.warn(f"No positions are at hand; travel distances ({mode.value}) are compared instead.")
            return scored
    return _listed(view, trail, anchor, choices)


def _stated(view: View, anchor: str, choice: Choice, mode: TravelMode) -> Scored | None:
    """The stated travel distance between the anchor and a choice, in either direction."""
    place = choice.places[0].place
    for item, fact in view.facts(TravelFact):
        ends = (fact.origin, fact.destination)
        joined = any(same_name(anchor, a) and same_name(place.name, b) for a, b in (ends, ends[::-1]))
        if fact.mode is mode and joined and fact.distance_m is not None:
            return Scored(choice, fact.distance_m, "m", item.id)
    return None


def _listed(view: View, trail: Trail, anchor: str, choices: Sequence[Choice]) -> list[Scored]:
    for item, fact in view.facts(NearbyFact):
        if not fact.sorted_by_distance or not same_name(fact.anchor, anchor):
            continue
        names = [(number, choice.places[0].place.name) for number, choice in enumerate(choices)]
        positions = match_options(names, [entry.place for entry in fact.items])
        if len(positions) == len(choices):
            trail.warn("No distances are stated; the order of the list, which is by distance, is used.")
            return [
                Scored(choice, positions[number] + 1, "rank", item.id)
                for number, choice in enumerate(choices)
            ]
    return []
