"""What readers of routers' replies share: instructions read as steps, whole roundabouts, summaries, warnings."""

import html
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from map_tools.compute.scanning import alternatives, find_ordinals, load
from map_tools.text import is_number, split_streets
from map_tools.types import LatLng, Route, RouteStep

SNAP_WARNING_M = 300
"""A route that begins or ends farther than this from the place asked for says so."""

METRES_PER_DEGREE = 111_195
"""Along a meridian on a sphere of 6,371 km: exact to half a percent, enough for a warning."""

_GRADES = (
    "hiking",
    "mountain hiking",
    "demanding mountain hiking",
    "alpine hiking",
    "demanding alpine hiking",
    "difficult alpine hiking",
)
"""The grades of the Swiss Alpine Club, T1 to T6 (https://wiki.openstreetmap.org/wiki/Key:sac_scale)."""
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


def quickest(routes: Sequence[Route]) -> Route:
    """The route of the least time; where none states a time the shortest, of equal ones the first."""
    return min(routes, key=lambda route: (_or_most(route.duration_s), _or_most(route.distance_m)))


def told_apart(routes: Sequence[Route]) -> tuple[Route, ...]:
    """The routes, each with a summary that tells it from the others."""
    summaries = _summaries([_main_streets(route) for route in routes])
    return tuple(
        route.model_copy(update={"summary": summary})
        for route, summary in zip(routes, summaries, strict=True)
    )


def with_whole_roundabouts(steps: Iterable[RouteStep]) -> tuple[RouteStep, ...]:
    """The steps of a leg, in which entering and leaving a roundabout ("roundabout-exit") are one."""
    whole: list[RouteStep] = []
    for step in steps:
        if step.maneuver == "roundabout-exit" and whole and whole[-1].maneuver == "roundabout":
            whole[-1] = _join_roundabout(whole[-1], step)
        else:
            whole.append(step)
    return tuple(whole)


def snap_warnings(geometry: Sequence[LatLng], stops: Sequence[LatLng]) -> Iterator[str]:
    """Sentences on ends of a route that lie far from the places asked for."""
    if not geometry:
        return
    for verb, found, wanted in (("begins", geometry[0], stops[0]), ("ends", geometry[-1], stops[-1])):
        away_m = _rough_distance_m(found, wanted)
        if away_m > SNAP_WARNING_M:
            yield f"The route {verb} at the nearest road, {away_m:.0f} m from the place itself."


def hard_path(grade: int) -> str:
    """Words for a mountain path of a grade: "a mountain path of grade T4 (alpine hiking)"."""
    return f"a mountain path of grade T{grade} ({_GRADES[grade - 1]})"


def remarkable(*, ferry: bool = False, path_grade: int = 0) -> tuple[str, ...]:
    """Words for what is told of a way where it is part of it: a ferry, a mountain path of a grade above 0."""
    return (*(("a ferry",) if ferry else ()), *((hard_path(path_grade),) if path_grade else ()))


def uses(*, ferry: bool = False, path_grade: int = 0) -> tuple[str, ...]:
    """The same as sentences: "It uses a ferry."."""
    return tuple(f"It uses {part}." for part in remarkable(ferry=ferry, path_grade=path_grade))


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


def _or_most(value: float | None) -> float:
    return math.inf if value is None else value


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


def _join_roundabout(enter: RouteStep, leave: RouteStep) -> RouteStep:
    """Entering and leaving a roundabout are one manoeuvre for whoever drives, and for whoever counts."""
    return enter.model_copy(
        update={
            "distance_m": (enter.distance_m or 0) + (leave.distance_m or 0),
            "duration_s": (enter.duration_s or 0) + (leave.duration_s or 0),
            "streets": leave.streets or enter.streets,
            "notes": tuple(dict.fromkeys((*enter.notes, *leave.notes))),
        }
    )


def _main_streets(route: Route) -> tuple[str, ...]:
    """Street names by the length travelled on them, longest first."""
    lengths: Counter[str] = Counter()
    for step in route.steps:
        if step.streets and step.distance_m:
            lengths[step.streets[0]] += round(step.distance_m)
    return tuple(name for name, _ in lengths.most_common())


def _summaries(streets: Sequence[tuple[str, ...]]) -> list[str]:
    """The main street of each route, with a second one where two would be called the same.

    A road's number stands alone only where no street of the route has a name.
    """
    summaries = []
    for index, names in enumerate(streets):
        rivals = [
            other for at, other in enumerate(streets) if at != index and names and other[:1] == names[:1]
        ]
        others = sorted(names[1:], key=is_number)
        own = [name for name in others if all(name not in other for other in rivals)]
        named = bool(others) and is_number(names[0]) and not is_number(others[0])
        beside = (own or others)[:1] if rivals or named else []
        summaries.append(" and ".join((*names[:1], *beside)))
    return summaries


def _rough_distance_m(a: LatLng, b: LatLng) -> float:
    turn = (a.lng - b.lng + 180) % 360 - 180  # the short way round, also across the antimeridian
    east = turn * math.cos(math.radians(a.lat))
    return math.hypot(a.lat - b.lat, east) * METRES_PER_DEGREE
