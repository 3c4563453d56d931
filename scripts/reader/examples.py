"""The example bank: questions with the programs they ask for, a file an author, and versions of an example.

Versions ask the same of other places: names, kinds and the length of lists are so learned from where they stand, not
from what they are.
"""

import json
import random
from calendar import day_abbr, day_name, month_name
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from map_tools.errors import ProgramError
from map_tools.kinds import category_file, concepts
from modules.nlu.reader import CORNER, DAY_AND_CLOCK, Over
from modules.nlu.rows import LITERAL, NUMBER, NUMBER_ROLE, Literal, RowError, tokens_of
from modules.nlu.words import QUESTION, Words, spans_in, words_of
from modules.query.inventory import built_in
from scripts.reader.alignment import STAY, Aligner

ROOT = Path(__file__).parents[2]
BANK = Path(__file__).with_name("bank")
UNSEEN = ("m08", "t07", "told10", "w1", "w2", "w3", "w4")
"""Authors that the reader is not trained on, but measured (`measure.py`) and calibrated (`calibrate.py`) on."""
RENAMED = 0.75
"""The share of names and stays that a version replaces."""
CHANGED = 0.3
"""The share of kinds that a version replaces."""
DATED = 0.3
"""The share of versions in which dates stand for the days of the week."""
DATES = (
    "{0} {1} {3}",
    "{1} {0}, {3}",
    "{0}.{2}.{3}",
    "{0}. {1} {3}",
    "{1} {0}",
    "{4}, {0} {1} {3}",
    "{3}-{2:02d}-{0:02d}",
)
"""How a date is written: its day, the month in words and figures, the year, the day of the week."""
STRETCHED = 0.4
"""The share of versions in which a list of names has more of them, where an example has one."""
MOST_MORE = 4
"""So many more it has at most."""
JOINED = 0.15
"""The share of new names that are made of two."""
JOINTS = (
    "{}: {}", "{} - {}", "{} at {}", "{} ({})", "{} & {}", "{}, {}",
    "{} by {}", "{};{}", "{} of {}", "{}/{}",
)  # fmt: skip
"""How names are made of two: in data of the whole world they hold what else stands between names."""
NAMED = frozenset({"Place", "Area", "Line", "Any", "List"})
"""Roles whose words may be names."""
_AMOUNT, _TIMES = "Q", frozenset({"T", "T2"})


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its program.

    Attributes:
        author: Who wrote it.
        base: Whose question it words anew; empty for one of the author's own.
        over: What it is asked over.
        map: The map it was written for; empty if none.
        text: The supplied text it was written for; empty if none.
        right: The letter of the right option, "none" if no option is; empty where that is not known.
        earlier: The questions of the conversation before it.
    """

    author: str
    question: str
    options: tuple[str, ...]
    program: str
    over: Over
    base: str = ""
    map: str = ""
    text: str = ""
    right: str = ""
    earlier: tuple[str, ...] = ()


def examples(bank: Path = BANK) -> Iterator[Example]:
    """All examples, author by author."""
    for path in sorted(bank.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            yield Example(
                author=path.stem,
                question=told["question"],
                options=tuple(told.get("options", ())),
                program=told["program"],
                over=Over[told["over"].upper()],
                base=told.get("base", ""),
                map=told.get("map", ""),
                text=told.get("text", ""),
                right=told.get("right", ""),
                earlier=tuple(told.get("earlier", ())),
            )


@dataclass(frozen=True, slots=True)
class Target:
    """What the network is to write for an example.

    Attributes:
        tokens: The row.
        spans: For each token the first and last word it points to, or None.
        roles: For each pointing token the type that is wanted there, else an empty string.
    """

    words: Words
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int] | None, ...]
    roles: tuple[str, ...]


def target_of(example: Example) -> Target | None:
    """The row of an example with its pointers; None where the program cannot be said as one."""
    words = words_of(example.question, example.options, example.earlier)
    row: list[tuple[str, tuple[int, int] | None, str]] = []
    try:
        tokens = tokens_of(example.program, built_in())
    except (RowError, ProgramError):
        return None
    aligner = Aligner(words, tokens)
    for at, token in enumerate(tokens):
        if not isinstance(token, Literal):
            row.append((token, None, ""))
            continue
        found = aligner.find(at)
        if not found:
            lead = NUMBER if token.role == NUMBER_ROLE else LITERAL
            row.append((f"{lead}{token.text}", None, token.role))
        elif len(found) > 1:
            named = found[0].token in {"S"}
            row.append((CORNER if named else DAY_AND_CLOCK, None, ""))
        row += [(one.token, (one.first, one.last), token.role) for one in found]
    return Target(words, *(tuple(part) for part in zip(*row, strict=True)))


_NAME, _VISIT, _CALL_END, _LIST, _LIST_END = "S", "visit(", ")", "[", "]"


@dataclass(frozen=True, slots=True)
class Pool:
    """What stands in new versions: names, words for kinds of places, words for stays."""

    names: Sequence[str]
    kinds: Sequence[str]
    stays: Sequence[str]


def pool_of(targets: Sequence[Target]) -> Pool:
    """What the questions of some examples say; kinds are all that the project knows, too."""
    kinds = {kind.lower() for target in targets for kind in said(target, kind_spans(target))}
    return Pool(
        names=sorted({name for target in targets for name in said(target, named_spans(target))}),
        kinds=sorted(kinds | set(category_file.vocabulary().concepts)),
        stays=sorted({stay for target in targets for stay in said(target, stay_spans(target))}),
    )


def said(target: Target, spans: Iterable[tuple[int, int]]) -> list[str]:
    """The words of some spans, each once."""
    return list({target.words.said(*span) for span in spans})


def named_spans(target: Target) -> list[tuple[int, int]]:
    """Where a question has names; not those that are a part of something else that is pointed to."""
    found = {
        span
        for token, span, role in zip(target.tokens, target.spans, target.roles, strict=True)
        if token == _NAME and span and role in NAMED and concepts.lookup(target.words.said(*span)) is None
    }
    spans = [span for span in target.spans if span is not None]
    return sorted(
        one for one in found if all(one == other or other[1] < one[0] or other[0] > one[1] for other in spans)
    )


def kind_spans(target: Target) -> list[tuple[int, int]]:
    """Where a question has words for a kind; not those that are looked at as anything else, too."""
    roles: dict[tuple[int, int], set[str]] = {}
    for span, role in zip(target.spans, target.roles, strict=True):
        if span is not None:
            roles.setdefault(span, set()).add(role)
    return [
        span
        for span, own in sorted(roles.items())
        if own == {"What"} and concepts.lookup(target.words.said(*span)) is not None
    ]


def stay_spans(target: Target) -> list[tuple[int, int]]:
    """Where a question says how long one stays somewhere."""
    marked = zip(target.tokens, target.tokens[1:], target.spans[1:], strict=False)
    found = {
        span for before, token, span in marked if before == STAY and token == _AMOUNT and span is not None
    }
    return sorted(found)


def day_spans(target: Target) -> list[tuple[int, int]]:
    """Where a question says a day of the week that a time of its program stands for."""
    words = target.words
    return sorted(
        {
            (number, number)
            for token, span in zip(target.tokens, target.spans, strict=True)
            if token in _TIMES and span is not None
            for number in range(span[0], span[1] + 1)
            if words.said(number, number).capitalize() in {*day_name, *day_abbr}
        }
    )


def _date(weekday: str, chance: random.Random) -> str:
    """A date, as people write one."""
    day, month, year = chance.randint(1, 28), chance.randint(1, 12), chance.randint(2025, 2028)
    return chance.choice(DATES).format(day, month_name[month], month, year, weekday)


def _name(names: Sequence[str], chance: random.Random) -> str:
    """A name, sometimes one made of two."""
    if chance.random() >= JOINED:
        return chance.choice(names)
    return chance.choice(JOINTS).format(chance.choice(names), chance.choice(names))


def renamed(target: Target, pool: Pool, chance: random.Random) -> Target:
    """The same question about other places, other kinds of them, other stays, and at times by dates."""
    new = {span: _name(pool.names, chance) for span in named_spans(target) if chance.random() < RENAMED}
    new |= {span: chance.choice(pool.stays) for span in stay_spans(target) if chance.random() < RENAMED}
    for span in kind_spans(target):
        many = target.words.said(*span).endswith("s")
        if chance.random() < CHANGED and all(span[1] < one[0] or one[1] < span[0] for one in new):
            new[span] = chance.choice([kind for kind in pool.kinds if kind.endswith("s") == many])
    if chance.random() < DATED:
        new |= {span: _date(target.words.said(*span), chance) for span in day_spans(target)}
    chosen = sorted(new)
    old = target.words
    text, spans, segments, moved = "", list[tuple[int, int]](), list[int](), dict[int, tuple[int, int]]()
    number, written = 0, 0
    while number < len(old.spans):
        span = next((one for one in chosen if one[0] == number), (number, number))
        said = old.said(*span)
        name = new.get(span, said)
        name = name.lower() if span in new and said.islower() else name
        text += old.text[written : old.spans[number][0]]
        own = (
            [(len(text) + begin, len(text) + end) for begin, end in spans_in(name)]
            if span in new
            else [(len(text), len(text) + len(said))]
        )
        for inner in range(span[0], span[1] + 1):
            moved[inner] = (len(spans), len(spans) + len(own) - 1)
        spans += own
        segments += [old.segments[number]] * len(own)
        text += name
        written, number = old.spans[span[1]][1], span[1] + 1
    points = tuple(None if span is None else (moved[span[0]][0], moved[span[1]][1]) for span in target.spans)
    return replace(target, words=Words(text, tuple(spans), tuple(segments)), spans=points)


def stretched(target: Target, pool: Pool, chance: random.Random) -> Target:
    """The same with more stops in its list; itself where it has none to which stops can be added.

    A new stop is told as the one before it but for the name, and parted from it as that is from its neighbour.
    """
    found = _repeatable(target)
    if found is None:
        return target
    for _ in range(chance.randint(1, MOST_MORE)):
        target = _with_another(target, *found, _name(pool.names, chance))
    return target


@dataclass(frozen=True, slots=True)
class _Stop:
    """A stop of a list.

    Attributes:
        tokens: Its tokens in the row.
        words: The first and the last word that they point to.
        name: The words it is called by.
    """

    tokens: slice
    words: tuple[int, int]
    name: tuple[int, int]


def _repeatable(target: Target) -> tuple[_Stop, str] | None:
    """A stop behind which another one can stand, and what parts them.

    It and a neighbour of its form are parted by signs alone, or as two other ones are. The question must have one list
    alone, told in its order.
    """
    lists = [at for at, token in enumerate(target.tokens) if token == _LIST]
    stops = _stops(target, lists[0] + 1) if len(lists) == 1 else []
    ranges = [one.words for one in stops]
    words = target.words
    if ranges != sorted(ranges) or any(one[1] >= other[0] for one, other in pairwise(ranges)):
        return None
    if any(words.segments[last] != QUESTION for _, last in ranges):
        return None
    gaps = [words.text[words.spans[one[1]][1] : words.spans[other[0]][0]] for one, other in pairwise(ranges)]
    for gap, one, other in zip(gaps, stops, stops[1:], strict=False):
        signs = gap.strip() and not any(map(str.isalnum, gap))
        if (signs or gaps.count(gap) > 1) and target.tokens[one.tokens] == target.tokens[other.tokens]:
            return other, gap
    return None


def _stops(target: Target, at: int) -> list[_Stop]:
    """The stops of a list from a token on; none if it has other members."""
    found = []
    while target.tokens[at] != _LIST_END:
        begin = at
        at = begin + 1 if target.tokens[begin] == _NAME else target.tokens.index(_CALL_END, begin) + 1
        inner = target.tokens[begin + 1 : at - 1]
        spans = [span for span in target.spans[begin:at] if span is not None]
        called = target.spans[begin + (target.tokens[begin] == _VISIT)]
        plain = target.tokens[begin] == _NAME or target.tokens[begin : begin + 2] == (_VISIT, _NAME)
        if not plain or called is None or any(token.endswith("(") for token in inner):
            return []
        words = min(span[0] for span in spans), max(span[1] for span in spans)
        found.append(_Stop(slice(begin, at), words, called))
    return found


def _with_another(target: Target, stop: _Stop, gap: str, name: str) -> Target:
    """A question with one more stop behind a stop of it."""
    words, (first, last) = target.words, stop.words
    name = name.lower() if words.text.islower() else name
    begins, ends = [begin for begin, _ in words.spans], [end for _, end in words.spans]
    before = words.text[begins[first] : begins[stop.name[0]]]
    after = words.text[ends[stop.name[1]] : ends[last]]
    added = f"{gap}{before}{name}{after}"
    at, behind = ends[last], last + 1
    own = [(at + begin, at + end) for begin, end in spans_in(added)]
    pushed = [(begin + len(added), end + len(added)) for begin, end in words.spans[behind:]]
    longer = Words(
        words.text[:at] + added + words.text[at:],
        (*words.spans[:behind], *own, *pushed),
        (*words.segments[:behind], *[words.segments[last]] * len(own), *words.segments[behind:]),
    )
    shift = behind + len(spans_in(gap)) - first
    grown = len(spans_in(name)) - (stop.name[1] - stop.name[0] + 1)

    def copied(span: tuple[int, int] | None) -> tuple[int, int] | None:
        if span is None:
            return None
        begin, end = (number + (grown if number > stop.name[1] else 0) for number in span)
        return begin + shift, end + shift + (grown if span == stop.name else 0)

    moved = [
        span if span is None or span[0] < behind else (span[0] + len(own), span[1] + len(own))
        for span in target.spans
    ]
    cut = stop.tokens.stop
    return replace(
        target,
        words=longer,
        tokens=(*target.tokens[:cut], *target.tokens[stop.tokens], *target.tokens[cut:]),
        spans=(*moved[:cut], *map(copied, target.spans[stop.tokens]), *moved[cut:]),
        roles=(*target.roles[:cut], *target.roles[stop.tokens], *target.roles[cut:]),
    )
