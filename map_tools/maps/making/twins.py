"""Entries of an extract that are one place: found when a map is built, united into the one that says most.

What is one place is said in `map_tools.one_place`; here distances are those between outlines.
"""

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from map_tools.kinds.concepts import BUILDING, is_ground
from map_tools.maps.feature import Entry as Row
from map_tools.maps.feature import Shape
from map_tools.maps.geodesic import EARTH_RADIUS_M, lat_margin_deg, mercator
from map_tools.maps.postings import run_starts
from map_tools.maps.search.names import canonical
from map_tools.maps.tags import HOUSE_NUMBER, STREET, house_numbers, main_name, means_of
from map_tools.one_place import (
    Entry,
    are_apart,
    is_label,
    is_same_border,
    own_kinds,
    phones_of,
    reach_m,
    same_address,
    tells_most,
)
from map_tools.types import ADDRESS

_FARTHEST_M = 150.0
"""No points farther apart than this are one place (the largest of `data/one_place.toml`)."""
_MOST = 400
"""Names that more entries bear are those of chains and of kinds ("Parking"); so many are looked at."""


@dataclass(frozen=True, slots=True)
class Said:
    """What is kept of an entry: its row, its object ("n12"), kinds, tags, and geometry if it is an area."""

    row: int
    thing: str
    categories: tuple[str, ...]
    tags: Mapping[str, str]
    wkb: bytes | None


type Fetch = Callable[[Sequence[int]], Iterable[Said]]


@dataclass(frozen=True, slots=True)
class United:
    """Several entries as one place.

    Attributes:
        row: The row of the one that says most, whose id and point stay.
        others: The rows of the rest; `ids` their place ids.
        categories: Of all of them, those of the first one first.
        tags: Of all of them; where they say different things, those of the first one.
        outline: Well-known binary of the area it is, where that is not the first one's own.
    """

    row: int
    others: tuple[int, ...]
    ids: tuple[str, ...]
    categories: tuple[str, ...]
    tags: Mapping[str, str]
    outline: bytes | None


class Twins:
    """Collects entries with names, then tells which of them are one place.

    Compact, for there can be millions: of a name its hash is kept.
    """

    def __init__(self) -> None:
        self._names = array("q")
        self._rows = array("I")
        self._lats = array("d")
        self._lngs = array("d")
        self._areas = array("B")

    def note(self, entry: Row) -> None:
        """Looks at one entry."""
        feature = entry.feature
        if feature.shape is Shape.LINE or ADDRESS in feature.categories:
            return
        name = main_name(feature.tags)
        if name:
            self._names.append(hash(canonical(name)))
            self._rows.append(entry.row)
            self._lats.append(entry.lat)
            self._lngs.append(entry.lng)
            self._areas.append(feature.shape is Shape.AREA)

    def united(self, fetch: Fetch) -> Iterator[United]:
        """The places that several entries are of."""
        groups = [found for found in self._of_one_name() if self._may_meet(found)]
        wanted = {self._rows[at]: (self._lats[at], self._lngs[at]) for found in groups for at in found}
        known = {said.row: _Member(*wanted[said.row], said) for said in fetch(list(wanted))}
        for found in groups:
            members = [known[self._rows[at]] for at in found]
            for group in _groups(members):
                yield _unite(group)

    def _of_one_name(self) -> list[list[int]]:
        """The entries of each name that several bear, by their numbers here; first the name that came first."""
        names = np.frombuffer(self._names, np.int64)
        order = np.argsort(names, kind="stable")
        begins = run_starts(names[order])
        ends = np.append(begins[1:], len(names))
        several = (ends - begins > 1) & (ends - begins <= _MOST)
        groups = zip(begins[several].tolist(), ends[several].tolist(), strict=True)
        return sorted(order[begin:end].tolist() for begin, end in groups)

    def _may_meet(self, found: Sequence[int]) -> bool:
        """False if all are points and too far from each other."""
        if any(self._areas[at] for at in found):
            return True
        lats = np.sort(np.array([self._lats[at] for at in found]))
        return bool((np.diff(lats) <= lat_margin_deg(_FARTHEST_M)).any())


@dataclass(frozen=True)
class _Member:
    """An entry whose name others bear."""

    lat: float
    lng: float
    said: Said

    @property
    def row(self) -> int:
        return self.said.row

    @property
    def categories(self) -> tuple[str, ...]:
        return self.said.categories

    @property
    def tags(self) -> Mapping[str, str]:
        return self.said.tags

    @property
    def wkb(self) -> bytes | None:
        return self.said.wkb

    @cached_property
    def entry(self) -> Entry:
        level = self.tags.get("admin_level", "") if "admin" in self.categories else ""
        street = self.tags.get(STREET) or self.tags.get("addr:place") or ""
        return Entry(
            kinds=own_kinds(self.categories),
            outlined=self.wkb is not None,
            level=int(level) if level.isdecimal() else None,
            means=means_of(self.tags),
            street=canonical(street),
            numbers=frozenset(house_numbers(self.tags.get(HOUSE_NUMBER, ""))),
            phones=phones_of(self.tags.get("phone") or self.tags.get("contact:phone", "")),
            operator=canonical(self.tags.get("operator", "")),
            floors=frozenset(filter(None, self.tags.get("level", "").split(";"))),
        )

    @cached_property
    def shape(self) -> Any:
        import shapely

        return shapely.Point(self.lng, self.lat) if self.wkb is None else shapely.from_wkb(self.wkb)

    @cached_property
    def flat(self) -> Any:
        """The shape in Mercator's projection."""
        import shapely

        return shapely.transform(self.shape, mercator)

    def away_m(self, other: "_Member") -> float:
        """The distance between two shapes, good to a percent within some kilometres."""
        scale = math.cos(math.radians(self.lat))
        if self.wkb is None and other.wkb is None:
            north = math.radians(other.lat - self.lat)
            east = math.radians((other.lng - self.lng + 180) % 360 - 180)
            return EARTH_RADIUS_M * math.hypot(north, east * scale)
        return float(self.flat.distance(other.flat)) * scale

    @property
    def says(self) -> tuple[bool, bool, int, bool, int]:
        """What the one that says most has most of: a border, a whole, facts, an outline; else it is first."""
        facts = sum(not key.startswith(("name:", "source", "note")) for key in self.tags)
        return self.entry.is_border, not self.entry.is_part, facts, self.wkb is not None, -self.row


def _groups(members: Sequence[_Member]) -> Iterator[list[_Member]]:
    """Those of one name that are one place, as far as there are several."""
    groups = _Groups(members)
    whole = [member for member in members if not member.entry.is_part]
    for one, other in _pairs(whole):
        groups.join(one, other)
    left = [member for member in members if member.entry.is_part and not _at_stop(groups, member, whole)]
    for one, other in combinations(left, 2):
        reach = reach_m(one.entry, other.entry)
        if reach is not None and _near(one, other, reach):
            groups.join(one, other)
    for border in (member for member in members if member.entry.is_border):
        for label in _labels(border, members):
            groups.join(border, label)
    yield from groups.several()


class _Groups:
    """Groups of members that are one place; what says of itself that it is another one joins none."""

    def __init__(self, members: Sequence[_Member]) -> None:
        self._of = {member.row: [member] for member in members}

    def join(self, one: _Member, other: _Member) -> None:
        ours, theirs = self._of[one.row], self._of[other.row]
        if ours is theirs or any(are_apart(a.entry, b.entry) for a in ours for b in theirs):
            return
        ours.extend(theirs)
        self._of.update({member.row: ours for member in theirs})

    def several(self) -> Iterator[list[_Member]]:
        distinct = {id(group): group for group in self._of.values()}
        yield from (group for group in distinct.values() if len(group) > 1)


def _pairs(members: Sequence[_Member]) -> Iterator[tuple[_Member, _Member]]:
    """Pairs that are one place, labels of borders aside."""
    for one, other in combinations(members, 2):
        if one.wkb is None and other.wkb is None and one.away_m(other) > _FARTHEST_M:
            continue
        if one.entry.is_border and other.entry.is_border:
            if is_same_border(one.entry, other.entry, _shared(one, other)):
                yield one, other
            continue
        reach = reach_m(one.entry, other.entry)
        if reach is not None and (_near(one, other, reach) or _belong(one, other, members)):
            yield one, other


def _belong(one: _Member, other: _Member, members: Sequence[_Member]) -> bool:
    """True if two that are not near are at one address, or no third one of their name and kind is there."""
    if one.away_m(other) > _FARTHEST_M:
        return False
    if same_address(one.entry, other.entry):
        return True
    reach = reach_m(one.entry, other.entry, alone=True)
    return (
        reach is not None
        and _near(one, other, reach)
        and all(
            reach_m(each.entry, third.entry) is None
            for third in members
            if third is not one and third is not other
            for each in (one, other)
        )
    )


def _near(one: _Member, other: _Member, reach: float) -> bool:
    """True if the two are within reach of each other, or the point of one lies in the other."""
    if _nested(one, other):
        return True
    return reach >= 0 and one.away_m(other) <= reach


def _nested(one: _Member, other: _Member) -> bool:
    import shapely

    return any(
        area.wkb is not None and bool(shapely.contains_xy(area.shape, inner.lng, inner.lat))
        for area, inner in ((one, other), (other, one))
    )


def _shared(one: _Member, other: _Member) -> float:
    """The part of the larger of two areas that both cover."""
    larger = max(one.shape.area, other.shape.area)
    return float(one.shape.intersection(other.shape).area / larger) if larger else 0.0


def _at_stop(groups: _Groups, part: _Member, stops: Sequence[_Member]) -> bool:
    """Joins a part to the nearest stop it can belong to; False if there is none."""
    fitting = [
        stop
        for stop in stops
        if (reach := reach_m(part.entry, stop.entry)) is not None and _near(part, stop, reach)
    ]
    if fitting:
        groups.join(min(fitting, key=part.away_m), part)
    return bool(fitting)


def _labels(border: _Member, members: Sequence[_Member]) -> Iterator[_Member]:
    """The labels in an area that lie in no smaller one of the same name."""
    for label in members:
        if not is_label(label.entry, border.entry) or not _nested(label, border):
            continue
        smaller = (
            other
            for other in members
            if other is not border
            and is_label(label.entry, other.entry)
            and other.shape.area < border.shape.area
            and _nested(label, other)
        )
        if next(smaller, None) is None:
            yield label


def _unite(group: Sequence[_Member]) -> United:
    first, *others = sorted(group, key=lambda member: member.says, reverse=True)
    tags = dict(first.tags)
    for other in others:
        for key, value in other.tags.items():
            tags.setdefault(key, value)
    others.sort(key=lambda member: member.row)
    return United(
        row=first.row,
        others=tuple(member.row for member in others),
        ids=tuple(f"osm:{member.said.thing}" for member in others),
        categories=_categories(first, others),
        tags=tags,
        outline=_outline(first, others),
    )


def _categories(first: _Member, others: Sequence[_Member]) -> tuple[str, ...]:
    """All kinds, those that tell most first; a park is no building because one in it bears its name."""
    more = [category for other in others for category in other.categories if not other.entry.is_part]
    if is_ground(first.categories):
        more = [category for category in more if category != BUILDING]
    found = tuple(dict.fromkeys((*first.categories, *more)))
    telling = [category for category in found if tells_most(category, found)]
    return tuple(dict.fromkeys((*telling, *found)))


def _outline(first: _Member, others: Sequence[_Member]) -> bytes | None:
    """The area that all of them make up; None if that is what the first one says, or says nothing."""
    import shapely

    areas = [member for member in others if member.wkb is not None and not member.entry.is_part]
    if first.wkb is not None:
        areas = [
            member
            for member in areas
            if member.entry.kinds & first.entry.kinds and not _nested(member, first)
        ]
        if not areas or first.entry.is_border:
            return None
        areas = [first, *areas]
    if not areas:
        return None
    named = [member for member in areas if member.entry.kinds != frozenset({BUILDING})]
    united = shapely.union_all([member.shape for member in named or areas])
    wkb: bytes = shapely.to_wkb(united)
    return wkb
