"""Listings of travel guides: what the map shows of them, and what is withheld as truth.

Two sources in the form of `poi_text` (its README tells their licences): Wikivoyage's listings (CC BY-SA) and
MyHelsinki's places (CC BY 4.0). Their texts are read where they lie and never become part of this project.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.generate.recommend.facets import Facets, Price
from evals.generate.recommend.sources import Source
from evals.suites.files import read_records
from evals.worlds.maps import ListedPlace
from map_tools.errors import InputFileError
from map_tools.text import normalise

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
