"""The stops of a trip as a question tells them: places in order, stays, modes, the way back."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.concepts import lookup
from map_tools.types import TravelMode
from modules.names import normalise, same_name
from modules.offline.analysis import Analysis, Span
from modules.offline.marks import Mark
from modules.offline.route_grammar_names import slots, words, written_names

_THE_KIND = re.compile(r"\b(?:to|visit|at|reach|see|into|via)\s+the\s+(?P<kind>[a-z]+(?: [a-z]+)?)\b")


@dataclass(slots=True)
class Stop:
    """A place to go to, with what is said of it."""

    start: int
    end: int
    text: str
    dwell_s: float = 0.0
    mode: TravelMode | None = None


@dataclass(slots=True)
class Trail:
    """The trip a question tells.

    Attributes:
        start: Where it begins, None if the question does not say; `stops` in the order told.
        end: A place of its own to end at. `back`: where the question speaks of the way back.
        spans: All names, repeated ones too.
        mode / back_mode: The mode of the whole trip, and of the way back.
    """

    start: str | None
    stops: list[Stop]
    end: str | None = None
    back: Span | None = None
    mode: TravelMode | None = None
    back_mode: TravelMode | None = None
    spans: list[Span] = field(default_factory=list)
    repeats: list[Stop] = field(default_factory=list)
    end_stop: Stop | None = None
    used: list[Span] = field(default_factory=list)


@lru_cache(maxsize=1)
def vocabulary() -> dict[str, Any]:
    """The phrases of `data/trips.toml`."""
    return tomllib.loads((files("modules.offline") / "data" / "trips.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def pattern(section: str, key: str) -> re.Pattern[str]:
    """One entry of the vocabulary."""
    return re.compile("|".join(f"(?:{one})" for one in vocabulary()[section][key]))


def trail(analysis: Analysis) -> Trail:
    """Reads the stops of a trip."""
    names = _names(analysis)
    found = Trail(start=analysis.here.place if analysis.here else None, stops=[])
    found.spans = [(start, end) for start, end in names]
    for start, end in names:
        _place(analysis, found, Stop(start, end, _clean(analysis.text[start:end])))
    _join_qualified(analysis, found)
    found.back = _way_back(analysis, found)
    return found


def _names(analysis: Analysis) -> list[Span]:
    """The names of places in the order of the text; without capitals those that follow a cue."""
    taken = [(mention.start, mention.end) for mention in analysis.by_role("self", "qualifier")]
    names = [span for span in written_names(analysis) if not _overlaps(span, taken)]
    if not names:
        cued = [*slots(analysis, "to"), *slots(analysis, "from"), *slots(analysis, "visit")]
        names = [(slot.start, slot.end) for slot in cued if not _overlaps((slot.start, slot.end), taken)]
    known = normalise(" ".join(analysis.text[start:end] for start, end in names)).split()
    for match in _THE_KIND.finditer(analysis.text):
        kind = next((words_ for words_ in _heads(match["kind"]) if lookup(words_) is not None), None)
        span = match.start("kind"), match.start("kind") + len(kind or "")
        pointed = kind is not None and kind.split()[-1] not in known and kind not in words("home")
        if pointed and not _overlaps(span, [*names, *taken]):
            names.append(span)
    return sorted(dict.fromkeys(names))


def _heads(kind: str) -> tuple[str, ...]:
    return (kind, kind.split(maxsplit=1)[0])


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _clean(name: str) -> str:
    return " ".join(name.split()).strip(" \"',.")


def _place(analysis: Analysis, found: Trail, stop: Stop) -> None:
    """Adds a name as the start, a stop, a repetition, or (a city the trip is in) not at all."""
    before = analysis.text[max(0, stop.start - 50) : stop.start].casefold()
    known = [*([found.start] if found.start else []), *(other.text for other in found.stops)]
    if any(same_name(stop.text, name) for name in known):
        found.repeats.append(stop)
    elif found.start is None and pattern("place", "start_surely").search(before):
        found.start = stop.text
    elif _is_city(analysis, stop, before) or _is_way(before):
        found.used.append((stop.start, stop.end))
    elif found.start is None and not found.stops and _is_start(analysis, found, stop, before):
        found.start = stop.text
    else:
        found.stops.append(stop)


def _is_start(analysis: Analysis, found: Trail, stop: Stop, before: str) -> bool:
    """True if the trip begins at this name."""
    if pattern("place", "bound_for").search(before):
        return False
    following = next((start for start, _ in found.spans if start >= stop.end), None)
    gap = analysis.text[stop.end : following].casefold() if following is not None else ""
    led_to = bool(pattern("place", "to_next").fullmatch(gap)) and not pattern("place", "going").search(before)
    return led_to or pattern("place", "start").search(before) is not None


def _is_way(before: str) -> bool:
    """True for a street one goes along, or a means of transport with a name."""
    return any(pattern("place", key).search(before) for key in ("via", "means_named"))


def _is_city(analysis: Analysis, stop: Stop, before: str) -> bool:
    """True for "in Lausanne, I want ...", "explore Bern": where the trip is, unless one stays for a time."""
    if not pattern("place", "city").search(before):
        return False
    text = analysis.text.casefold()
    stays = [mark for mark in analysis.durations if not is_budget(text, mark)]
    return not any(0 <= stop.start - mark.end < 12 for mark in stays)


def _join_qualified(analysis: Analysis, found: Trail) -> None:
    """Joins a name to the one before its comma ("X, City") where it is no stop of its own.

    It is none if the stops of the list bring their stays and the first has its own only with the second, or
    if it comes last in its clause without "and".
    """
    stayed = assign_stays(analysis, found)
    index = 0
    while index + 1 < len(found.stops):
        one, two = found.stops[index], found.stops[index + 1]
        gap = analysis.text[one.end : two.start]
        lone = gap == ", " and not analysis.text[two.end : two.end + 5].startswith((", and", " and", ", or"))
        bare = gap == ", " and stayed >= 2 and not one.dwell_s
        if bare or (
            lone and stayed == 0 and len(found.stops) == 2 and not re.match(r"\s*,", analysis.text[two.end :])
        ):
            one.text, one.end = analysis.text[one.start : two.end], two.end
            one.dwell_s = one.dwell_s or two.dwell_s
            found.stops.remove(two)
        else:
            index += 1


def assign_stays(analysis: Analysis, found: Trail) -> int:
    """Gives each stay to the stop it is said of; returns how many stays there are."""
    text = analysis.text.casefold()
    places = sorted([*found.stops, *found.repeats], key=lambda stop: stop.start)
    count = 0
    for mark in analysis.durations:
        if is_budget(text, mark):
            continue
        stop = _stayed_at(text, mark, places)
        if stop is None:
            continue
        target = next((one for one in found.stops if same_name(one.text, stop.text)), None)
        if target is not None and not target.dwell_s:
            target.dwell_s = mark.value
            found.used.append((mark.start, mark.end))
            count += 1
    return count


def _stayed_at(text: str, mark: Mark[float], places: Sequence[Stop]) -> Stop | None:
    """The stop a stay belongs to: the name right behind it ("2 hours at X"), else the last one before it."""
    behind = next((stop for stop in places if stop.start >= mark.end), None)
    if behind is not None and pattern("stay", "before_name").search(text[mark.end : behind.start]):
        between = text[mark.end : behind.start].strip()
        if between:
            return behind
    before = [stop for stop in places if stop.end <= mark.start]
    return before[-1] if before else None


def is_budget(text: str, mark: Mark[float]) -> bool:
    """True if a duration is the time at hand, not a stay."""
    before, after = text[max(0, mark.start - 90) : mark.start], text[mark.end :]
    if pattern("budget", "after").search(after):
        return True
    said = pattern("budget", "before").search(before) is not None
    return said and pattern("budget", "stay_after").search(after) is None


def _way_back(analysis: Analysis, found: Trail) -> Span | None:
    """Where the question speaks of going back; a place named for it that is no start becomes the end."""
    text = blanked(analysis, found.spans)
    last = found.stops[-1].end if found.stops else 0
    match = None
    for match in pattern("back", "words").finditer(text):
        if match.end() > last or found.stops:
            break
    if match is None:
        return None
    target = next((stop for stop in found.stops if 0 <= stop.start - match.end() < 25), None)
    between = text[match.end() : target.start].strip() if target is not None else ""
    if target is not None and pattern("back", "to_place").fullmatch(between):
        found.stops.remove(target)
        found.end_stop = target
        if found.start is None:
            found.start = found.end = target.text
        else:
            found.end = target.text
    return match.span()


def blanked(analysis: Analysis, spans: Sequence[Span]) -> str:
    """The question in lower case with stretches blanked out, character by character."""
    text = list(analysis.text.casefold())
    for start, end in spans:
        text[start:end] = ["_"] * (end - start)
    return "".join(text)


def speaks_of_way_back(text: str) -> bool:
    """True if a question speaks of going back."""
    return pattern("back", "words").search(text) is not None
