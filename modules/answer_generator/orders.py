"""Matching several names: orders ("A → B → C"), sets and pairs ("A and B"), lists of a ranking, whole schedules."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from map_tools.compute.route_replies import read_step
from map_tools.text import SAME_SCORE, normalise, similarity
from mapagent.core import answer
from mapagent.core.answer import Named, Value
from modules.answer_generator.outcome import (
    SAME,
    Choices,
    Fit,
    Match,
    NoMatch,
    chosen,
    decide,
    phrases,
    same_text,
    tie,
)
from modules.answer_generator.quantities import Clock, clocks_in
from modules.answer_generator.texts import instruction_score, name_score

ITEM_FLOOR = 0.8
"""From here on an item of an option is taken for one of the names."""

STEPS_FLOOR = 0.7
"""A list of route steps may leave out or add some; an order of places may not."""

CLOCKS_FLOOR = 0.8
"""Share of a schedule's times that an option must state."""

ONE_OF_SCORE = 0.87
"""Score of an option that names just one of several names that all belong."""

CLOCK_SLIP_MIN = 1.0
JOINT = "|"
"""Stands where a name was; no normalised text holds it."""

STRONG_SEPARATORS = (
    r"\n+",
    r"\s*(?:-+>|=+>|–>|→|⇒|>)\s*",
    r"[,;.]?\s*\b(?:and\s+)?(?:then|finally|followed by|next)\b\s*,?",
)
WEAK_SEPARATORS = r"\s*[;,]\s*(?:and\s+)?|\s+and\s+|\s+&\s+"
PAIR_SEPARATORS = re.compile(r"\s+and\s+|\s*&\s*|\s+[-–—]\s+|\s*[;,/]\s*|\s+to\s+", re.IGNORECASE)
LEAD_IN = re.compile(
    r"^\s*(?:\d+[.)]\s+|first(?:ly)?\b[\s,:]*|start(?:ing)? (?:at|from)\s+|visit\s+)+", re.IGNORECASE
)

LISTED_MARGIN = 0.9
"""Which names belong together is read off the ranking, so it is a little less sure than a set of names."""


def match_sequence(value: answer.Sequence, choices: Choices) -> Match | NoMatch:
    """The option with these names in this order."""
    steps = any(read_step(name).maneuver for name in value.names)
    fits = [Fit(option, order_score(value.names, option.text)) for option in choices.options]
    shown = " → ".join(value.names)
    return decide(fits, floor=STEPS_FLOOR if steps else SAME, how="order", shown=f"the order {shown}")


def match_set(value: answer.NameSet, choices: Choices) -> Match | NoMatch:
    """The option with these names in any order; of several orders the one the names come in."""
    shown = " and ".join(value.names)
    fits = [Fit(option, set_score(value.names, option.text)) for option in choices.options]
    found = decide(fits, floor=SAME_SCORE, how="names", shown=shown)
    if isinstance(found, Match) or not found.tied:
        return found
    ordered = choices.only(found.tied).options
    in_order = decide(
        [Fit(option, order_score(value.names, option.text)) for option in ordered],
        floor=SAME, how="names in order", shown=shown,
    )  # fmt: skip
    return in_order if isinstance(in_order, Match) else found


def match_listed(value: Value, ranking: Sequence[Value], choices: Choices) -> Match | NoMatch | None:
    """The option that lists all the names of a ranking, or the first few of them, in whatever order.

    Returns:
        None if the options are no lists of these names: of one of them every item must be one. A single name
        among the options is compared as one.
    """
    names = _names(value, ranking)
    if len(names) < 2:
        return None
    places = {option: _places(option.text, names) for option in choices.options}
    sizes = [len(found) for found in places.values() if found is not None]
    if max(sizes, default=0) < 2 or min(sizes) < 2:
        return None
    fitting = [option for option, found in places.items() if found and _belong(found, len(names))]
    shown = " and ".join(names)
    if not fitting:
        return NoMatch(reason=f"None of the options lists {shown}.")
    longest = max(fitting, key=lambda option: len(places[option] or ()))
    twins = [option for option in fitting if same_text(option.text, longest.text)]
    if len(twins) < len(fitting) and len(places[longest] or ()) < len(names):
        return tie(fitting, shown)
    return chosen(twins, SAME * LISTED_MARGIN, "names")


def match_alone(value: Named, choices: Choices) -> Match | None:
    """Of options that all name a place, the one that names no other: "only A", "A but not B"."""
    names = [
        {*normalise(name).split()} for name in (value.name, *(value.place.aliases if value.place else ()))
    ]
    alone = [option for option in choices.options if _is_alone(names, f" {normalise(option.text)} ")]
    return chosen(alone, SAME * LISTED_MARGIN, "name alone") if len(alone) == 1 else None


def match_schedule(value: answer.Schedule, choices: Choices) -> Match | NoMatch:
    """The option with these stops at these times."""
    fits = [Fit(option, schedule_score(value, option.text)) for option in choices.options]
    return decide(fits, floor=CLOCKS_FLOOR, how="schedule", shown="this schedule")


def split_items(text: str) -> tuple[str, ...]:
    """The items of a list as written: by lines, arrows, "then", or else commas and "and"."""
    for pattern in STRONG_SEPARATORS:
        parts = _parts(pattern, text)
        if len(parts) > 1:
            return tuple(piece for part in parts for piece in _first_and_rest(part, pattern))
    return _parts(WEAK_SEPARATORS, text)


def _first_and_rest(part: str, pattern: str) -> tuple[str, ...]:
    """Between "then"s there may still be commas ("A, B, then C"); between arrows and lines there are none."""
    return _parts(WEAK_SEPARATORS, part) if pattern == STRONG_SEPARATORS[-1] else (part,)


def _parts(pattern: str, text: str) -> tuple[str, ...]:
    pieces = (LEAD_IN.sub("", piece).strip(" .") for piece in re.split(pattern, text, flags=re.IGNORECASE))
    return tuple(piece for piece in pieces if normalise(piece))


def _is_alone(names: Sequence[set[str]], text: str) -> bool:
    for phrase in phrases("alone", "except"):
        text = text.partition(f" {phrase} ")[0] + " "
    words = {*text.split()}.difference(phrases("alone", "only"))
    return bool(words) and any(words <= name for name in names)


def _names(value: Value, ranking: Sequence[Value]) -> list[str]:
    """The names in order, each once; only whole rankings of names count."""
    if not isinstance(value, Named):
        return []
    names = {normalise(one.name): one.name for one in (value, *ranking) if isinstance(one, Named)}
    return list(names.values())


def _places(text: str, names: Sequence[str]) -> frozenset[int] | None:
    """Which of the names the items of a text are; None if an item is none of them."""
    literal = written_out(names, text)
    if literal:
        return literal
    items = set_items(text)
    found = [_place(item, names) for item in items]
    if None in found or len(set(found)) < len(items):
        return None
    return frozenset(place for place in found if place is not None)


def _place(item: str, names: Sequence[str]) -> int | None:
    scores = [similarity(item, name) for name in names]
    best = max(scores)
    return scores.index(best) if best >= SAME_SCORE else None


def _belong(found: frozenset[int], total: int) -> bool:
    """True for all the names, or for an unbroken beginning of the ranking of at least two."""
    return len(found) == total or (len(found) > 1 and found == frozenset(range(len(found))))


@dataclass(frozen=True, slots=True)
class _Alignment:
    """Which names (by position) were found as which items, in order; `alike` lists all pairs that agree."""

    pairs: tuple[tuple[int, int], ...]
    alike: frozenset[tuple[int, int]]

    @property
    def inverted(self) -> bool:
        """True if a name left over agrees with an item left over: it is there, but in another place."""
        names = {name for name, _ in self.pairs}
        items = {item for _, item in self.pairs}
        return any(name not in names and item not in items for name, item in self.alike)


def order_score(names: Sequence[str], text: str) -> float:
    """0 to 1: how well the items of a text are these names in this order.

    The ends count for nothing if one side leaves them out: a round trip may or may not name its start.
    """
    items = split_items(text)
    found = _align(names, items)
    if not found.pairs or found.inverted:
        return 0.0
    total_names = len(names) - _loose_ends(len(names), {name for name, _ in found.pairs})
    total_items = len(items) - _loose_ends(len(items), {item for _, item in found.pairs})
    if len(found.pairs) < 2 and max(total_names, total_items) < 2:
        return SAME if len(names) == len(items) == 1 else 0.0
    return 2 * len(found.pairs) / (total_names + total_items)


def _loose_ends(length: int, taken: set[int]) -> int:
    """How many of the two ends are unmatched."""
    return sum(1 for end in {0, length - 1} if end not in taken)


def _align(names: Sequence[str], items: Sequence[str]) -> _Alignment:
    """The longest common subsequence of names and items that are alike (dynamic programming)."""
    alike = frozenset(
        (i, j)
        for i, name in enumerate(names)
        for j, item in enumerate(items)
        if item_score(name, item) >= ITEM_FLOOR
    )
    best = [[0] * (len(items) + 1) for _ in range(len(names) + 1)]
    for i in range(len(names) - 1, -1, -1):
        for j in range(len(items) - 1, -1, -1):
            taken = best[i + 1][j + 1] + 1 if (i, j) in alike else 0
            best[i][j] = max(taken, best[i + 1][j], best[i][j + 1])
    return _Alignment(pairs=tuple(_trace(best, alike)), alike=alike)


def _trace(best: Sequence[Sequence[int]], alike: frozenset[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    i = j = 0
    while i < len(best) - 1 and j < len(best[0]) - 1:
        if (i, j) in alike and best[i][j] == best[i + 1][j + 1] + 1:
            yield i, j
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1


def item_score(name: str, item: str) -> float:
    """0 to 1: how alike two items of a list are, be they places or instructions."""
    if read_step(name).maneuver and read_step(item).maneuver:
        return instruction_score(name, item)
    return name_score(name, item)


def set_items(text: str) -> tuple[str, ...]:
    """The items of a list whose order means nothing: "A, B and C"."""
    return _parts(WEAK_SEPARATORS, text)


def written_out(names: Sequence[str], text: str) -> frozenset[int] | None:
    """Which of the names a text lists word for word, even if a name holds an "and" or a comma itself.

    None if the text says anything else.
    """
    rest = f" {normalise(text)} "
    found = set()
    for place, name in sorted(enumerate(names), key=lambda item: -len(item[1])):
        plain = f" {normalise(name)} "
        if plain.strip() and plain in rest:
            rest = rest.replace(plain, f" {JOINT} ", 1)
            found.add(place)
    return frozenset(found) if set(rest.split()) <= {JOINT, "and"} else None


def set_score(names: Sequence[str], text: str) -> float:
    """0 to 1: how well a text names all of these and nothing else."""
    if len(names) == 1:
        return name_score(names[0], text)
    if len(names) == 2:
        pair = _pair_score(names[0], names[1], text)
        if pair >= SAME_SCORE:
            return pair
    if written_out(names, text) == frozenset(range(len(names))):
        return SAME
    items = set_items(text)
    hits = sum(1 for name in names if any(similarity(name, item) >= SAME_SCORE for item in items))
    if len(items) == 1 or not hits:
        return ONE_OF_SCORE if any(similarity(name, text) >= SAME_SCORE for name in names) else 0.0
    return min(SAME, 2 * hits / (len(names) + len(items)))


def _pair_score(a: str, b: str, text: str) -> float:
    """The best of all ways to cut the text in two; the weaker half counts."""
    best = 0.0
    for hit in PAIR_SEPARATORS.finditer(text):
        left, right = text[: hit.start()], text[hit.end() :]
        for first, second in ((a, b), (b, a)):
            best = max(best, min(similarity(first, left), similarity(second, right)))
    return best


def schedule_score(schedule: answer.Schedule, text: str) -> float:
    """0 to 1: the share of the option's times that are times of the schedule, if its places are in order."""
    stated = clocks_in(text)
    times = [minutes for stop in schedule.stops for minutes in (stop.arrive_min, stop.depart_min)]
    if not stated or _places_inverted([stop.name for stop in schedule.stops], text):
        return 0.0
    return sum(1 for clock in stated if _is_among(clock, times)) / len(stated)


def _is_among(clock: Clock, times: Sequence[float]) -> bool:
    return any(clock.off(minutes) <= CLOCK_SLIP_MIN for minutes in times)


def _places_inverted(names: Sequence[str], text: str) -> bool:
    """True if two of the names stand in the text in the opposite order."""
    folded = f" {normalise(text)} "
    positions = [folded.find(f" {normalise(name)} ") for name in names]
    known = [position for position in positions if position >= 0]
    return len(names) == len(set(names)) and known != sorted(known)
