"""What a text says, one statement at a time, so that the effect of taking a line away can be told."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from map_tools.facts import NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.types import Place
from modules.context_reader.drafts import Finding
from modules.context_reader.reader import read_text

type StatementKind = Literal["place", "list", "way", "note"]

FIELDS = (
    "location",
    "address",
    "phone",
    "website",
    "rating",
    "rating_count",
    "price_level",
    "hours",
    "reviews",
)
"""Fields of a place that a text states; its name and kind go with the block."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a statement is about.

    Attributes:
        names: The place; the anchor of a list; the two ends of a way. As printed.
        aspect: The field; the kind of places a list holds; the mode of travel.
    """

    kind: StatementKind
    names: tuple[str, ...]
    aspect: str


type Statements = Mapping[Subject, tuple[str, ...]]
"""All that is said of each subject, in the order of the text."""


def statements(text: str) -> Statements:
    """Reads a text into its statements."""
    said: dict[Subject, list[str]] = {}
    for finding in read_text(text).findings:
        for subject, value in _of_finding(finding):
            said.setdefault(subject, []).append(value)
    return {subject: tuple(values) for subject, values in said.items()}


def _of_finding(finding: Finding) -> Iterator[tuple[Subject, str]]:
    fact = finding.fact
    if isinstance(fact, PlaceFact):
        for aspect, value in _of_place(fact.place):
            yield Subject("place", (fact.query,), aspect), value
    elif isinstance(fact, NearbyFact):
        # The lines themselves: the items also take over what the blocks of their names say.
        yield Subject("list", (fact.anchor,), fact.what), finding.raw
    elif isinstance(fact, TravelFact):
        value = f"{fact.duration_s} s, {fact.distance_m} m"
        yield Subject("way", (fact.origin, fact.destination), fact.mode.value), value
    elif isinstance(fact, RoutesFact):
        routes = "; ".join(route.model_dump_json(exclude_defaults=True) for route in fact.routes)
        yield Subject("way", (fact.origin, fact.destination), fact.mode.value), routes
    else:
        yield Subject("note", (), ""), finding.raw


def _of_place(place: Place) -> Iterator[tuple[str, str]]:
    yield "itself", place.name
    for field in FIELDS:
        value = getattr(place, field)
        if value:
            yield field, str(value)
    for table in ("services", "attributes"):
        for key, value in sorted(getattr(place, table).items()):
            yield f"{table}.{key}", str(value)
