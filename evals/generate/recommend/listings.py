"""Listings of travel guides: what the map shows of them, and what is withheld as truth.

What can be wished for, and how it is known of a listing, stands in `facets.toml`. What is made of a guide must show
its credit.

Two sources in the form of `poi_text` (its README tells their licences): Wikivoyage's listings (CC BY-SA) and
MyHelsinki's places (CC BY 4.0). Their texts are read where they lie and never become part of this project.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

from evals.generate.recommend import Source
from evals.suites.files import read_records
from evals.worlds.maps import ListedPlace
from map_tools.errors import InputFileError
from map_tools.kinds.concepts import concept
from map_tools.text import normalise

ATTRIBUTIONS: Mapping[Source, str] = {
    "wikivoyage": "Text from Wikivoyage contributors, CC BY-SA",
    "myhelsinki": "Helsinki Marketing, MyHelsinki Open API, CC BY 4.0",
}


LOW_SHARE = 1 / 3
"""A price is low if it is among this share of the lowest of its kind and city."""
_FREE = re.compile(r"\s*(?:free|no charge|donation)", re.IGNORECASE)
_AMOUNT = re.compile(r"[$£€]\s?(\d{1,4}(?:\.\d{1,2})?)")
_DENIED = r"(?:\b(?:not|no|never|without|isn['’]t|aren['’]t|far from)\s+(?:\w+\s+)?)?"


@dataclass(frozen=True, slots=True)
class Price:
    """What a listing's field for the price says.

    Attributes:
        free: There is nothing to pay.
        least: The lowest amount in it, in whatever currency the city has; None where there is none.
    """

    free: bool
    least: float | None

    @classmethod
    def read(cls, text: str) -> "Price":
        """Reads "$8 adults; $5 seniors", "Free", "£80 - £175"."""
        amounts = [float(amount) for amount in _AMOUNT.findall(text)]
        return cls(_FREE.match(text) is not None, min(amounts, default=None))


@dataclass(frozen=True, slots=True)
class Facet:
    """Something a place may be like.

    Attributes:
        kinds: The kinds that are asked for it.
        before, after: Its words before the kind, or after it; one of them is empty.
    """

    key: str
    kinds: frozenset[str]
    before: str
    after: str


class Facets:
    """The table of facets, kinds and surroundings."""

    def __init__(self) -> None:
        self._data: dict[str, Any] = tomllib.loads(
            (files("evals.generate.recommend") / "facets.toml").read_text("utf-8")
        )

    @cached_property
    def all(self) -> tuple[Facet, ...]:
        """Every facet, in the order of the table."""
        return tuple(
            Facet(key, frozenset(entry["kinds"]), entry.get("before", ""), entry.get("after", ""))
            for key, entry in self._data["facets"].items()
        )

    @property
    def surroundings(self) -> Mapping[str, Mapping[str, Any]]:
        """What may be around a place: `words`, the `tags` that show it, `within_m`."""
        found: Mapping[str, Mapping[str, Any]] = self._data["surroundings"]
        return found

    def word(self, kind: str) -> str:
        """The word for a kind."""
        return str(self._data["kinds"][kind]["word"])

    def kinds_of(self, source: str, values: Iterable[str]) -> frozenset[str]:
        """The kinds that a source's words state."""
        said = frozenset(values)
        return frozenset(
            kind for kind, entry in self._data["kinds"].items() if not said.isdisjoint(entry[source])
        )

    def tags_of(self, kinds: Iterable[str]) -> dict[str, str]:
        """OpenStreetMap's tags for some kinds; several values of a key are joined by semicolons."""
        tags: dict[str, list[str]] = {}
        for kind in sorted(kinds):
            key, _, value = self._data["kinds"][kind]["tag"].partition("=")
            tags.setdefault(key, []).append(value)
        return {key: ";".join(values) for key, values in tags.items()}

    def of_tags(self, tags: Iterable[str]) -> frozenset[str]:
        """The facets that a listing's tags state."""
        said = frozenset(tags)
        return frozenset(key for key, entry in self._entries() if not said.isdisjoint(entry.get("tags", ())))

    def in_text(self, text: str) -> frozenset[str]:
        """The facets that an English description states without denying them."""
        return frozenset(key for key, pattern in self._patterns.items() if _stated(pattern, text))

    def by_price(self, price: Price, peers: Sequence[Price]) -> frozenset[str]:
        """The facets that a price states.

        Args:
            price: Of the listing.
            peers: Of all listings of its kind and city, itself included.
        """
        amounts = sorted(other.least for other in peers if other.least is not None)
        low = price.least is not None and price.least <= amounts[int(LOW_SHARE * (len(amounts) - 1))]
        holds = {"low": low, "free": price.free}
        return frozenset(key for key, entry in self._entries() if holds.get(entry.get("price", ""), False))

    def masked(self, text: str) -> str:
        """A description without the phrases that state any facet."""
        for pattern in self._patterns.values():
            text = pattern.sub(" ", text)
        return " ".join(text.split())

    @cached_property
    def replaced(self) -> frozenset[str]:
        """The categories of an extract's own places that listings take the place of."""
        found: set[str] = set()
        for category in self._data["replaced"]["categories"]:
            known = concept(category)
            found |= {category, *(known.ids if known is not None else ())}
        return frozenset(found)

    def _entries(self) -> Iterable[tuple[str, Mapping[str, Any]]]:
        entries: Mapping[str, Mapping[str, Any]] = self._data["facets"]
        return entries.items()

    @cached_property
    def _patterns(self) -> Mapping[str, re.Pattern[str]]:
        """What states each facet, with a word that denies it before it as part of the match."""
        return {
            key: re.compile(
                rf"{_DENIED}(?<![\w-])(?:{'|'.join(map(re.escape, _longest_first(entry['says'])))})(?![\w-])",
                re.IGNORECASE,
            )
            for key, entry in self._entries()
            if "says" in entry
        }


def has_tag(tags: Mapping[str, str], wanted: Iterable[str]) -> bool:
    """True if one of the tags ("key=value") is there, alone or in a list of values."""
    pairs = (tag.partition("=") for tag in wanted)
    return any(value in tags.get(key, "").split(";") for key, _, value in pairs)


def _stated(pattern: re.Pattern[str], text: str) -> bool:
    denials = re.compile(r"\b(?:not|no|never|without|isn['’]t|aren['’]t|far from)\b", re.IGNORECASE)
    return any(denials.match(found[0].strip()) is None for found in pattern.finditer(text))


def _longest_first(phrases: Sequence[str]) -> list[str]:
    return sorted(phrases, key=len, reverse=True)


DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


@dataclass(frozen=True, slots=True)
class Listing:
    """A place of a guide.

    Attributes:
        shown: What the map says of it.
        kinds: What it is (`facets.toml`).
        facets: What is true of it and withheld.
    """

    shown: ListedPlace
    kinds: frozenset[str]
    facets: frozenset[str]

    @property
    def name(self) -> str:
        """Its name, which no other listing of the map has."""
        return self.shown.tags["name"]

    @property
    def point(self) -> tuple[float, float]:
        """(latitude, longitude)."""
        return self.shown.lat, self.shown.lng


def read_listings(
    path: Path, source: Source, where: Mapping[str, str], facets: Facets
) -> tuple[Listing, ...]:
    """The listings of a file that are of a known kind and somewhere, in its order; of two of a name one.

    Args:
        path: The file.
        source: Whose listings they are.
        where: Fields with the value they must have ("city": "London").
        facets: What may be true of them.

    Raises:
        InputFileError: The file cannot be read, or a record lacks a name; names its line.
    """
    records = []
    for line, record in read_records(path):
        if not isinstance(record.get("name"), str):
            raise InputFileError(f"{path}, line {line}: a listing needs a name.", "Correct this record.")
        if _is_placed(record) and all(record.get(field) == value for field, value in where.items()):
            records.append(record)
    made: dict[str, Listing] = {}
    for listing in _READERS[source](records, facets):
        if listing.kinds:
            made.setdefault(normalise(listing.name), listing)
    return tuple(made.values())


def _is_placed(record: Mapping[str, Any]) -> bool:
    """True for a listing with a position that is not known to be wrong."""
    return "lat" in record and "lon" in record and not record.get("geo_suspect")


def _wikivoyage(records: Sequence[dict[str, Any]], facets: Facets) -> Iterator[Listing]:
    """Kind and name are shown, and the text without what states a facet; prices and hours are withheld."""
    prices = [Price.read(record.get("price", "")) for record in records]
    groups = [(record.get("kind"), record.get("city")) for record in records]
    for record, price, group in zip(records, prices, groups, strict=True):
        peers = [other for other, its in zip(prices, groups, strict=True) if its == group]
        kinds = facets.kinds_of("wikivoyage", [str(record.get("kind"))])
        text = str(record.get("text", ""))
        told = facets.in_text(text) | facets.by_price(price, peers)
        yield _listing(record, kinds, told, {"description": facets.masked(text)}, facets)


def _myhelsinki(records: Sequence[dict[str, Any]], facets: Facets) -> Iterator[Listing]:
    """Kind, name, hours and the (Finnish) text are shown; all other tags are withheld."""
    for record in records:
        tags = [str(tag) for tag in record.get("tags", ())]
        shown = {"description": str(record.get("text_fi", "")), "opening_hours": _hours(record)}
        yield _listing(record, facets.kinds_of("myhelsinki", tags), facets.of_tags(tags), shown, facets)


_READERS: Mapping[Source, Callable[[Sequence[dict[str, Any]], Facets], Iterator[Listing]]] = {
    "wikivoyage": _wikivoyage,
    "myhelsinki": _myhelsinki,
}


def _listing(
    record: Mapping[str, Any],
    kinds: frozenset[str],
    told: frozenset[str],
    shown: Mapping[str, str],
    facets: Facets,
) -> Listing:
    tags = {"name": record["name"].strip(), **facets.tags_of(kinds), **shown}
    filled = {key: value for key, value in tags.items() if value}
    return Listing(ListedPlace(float(record["lat"]), float(record["lon"]), filled), kinds, told)


def _hours(record: Mapping[str, Any]) -> str:
    """MyHelsinki's week as OpenStreetMap writes it (https://wiki.openstreetmap.org/wiki/Key:opening_hours)."""
    rules = []
    for span in record.get("opening_hours", ()):
        day = DAYS[int(span["day"]) - 1]
        if span.get("closed"):
            rules.append(f"{day} off")
        elif span.get("open24h"):
            rules.append(f"{day} 00:00-24:00")
        elif "opens" in span and "closes" in span:
            rules.append(f"{day} {span['opens']}-{span['closes']}")
    return "; ".join(rules)


def digest_text(listings: Sequence[Listing]) -> str:
    """What a hash of the withheld truth is made over: names and facets, no texts."""
    return json.dumps([[one.name, sorted(one.kinds), sorted(one.facets)] for one in listings])
