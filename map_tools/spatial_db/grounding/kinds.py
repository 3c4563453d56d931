"""From words for a kind of feature to tables, columns and values: curated first, then found in the data.

"an Italian restaurant with outdoor seating" becomes pois with amenity = 'restaurant', cuisine ILIKE
'%italian%' and outdoor_seating ILIKE '%yes%' (Geo-ReAct, section 4.1.2, GetPOIFilter). Data has its own spellings of
kinds, and something stands in for what it lacks.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from map_tools.kinds.concepts import cuisine_in, lookup
from map_tools.kinds.phrases import singular
from map_tools.spatial_db.grounding.vocabulary import KindWords, vocabulary
from map_tools.spatial_db.memory.table import Condition, Conditions

if TYPE_CHECKING:
    from map_tools.spatial_db.memory.engine import MemoryEngine
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from map_tools.kinds.phrases import fold
from map_tools.spatial_db.memory.table import FeatureTable, kind_key

if TYPE_CHECKING:
    from map_tools.spatial_db.memory.engine import MemoryEngine


_ARTICLES = frozenset("a an the any some all every each this these those which what".split())  # noqa: SIM905
_JOINT = re.compile(
    r"\b(?:with|that|which|who|where|offering|having|has|have|featuring|equipped|serv(?:e|es|ing)|providing|includes?"
    r"|including|(?:one|you|we|people|i) can|can be|is|are|an?|the|food|cuisine|type|kind|style|on offer"
    r"|available|and|for|about|of|its|own|devoted|dedicated|specialized|specialised|specializing|specialising"
    r"|focused|focusing|to|in|on)\b"
)
_BEHIND = re.compile(
    r"\s+(?=(?:with|that|which|where|offering|having|featuring|equipped|serving|providing|for|about|including"
    r"|devoted|dedicated|specialized|specialised|specializing|specialising|focused|focusing)\b)"
)
_PLACE = re.compile(r" (?:place|joint|spot|eatery|parlou?r)s?$", re.IGNORECASE)
_WORD = re.compile(r"[^\s,]+")
MOST_REMEMBERED = 10_000
LINE_COLUMNS = frozenset({"highway", "waterway"})
"""Columns of GS-QA's schema (its Table 2) whose features are lines."""


Operation = Literal["point", "area", "line"]
"""What is done with the features: counted and measured from, their areas or their lengths taken."""


PLACE_COLUMNS = ("amenity", "tourism", "leisure", "shop", "historic", "healthcare", "emergency")
"""Columns of `pois` that say what a place is, in the order they are looked in."""
SHORTEST_VALUE = 3
"""A shorter value ("it" for a firm that sells software) is another word nearly everywhere."""
MIN_ROAD_SHARE = 0.02
"""A stray value is not what everybody means by a word: below this share of a table it counts as absent."""


@dataclass(frozen=True, slots=True)
class FeatureKind:
    """A kind of feature.

    Attributes:
        words: The words it was read from.
        table: Where such features are.
        alternatives: A feature is one of the kind if it fulfils all conditions of any of these.
        curated: False where it was found in the data.
        label: What one of them is called.
    """

    words: str
    table: str
    alternatives: tuple[Conditions, ...]
    curated: bool
    label: str

    @property
    def is_line(self) -> bool:
        """True for roads and waterways, which are large by being long."""
        return self.alternatives[0][0].column in LINE_COLUMNS

    def sql(self) -> str:
        """The condition in PostGIS dialect."""
        parts = [" AND ".join(one.sql() for one in conditions) for conditions in self.alternatives]
        return parts[0] if len(parts) == 1 else " OR ".join(f"({part})" for part in parts)


class KindReader:
    """Reads words for kinds.

    Args:
        engine: The data; None: only the vocabulary is known, and
        ids: ... the category ids of a map (`map_tools.kinds.concepts`), whose own values are among them.
    """

    def __init__(self, engine: "MemoryEngine | None" = None, ids: Iterable[str] = ()) -> None:
        self._values = KindValues(engine, ids)
        self._words = vocabulary()
        self._known: dict[str, bool] = {}

    @property
    def has_data(self) -> bool:
        """True if kinds are looked up in data too, so that one it lacks can be told from other words."""
        return self._values.has_data

    def read(self, words: str, operation: Operation = "point") -> FeatureKind | None:
        """The kind that these words mean as a whole; None if a word of them is not understood."""
        phrase = _stripped(words)
        head, behind = _split(phrase)
        found = self._reading(phrase, head, behind, _word_starts(head), operation)
        place = _PLACE.sub("", head)
        if place != head:
            # "a burger place" is a restaurant that is described so, where the data knows such ones.
            return self._by_description(place, operation) or found
        if found is None or " " not in head:
            return found or (None if behind else self._by_description(head, operation))
        # "art museum" is a museum by its own words, but the data may know which museums are for art.
        closer = self._reading(phrase, head, behind, _word_starts(head)[-1:], operation)
        same = closer is not None and closer.alternatives[0][0] == found.alternatives[0][0]
        return closer if same else found

    def _reading(
        self, phrase: str, head: str, behind: str, starts: Sequence[int], operation: Operation
    ) -> FeatureKind | None:
        """The first reading with a head that begins at one of these places."""
        for start in starts:
            base = head[start:]
            for kind in self._heads(base, operation):
                described = self._conditions(f"{head[:start]} {behind}".strip(), kind, base)
                if described is not None:
                    return self._kind(phrase, kind, described)
        return None

    def _by_description(self, words: str, operation: Operation) -> FeatureKind | None:
        """A description that stands for the kind it is mostly said of: "a buffet" is a restaurant."""
        column = self._described_by(words)
        if column is None:
            return None
        return self.read(f"{words} {self._words.described[column][0]}", operation)

    def _described_by(self, words: str) -> str | None:
        """The column that has these words among its values, and whose kinds they are not."""
        value = value_form(singular(words.casefold()))
        described = self._words.described.items()
        return next(
            (
                name
                for name, kinds in described
                if value not in kinds and value in self._values.descriptions[name]
            ),
            None,
        )

    def knows(self, words: str) -> bool:
        """True if the words mean a kind."""
        if len(self._known) > MOST_REMEMBERED:
            self._known.clear()
        if words not in self._known:
            self._known[words] = self.read(words) is not None
        return self._known[words]

    def _kind(self, words: str, kind: KindWords, described: Conditions) -> FeatureKind:
        alternatives = tuple(
            (Condition(column=kind.column, value=value), *described) for value in kind.values
        )
        curated = all(self._curated(condition) for condition in described)
        return FeatureKind(words, kind.table, alternatives, curated, words)

    def _curated(self, condition: Condition) -> bool:
        return condition.column not in self._words.described

    def _heads(self, base: str, operation: Operation) -> Iterator[KindWords]:
        """What the head of a phrase can mean, the likeliest first."""
        raw = self._values.written(base)
        curated = self._words.kinds.get(base)
        concept = lookup(base) or lookup(self._words.heads.get(base) or "")
        found = [raw] if raw is not None and ("_" in base or ";" in base) else []
        if curated is not None:
            found.append(self._values.present(curated))
        if concept is not None:
            found += self._values.of_concept(concept.ids[:1])
        if raw is not None:
            found.append(raw)
        if concept is not None:
            found += self._values.of_concept(concept.ids[1:])
        for kind in found:
            if self._values.has_table(kind):
                yield from self._values.for_operation(kind, operation)

    def _conditions(self, words: str, kind: KindWords, base: str) -> Conditions | None:
        """What the words around the head demand; None if one of them is not understood."""
        head = self._words.heads.get(base)
        found = list(self._description(base, kind) or ()) if head else []
        rest = words
        for phrase in self._words.attributes.find(words.replace("-", " ")):
            found.append(phrase.value)
            rest = rest[: phrase.start] + " " * (phrase.end - phrase.start) + rest[phrase.end :]
        rest = " ".join(_JOINT.sub(" ", rest.casefold()).split())
        if rest:
            described = self._description(rest, kind)
            if described is None:
                return None
            found += described
        return tuple(found)

    def _description(self, words: str, kind: KindWords) -> Conditions | None:
        """Words that are a value of a column that describes the kind ("korean", "new american")."""
        for column, kinds in self._words.described.items():
            if set(kinds).isdisjoint(kind.values):
                continue
            known = self._words.values.get(words) or self._words.values.get(singular(words))
            ours = known is not None and known[0] == column
            value = known[1] if known is not None and ours else value_form(words)
            table = self._values.table(kind)
            if table is None:
                if ours or (column == "cuisine" and cuisine_in(words) is not None):
                    return (Condition(column=column, value=value, match="has"),)
                continue
            wanted = Condition(column=column, value=value, match="is" if column == "museum" else "has")
            if column in table.columns and any(map(wanted.fits, table.columns[column].folded)):
                return (wanted,)
        first, _, rest = words.partition(" ")
        return self._each(first, rest, kind) if rest else None

    def _each(self, first: str, rest: str, kind: KindWords) -> Conditions | None:
        """Several descriptions in a row ("vegan thai")."""
        one, others = self._description(first, kind), self._description(rest, kind)
        return None if one is None or others is None else (*one, *others)


def _stripped(words: str) -> str:
    """The words without articles in front and signs around them."""
    parts = words.strip(" ,.?!:\"'").split()
    while len(parts) > 1 and parts[0].casefold() in _ARTICLES:
        parts = parts[1:]
    return " ".join(parts)


def _split(phrase: str) -> tuple[str, str]:
    """What stands before "with", "that", ..., and the rest."""
    parts = _BEHIND.split(phrase, maxsplit=1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def _word_starts(text: str) -> Sequence[int]:
    return [match.start() for match in _WORD.finditer(text)]


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
