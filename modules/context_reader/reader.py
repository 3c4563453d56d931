"""Reads a supplied text as a whole: known names first, then block by block, then what belongs together.

Where the user is and what time it is are told in lines of their own. What was read is put together at the end: blocks
of a place, items and their blocks, anchors and places.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from map_tools.compute.geodesy import distance_m as geodesic_m
from map_tools.facts import NearbyFact, NoteFact, PlaceFact, TravelFact
from map_tools.kinds.concepts import lookup
from map_tools.text import normalise, slug
from map_tools.types import LatLng, NearbyPlace, Place
from modules.context_reader.drafts import Cursor, Entry, Finding, HereDraft, NearbyDraft, PlaceDraft
from modules.context_reader.lines import Line, read_lines
from modules.context_reader.names import MOST_NAMES, most_alike
from modules.context_reader.parsers.marked import read_marked
from modules.context_reader.parsers.nearby import read_nearby
from modules.context_reader.parsers.places import OMISSION, place_title, read_place
from modules.context_reader.parsers.routes import read_routes
from modules.context_reader.parsers.structured import cut_structured
from modules.context_reader.parsers.travel import read_travel
from modules.context_reader.vocabulary import forms
from modules.query.values.things import HERE_ID as HERE

MAX_TEXT_CHARS = 200_000
"""The lines after so many characters are not read but stay one quotable note, so that the work is bounded."""

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says.

    Attributes:
        findings: Facts with their lines, in the order of the text; a note for each line nothing understands.
        lines: How many lines there are (empty ones do not count).
        misses: The lines nothing understands, as written.
    """

    findings: tuple[Finding, ...]
    lines: int
    misses: tuple[str, ...]


def read_text(text: str) -> Reading:
    """Reads a text. Never fails: what is not understood becomes a note."""
    end = len(text) if len(text) <= MAX_TEXT_CHARS else text.rfind("\n", 0, MAX_TEXT_CHARS) + 1
    rest, structured = cut_structured(text[:end])
    lines = read_lines(rest)
    cursor = Cursor(lines=lines, known=_known_names(lines))
    while (line := cursor.peek()) is not None:
        if any(parser(cursor) for parser in _PARSERS):
            continue
        if not _says_nothing(line):
            cursor.misses.append(line)
        cursor.advance()
    known = [one.query for one in (*structured, *cursor.entries) if isinstance(one, PlaceDraft)]
    entries, cursor.misses = read_marked(lines, cursor.misses, known)
    cursor.entries += entries
    if unread := text[end:].strip():
        cursor.misses.append(Line(raw=unread, text=unread))
    notes = [Finding(NoteFact(text=line.text), line.raw) for line in cursor.misses]
    return Reading(
        findings=(*assemble([*structured, *cursor.entries]), *notes),
        lines=len(read_lines(text)),
        misses=tuple(line.raw for line in cursor.misses),
    )


def _known_names(lines: tuple[Line, ...]) -> frozenset[str]:
    names = [line.lead for line in lines if line.lead and not line.plain]
    for index, line in enumerate(lines):
        title = place_title(line, lines[index + 1] if index + 1 < len(lines) else None)
        if title:
            names.append(title)
    return frozenset(filter(None, map(normalise, names)))


def _says_nothing(line: Line) -> bool:
    """Headings ("All Location Info:") and rows of dots need no fact."""
    return OMISSION.fullmatch(line.text) is not None or forms().match("section", line.title) is not None


def read_situation(cursor: Cursor) -> bool:
    """Reads "Current location of user is X" and "Today is Sunday".

    The moment stays a note, as no fact about the world says when a question is asked; `weekday_stated`
    reads it.
    """
    line = cursor.peek()
    if line is None:
        return False
    here = forms().match("here", line.title)
    if here is not None:
        cursor.entries.append(HereDraft(name=here["name"].strip(), raw=line.raw))
    elif forms().match("now", line.title) is not None and weekday_stated(line.title) is not None:
        cursor.entries.append(Finding(NoteFact(text=line.text), line.raw))
    else:
        return False
    cursor.advance()
    return True


def weekday_stated(note: str) -> int | None:
    """The weekday a note says it is today (0 for Monday): "Today is Sunday." → 6; None if it says none.

    "Tomorrow is Monday" counts as Sunday.
    """
    found = forms().match("now", note.rstrip(":. "))
    if found is None:
        return None
    mentioned = [day for day in normalise(found["value"]).split() if day in _WEEKDAYS]
    if not mentioned:
        return None
    day = _WEEKDAYS.index(mentioned[0])
    return (day - 1) % 7 if normalise(note).startswith("tomorrow") else day


type Parser = Callable[[Cursor], bool]

_PARSERS: tuple[Parser, ...] = (
    read_situation,
    read_routes,
    read_nearby,
    read_travel,
    read_place,
)


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
