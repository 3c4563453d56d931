"""Reads what somebody types to find a place: its name, the area it lies in, or an address."""

import re
from dataclasses import dataclass

from map_tools.areas import AREA_KINDS, plain_area
from map_tools.kinds.concepts import find_in
from map_tools.maps.names import canonical, joins
from map_tools.maps.tags import house_number

_POSTCODE = re.compile(r"\b\d{4,6}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b")
_STREET_FIRST = re.compile(r"^(?P<street>.*[^\W\d].*?)\s+(?P<number>\d+\s?[a-zA-Z]?(?:\s?[-–/]\s?\d+\w?)?)$")
_NUMBER_FIRST = re.compile(r"^(?P<number>\d+[a-zA-Z]?(?:-\d+)?)\s+(?P<street>.*[^\W\d].*)$")

_HEAD_WEIGHT = 0.985
"""A reading that leaves words out counts a little less than one that needs them all."""


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
