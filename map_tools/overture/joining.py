"""Joins the places of a file of Overture with those of OpenStreetMap while a map is built.

A place that both have stays OpenStreetMap's and gains the facts it lacks; the others become features of their own.
Overture's categories become category ids and tags of ours by a table, `data/overture_kinds.toml`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from map_tools.files import file_sha256
from map_tools.kinds import concepts
from map_tools.kinds.category_file import read_data, vocabulary
from map_tools.kinds.tag_categories import categories_of
from map_tools.maps.feature import Feature, Shape, batches
from map_tools.maps.making.twins import Said, United
from map_tools.maps.making.writer import StoreWriter
from map_tools.maps.places import EMAIL, PHONE, WEBSITE
from map_tools.maps.search.names import canonical
from map_tools.maps.tags import CITY, HOUSE_NUMBER, POSTCODE, STREET, house_numbers
from map_tools.one_place import tells_little
from map_tools.overture.matching import (
    Known,
    Neighbours,
    Wanted,
    address_parts,
    flat_point,
    known_from,
)
from map_tools.overture.provenance import (
    DEFAULT_CONFIDENCE,
    FACT_SEPARATOR,
    FACTS_TAG,
    ID_TAG,
    KIND,
    SOURCES_TAG,
    OvertureInfo,
    facts_from_overture,
    number_of,
    place_id,
)
from map_tools.overture.source import OvertureFile, OverturePlace
from map_tools.types import Box


@dataclass(frozen=True, slots=True)
class Kind:
    """What a place of Overture is.

    Attributes:
        categories: Category ids, the most specific first, umbrellas last; empty if its categories say nothing here.
        tags: OpenStreetMap tags that say the same; none for an umbrella, which has none.
    """

    categories: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)


COUNTS = ("united", "added", "outside", "unsure", "closed", "kindless", "repeated", "unreadable")
_FULL_ADDRESS = "addr:full"
_ADDRESS = (STREET, HOUSE_NUMBER, POSTCODE, CITY, _FULL_ADDRESS)
_ONE_FACT = (PHONE, WEBSITE, EMAIL, ("brand",))
"""Tags that say one thing each: whoever has one of them lacks none."""

_FOOD = "food"


@dataclass(frozen=True, slots=True)
class OvertureChoice:
    """Which places of Overture a map gets.

    Attributes:
        file: The file of them.
        confidence: The least that Overture must be sure of them.
        source_file: What the file is called in the map's description.
    """

    file: OvertureFile
    confidence: float = DEFAULT_CONFIDENCE
    source_file: str = ""


class Joining:
    """One joining of a file with a map that is being written.

    Args:
        choice: What is joined.
    """

    def __init__(self, choice: OvertureChoice) -> None:
        self._choice = choice
        self._counts: Counter[str] = Counter(dict.fromkeys(COUNTS, 0))

    def join(self, writer: StoreWriter, box: Box) -> None:
        """Adds the places that lie in a box to a map that has all of its own.

        Raises:
            InputFileError: The file cannot be read to its end.
        """
        writer.settle()
        neighbours = Neighbours(_all_known(writer))
        for place in self._chosen(box):
            self._take(place, writer, neighbours)

    @property
    def info(self) -> OvertureInfo:
        """What has become of the file."""
        path = self._choice.file.path
        return OvertureInfo(
            source_file=self._choice.source_file or path.name,
            source_sha256=file_sha256(path),
            confidence=self._choice.confidence,
            counts=dict(self._counts),
        )

    def _chosen(self, box: Box) -> Iterator[OverturePlace]:
        """The places that are wanted; the others are counted."""
        seen: set[int] = set()
        inside = 0
        for place in self._choice.file.places(box):
            inside += 1
            why_not = self._why_not(place, seen)
            if why_not:
                self._counts[why_not] += 1
            elif place is not None:
                seen.add(number_of(place.id))
                yield place
        self._counts["outside"] = self._choice.file.rows - inside

    def _why_not(self, place: OverturePlace | None, seen: set[int]) -> str:
        if place is None:
            return "unreadable"
        if number_of(place.id) in seen:
            return "repeated"
        if place.closed:
            return "closed"
        if place.confidence is None or place.confidence < self._choice.confidence:
            return "unsure"
        return ""

    def _take(self, place: OverturePlace, writer: StoreWriter, neighbours: Neighbours) -> None:
        """Unites a place with one of the map, adds it, or leaves it out."""
        kind, facts = kind_of(place.kinds), _facts(place)
        street, number = facts.get(STREET, ""), facts.get(HOUSE_NUMBER, "")
        wanted = Wanted(
            name=canonical(place.name),
            categories=tuple(dict.fromkeys(chain(*(kind_of([each]).categories for each in place.kinds)))),
            street=canonical(street),
            numbers=frozenset(house_numbers(number)),
            lat=place.lat,
            lng=place.lng,
        )
        same = neighbours.best(wanted) if wanted.name else None
        if same is not None:
            self._counts["united"] += 1
            said = writer.said(same.row)
            gained = _lacking(said.tags, facts)
            row = _add(writer, place, said.categories, {**gained, ID_TAG: place.id})
            writer.unite([_united(said, row, place, kind, gained)])
            if HOUSE_NUMBER in gained:
                same.street, same.numbers = wanted.street, wanted.numbers
        elif not kind.categories:
            self._counts["kindless"] += 1
        else:
            self._counts["added"] += 1
            tags = {"name": place.name, **kind.tags, **facts, **_origin(place)}
            row = _add(writer, place, kind.categories, tags)
            flat = flat_point(place.lat, place.lng)
            neighbours.add(Known(row, (wanted.name,), wanted.categories, wanted.street, wanted.numbers, flat))


def _all_known(writer: StoreWriter) -> Iterator[Known]:
    for said in writer.standing():
        known = known_from(said, *writer.position(said.row))
        if known is not None:
            yield known


def _add(
    writer: StoreWriter, place: OverturePlace, categories: tuple[str, ...], tags: Mapping[str, str]
) -> int:
    """Adds a feature; returns its row."""
    row = len(writer)
    feature = Feature(
        KIND, number_of(place.id), dict(tags), categories, Shape.POINT, lat=place.lat, lng=place.lng
    )
    for batch in batches([feature], row):
        writer.add(batch)
    return row


def _facts(place: OverturePlace) -> dict[str, str]:
    """What Overture says of a place, as tags of OpenStreetMap."""
    street, number = address_parts(place.address)
    facts = {
        "phone": place.phone,
        "website": place.website,
        "email": place.email,
        "brand": place.brand,
        STREET: street,
        HOUSE_NUMBER: number,
        POSTCODE: place.address.postcode,
        CITY: place.address.locality,
        _FULL_ADDRESS: "" if street else place.address.freeform,
    }
    return {key: value for key, value in facts.items() if value}


def _lacking(tags: Mapping[str, str], facts: Mapping[str, str]) -> dict[str, str]:
    """Those of some facts that a feature has none of yet.

    An address is taken if there is none but a town's name, or what lacks of one in the same street: halves of
    two make no address.
    """
    gained = {
        key: value
        for key, value in facts.items()
        if key not in _ADDRESS
        and not any(tags.get(same) for group in _ONE_FACT if key in group for same in group)
    }
    stated = any(key in tags for key in (STREET, HOUSE_NUMBER, "addr:place", _FULL_ADDRESS))
    same_street = STREET in facts and canonical(facts[STREET]) == canonical(tags.get(STREET, ""))
    if same_street or not stated:
        gained |= {key: facts[key] for key in _ADDRESS if key in facts and key not in tags}
    return gained


def _origin(place: OverturePlace) -> dict[str, str]:
    sources = {SOURCES_TAG: FACT_SEPARATOR.join(place.sources)} if place.sources else {}
    return {ID_TAG: place.id, **sources}


def _united(said: Said, row: int, place: OverturePlace, kind: Kind, gained: Mapping[str, str]) -> United:
    """A place of the map with what Overture adds to it: facts, and a kind where it has no telling one."""
    tags = {**said.tags, **gained}
    categories = said.categories
    if kind.categories and tells_little(categories):
        categories = tuple(dict.fromkeys((*kind.categories, *categories)))
        gained = {**gained, **{key: value for key, value in kind.tags.items() if key not in tags}}
        tags |= gained
    if gained and ID_TAG not in said.tags:  # what Overture tells of its own place needs no mark
        facts = dict.fromkeys((*facts_from_overture(said.tags), *gained))
        tags[FACTS_TAG] = FACT_SEPARATOR.join(facts)
        if place.sources:
            sources = dict.fromkeys((*tags.get(SOURCES_TAG, "").split(FACT_SEPARATOR), *place.sources))
            tags[SOURCES_TAG] = FACT_SEPARATOR.join(filter(None, sources))
    return United(said.row, (row,), (place_id(place.id),), categories, tags, None)


def kind_of(overture_categories: Iterable[str]) -> Kind:
    """What Overture's categories of a place tell: the first of them that we have a category for.

    Args:
        overture_categories: The primary one first, such as "coffee_shop".
    """
    return next((kind for kind in map(_kind, overture_categories) if kind.categories), Kind())


@lru_cache(maxsize=4096)
def _kind(name: str) -> Kind:
    words = name.replace("_", " ")
    category = _table().get(name) or _by_words(words)
    if category is None:
        return Kind()
    tags = dict(_tags_of().get(category, ()))
    umbrellas = concepts.umbrellas_of(category)
    cuisine = concepts.cuisine_in(words) if _FOOD in umbrellas else None
    if cuisine is not None:
        tags.setdefault("cuisine", cuisine)
    return Kind(tuple(dict.fromkeys((category, *umbrellas, *categories_of(tags)))), tags)


def _by_words(words: str) -> str | None:
    """The category that words name, also with a cuisine before it: "thai restaurant"."""
    found = concepts.lookup(words)
    cuisine = next(iter(concepts.cuisines_in(words)), None)
    if found is None and cuisine is not None:
        found = concepts.lookup(f"{words[: cuisine.start]}{words[cuisine.end :]}".strip())
    return None if found is None else found.id


@lru_cache(maxsize=1)
def _table() -> Mapping[str, str]:
    table: dict[str, str] = read_data("overture_kinds.toml")["kinds"]
    return table


@lru_cache(maxsize=1)
def _tags_of() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """The tags of each category: by the rule that asks for the fewest, its own value before others."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for main, rules in vocabulary().rules.items():
        for rule in rules:
            tags = (main, *rule.also)
            if not rule.built and all(value for _, value in rule.also):
                known = found.setdefault(rule.category, tags)
                found[rule.category] = min(known, tags, key=lambda each: _rank(rule.category, each))
    return found


def _rank(category: str, tags: tuple[tuple[str, str], ...]) -> tuple[int, bool]:
    return len(tags), tags[0][1] != category
