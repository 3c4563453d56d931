"""Numbers, lengths, areas and directions in running text, written in digits or in words."""

import re

from evals.metrics.errors import WINDS, azimuth_of
from evals.metrics.text import NUMBER_WORDS, from_words
from map_tools.compute.distances import find_distances
from map_tools.compute.numbers import find_numbers
from map_tools.compute.square import find_areas_m2

_RUN = re.compile(
    rf"\b(?:{'|'.join(sorted(NUMBER_WORDS))})(?:[\s-]+(?:and\s+)?(?:point|{'|'.join(sorted(NUMBER_WORDS))}))*\b",
    re.IGNORECASE,
)
_DEGREES = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:°|deg(?:rees?)?\b)", re.IGNORECASE)
_COMPASS = re.compile(
    r"\b(?P<ns>north|south)(?P<join>[\s-]*)(?P<ew>east|west)?(?:erly|ern|wards?|bound)?\b"
    r"|\b(?P<only>east|west)(?:erly|ern|wards?|bound)?\b",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"\b(NE|NW|SE|SW|N|S|E|W)\b")
_LETTER_WINDS = dict(zip(("N", "NE", "E", "SE", "S", "SW", "W", "NW"), (wind for wind in WINDS), strict=True))


def with_digits(text: str) -> str:
    """The text with every number in words written in digits: "two hundred fifty metres" → "250 metres"."""
    return _RUN.sub(_digits, text)


def _digits(match: re.Match[str]) -> str:
    value = from_words(match[0])
    return match[0] if value is None else f"{value:.15g}"


def lengths_m(text: str) -> tuple[float, ...]:
    """All distances and lengths in metres."""
    return tuple(span.value for span in find_distances(with_digits(text)))


def areas_m2(text: str) -> tuple[float, ...]:
    """All areas in square metres, in the order of the text."""
    return find_areas_m2(with_digits(text))


def numbers(text: str) -> tuple[float, ...]:
    """All numbers, with or without a unit."""
    return tuple(span.value for span in find_numbers(with_digits(text)))


def azimuths_deg(text: str) -> tuple[float, ...]:
    """All directions in degrees clockwise from north: degrees where the text gives them, else winds."""
    degrees = tuple(float(match[1]) % 360 for match in _DEGREES.finditer(with_digits(text)))
    if degrees:
        return degrees
    winds = tuple(azimuth_of(_wind(match)) for match in _COMPASS.finditer(text))
    return winds or tuple(azimuth_of(_LETTER_WINDS[match[1]]) for match in _LETTERS.finditer(text))


def _wind(match: re.Match[str]) -> str:
    if match["only"]:
        return match["only"].casefold()
    return f"{match['ns']}{match['ew'] or ''}".casefold()
