"""Reads a turn-by-turn instruction: what one does, which street one is on then, which exit one takes."""

import html
import re
from functools import lru_cache

from map_tools.compute.numbers import find_ordinals
from map_tools.compute.scanning import alternatives, load
from map_tools.types import RouteStep

_TAG = re.compile(r"<[^>]+>")
_WORD_BREAK = re.compile(r"<wbr\s*/?>")
_EXIT_ORDINAL = re.compile(r"\s*exit\b", re.IGNORECASE)
_FOLLOW_NOTE = re.compile(r"^Continue to follow (?P<street>.+)$", re.IGNORECASE)
_GENERIC = re.compile(r"(?:[Tt]he|[Aa]n?|[Yy]our) (?:[a-z]|\d)|(?:left|right)$")
_VOWEL = re.compile(r"[^\W\dbcdfghjklmnpqrstvwxz]")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def read_step(instruction: str, notes: tuple[str, ...] = ()) -> RouteStep:
    """The step an instruction describes; markup in it is taken off.

    Args:
        instruction: "Turn left onto Main St", "At the roundabout, take the 2nd exit onto Park Rd".
        notes: Remarks beside it ("Toll road", "Continue to follow Park Rd").
    """
    text = plain_text(instruction)
    plain_notes = tuple(plain_text(note) for note in notes)
    maneuver = _maneuver(text)
    return RouteStep(
        instruction=text,
        streets=_streets(text, plain_notes),
        maneuver=maneuver,
        roundabout_exit=_roundabout_exit(text) if maneuver.startswith("roundabout") else None,
        notes=plain_notes,
    )


def plain_text(markup: str) -> str:
    """Text without tags, entities and invisible direction marks, white space squeezed."""
    text = _TAG.sub("", _WORD_BREAK.sub("", markup))
    return " ".join(_INVISIBLE.sub("", html.unescape(text)).split())


def split_streets(name: str) -> tuple[str, ...]:
    """The names in "US-9 E/E Linden Ave"; a house number such as "12/3" is not split."""
    parts = [part.strip() for part in re.split(r"(?<!\d)/|/(?!\d)", name)]
    return tuple(part for part in parts if part)


def _maneuver(text: str) -> str:
    lowered = text.lower()
    return next((name for name, pattern in _maneuvers() if pattern.search(lowered)), "")


def _streets(text: str, notes: tuple[str, ...]) -> tuple[str, ...]:
    streets: list[str] = []
    for cue in _cues():
        name = _name_after(text, cue)
        if name:
            streets.extend(split_streets(name))
            break
    for note in notes:
        followed = _FOLLOW_NOTE.match(note)
        if followed:
            streets.extend(split_streets(followed["street"]))
    return tuple(dict.fromkeys(streets))


def _name_after(text: str, cue: re.Pattern[str]) -> str:
    """The street name after the last such cue that has one; "the ramp", "the left" are none."""
    for match in reversed(list(cue.finditer(text))):
        name = _ends().split(text[match.end() :] + " ", maxsplit=1)[0].strip()
        name = name if _ends_abbreviated(name) else name.rstrip(".")
        if name and not _GENERIC.match(name):
            return name
    return ""


def _ends_abbreviated(name: str) -> bool:
    """True if the dot at the end belongs to the name ("Main St.", "Kirke gt."), not to the sentence.

    Known short forms, and words without a vowel, are abbreviations.
    """
    short: dict[str, str] = load("route_steps")["abbreviations"]
    last = name.lower().rstrip(".").rpartition(" ")[2]
    known = last in short.values() or (last in short and len(last) <= 3) or last.endswith("str")
    return known or not _VOWEL.search(last)


def _roundabout_exit(text: str) -> int | None:
    for span in find_ordinals(text):
        if _EXIT_ORDINAL.match(text, span.end):
            return span.value
    return None


@lru_cache(maxsize=1)
def _maneuvers() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((entry["name"], re.compile(entry["pattern"])) for entry in load("route_steps")["maneuver"])


@lru_cache(maxsize=1)
def _cues() -> tuple[re.Pattern[str], ...]:
    cues = load("route_steps")["street_cues"]
    return tuple(
        re.compile(rf"(?<!\w)(?:{alternatives(cues[strength])}) ", re.IGNORECASE)
        for strength in ("strong", "weak")
    )


@lru_cache(maxsize=1)
def _ends() -> re.Pattern[str]:
    ends = alternatives(load("route_steps")["street_cues"]["ends"])
    starts = alternatives(load("route_steps")["street_cues"]["sentence_starts"])
    return re.compile(rf"{ends}| for \d|\. (?=(?:{starts})\b)", re.IGNORECASE)
