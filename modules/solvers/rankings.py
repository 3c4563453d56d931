"""The order of the places a nearby question leaves: by distance, travel, opening hours or what people say."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from map_tools.types import Place, TravelMode
from modules.offline.intents import HOURS_RANKS, Attribute, Compare, HoursMeasure, NearbyIntent
from modules.names import normalise
from modules.solvers.candidates import Candidate, Pool
from modules.solvers.common import Trail, address_holds, anchor_words, match_options, reference
from modules.solvers.edges import hours_measure
from modules.solvers.facts import lacks, noun_of
from modules.view import CannotTellError, View

MAX_TRAVEL = 25
MAX_TRAVEL_COUNTED = 49
"""So many of the nearest candidates are measured by travel: some to rank, a whole matrix (50 places with the
anchor) to find all within a time."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with the number it is ranked by."""

    candidate: Candidate
    measure: float
    unit: str

    @property
    def place(self) -> Place:
        """The place itself."""
        return self.candidate.place


def travel_mode(intent: NearbyIntent) -> TravelMode:
    """How one travels: as the question says; on foot where it only says how long."""
    return intent.mode or (TravelMode.WALKING if intent.max_duration_s is not None else TravelMode.DRIVING)


def rank(
    view: View, trail: Trail, intent: NearbyIntent, pool: Pool, kept: Sequence[Candidate]
) -> list[Ranked] | None:
    """The places kept in the order asked for, best first; None while travel times are to be fetched.

    Raises:
        CannotTellError: No place states what they are ordered by.
    """
    if intent.rank_by == "duration" or intent.max_duration_s is not None:
        travelled = _by_travel(view, trail, intent, kept)
        if travelled is None or intent.rank_by == "duration":
            return travelled
        kept = [one.candidate for one in travelled]
    if intent.rank_by in HOURS_RANKS:
        return _by_hours(view, trail, intent, kept)
    if intent.rank_by in _ATTRIBUTES:
        return _by_attribute(view, trail, intent, kept)
    return _by_distance(view, trail, intent, pool, kept)


def _by_distance(
    view: View, trail: Trail, intent: NearbyIntent, pool: Pool, kept: Sequence[Candidate]
) -> list[Ranked]:
    """By distance where it is known; by the source's order where that is by distance."""
    measured = [one for one in kept if one.distance_m is not None]
    if len(measured) == len(kept) and not (intent.inside and intent.rank_by == "any"):
        ranked = [Ranked(one, one.distance_m or 0.0, "m") for one in kept]
    elif pool.sorted_by_distance or _order_is_free(intent):
        ranked = [Ranked(one, one.position + 1, "rank") for one in kept]
        if not _order_is_free(intent):
            trail.warn("No distances are stated; the order of the list, which is by distance, is used.")
    elif measured:
        trail.warn(f"Left out, having no distance: {len(kept) - len(measured)}.")
        ranked = [Ranked(one, one.distance_m or 0.0, "m") for one in measured]
    elif located := _located(view, intent, kept):
        trail.warn(f"{intent.anchors[0]} is taken to be part of the address.")
        ranked = [Ranked(located, 1, "rank")]
    else:
        raise CannotTellError(f"{pool.source} does not say how far the places ({intent.what.text}) are.")
    return sorted(ranked, key=lambda one: one.measure, reverse=_reversed(intent))


def _located(view: View, intent: NearbyIntent, kept: Sequence[Candidate]) -> Candidate | None:
    """The only place, or option, whose address holds the words of the anchor ("the hotel at Beach Parade").

    None if there is no such place or more than one, or if the anchor is a place of its own.
    """
    if view.try_place(intent.anchors[0]) is not None or view.waiting:
        return None
    wanted = set(normalise(intent.anchors[0]).split())
    there = [one for one in kept if wanted and address_holds(one.place, wanted)]
    options = view.question.live_options()
    if options:
        there = [there[at] for at in match_options(options, [one.place for one in there]).values()]
    return there[0] if len(there) == 1 and intent.pick is Compare.MIN and intent.k == 1 else None


def _order_is_free(intent: NearbyIntent) -> bool:
    """True if the answer does not depend on which place comes first."""
    return (
        intent.rank_by == "any"
        or intent.ask in {"count", "exists"}
        or (intent.ask == "names" and not intent.n)
    )


def _reversed(intent: NearbyIntent) -> bool:
    return intent.rank_by != "any" and intent.pick is Compare.MAX


_ATTRIBUTES: Mapping[str, tuple[Attribute, Callable[[Place], float | None]]] = {
    "rating": (Attribute.RATING, lambda place: place.rating),
    "rating_count": (Attribute.RATING_COUNT, lambda place: place.rating_count),
    "price_level": (Attribute.PRICE_LEVEL, lambda place: place.price_level),
}


def _by_attribute(view: View, trail: Trail, intent: NearbyIntent, kept: Sequence[Candidate]) -> list[Ranked]:
    """By a number of the places; equals by how many rated them, then by distance."""
    attribute, read = _ATTRIBUTES[intent.rank_by]
    ranked = [Ranked(one, value, intent.rank_by) for one in kept if (value := read(one.place)) is not None]
    if kept and not ranked:
        raise lacks(view, kept[0].evidence_ids[0], kept[0].place, attribute)
    if len(ranked) < len(kept):
        trail.warn(f"Left out, having no {noun_of(attribute)}: {len(kept) - len(ranked)}.")
    sign = -1 if intent.pick is Compare.MAX else 1

    def key(one: Ranked) -> tuple[float, float, float, int]:
        raters = -(one.place.rating_count or 0) if intent.rank_by == "rating" else 0
        metres = one.candidate.distance_m
        return sign * one.measure, raters, float("inf") if metres is None else metres, one.candidate.position

    return sorted(ranked, key=key)


_HOURS: Mapping[str, HoursMeasure] = {"opens": "opens", "closes": "closes", "open_for": "duration"}


def _by_hours(view: View, trail: Trail, intent: NearbyIntent, kept: Sequence[Candidate]) -> list[Ranked]:
    """By when they open or close on the day meant, or for how long they are open; equals by distance."""
    by = _HOURS[intent.rank_by]
    found = [(one, hours_measure(view, trail, one.place, intent.when, by)) for one in kept]
    ranked = [Ranked(one, *measured) for one, measured in found if measured is not None]
    if kept and not ranked:
        tells = "how long it is open" if by == "duration" else f"when it {by}"
        raise CannotTellError(
            f"None of the {len(kept)} places ({intent.what.text}) states hours that tell {tells}."
        )
    if len(ranked) < len(kept):
        trail.warn(f"Left out, having no opening hours then: {len(kept) - len(ranked)}.")
    sign = -1 if intent.pick is Compare.MAX else 1
    return sorted(ranked, key=lambda one: (sign * one.measure, one.candidate.distance_m or 0.0))


def _by_travel(
    view: View, trail: Trail, intent: NearbyIntent, kept: Sequence[Candidate]
) -> list[Ranked] | None:
    """By travel time from the anchor, for the nearest candidates; all times are asked for in one pass."""
    mode = travel_mode(intent)
    near = sorted(kept, key=lambda one: (one.distance_m is None, one.distance_m or 0.0, one.position))
    most = MAX_TRAVEL if intent.max_duration_s is None else MAX_TRAVEL_COUNTED
    if len(near) > most:
        trail.warn(f"Only the {most} nearest of {len(near)} places were measured by travel time.")
    ranked: list[Ranked] = []
    anchor = anchor_words(view, intent.anchors[0])
    for one in near[:most]:
        try:
            travel = view.travel(anchor, reference(one.place), mode)
        except CannotTellError:
            continue
        if travel is not None:
            ids = (*one.evidence_ids, travel.evidence_id)
            ranked.append(Ranked(replace(one, evidence_ids=ids), travel.duration_s, "s"))
    if view.waiting:
        return None
    if near and not ranked:
        raise CannotTellError(f"No {mode.value} times from {intent.anchors[0]} to these places are at hand.")
    limit = intent.max_duration_s
    fitting = [one for one in ranked if limit is None or one.measure <= limit]
    return sorted(
        fitting, key=lambda one: one.measure, reverse=_reversed(intent) and intent.rank_by == "duration"
    )
