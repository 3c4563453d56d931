"""The candidates of a nearby question: the list's places with all facts about them and their distances."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from map_tools.types import LatLng, NearbyPlace, Place
from modules.offline.intents import HOURS_RANKS, NearbyIntent
from modules.needs import NearbyNeed
from modules.solvers.areas import around_center
from modules.solvers.common import Trail, enriched, option_places, position_of, same_place, title
from modules.solvers.lists import Listing, described, find_list
from modules.solvers.told_ways import told_ways
from modules.view import CannotTellError, Found, View


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may be the answer.

    Attributes:
        position: Its place in the source's order, from 0.
        distance_m: Straight from the anchor (the sum over several anchors); None if unknown.
        farthest_m: The largest of the distances to the anchors, which a radius must cover.
    """

    place: Place
    position: int
    distance_m: float | None
    farthest_m: float | None
    evidence_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """All candidates, and what is known of the list they come from."""

    candidates: tuple[Candidate, ...]
    sorted_by_distance: bool
    complete: bool
    radius_m: float | None
    source: str
    anchors: tuple[LatLng | None, ...]


def gather(view: View, trail: Trail, intent: NearbyIntent, *, everything: bool) -> Pool | None:
    """The candidates; None while lists are to be fetched.

    Without any list, the places that the options name are the candidates.

    Raises:
        CannotTellError: There is neither a list nor a known place among the options.
    """
    needs = [
        NearbyNeed(
            what=intent.what,
            anchor=anchor,
            radius_m=intent.radius_m,
            inside=intent.inside,
            everything=everything,
            details=_needs_details(intent),
        )
        for anchor in intent.anchors
    ]
    try:
        listings = [find_list(view, trail, need) for need in needs]
    except CannotTellError:
        pool = _without_list(view, trail, intent)
        if pool is not None:
            return pool
        around = around_center(view, trail, needs)
        if view.waiting:
            return None
        if around is None:
            raise
        listings = [around]
    if view.waiting:
        return None
    return _pool(view, trail, intent.anchors, [one for one in listings if one is not None])


def _needs_details(intent: NearbyIntent) -> bool:
    """True if places are judged by their opening hours or services, or a fact of one of them is asked for."""
    filters = intent.filters
    timed = filters.open_at or filters.closed_at or filters.open_presumed
    by_hours = intent.rank_by in HOURS_RANKS
    return bool(timed or by_hours or filters.services or filters.without_services) or intent.ask == "fact"


def _pool(view: View, trail: Trail, anchors: Sequence[str], listings: Sequence[Listing]) -> Pool:
    spots = tuple(
        _spot(view, trail, anchor, listing) for anchor, listing in zip(anchors, listings, strict=True)
    )
    if len(listings) == 1:
        found = tuple(
            _candidate(view, entry, position, listings[0].evidence_id, spots[0])
            for position, entry in enumerate(listings[0].items)
        )
    else:
        found = _joined(view, listings, spots)
    return Pool(
        candidates=found,
        sorted_by_distance=len(listings) == 1 and listings[0].sorted_by_distance,
        complete=all(listing.complete for listing in listings),
        radius_m=listings[0].radius_m,
        source=listings[0].source,
        anchors=spots,
    )


def _spot(view: View, trail: Trail, anchor: str, listing: Listing) -> LatLng | None:
    """The anchor's position: as the list says, else as any fact says; None if no source gives it."""
    if listing.anchor is not None and listing.anchor.location is not None:
        return listing.anchor.location
    found = view.try_place(anchor) if listing.from_text or view.closed else None
    return None if found is None else position_of(view, trail, found)


def _candidate(
    view: View, entry: NearbyPlace, position: int, evidence_id: str, spot: LatLng | None
) -> Candidate:
    place, more = enriched(view, entry.place)
    metres = entry.distance_m
    if metres is None:
        metres = _distance(spot, place.location)
    return Candidate(place, position, metres, metres, (evidence_id, *more))


def _distance(a: LatLng | None, b: LatLng | None) -> float | None:
    if a is None or b is None:
        return None
    from map_tools.compute.geodesy import distance_m

    return distance_m(a, b)


def _joined(view: View, listings: Sequence[Listing], spots: Sequence[LatLng | None]) -> tuple[Candidate, ...]:
    """Places near all anchors: on every list, or on one and measurable from the other anchors.

    Ordered by the sum of their distances.
    """
    joined: list[Candidate] = []
    for number, listing in enumerate(listings):
        for position, entry in enumerate(listing.items):
            if any(same_place(entry.place, known.place) for known in joined):
                continue
            own = _candidate(view, entry, position, listing.evidence_id, spots[number])
            distances = [
                own.distance_m if i == number else _to_other(own.place, other, spots[i])
                for i, other in enumerate(listings)
            ]
            known_m = [metres for metres in distances if metres is not None]
            if len(known_m) == len(listings):
                ids = tuple(dict.fromkeys((*own.evidence_ids, *(one.evidence_id for one in listings))))
                joined.append(
                    replace(own, distance_m=sum(known_m), farthest_m=max(known_m), evidence_ids=ids)
                )
    joined.sort(key=lambda one: one.distance_m or 0.0)
    return tuple(replace(one, position=position) for position, one in enumerate(joined))


def _to_other(place: Place, listing: Listing, spot: LatLng | None) -> float | None:
    listed = next((entry for entry in listing.items if same_place(entry.place, place)), None)
    if listed is not None and listed.distance_m is not None:
        return listed.distance_m
    return _distance(spot, place.location)


def _without_list(view: View, trail: Trail, intent: NearbyIntent) -> Pool | None:
    """Where nothing lists the places: those the options name, else those the text describes one by one.

    Only from what is known already; None if that is nothing.
    """
    if not view.closed:
        return None
    founds = [place for _, place in option_places(view)] or described(view, intent)
    if not founds:
        return None
    names = ", ".join(title(one.place) for one in founds)
    trail.warn(f"No list of {intent.what.text} is at hand; only these places are judged: {names}.")
    spots = []
    for anchor in intent.anchors:
        known = view.try_place(anchor)
        spots.append(None if known is None else position_of(view, trail, known))
    made = tuple(_loose(view, found, number, spots) for number, found in enumerate(founds))
    if all(one.distance_m is None for one in made):
        made = _by_told_ways(view, trail, intent, founds, made)
    return Pool(
        made,
        sorted_by_distance=False,
        complete=False,
        radius_m=None,
        source="The text",
        anchors=tuple(spots),
    )


def _loose(view: View, found: Found, position: int, spots: Sequence[LatLng | None]) -> Candidate:
    """A candidate from no list, measured from the anchors."""
    place, more = enriched(view, found.place)
    known_m = [metres for spot in spots if (metres := _distance(spot, place.location)) is not None]
    whole = len(known_m) == len(spots)
    return Candidate(
        place=place,
        position=position,
        distance_m=sum(known_m) if whole else None,
        farthest_m=max(known_m) if whole and known_m else None,
        evidence_ids=(found.evidence_id, *more),
    )


def _by_told_ways(
    view: View, trail: Trail, intent: NearbyIntent, founds: Sequence[Found], made: tuple[Candidate, ...]
) -> tuple[Candidate, ...]:
    """The candidates with the lengths of the ways that lead to them, if the text tells these."""
    ways = told_ways(view, trail, intent, founds)
    if ways is None:
        return made
    return tuple(
        replace(
            one,
            distance_m=way.distance_m,
            farthest_m=way.distance_m,
            evidence_ids=(*one.evidence_ids, way.evidence_id),
        )
        for one, way in zip(made, ways, strict=True)
    )


def evidence_of(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    """All evidence the candidates rest on, each once."""
    return tuple(dict.fromkeys(one for candidate in candidates for one in candidate.evidence_ids))
