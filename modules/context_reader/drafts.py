"""What is known while a text is being read: the lines to come, drafts of places and lists, facts found."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from map_tools.compute.hours import from_weekly_text
from map_tools.compute.told_hours import told_hours
from map_tools.facts import Fact
from map_tools.types import Hours, LatLng, Place, Review, Shape, TravelMode
from modules.context_reader.lines import Line

_WEEK = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


@dataclass(slots=True)
class Finding:
    """A fact with the lines it was read from."""

    fact: Fact
    raw: str


@dataclass(slots=True)
class PlaceDraft:
    """A place in the making; of several values for one thing the first stands.

    Attributes:
        query: The name the text calls it by in its title.
        values: Fields of `Place` read so far.
        hours: Parts of the opening hours, one or more days each.
        distance_m: Distance from the anchor of the list the place stands in.
        times_s: How long one takes from there, by mode.
        shape: Its outline or course.
        raw: The lines it was read from.
    """

    query: str
    values: dict[str, Any] = field(default_factory=dict)
    services: dict[str, bool] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    aliases: list[str] = field(default_factory=list)
    reviews: list[str] = field(default_factory=list)
    hours: list[str] = field(default_factory=list)
    hours_cut: bool = False
    distance_m: float | None = None
    times_s: dict[TravelMode, float] = field(default_factory=dict)
    shape: Shape | None = None
    raw: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The place's own name, or what the text calls it."""
        return str(self.values.get("name") or self.query)

    @property
    def location(self) -> LatLng | None:
        """The position read, if any."""
        point = self.values.get("location")
        return point if isinstance(point, LatLng) else None

    @property
    def empty(self) -> bool:
        """True if nothing but the name is known."""
        return not (self.values or self.services or self.attributes or self.hours or self.reviews)

    def put(self, name: str, value: Any) -> None:
        """Notes the value of a field of `Place`; the first value stands."""
        if value is not None and value != "":
            self.values.setdefault(name, value)

    def merge(self, other: "PlaceDraft") -> None:
        """Adds what another block says about the same place."""
        self.fill(other)
        self.distance_m = other.distance_m if self.distance_m is None else self.distance_m
        self.shape = self.shape or other.shape
        self.times_s = {**other.times_s, **self.times_s}
        self.aliases += [alias for alias in other.aliases if alias not in self.aliases]
        self.raw += other.raw

    def fill(self, other: "PlaceDraft") -> None:
        """Takes over what is missing here of what another block says of the place itself."""
        self.values = {**other.values, **self.values}
        self.services = {**other.services, **self.services}
        self.attributes = {**other.attributes, **self.attributes}
        if not self.hours:
            self.hours, self.hours_cut = list(other.hours), other.hours_cut
        self.reviews += [review for review in other.reviews if review not in self.reviews]

    def place(self, place_id: str) -> Place:
        """The finished place."""
        name = self.name
        aliases = [alias for alias in (self.query, *self.aliases) if alias != name]
        return Place(
            id=place_id,
            **{**self.values, "name": name},
            hours=self._opening_hours(),
            services=dict(self.services),
            attributes=dict(self.attributes),
            aliases=tuple(dict.fromkeys(aliases)),
            reviews=tuple(Review(text=text) for text in self.reviews),
        )

    def _opening_hours(self) -> Hours | None:
        if not self.hours:
            return None

        closed = self.attributes.get("closed")
        text = ", ".join(self.hours if closed is None else (*self.hours, f"closed {closed}"))
        hours = from_weekly_text(text)
        if hours.spec is None:
            hours = Hours(spec=told_hours(text), text=text)
        if self.hours_cut and hours.spec is not None:
            return Hours(spec=f"{hours.spec}{self._days_left_out()}", text=hours.text)
        return hours

    def _days_left_out(self) -> str:
        """A rule for the days a text with "..." leaves out: not stated does not mean closed.

        Later rules of the grammar replace earlier ones:
        https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
        """
        named = {part[:2].title() for part in self.hours}
        left_out = [day for day in _WEEK if day not in named]
        return f'; {",".join(left_out)} unknown "not stated"' if left_out else ""


@dataclass(slots=True)
class NearbyDraft:
    """A list of places in the making; anchors are looked up when the whole text is read."""

    anchor: str
    what: str
    items: list[PlaceDraft] = field(default_factory=list)
    sorted_by_distance: bool = False
    radius_m: float | None = None
    anchor_location: LatLng | None = None
    complete: bool = True
    raw: str = ""


@dataclass(slots=True)
class HereDraft:
    """A statement of where the user is."""

    name: str
    raw: str


type Entry = Finding | PlaceDraft | NearbyDraft | HereDraft


@dataclass(slots=True)
class Cursor:
    """The position in the text and what was found so far.

    Attributes:
        lines: All lines of the text.
        known: Normalised names the text gives to places in titles and lists.
        entries: What was found, in the order of the text.
        misses: Lines that nothing understands.
    """

    lines: Sequence[Line]
    known: frozenset[str] = frozenset()
    at: int = 0
    entries: list[Entry] = field(default_factory=list)
    misses: list[Line] = field(default_factory=list)

    def peek(self, offset: int = 0) -> Line | None:
        """The line at the position (or some lines on), None past the end."""
        index = self.at + offset
        return self.lines[index] if index < len(self.lines) else None

    def advance(self) -> None:
        """Goes to the next line."""
        self.at += 1
