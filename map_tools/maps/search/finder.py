"""Finds features by name or address: reads the query, looks names up, and ranks what fits.

A query is a name, with the area it lies in or without, or an address.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from map_tools.kinds.concepts import AREA_KINDS, find_in, plain_area
from map_tools.maps.feature import LINE_CODE, LOCALITY
from map_tools.maps.geodesic import Floats, sphere_m
from map_tools.maps.search.gazetteer import Gazetteer, Record, Traits
from map_tools.maps.search.names import canonical, joins
from map_tools.maps.tags import CITY, STREET, house_number
from map_tools.types import LatLng

AT_LEAST = 0.68
"""Names less like the query than this are not given."""
_SURE = 0.9
"""A street or area of a query is taken for one of the map from this likeness on."""
_PLAIN_ENOUGH = 0.93
"""Once a reading fits this well, those that leave words out are not tried."""
_FAME_WEIGHT = 0.06
_NEAR_WEIGHT = 0.06
_LOCALITY_SHARE = 0.3
"""A town or a park is meant from farther away than a shop that bears its name."""
_NEAR_HALF_M = 1_000.0
"""Distance at which half of the penalty for being far from the context is given."""
_ELSEWHERE = 0.85
_OTHER_KIND = 0.8
_UNKNOWN = 0.97
_BEHIND = 0.2
"""Hits that are this much less like the query than the best one are not ranked."""
_MAX_RANKED = 300
_ROWS_PER_NAME = 400
_ADDRESS_SCORE = 0.99
_AT_ADDRESS = 0.97
"""Somebody who lives at an address counts less than the address itself."""
_MAX_AREAS = 3
CHAIN_M = 1_500.0
"""Pieces whose middles are within this distance belong to one street; two streets of one name in one town
are usually farther apart."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a query.

    Attributes:
        name: The name looked for, in canonical form.
        weight: What the likeness is multiplied by.
        areas: Where the place lies, innermost first, in canonical form.
        categories: Category ids the query names beside the name ("Ateneum museum").
    """

    name: str
    weight: float = 1.0
    areas: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Address:
    """A street with a house number, and where it is."""

    street: str
    number: str
    areas: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Hit:
    row: int
    name: int
    score: float
    reading: Reading


@dataclass(frozen=True, slots=True)
class Within:
    """What features must be besides being called so: of one of some kinds, inside an area (its row)."""

    kind: tuple[str, ...] = ()
    area: int | None = None


ANYWHERE = Within()


class Finder:
    """Finds features of one map by name or address.

    Args:
        gazetteer: The map's names and features.
    """

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._map = gazetteer
        self._area = lru_cache(maxsize=256)(self._find_area)
        self._outline = lru_cache(maxsize=32)(gazetteer.outline)

    def find(
        self, text: str, near: LatLng | None, limit: int, within: Within = ANYWHERE
    ) -> list[tuple[int, float]]:
        """See `MapStore.find`."""
        hits: dict[int, _Hit] = {}
        for hit in (*self._by_address(text), *self._by_name(text, near)):
            if hit.row not in hits or hit.score > hits[hit.row].score:
                hits[hit.row] = hit
        if within != ANYWHERE:
            hits = self._only(hits, within)
        if not hits:
            return []
        best = sorted(hits.values(), key=lambda hit: -hit.score)
        kept = [hit for hit in best[:_MAX_RANKED] if hit.score >= best[0].score - _BEHIND]
        ranked = self._ranked(self._streets_once(kept, near), near)
        return ranked[:limit]

    def _only(self, hits: dict[int, _Hit], within: Within) -> dict[int, _Hit]:
        """The hits of a kind and in an area; an area without an outline holds nothing."""
        rows = list(hits)
        if within.kind:
            chosen = self._map.of_kind(rows, within.kind)
            rows = [row for row in rows if row in chosen]
        if within.area is not None and rows:
            outline = self._outline(within.area)
            traits = self._map.traits(rows)
            inside = _inside(outline, traits) if outline is not None else [False] * len(rows)
            rows = [row for row, kept in zip(rows, inside, strict=True) if kept]
        return {row: hits[row] for row in rows}

    def name_score(self, text: str) -> float:
        """See `MapStore.name_score`."""
        best = max((hit.score for hit in self._by_address(text)), default=0.0)
        for reading in self._readings(text):
            if best >= _PLAIN_ENOUGH:
                break
            hits = self._map.like(reading.name, at_least=max(best, AT_LEAST))
            best = max(best, hits[0].score * reading.weight) if hits else best
        return best

    def _readings(self, text: str) -> Iterator[Reading]:
        """The ways to read a query, also with a settlement of the map as its last words."""
        yield from readings(text)
        yield from (reading for reading in with_area(text) if self._is_settlement(reading.areas[0]))

    def _by_name(self, text: str, near: LatLng | None) -> Iterator[_Hit]:
        """What bears a name like the query; a kind of place the query names is always looked into.

        "Central station" is rather the station called "Central" than a hall of exactly this name.
        """
        best = 0.0
        for reading in self._readings(text):
            if best >= _PLAIN_ENOUGH and not reading.categories:
                continue
            likes = self._map.like(reading.name, at_least=max(AT_LEAST, best - _BEHIND))
            bearers = self._map.bearers([like.name for like in likes], near, _ROWS_PER_NAME)
            for like, rows in zip(likes, bearers, strict=True):
                score = like.score * reading.weight
                best = max(best, score)
                for row in rows:
                    yield _Hit(row, like.name, score, reading)

    def _by_address(self, text: str) -> Iterator[_Hit]:
        """Places with exactly this house number in this street; a number nobody has gives nothing."""
        for address in addresses(text):
            for street, likeness in self._streets_like(address):
                for row, is_address in self._map.at_address(street, address.number):
                    weight = _ADDRESS_SCORE if is_address else _AT_ADDRESS
                    yield _Hit(row, -1, likeness * weight, Reading(street, areas=address.areas))

    def _streets_like(self, address: Address) -> list[tuple[str, float]]:
        """The street as written, and streets of the map it may be a misspelling of."""
        streets = {address.street: 1.0}
        for hit in self._map.like(address.street, at_least=_SURE)[:5]:
            streets.setdefault(self._map.name(hit.name), hit.score)
        return list(streets.items())

    def _streets_once(self, hits: list[_Hit], near: LatLng | None) -> list[_Hit]:
        """Pieces of one street or river become one hit: the piece in the middle, or the one nearest."""
        traits = self._map.traits([hit.row for hit in hits])
        groups: dict[int, list[int]] = {}
        kept = []
        for index, hit in enumerate(hits):
            if traits.shapes[index] == LINE_CODE:
                groups.setdefault(hit.name, []).append(index)
            else:
                kept.append(hit)
        for group in groups.values():
            chosen = one_of_each(traits.lats[group], traits.lngs[group], near)
            kept.extend(hits[group[index]] for index in chosen)
        return kept

    def _ranked(self, hits: list[_Hit], near: LatLng | None) -> list[tuple[int, float]]:
        """The hits with their final scores: less for the unknown, the distant and what lies elsewhere."""
        traits = self._map.traits([hit.row for hit in hits])
        penalties = _FAME_WEIGHT * (1 - traits.importance.astype(np.float64))
        if near is not None and hits:
            distances = traits.distances_m(near)
            weights = _NEAR_WEIGHT * np.where(traits.importance >= LOCALITY, _LOCALITY_SHARE, 1.0)
            penalties = penalties + weights * distances / (distances + _NEAR_HALF_M)
        records = self._records(hits)
        scored = []
        for index, hit in enumerate(hits):
            score = hit.score if hit.name < 0 else hit.score - float(penalties[index])
            if hit.row in records:
                at = LatLng(lat=float(traits.lats[index]), lng=float(traits.lngs[index]))
                score = self._in_context(hit.reading, records[hit.row], at, score)
            scored.append((hit.row, min(max(score, 0.0), 1.0), float(traits.importance[index])))
        scored.sort(key=lambda found: (-found[1], -found[2], found[0]))
        return [(row, score) for row, score, _ in scored]

    def _records(self, hits: list[_Hit]) -> dict[int, Record]:
        """What the map says of those hits whose query names more than a name."""
        rows = [hit.row for hit in hits if hit.reading.areas or hit.reading.categories]
        return dict(zip(rows, self._map.records(rows), strict=True)) if rows else {}

    def _in_context(self, reading: Reading, record: Record, at: LatLng, score: float) -> float:
        """Checks the areas and the kind of place the query names beside the name."""
        if reading.areas:
            score = self._in_areas(reading.areas, record, at, score)
        if reading.categories and set(reading.categories).isdisjoint(record.categories):
            score *= _OTHER_KIND
        return score

    def _in_areas(self, areas: tuple[str, ...], record: Record, at: LatLng, score: float) -> float:
        """One that the map does not know speaks a little against the reading."""
        tags = record.tags
        own = {canonical(tags[key]) for key in (CITY, STREET, "addr:suburb", "is_in") if key in tags}
        for name in areas[:_MAX_AREAS]:
            if name in own:
                continue
            area = self._area(name)
            if area is None:
                score *= _UNKNOWN
                continue
            outline = self._outline(area)
            if outline is None:
                distance = self._distance_m(area, at)
                score -= _NEAR_WEIGHT * distance / (distance + _NEAR_HALF_M)
            elif not _covers(outline, at):
                score *= _ELSEWHERE
        return score

    def _distance_m(self, row: int, at: LatLng) -> float:
        traits = self._map.traits([row])
        distances = sphere_m(
            float(traits.lats[0]), float(traits.lngs[0]), np.array([at.lat]), np.array([at.lng])
        )
        return float(distances[0])

    def _find_area(self, name: str) -> int | None:
        """The best known feature with this name."""
        hits = self._map.like(name, at_least=_SURE)
        bearers = self._map.bearers([hit.name for hit in hits], None, _ROWS_PER_NAME)
        rows = [(row, hit.score) for hit, rows in zip(hits, bearers, strict=True) for row in rows]
        if not rows:
            return None
        fame = self._map.traits([row for row, _ in rows]).importance
        best = max(range(len(rows)), key=lambda index: (rows[index][1], float(fame[index])))
        return rows[best][0]

    def _is_settlement(self, name: str) -> bool:
        """True if the map has a settlement with exactly this name, or addresses in it."""
        if self._map.has_addresses_in(name):
            return True
        number = self._map.number(name)
        if number is None:
            return False
        rows = self._map.bearers([number], None, _ROWS_PER_NAME)[0]
        return bool((self._map.traits(rows).importance >= LOCALITY).any())


def one_of_each(lats: Floats, lngs: Floats, near: LatLng | None) -> list[int]:
    """One index for each chain of points: the one nearest to `near`, else the one nearest to its centre."""
    return [_chosen(lats, lngs, members, near) for members in _chains(lats, lngs)]


def _chains(lats: Floats, lngs: Floats) -> list[list[int]]:
    """Groups of indices linked by steps of at most `CHAIN_M`."""
    left = np.ones(len(lats), np.bool_)
    chains = []
    for start in range(len(lats)):
        if not left[start]:
            continue
        left[start] = False
        chain, reached = [start], [start]
        while reached:
            point = reached.pop()
            close = np.flatnonzero(left & (sphere_m(lats[point], lngs[point], lats, lngs) <= CHAIN_M))
            left[close] = False
            chain.extend(close.tolist())
            reached.extend(close.tolist())
        chains.append(chain)
    return chains


def _chosen(lats: Floats, lngs: Floats, members: list[int], near: LatLng | None) -> int:
    own_lats, own_lngs = lats[members], lngs[members]
    if near is not None:
        target = (near.lat, near.lng)
    else:
        target = (float(np.median(own_lats)), float(np.median(own_lngs)))
    return members[int(np.argmin(sphere_m(*target, own_lats, own_lngs)))]


def _inside(outline: bytes, traits: Traits) -> list[bool]:
    import shapely

    area = shapely.from_wkb(outline)
    shapely.prepare(area)
    found: list[bool] = shapely.intersects_xy(area, traits.lngs, traits.lats).tolist()
    return found


def _covers(outline: bytes, at: LatLng) -> bool:
    import shapely

    return bool(shapely.intersects(shapely.from_wkb(outline), shapely.Point(at.lng, at.lat)))


_POSTCODE = re.compile(r"\b\d{4,6}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b")
_STREET_FIRST = re.compile(r"^(?P<street>.*[^\W\d].*?)\s+(?P<number>\d+\s?[a-zA-Z]?(?:\s?[-–/]\s?\d+\w?)?)$")
_NUMBER_FIRST = re.compile(r"^(?P<number>\d+[a-zA-Z]?(?:-\d+)?)\s+(?P<street>.*[^\W\d].*)$")

_HEAD_WEIGHT = 0.985
"""A reading that leaves words out counts a little less than one that needs them all."""


def readings(text: str) -> list[Reading]:
    """All ways to read a query, the plainest first."""
    found = [Reading(canonical(text))]
    head, areas = _split_commas(text)
    plain = plain_area(head)
    if plain:
        found.append(Reading(canonical(plain), _HEAD_WEIGHT, areas, tuple(AREA_KINDS)))
    if areas:
        found.append(Reading(canonical(head), 1.0, areas))
    joined = _split_join(head)
    if joined:
        found.append(Reading(canonical(joined[0]), _HEAD_WEIGHT, (canonical(joined[1]), *areas)))
    found.extend(_without_category(head, areas))
    return [reading for reading in found if reading.name]


def addresses(text: str) -> list[Address]:
    """The addresses a query can mean ("Street 5, 00100 City", "5 Street"); empty without house number."""
    head, areas = _split_commas(text)
    return [
        Address(canonical(street), house_number(number), areas) for street, number in street_and_number(head)
    ]


def street_and_number(line: str) -> list[tuple[str, str]]:
    """Street and house number of a line of an address as they stand there, the usual order first."""
    matches = (pattern.match(line.strip()) for pattern in (_STREET_FIRST, _NUMBER_FIRST))
    return [(match["street"], match["number"]) for match in matches if match]


def _split_commas(text: str) -> tuple[str, tuple[str, ...]]:
    """The part before the first comma, and the areas after it without postcodes."""
    head, *rest = text.split(",")
    areas = (canonical(_POSTCODE.sub(" ", part)) for part in rest)
    return head, tuple(area for area in areas if area)


def _split_join(text: str) -> tuple[str, str] | None:
    """Name and area of "NAME in AREA", at the last joining word."""
    best = None
    for word in joins():
        at = text.lower().rfind(f" {word} ")
        if at > 0 and (best is None or at > best[0]):
            best = (at, at + len(word) + 2)
    return (text[: best[0]], text[best[1] :]) if best else None


def _without_category(head: str, areas: tuple[str, ...]) -> list[Reading]:
    """Readings without a kind of place at either end: "Ateneum museum", "hotel Seurahuone"."""
    found = []
    for span in find_in(head):
        rest = f"{head[: span.start]} {head[span.end :]}".strip()
        at_edge = not head[: span.start].strip() or not head[span.end :].strip()
        if rest and at_edge:
            found.append(Reading(canonical(rest), _HEAD_WEIGHT, areas, span.value.ids))
    return found


def with_area(text: str) -> list[Reading]:
    """Readings with the last word or two as an area ("Ateneum Helsinki"); right only if it is one."""
    words = _split_commas(text)[0].split()
    return [
        Reading(canonical(" ".join(words[:-size])), _HEAD_WEIGHT, (canonical(" ".join(words[-size:])),))
        for size in (1, 2)
        if len(words) > size
    ]
