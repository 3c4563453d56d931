"""Reads options that are orders of visits or whole schedules, whatever their wording.

"A → B → C", "First A, then B", "(1:00 - 3:00 PM) visit A, reach B at 3:33 PM ...": the stops are found by
their names, in the order they are spoken of; the times belong to the stop of their clause.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from map_tools.compute.quantities import find_clocks
from modules.names import normalise

FOUND_RATIO = 86.0
"""Partial ratio (0 to 100) from which a name counts as spoken of: one slip in a name of seven letters."""

HALF_DAY_MIN = 12 * 60

_CLAUSE = re.compile(
    r"\s*(?:→|➔|⟶|->|–>|—>|=>|>|;|,|\n|\.(?=\s|$)|\bthen\b|\bfollowed by\b)\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ReadStop:
    """A stop an option speaks of; minutes after midnight, None where the option gives no time."""

    stop: int
    arrive_min: float | None = None
    depart_min: float | None = None


@dataclass(frozen=True, slots=True)
class ReadOption:
    """An option as an order of stops (numbers of the names given to `read_option`), with its times if any."""

    index: int
    text: str
    stops: tuple[ReadStop, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """The stops in order."""
        return tuple(read.stop for read in self.stops)

    @property
    def timed(self) -> bool:
        """True if the option gives times for most of its stops."""
        return 2 * sum(read.arrive_min is not None for read in self.stops) > len(self.stops)


def read_option(index: int, text: str, names: Sequence[Sequence[str]]) -> ReadOption:
    """Reads an option.

    Args:
        index: Its index in the question.
        text: Its text.
        names: For each stop all names it may go by, best first.
    """
    stops: list[ReadStop] = []
    last_min = 0.0
    open_times: list[float] = []
    for clause in _clauses(text):
        spoken = _spoken(clause, names)
        times = []
        for clock in find_clocks(clause):
            last_min = _not_before(clock.value.hour * 60 + clock.value.minute, last_min)
            times.append(last_min)
        if not spoken:
            open_times += times
            continue
        times = open_times + times
        open_times = []
        stops = _noted(stops, spoken, times)
    return ReadOption(index=index, text=text, stops=tuple(stops))


def _clauses(text: str) -> list[str]:
    return [clause for clause in _CLAUSE.split(text) if clause and clause.strip()]


def _not_before(minutes: float, earliest: float) -> float:
    """A time of a schedule in its order: "4:13" after noon is in the afternoon."""
    while minutes < earliest:
        minutes += HALF_DAY_MIN
    return minutes


def _spoken(clause: str, names: Sequence[Sequence[str]]) -> list[int]:
    """The stops a clause speaks of, in its order; a name inside another one's words does not count."""
    words = normalise(clause)
    found: list[tuple[int, int, float, int]] = []
    for stop, aliases in enumerate(names):
        spans = [span for alias in aliases if (span := _span(words, normalise(alias))) is not None]
        if spans:
            start, end, ratio = max(spans, key=lambda span: (span[2], span[1] - span[0]))
            found.append((start, end, ratio, stop))
    found.sort(key=lambda item: (-item[2], item[0] - item[1]))
    kept: list[tuple[int, int, float, int]] = []
    for item in found:
        if all(item[1] <= other[0] or item[0] >= other[1] for other in kept):
            kept.append(item)
    return [stop for _, _, _, stop in sorted(kept)]


def _span(words: str, name: str) -> tuple[int, int, float] | None:
    if not name:
        return None
    at = f" {words} ".find(f" {name} ")
    if at >= 0:
        return at, at + len(name), 100.0
    if len(name) > len(words):
        contained = len(words) > 3 and set(words.split()) <= set(name.split())
        return (0, len(words), FOUND_RATIO) if contained else None
    match = fuzz.partial_ratio_alignment(name, words, score_cutoff=FOUND_RATIO)
    return (match.dest_start, match.dest_end, match.score) if match else None


def _noted(stops: list[ReadStop], spoken: list[int], times: list[float]) -> list[ReadStop]:
    """Adds what one clause says: several stops in a row, or one stop with its times."""
    if len(spoken) > 1:
        between = (times[0], times[-1]) if len(times) > 1 else (None, times[0] if times else None)
        stops = _merge(stops, ReadStop(spoken[0], None, between[0]))
        for stop in spoken[1:-1]:
            stops = _merge(stops, ReadStop(stop))
        return _merge(stops, ReadStop(spoken[-1], between[1]))
    arrive = times[0] if times else None
    return _merge(stops, ReadStop(spoken[0], arrive, times[-1] if len(times) > 1 else None))


def _merge(stops: list[ReadStop], new: ReadStop) -> list[ReadStop]:
    """Appends a stop; one that is spoken of again right after itself only gains times."""
    if not stops or stops[-1].stop != new.stop:
        return [*stops, new]
    last = stops[-1]
    times = [
        minute
        for minute in (last.arrive_min, last.depart_min, new.arrive_min, new.depart_min)
        if minute is not None
    ]
    arrive = min(times, default=None)
    depart = max(times, default=None)
    return [*stops[:-1], ReadStop(new.stop, arrive, depart if depart != arrive else None)]
