"""The names of the regions for the search by name (`map_tools.maps.search.finder`).

pg_trgm brings the candidates (https://www.postgresql.org/docs/15/pgtrgm.html); the measure of likeness and
the ranking are those of every map.
"""

import json
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, LiteralString

import numpy as np

from map_tools.maps.feature import AREA_CODE
from map_tools.maps.search.gazetteer import Record, Traits
from map_tools.maps.search.name_index import NameHit
from map_tools.maps.search.names import likeness
from map_tools.types import ADDRESS, LatLng

if TYPE_CHECKING:
    from psycopg import Connection

_CANDIDATES = 60
"""How many names each look passes on to our measure."""
_NARROW, _WIDE = (0.5, 0.6), (0.3, 0.5)
"""Names less like the query by pg_trgm's measures, as a whole or in a part, are not looked at. Two slips in a
word of eight letters leave a third of its trigrams; but so many names share a third that looking at them all
takes twice as long."""
_ONE_MAY_MISS = range(3, 9)
"""Of names of so many words one word may be another."""
_FOUND = 0.9
"""A name of at least this likeness makes the looks that are left unnecessary."""
_THRESHOLDS = """
SELECT set_config('pg_trgm.similarity_threshold', %(alike)s::text, true),
       set_config('pg_trgm.word_similarity_threshold', %(within)s::text, true)"""

_WITH_WORDS = """
SELECT DISTINCT found.name FROM unnest(%(wanted)s::text[]) AS wanted(words) CROSS JOIN LATERAL (
  SELECT name FROM mapagent.names
  WHERE region = ANY(%(regions)s) AND string_to_array(name, ' ') @> string_to_array(wanted.words, ' ')
  GROUP BY name ORDER BY length(name), name LIMIT %(candidates)s
) AS found"""
_LIKE = """
(SELECT name FROM mapagent.names WHERE region = ANY(%(regions)s) AND name %% %(name)s
 GROUP BY name ORDER BY similarity(name, %(name)s) DESC, name LIMIT %(candidates)s)
UNION
(SELECT name FROM mapagent.names WHERE region = ANY(%(regions)s) AND %(name)s <%% name
 GROUP BY name ORDER BY word_similarity(%(name)s, name) DESC, length(name), name LIMIT %(candidates)s)"""
_EXACT = "SELECT 1 FROM mapagent.bearers WHERE region = ANY(%(regions)s) AND name = %(name)s LIMIT 1"
_BEARERS = """
SELECT wanted.at, found.row, found.lat, found.lng, found.importance, found.shape
FROM unnest(%(names)s::text[]) WITH ORDINALITY AS wanted(name, at) CROSS JOIN LATERAL (
  SELECT row, lat, lng, importance, shape FROM mapagent.bearers b
  WHERE b.region = ANY(%(regions)s) AND b.name = wanted.name ORDER BY {order} LIMIT %(most)s
) AS found"""
_BEST_KNOWN = _BEARERS.format(order="importance DESC, row")
_NEAREST = _BEARERS.format(
    order="ST_DistanceSphere(ST_Point(lng, lat, 4326), ST_Point(%(lng)s, %(lat)s, 4326)), row"
)
_TRAITS = """
SELECT row, lat, lng, importance, shape FROM mapagent.features
WHERE region = ANY(%(regions)s) AND row = ANY(%(rows)s)"""
_RECORDS = """
SELECT row, categories, tags FROM mapagent.features
WHERE region = ANY(%(regions)s) AND row = ANY(%(rows)s)"""
_OF_KIND = """
SELECT row FROM mapagent.features
WHERE region = ANY(%(regions)s) AND row = ANY(%(rows)s) AND categories && %(categories)s::text[]"""
_AT_ADDRESS = """
SELECT a.row, f.categories FROM mapagent.addresses a JOIN mapagent.features f USING (region, row)
WHERE a.region = ANY(%(regions)s) AND a.street = %(street)s AND a.number = %(number)s ORDER BY a.row"""
_CITY = """
SELECT 1 FROM (
  SELECT city FROM mapagent.addresses WHERE region = ANY(%(regions)s) AND city >= %(city)s ORDER BY city LIMIT 1
) AS following WHERE city = %(city)s"""
"""The order leaves no plan but the index: there are few cities, so the planner takes any address for likely to be in
the one that is asked for, and reads all of them where none is."""
_OUTLINE = """
SELECT ST_AsBinary(geometry) FROM mapagent.features
WHERE region = ANY(%(regions)s) AND row = %(row)s AND shape = %(area)s AND geometry IS NOT NULL"""


class PostgisGazetteer:
    """See `map_tools.maps.search.gazetteer.Gazetteer`; good for one reading.

    Args:
        connection: A connection in a transaction.
        regions: Numbers of the regions to look in.
    """

    def __init__(self, connection: "Connection[Any]", regions: Sequence[int]) -> None:
        self._connection = connection
        self._regions = list(regions)
        self._looking: tuple[float, float] | None = None
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._traits: dict[int, tuple[float, float, float, int]] = {}

    def like(self, name: str, *, at_least: float) -> list[NameHit]:
        """See `Gazetteer.like`.

        Trigrams of a million names take 70 ms, words 1 ms; so names that have the words come first.
        """
        best: list[tuple[float, str]] = []
        for look in (self._with_words, partial(self._alike, *_NARROW), partial(self._alike, *_WIDE)):
            best = sorted(((likeness(name, found), found) for found in look(name)), reverse=True)
            if best and best[0][0] >= _FOUND:
                break
        return [NameHit(self._number_of(found), score) for score, found in best if score >= at_least]

    def number(self, name: str) -> int | None:
        """See `Gazetteer.number`."""
        return self._number_of(name) if self._rows(_EXACT, name=name) else None

    def name(self, number: int) -> str:
        """See `Gazetteer.name`."""
        return self._names[number]

    def bearers(self, names: Sequence[int], near: LatLng | None, most: int) -> list[list[int]]:
        """See `Gazetteer.bearers`."""
        given = {"names": [self._names[number] for number in names], "most": most + 1}
        if near is None:
            found = self._rows(_BEST_KNOWN, **given)
        else:
            found = self._rows(_NEAREST, **given, lat=near.lat, lng=near.lng)
        rows: list[list[int]] = [[] for _ in names]
        for at, row, *traits in found:
            rows[at - 1].append(row)
            self._traits[row] = (traits[0], traits[1], traits[2], traits[3])
        return [own[:most] if len(own) > most else sorted(own) for own in rows]

    def traits(self, rows: Sequence[int]) -> Traits:
        """See `Gazetteer.traits`."""
        new = [row for row in rows if row not in self._traits]
        if new:
            self._traits |= {
                row: (lat, lng, fame, shape) for row, lat, lng, fame, shape in self._of(_TRAITS, new)
            }
        known = [self._traits[row] for row in rows]
        return Traits(
            lats=np.array([each[0] for each in known], np.float64),
            lngs=np.array([each[1] for each in known], np.float64),
            importance=np.array([each[2] for each in known], np.float32),
            shapes=np.array([each[3] for each in known], np.uint8),
        )

    def records(self, rows: Sequence[int]) -> list[Record]:
        """See `Gazetteer.records`."""
        found = {
            row: Record(tuple(categories), json.loads(tags))
            for row, categories, tags in self._of(_RECORDS, rows)
        }
        return [found[row] for row in rows]

    def of_kind(self, rows: Sequence[int], categories: Sequence[str]) -> set[int]:
        """See `Gazetteer.of_kind`."""
        found = self._rows(_OF_KIND, rows=list(rows), categories=list(categories))
        return {row for (row,) in found}

    def at_address(self, street: str, number: str) -> list[tuple[int, bool]]:
        """See `Gazetteer.at_address`."""
        found = self._rows(_AT_ADDRESS, street=street, number=number)
        return [(row, categories == [ADDRESS]) for row, categories in found]

    def has_addresses_in(self, city: str) -> bool:
        """See `Gazetteer.has_addresses_in`."""
        return bool(self._rows(_CITY, city=city))

    def outline(self, row: int) -> bytes | None:
        """See `Gazetteer.outline`."""
        found = self._rows(_OUTLINE, row=row, area=AREA_CODE)
        return bytes(found[0][0]) if found else None

    def _with_words(self, name: str) -> list[str]:
        """Names that have the words of one, or all but any one of them: "Metro Market A" beside "Metro Market B"."""
        found = self._rows(_WITH_WORDS, wanted=_word_sets(name), candidates=_CANDIDATES)
        return [name for (name,) in found]

    def _alike(self, alike: float, within: float, name: str) -> list[str]:
        """Names like one by the measures of pg_trgm, whose thresholds hold for the rest of the transaction."""
        if self._looking != (alike, within):
            self._looking = (alike, within)
            self._rows(_THRESHOLDS, alike=alike, within=within)
        return [found for (found,) in self._rows(_LIKE, name=name, candidates=_CANDIDATES)]

    def _number_of(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number

    def _of(self, statement: LiteralString, rows: Sequence[int]) -> list[tuple[Any, ...]]:
        return self._rows(statement, rows=list(rows))

    def _rows(self, statement: LiteralString, **values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement, {"regions": self._regions, **values}).fetchall()


def _word_sets(name: str) -> list[str]:
    """The words that names are to have: all of them, which finds the name itself first, or all but one."""
    words = name.split()
    fewer = combinations(words, len(words) - 1) if len(words) in _ONE_MAY_MISS else ()
    return list(map(" ".join, (words, *fewer))) if words else []
