"""Travel times and distances: "Travel Time from A to B by car is 14 mins (3.8 km)"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from map_tools.facts import NoteFact, TravelFact
from map_tools.types import TravelMode
from modules.context_reader.drafts import Cursor, Finding
from modules.context_reader.lines import Line, Measures, cut_mode, measures_in, mode_in, modes_in, plain_text
from modules.context_reader.names import is_name, split_pair
from modules.context_reader.vocabulary import MAX_SENTENCE_CHARS, forms, words

_FROM = re.compile(r"\b(from|between)\s+(.+)", re.IGNORECASE)
_ARROW = re.compile(r"\s(?:<->|↔|→|->|–>|=>|⟶|➔)\s")
_VIA = re.compile(r"\s(?:via|through)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TravelLine:
    """What a line says about the way from one place to another.

    Attributes:
        origin: The first place's name.
        destination: The second place's name.
        values: What was measured, by mode (None: the line names no mode). No values: there is no way.
        back: As `values`, of the way from the second place to the first, where the line tells it apart.
        both_ways: True for "between A and B".
    """

    origin: str
    destination: str
    values: tuple[tuple[TravelMode | None, Measures], ...] = ()
    back: tuple[tuple[TravelMode | None, Measures], ...] = ()
    both_ways: bool = field(default=False)


def read_travel(cursor: Cursor) -> bool:
    """Reads one line of travel into a fact for each mode and direction."""
    line = cursor.peek()
    if line is None:
        return False
    told = parse_travel(line.text, cursor.known)
    if told is None:
        return False
    cursor.entries += findings(told, line.raw)
    cursor.advance()
    return True


def is_travel(line: Line) -> bool:
    """True if the line is about travel between two places."""
    return parse_travel(line.text, frozenset()) is not None


def parse_travel(text: str, known: frozenset[str]) -> TravelLine | None:
    """Takes a line of travel apart; None if it is none.

    Args:
        text: The line.
        known: Normalised names of places.
    """
    bare = text.rstrip(" .;")
    if len(bare) > MAX_SENTENCE_CHARS or bare.endswith(":") or not _may_be_travel(bare):
        return None
    found = forms().match("no_travel_line", bare)
    if found is not None:
        between = bare[: found.start("pair")].lower().endswith("between ")
        pair = _pair(cut_mode(found["pair"])[0], known, between=between)
        return TravelLine(pair[0], pair[1]) if pair else None
    last = _value_last().fullmatch(bare)
    line = _line(last["head"], last["values"], known) if last is not None else None
    return line if line is not None and is_name(line.origin) and is_name(line.destination) else None


def _may_be_travel(text: str) -> bool:
    folded = text.lower()
    return "from " in folded or "between " in folded or _ARROW.search(text) is not None or " to " in folded


def _line(head: str, values: str, known: frozenset[str]) -> TravelLine | None:
    found = _FROM.search(head)
    led = found is not None or _ARROW.search(head) is not None
    if not led and mode_in(values) is None and cut_mode(head)[1] is None:
        return None
    lead = head[: found.start()] if found else ""
    if forms().straight.search(f"{lead} {values}"):
        return None
    names, mode = cut_mode(found[2] if found else head)
    if _VIA.search(names):
        names, mode = cut_mode(_VIA.split(names, maxsplit=1)[0])
    both = found is not None and found[1].lower() == "between"
    pair = _pair(names, known, between=both)
    if pair is None:
        return None
    there, _, back = forms().back.sub("\n", values, count=1).partition("\n")
    mode = mode or mode_in(lead)
    measured = tuple(by_mode(there, mode))
    if not measured and measures_in(values):
        return None
    returning = tuple(by_mode(back, mode or mode_in(there)))
    return TravelLine(*pair, measured, returning, both_ways=both and not returning)


def _pair(names: str, known: frozenset[str], *, between: bool) -> tuple[str, str] | None:
    return split_pair(names, "between" if between else "pair", known)


def by_mode(values: str, mode: TravelMode | None) -> Iterator[tuple[TravelMode | None, Measures]]:
    """Parts "14 mins by car and 30 mins on foot" or "car: 14 mins, foot: 30 mins" by mode.

    Args:
        values: The words with the values.
        mode: The mode named before them; what stands before the first mode in `values` then belongs to it.
    """
    modes: list[tuple[int, TravelMode | None]] = [*modes_in(values)]
    leads = not measures_in(values[: modes[0][0]]) if modes else False
    if not leads and (mode is not None or not modes):
        modes, leads = [(0, mode), *modes], True
    starts = [start for start, _ in modes]
    begins, ends = (
        (starts, [*starts[1:], len(values)]) if leads else ([0, *starts[:-1]], [*starts[:-1], len(values)])
    )
    for (_, named), begin, end in zip(modes, begins, ends, strict=True):
        measures = measures_in(values[begin:end])
        if measures:
            yield named, measures


def findings(line: TravelLine, raw: str) -> Iterator[Finding]:
    """The facts a line tells."""
    if not line.values:
        yield Finding(NoteFact(text=plain_text(raw)), raw)
    ways = [(line.origin, line.destination)]
    if line.both_ways:
        ways.append((line.destination, line.origin))
    for origin, destination in ways:
        yield from (way(origin, destination, told, figures, raw) for told, figures in line.values)
    yield from (way(line.destination, line.origin, told, figures, raw) for told, figures in line.back)


def way(origin: str, destination: str, mode: TravelMode | None, measures: Measures, raw: str) -> Finding:
    """The fact that a way takes so long, or is so long; by car where no mode is told, as the map tools assume."""
    fact = TravelFact(
        origin=origin,
        destination=destination,
        mode=mode or TravelMode.DRIVING,
        duration_s=measures.duration_s,
        distance_m=measures.distance_m,
    )
    return Finding(fact, raw)


@lru_cache(maxsize=1)
def _value_last() -> re.Pattern[str]:
    verbs = "|".join(re.escape(verb) for verb in sorted(words().separators["value"], key=len, reverse=True))
    about = r"(?:about |approximately |approx\.? |around |roughly |only |just |~|≈)?"
    none = "|".join(pattern.pattern for pattern in forms().named["no_travel"])
    modes = rf"(?:\(?(?:{forms().mode.pattern})\)?:? ?)?"
    quantity = forms().quantity.pattern
    return re.compile(
        rf"(?P<head>.+?)(?:\s+(?:{verbs})\s+|\s*[:=|,]\s*|\s+[-–—]\s+|\s*\()(?P<values>{modes}{about}(?:{quantity}).*|(?:{none}))",
        re.IGNORECASE,
    )
