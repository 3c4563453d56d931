"""Finds features by name or address: reads the query, looks names up, and ranks what fits."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from map_tools.maps.clusters import one_of_each
from map_tools.maps.feature import LINE_CODE, LOCALITY
from map_tools.maps.gazetteer import Gazetteer, Record, Traits
from map_tools.maps.geodesic import sphere_m
from map_tools.maps.names import canonical
from map_tools.maps.query import Address, Reading, addresses, readings, with_area
from map_tools.maps.tags import CITY, STREET
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


def _inside(outline: bytes, traits: Traits) -> list[bool]:
    import shapely

    area = shapely.from_wkb(outline)
    shapely.prepare(area)
    found: list[bool] = shapely.intersects_xy(area, traits.lngs, traits.lats).tolist()
    return found


def _covers(outline: bytes, at: LatLng) -> bool:
    import shapely

    return bool(shapely.intersects(shapely.from_wkb(outline), shapely.Point(at.lng, at.lat)))
