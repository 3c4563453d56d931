"""Finds features by name or address: reads the query, looks names up, and ranks what fits."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from map_tools.maps.clusters import one_of_each
from map_tools.maps.feature import ADDRESS, LINE_CODE
from map_tools.maps.geodesic import Floats, sphere_m
from map_tools.maps.names import canonical
from map_tools.maps.query import Address, Reading, addresses, readings, with_area
from map_tools.maps.tags import CITY, STREET
from map_tools.types import LatLng

if TYPE_CHECKING:
    from map_tools.maps.store import MapStore

AT_LEAST = 0.68
"""Names less like the query than this are not given."""
_SURE = 0.9
"""A street or area of a query is taken for one of the map from this likeness on."""
_PLAIN_ENOUGH = 0.93
"""Once a reading fits this well, those that leave words out are not tried."""
_FAME_WEIGHT = 0.06
_NEAR_WEIGHT = 0.06
_NEAR_HALF_M = 1_000.0
"""Distance at which half of the penalty for being far from the context is given."""
_ELSEWHERE = 0.85
_OTHER_KIND = 0.8
_BEHIND = 0.2
"""Hits that are this much less like the query than the best one are not ranked."""
_MAX_RANKED = 300
_ROWS_PER_NAME = 400
_ADDRESS_SCORE = 0.99
_AT_ADDRESS = 0.97
"""Somebody who lives at an address counts less than the address itself."""
_MAX_AREAS = 3
_AREA_FAME = 0.75
"""From the importance of a settlement on, a name may say where another place lies."""


@dataclass(frozen=True, slots=True)
class _Hit:
    row: int
    name: int
    score: float
    reading: Reading


class Finder:
    """Finds features of one map by name or address.

    Args:
        store: The map.
    """

    def __init__(self, store: "MapStore") -> None:
        self._store = store
        self._area = lru_cache(maxsize=256)(self._find_area)
        self._outline = lru_cache(maxsize=32)(store.outline)

    def find(self, text: str, near: LatLng | None, limit: int) -> list[tuple[int, float]]:
        """See `MapStore.find`."""
        hits: dict[int, _Hit] = {}
        for hit in (*self._by_address(text), *self._by_name(text, near)):
            if hit.row not in hits or hit.score > hits[hit.row].score:
                hits[hit.row] = hit
        best = sorted(hits.values(), key=lambda hit: -hit.score)
        kept = [hit for hit in best[:_MAX_RANKED] if hit.score >= best[0].score - _BEHIND]
        ranked = self._ranked(self._streets_once(kept, near), near)
        return ranked[:limit]

    def name_score(self, text: str) -> float:
        """See `MapStore.name_score`."""
        best = max((hit.score for hit in self._by_address(text)), default=0.0)
        for reading in self._readings(text):
            if best >= _PLAIN_ENOUGH:
                break
            hits = self._store.names.search(reading.name, at_least=max(best, AT_LEAST))
            best = max(best, hits[0].score * reading.weight) if hits else best
        return best

    def street_rows(self, name: str) -> list[int]:
        """See `MapStore.street_rows`."""
        number = self._store.names.exact(canonical(name))
        if number is None:
            return []
        rows = self._store.names.rows(number)
        return sorted(rows[np.isin(rows, self._store.spatial.members(("street",)))].tolist())

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
            for found in self._store.names.search(reading.name, at_least=max(AT_LEAST, best - _BEHIND)):
                score = found.score * reading.weight
                best = max(best, score)
                for row in self._rows(found.name, near):
                    yield _Hit(row, found.name, score, reading)

    def _rows(self, name: int, near: LatLng | None) -> list[int]:
        """Rows that bear a name; of very many only the nearest or the best known."""
        rows = self._store.names.rows(name)
        if len(rows) <= _ROWS_PER_NAME:
            return [int(row) for row in rows]
        if near is None:
            order = np.argsort(-self._store.importance[rows], kind="stable")
        else:
            order = np.argsort(self._distances(rows.tolist(), near), kind="stable")
        return [int(row) for row in rows[order[:_ROWS_PER_NAME]]]

    def _by_address(self, text: str) -> Iterator[_Hit]:
        """Places with exactly this house number in this street; a number nobody has gives nothing."""
        for address in addresses(text):
            for street, likeness in self._streets_like(address):
                found = self._store.query(
                    "SELECT a.row, f.categories FROM addresses a JOIN features f ON f.row = a.row "
                    "WHERE a.street = ? AND a.number = ?",
                    (street, address.number),
                )
                for row, categories in found:
                    weight = _ADDRESS_SCORE if categories == ADDRESS else _AT_ADDRESS
                    yield _Hit(row, -1, likeness * weight, Reading(street, areas=address.areas))

    def _streets_like(self, address: Address) -> list[tuple[str, float]]:
        """The street as written, and streets of the map it may be a misspelling of."""
        streets = {address.street: 1.0}
        for hit in self._store.names.search(address.street, at_least=_SURE)[:5]:
            streets.setdefault(self._store.names.name(hit.name), hit.score)
        return list(streets.items())

    def _streets_once(self, hits: list[_Hit], near: LatLng | None) -> list[_Hit]:
        """Pieces of one street or river become one hit: the piece in the middle, or the one nearest."""
        groups: dict[int, list[_Hit]] = {}
        kept = []
        for hit in hits:
            if self._store.shapes[hit.row] == LINE_CODE:
                groups.setdefault(hit.name, []).append(hit)
            else:
                kept.append(hit)
        for group in groups.values():
            rows = [hit.row for hit in group]
            chosen = one_of_each(self._store.lats[rows], self._store.lngs[rows], near)
            kept.extend(group[index] for index in chosen)
        return kept

    def _ranked(self, hits: list[_Hit], near: LatLng | None) -> list[tuple[int, float]]:
        """The hits with their final scores: less for the unknown, the distant and what lies elsewhere."""
        rows = [hit.row for hit in hits]
        fame = self._store.importance[rows]
        penalties = _FAME_WEIGHT * (1 - fame.astype(np.float64))
        if near is not None and hits:
            distances = self._distances(rows, near)
            penalties = penalties + _NEAR_WEIGHT * distances / (distances + _NEAR_HALF_M)
        scored = [
            (hit.row, self._in_context(hit, hit.score if hit.name < 0 else hit.score - float(penalty)))
            for hit, penalty in zip(hits, penalties, strict=True)
        ]
        return sorted(scored, key=lambda pair: (-pair[1], -float(self._store.importance[pair[0]]), pair[0]))

    def _distances(self, rows: list[int], near: LatLng) -> Floats:
        return sphere_m(near.lat, near.lng, self._store.lats[rows], self._store.lngs[rows])

    def _in_context(self, hit: _Hit, score: float) -> float:
        """Checks the areas and the kind of place the query names beside the name."""
        if hit.reading.areas:
            score = self._in_areas(hit, score)
        wanted = hit.reading.categories
        if wanted and set(wanted).isdisjoint(self._store.categories(hit.row)):
            score *= _OTHER_KIND
        return min(max(score, 0.0), 1.0)

    def _in_areas(self, hit: _Hit, score: float) -> float:
        """One that the map does not know tells nothing."""
        tags = self._store.tags(hit.row)
        own = {canonical(tags[key]) for key in (CITY, STREET, "addr:suburb", "is_in") if key in tags}
        for name in hit.reading.areas[:_MAX_AREAS]:
            area = None if name in own else self._area(name)
            if area is None:
                continue
            outline = self._outline(area)
            if outline is None:
                distance = float(self._distances([hit.row], self._store.location(area))[0])
                score -= _NEAR_WEIGHT * distance / (distance + _NEAR_HALF_M)
            elif not self._covers(outline, hit.row):
                score *= _ELSEWHERE
        return score

    def _covers(self, outline: bytes, row: int) -> bool:
        import shapely

        point = shapely.Point(float(self._store.lngs[row]), float(self._store.lats[row]))
        return bool(shapely.intersects(shapely.from_wkb(outline), point))

    def _find_area(self, name: str) -> int | None:
        """The best known feature with this name."""
        hits = self._store.names.search(name, at_least=_SURE)
        rows = [(row, hit.score) for hit in hits for row in self._rows(hit.name, None)]
        best = max(rows, key=lambda found: (found[1], float(self._store.importance[found[0]])), default=None)
        return best[0] if best else None

    def _is_settlement(self, name: str) -> bool:
        """True if the map has a settlement with exactly this name, or addresses in it."""
        if self._store.query("SELECT 1 FROM addresses WHERE city = ? LIMIT 1", (name,)):
            return True
        number = self._store.names.exact(name)
        rows = self._rows(number, None) if number is not None else []
        return any(float(self._store.importance[row]) >= _AREA_FAME for row in rows)
