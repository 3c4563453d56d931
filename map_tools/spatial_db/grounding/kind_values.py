"""Which values data has for kinds of features: its own spellings, and what stands in for what it lacks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from map_tools.kinds.concepts import lookup
from map_tools.kinds.phrases import fold, singular
from map_tools.spatial_db.grounding.vocabulary import KindWords, vocabulary
from map_tools.spatial_db.memory.table import Condition, FeatureTable, kind_key

if TYPE_CHECKING:
    from map_tools.spatial_db.memory.engine import MemoryEngine

Operation = Literal["point", "area", "line"]
"""What is done with the features: counted and measured from, their areas or their lengths taken."""

PLACE_COLUMNS = ("amenity", "tourism", "leisure", "shop", "historic", "healthcare", "emergency")
"""Columns of `pois` that say what a place is, in the order they are looked in."""
SHORTEST_VALUE = 3
"""A shorter value ("it" for a firm that sells software) is another word nearly everywhere."""
MIN_ROAD_SHARE = 0.02
"""A stray value is not what everybody means by a word: below this share of a table it counts as absent."""


class KindValues:
    """The values of one database, or of a map that tells its categories only.

    Args:
        engine: The data; None: only the vocabulary is known, and
        ids: ... the category ids of a map (`map_tools.kinds.concepts`), whose own values are among them.
    """

    def __init__(self, engine: "MemoryEngine | None" = None, ids: Iterable[str] = ()) -> None:
        self._engine = engine
        self._ids = frozenset(ids)
        self._words = vocabulary()

    @property
    def has_data(self) -> bool:
        """True if kinds are looked up in data too, so that one it lacks can be told from other words."""
        return self._engine is not None

    def table(self, kind: KindWords) -> FeatureTable | None:
        """The table of a kind; None where there is no data."""
        return None if self._engine is None else self._engine.tables[kind.table]

    def has_table(self, kind: KindWords) -> bool:
        """False if the data has no such table."""
        return self._engine is None or kind.table in self._engine.tables

    @cached_property
    def descriptions(self) -> Mapping[str, frozenset[str]]:
        """The values of each column that describes kinds."""
        return {
            name: frozenset(
                value
                for table in self._place_tables()
                if name in table.columns
                for value in table.columns[name].folded
            )
            for name in self._words.described
        }

    def of_concept(self, ids: Sequence[str]) -> list[KindWords]:
        """Those of some category ids that are values of the data, in the first column that has any."""
        if self._engine is None:
            return [KindWords("pois", "amenity", (value,)) for value in ids[:1]]
        for table in self._place_tables():
            for column in PLACE_COLUMNS:
                present = tuple(value for value in ids if _has(table, column, value))
                if present:
                    return [KindWords(table.name, column, present)]
        return []

    def present(self, kind: KindWords) -> KindWords:
        """The kind, or what stands in for it where the data has nothing of it."""
        if self._engine is None or kind.key() not in self._words.otherwise:
            return self._in_tables(kind)
        table = self._engine.tables.get(kind.table)
        if table is None or _share(table, kind) >= MIN_ROAD_SHARE:
            return kind
        return self._words.otherwise[kind.key()]

    def _in_tables(self, kind: KindWords) -> KindWords:
        """A kind of places in the table of places, whatever that is called."""
        if self._engine is None or kind.table in self._engine.tables or kind.table != "pois":
            return kind
        table = next(iter(self._place_tables()), None)
        return kind if table is None else KindWords(table.name, kind.column, kind.values)

    def for_operation(self, kind: KindWords, operation: Operation) -> Iterator[KindWords]:
        """The same kind in the table that has the geometries the operation needs."""
        if operation != "point" and self._engine is not None:
            for name, column in self._words.outlines.items():
                table = self._engine.tables.get(name)
                if table is not None and kind.table == "pois" and kind.column == column:
                    yield KindWords(name, column, kind.values)
        yield kind

    def written(self, base: str) -> KindWords | None:
        """A value of a column that is written like these words, or like one of them and several."""
        form = value_form(base)
        found = self._raw_values.get(form) or self._raw_values.get(singular(form))
        if found is None and form.endswith("s"):
            found = self._raw_values.get(form[:-1])  # "taxis", "place of worships": no rule of English
        return None if found is None else KindWords(found[0], found[1], (found[2],))

    @cached_property
    def _raw_values(self) -> Mapping[str, tuple[str, str, str]]:
        """All values of columns of kinds by their form, with table, column and spelling."""
        if self._engine is None:
            unworded = (value for value in self._ids if len(value) >= SHORTEST_VALUE and not lookup(value))
            return {value_form(value): ("pois", "amenity", value) for value in unworded}
        values: dict[str, tuple[str, str, str]] = {}
        for table in (*self._place_tables(), *self._engine.tables.values()):
            for kind in table.points.slices:
                column, _, value = kind.partition("=")
                if value and column not in {"admin_level", "information", "wetland", "place", "border_type"}:
                    values.setdefault(value_form(value), (table.name, column, value))
        return values

    def _place_tables(self) -> list[FeatureTable]:
        """Tables of places: `pois`, or one of another name with a column of amenities."""
        if self._engine is None:
            return []
        tables = self._engine.tables
        if "pois" in tables:
            return [tables["pois"]]
        return [table for table in tables.values() if "amenity" in table.columns]


def _has(table: FeatureTable, column: str, value: str) -> bool:
    return kind_key(Condition(column=column, value=value)) in table.points.slices


def _share(table: FeatureTable, kind: KindWords) -> float:
    """The share of the rows of a table that are of a kind."""
    rows = 0
    for value in kind.values:
        members = table.points.members(kind_key(Condition(column=kind.column, value=value)))
        rows += members.stop - members.start
    return rows / len(table) if len(table) else 0.0


def value_form(words: str) -> str:
    """Words as values are written: small letters, joined by underscores."""
    return fold(words).strip().replace(" ", "_").replace("-", "_")
