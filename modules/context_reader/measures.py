"""Times, lengths and coordinates at the ends of a line: found, valued and taken off."""

import re
from dataclasses import dataclass
from functools import lru_cache

from map_tools.compute.measures import find_distances, find_durations
from map_tools.types import LatLng
from modules.context_reader.vocabulary import MAX_SENTENCE_CHARS, forms

_DEGREES = r"[+-]?\d{1,3}(?:\.\d+)?"
_COORDINATES = re.compile(
    rf"[(\[]?\s*(?:lat(?:itude)?[:=]?\s*)?({_DEGREES})\s*°?\s*,\s*(?:(?:lng|lon|long|longitude)[:=]?\s*)?({_DEGREES})\s*°?\s*[)\]]?\s*$",
    re.IGNORECASE,
)

_NUMBER_WORD = re.compile(
    r"\b(?:an|half|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Measures:
    """The first time and the first length of a text."""

    duration_s: float | None = None
    distance_m: float | None = None

    def __bool__(self) -> bool:
        return self.duration_s is not None or self.distance_m is not None

    def filled(self, other: "Measures") -> "Measures":
        """These, and of the others what is missing here."""
        return Measures(
            other.duration_s if self.duration_s is None else self.duration_s,
            other.distance_m if self.distance_m is None else self.distance_m,
        )


def measures_in(text: str) -> Measures:
    """Reads "16 mins (1.2 km)", "0.3 km, 4 mins" and the like."""
    if not any(char.isdigit() for char in text) and _NUMBER_WORD.search(text) is None:
        return Measures()
    durations, distances = find_durations(text), find_distances(text)
    return Measures(
        duration_s=durations[0].value if durations else None,
        distance_m=distances[0].value if distances else None,
    )


def cut_measures(text: str) -> tuple[str, Measures]:
    """Takes the run of times and lengths off the end: "Via A4 | 12 mins | 3 km" → "Via A4".

    What looks like a length inside the words ("5 Mile Rd") stays.
    """
    head, bar, rest = text.partition("|")
    if bar and head.strip() and _tail().fullmatch(rest.strip()):
        return head.rstrip(" ,;:([–—-"), measures_in(rest)
    if not text or len(text) > MAX_SENTENCE_CHARS or (not text[-1].isalpha() and text[-1] not in ").]"):
        return text, Measures()
    found = _tail().search(text)
    if found is None:
        return text, Measures()
    return text[: found.start()].rstrip(" |,;:([–—-"), measures_in(found.group())


def cut_leading_measures(text: str) -> tuple[str, Measures]:
    """Takes a bracketed time and length off the front: "(1 min | 0.2 km) Turn left" → "Turn left"."""
    found = _lead().match(text)
    if found is None:
        return text, Measures()
    return text[found.end() :], measures_in(found.group())


def cut_coordinates(text: str) -> tuple[str, LatLng | None]:
    """Takes "(lat, lng)" off the end: "Athens, Greece(37.98, 23.73)" → "Athens, Greece".

    Without brackets both numbers must have decimals, lest the end of an address is taken for a position.
    """
    found = _COORDINATES.search(text) if text and (text[-1] in ")]°" or text[-1].isdigit()) else None
    if found is None or "." not in found[1] or "." not in found[2]:
        return text, None
    lat, lng = float(found[1]), float(found[2])
    if abs(lat) > 90 or abs(lng) > 180:
        return text, None
    return text[: found.start()].rstrip(" ,;:-"), LatLng(lat=lat, lng=lng)


@lru_cache(maxsize=1)
def _tail() -> re.Pattern[str]:
    quantity = forms().quantity.pattern
    return re.compile(
        rf"(?:(?:(?<=[\s|,;:(\[–—-])|^)(?:about |approx\.? |and |~)*(?:{quantity})[)\].]*[\s|,;:(\[–—-]*)+$",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1)
def _lead() -> re.Pattern[str]:
    quantity = forms().quantity.pattern
    return re.compile(rf"[(\[]\s*(?:(?:{quantity})[\s|,;/–-]*)+[)\]]\s*", re.IGNORECASE)
