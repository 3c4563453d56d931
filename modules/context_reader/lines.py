"""One line of supplied text: its plain words, its bullet, its emphasis, its remarks, and what stands at its ends.

Times, lengths, coordinates and modes of travel are found there, valued and taken off.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from map_tools.compute.measures import find_distances, find_durations
from map_tools.types import LatLng, TravelMode
from modules.context_reader.vocabulary import MAX_SENTENCE_CHARS, forms, words

_TAG = r"/?(?:a|b|big|br|div|em|font|h[1-6]|i|li|ol|p|small|span|strong|sub|sup|u|ul|wbr)\b[^<>]*"
_ANY_TAG = re.compile(rf"<{_TAG}>", re.IGNORECASE)
_REMARK = re.compile(r"<div\b[^<>]*>(.*?)</div\s*>", re.IGNORECASE | re.DOTALL)
_BREAK = re.compile(r"<(?:br|/p|/li)\b[^<>]*>", re.IGNORECASE)
_BOLD = re.compile(r"<(b|strong)\b[^<>]*>(.*?)</\1\s*>|\*\*(.+?)\*\*", re.IGNORECASE | re.DOTALL)
_BULLET = re.compile(
    r"(?:(?P<number>\d{1,3})[.)](?=\s)|(?P<heading>#{1,6})(?=\s)|(?P<mark>[-*•◦▪‣·+–—])(?=[^\d.-]))\s*"
)
_INVISIBLE = dict.fromkeys(
    [0x200B, 0x200E, 0x200F, 0xFEFF, 0x2060, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
_MAX_MARKUP_CHARS = 4000
"""In longer lines markup is taken out but not interpreted, as unclosed tags would take very long."""
_SPACES = re.compile(r"\s+")

_DEGREES = r"[+-]?\d{1,3}(?:\.\d+)?"
_COORDINATES = re.compile(
    rf"[(\[]?\s*(?:lat(?:itude)?[:=]?\s*)?({_DEGREES})\s*°?\s*,\s*(?:(?:lng|lon|long|longitude)[:=]?\s*)?({_DEGREES})\s*°?\s*[)\]]?\s*$",
    re.IGNORECASE,
)

_NUMBER_WORD = re.compile(
    r"\b(?:an|half|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"(?:by|on|in|via|using|with)\s", re.IGNORECASE)
_GERUND = re.compile(r"\w+ing$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not empty.

    Attributes:
        raw: As written, without the spaces at its ends.
        text: Plain words: no markup, no bullet, single ordinary spaces.
        indent: Number of leading spaces.
        number: The number of a numbered item ("3." → 3).
        bulleted: True for an item marked by a dash, a dot or the like.
        lead: The emphasised words the line begins with ("" if none): usually a name.
        notes: Remarks that stand in blocks of their own inside the line.
        blank_before: True if an empty line precedes.
    """

    raw: str
    text: str
    indent: int = 0
    number: int | None = None
    bulleted: bool = False
    lead: str = ""
    notes: tuple[str, ...] = ()
    blank_before: bool = False

    @property
    def plain(self) -> bool:
        """True if the line is no item of a list."""
        return self.number is None and not self.bulleted

    @property
    def title(self) -> str:
        """The text without the colon or full stop at its end."""
        return self.text.rstrip(":. ")

    @property
    def announces(self) -> bool:
        """True if the line ends with a colon: something follows."""
        return self.text.endswith(":")


def read_lines(text: str) -> tuple[Line, ...]:
    """Splits a text into its lines; empty ones are remembered by the line that follows."""
    return tuple(_lines(text))


def _lines(text: str) -> Iterator[Line]:
    blank = False
    for raw in _BREAK.sub("\n", text).splitlines():
        line = _line(raw, blank_before=blank)
        blank = line is None
        if line is not None:
            yield line


def _line(raw: str, *, blank_before: bool) -> Line | None:
    body = raw.expandtabs(4)
    if not body.isascii():
        body = body.translate(_INVISIBLE)
    stripped = body.lstrip()
    indent = len(body) - len(stripped)
    stripped = stripped.rstrip()
    bullet = _BULLET.match(stripped) if not stripped.startswith("**") else None
    rest = stripped[bullet.end() :] if bullet else stripped
    marked = "<" in rest or "**" in rest
    short = len(rest) <= _MAX_MARKUP_CHARS
    lead = _BOLD.match(rest) if marked and short else None
    remarks = _REMARK.findall(rest) if marked and short else []
    notes = tuple(filter(None, map(plain_text, remarks)))
    words = plain_text(_REMARK.sub(" ", rest) if notes else rest)
    if not words and not notes:
        return None
    return Line(
        raw=raw.strip(),
        text=words,
        indent=indent,
        number=int(bullet["number"]) if bullet and bullet["number"] else None,
        bulleted=bool(bullet and bullet["mark"]),
        lead=plain_text(lead[2] or lead[3] or "").rstrip(":") if lead else "",
        notes=notes,
        blank_before=blank_before,
    )


def plain_text(text: str) -> str:
    """Takes out markup and squeezes spaces; `<Name>` in angle brackets is no markup and stays."""
    if "<" in text:
        text = _ANY_TAG.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    text = text.replace("**", "").replace("\\_", "_").replace("\\#", "#")
    return _SPACES.sub(" ", text).strip()


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


def mode_in(text: str) -> TravelMode | None:
    """The first mode of travel a text names ("driving time", "by car", "on foot")."""
    found = forms().mode.search(text)
    return words().modes[found.group().lower()] if found else None


def modes_in(text: str) -> list[tuple[int, TravelMode]]:
    """All modes of travel a text names, with where they begin."""
    return [(found.start(), words().modes[found.group().lower()]) for found in forms().mode.finditer(text)]


def cut_mode(text: str) -> tuple[str, TravelMode | None]:
    """Takes the mode of travel off the end: "A to B by car" → "A to B".

    A bare noun stays where it is, as it may end a name ("Union Metro", "Grand Drive"): it must stand after a
    preposition, in brackets, or be a verb form such as "walking".
    """
    bare = text.rstrip(" .,;:")
    for found in forms().mode.finditer(bare):
        phrase = found.group()
        bracketed = bare[found.end() :] == ")" and bare[: found.start()].endswith("(")
        if not bracketed and (found.end() != len(bare) or found.start() == 0):
            continue
        if bracketed or _PREPOSITION.match(phrase) or _GERUND.search(phrase):
            rest = bare[: found.start()].rstrip(" (,;")
            return rest, words().modes[phrase.lower()]
    return text, None


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
