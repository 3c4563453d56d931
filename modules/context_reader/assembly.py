"""Puts together what belongs together: blocks of a place, items and their blocks, anchors and places."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from map_tools.compute.geodesy import distance_m as geodesic_m
from map_tools.facts import NearbyFact, PlaceFact, TravelFact
from map_tools.kinds.concepts import lookup
from map_tools.text import normalise, slug
from map_tools.types import LatLng, NearbyPlace, Place
from modules.context_reader.drafts import Entry, Finding, HereDraft, NearbyDraft, PlaceDraft
from modules.context_reader.names import MOST_NAMES, most_alike
from modules.query.values.things import HERE_ID as HERE


@dataclass(slots=True)
class _Places:
    """All places that have a block of their own, one draft for each name."""

    drafts: dict[str, PlaceDraft] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    used: Counter[str] = field(default_factory=Counter)

    def add(self, draft: PlaceDraft) -> None:
        """Adds a block; a second one of the same name is merged into the first."""
        key = normalise(draft.query)
        if key in self.drafts:
            self.drafts[key].merge(draft)
        else:
            self.drafts[key] = draft
            self.ids[key] = self.new_id(draft.query)

    def new_id(self, name: str) -> str:
        """An id no other place of the text has."""
        base = f"context:{slug(name) or 'place'}"
        self.used[base] += 1
        return f"{base}#{self.used[base]}" if self.used[base] > 1 else base

    def named(self, name: str) -> str | None:
        """The key of the place with this name, or with the most similar one."""
        key = normalise(name)
        if key in self.drafts:
            return key
        if len(self.drafts) > MOST_NAMES:
            return None
        names = {draft.name: other for other, draft in self.drafts.items()}
        alike = most_alike(name, names)
        return None if alike is None else names[alike]

    def place(self, key: str) -> Place:
        """The finished place."""
        return self.drafts[key].place(self.ids[key])


def assemble(entries: Iterable[Entry]) -> tuple[Finding, ...]:
    """Turns drafts into facts, in the order of the text; a place stands where it is first spoken of."""
    entries = tuple(entries)
    places = _Places()
    for entry in entries:
        if isinstance(entry, PlaceDraft):
            places.add(entry)
    return tuple(_findings(entries, places))


def _findings(entries: tuple[Entry, ...], places: _Places) -> Iterator[Finding]:
    done: set[str] = set()
    for entry in entries:
        if isinstance(entry, Finding):
            yield entry
        elif isinstance(entry, NearbyDraft):
            yield _nearby(entry, places)
            yield from _times(entry)
        elif isinstance(entry, HereDraft):
            yield _here(entry, places)
        else:
            key = normalise(entry.query)
            if key not in done:
                done.add(key)
                draft = places.drafts[key]
                fact = PlaceFact(query=draft.query, place=places.place(key), shape=draft.shape)
                yield Finding(fact, "\n".join(draft.raw))


def _here(entry: HereDraft, places: _Places) -> Finding:
    key = places.named(entry.name)
    place = places.place(key) if key else Place(id=places.new_id(entry.name), name=entry.name)
    return Finding(PlaceFact(query=HERE, place=place), entry.raw)


def _nearby(draft: NearbyDraft, places: _Places) -> Finding:
    key = places.named(draft.anchor) if draft.anchor else None
    anchor = places.place(key) if key else None
    start = draft.anchor_location or (anchor.location if anchor else None)
    concept = lookup(draft.what) if draft.what else None
    names = Counter(normalise(item.name) for item in draft.items)
    ids = [_enrich(item, places) if names[normalise(item.name)] == 1 else None for item in draft.items]
    for item in draft.items:
        if concept is not None:
            item.values.setdefault("categories", (concept.id,))
    fact = NearbyFact(
        anchor=draft.anchor,
        anchor_place=anchor,
        what=draft.what,
        categories=concept.ids if concept else (),
        radius_m=draft.radius_m,
        items=tuple(
            _item(item, known or places.new_id(item.name), start)
            for item, known in zip(draft.items, ids, strict=True)
        ),
        sorted_by_distance=draft.sorted_by_distance,
        complete=draft.complete,
    )
    raw = [draft.raw, *(line for item in draft.items for line in item.raw)]
    return Finding(fact, "\n".join(raw))


def _times(draft: NearbyDraft) -> Iterator[Finding]:
    """How long one takes from the anchor of a list to its items, as it says beside their names."""
    for item in draft.items if draft.anchor else ():
        for mode, seconds in item.times_s.items():
            fact = TravelFact(
                origin=draft.anchor, destination=item.name, mode=mode, duration_s=seconds, distance_m=None
            )
            yield Finding(fact, "\n".join(item.raw))


def _enrich(item: PlaceDraft, places: _Places) -> str | None:
    """Gives an item what the block of its name says; its id then."""
    key = normalise(item.name)
    block = places.drafts.get(key)
    if block is None:
        return None
    item.fill(block)
    return places.ids[key]


def _item(item: PlaceDraft, place_id: str, start: LatLng | None) -> NearbyPlace:
    """The item with its distance: printed, or computed from the two positions."""
    distance_m = item.distance_m
    if distance_m is None and start is not None and item.location is not None:
        distance_m = geodesic_m(start, item.location)
    return NearbyPlace(place=item.place(place_id), distance_m=distance_m)
