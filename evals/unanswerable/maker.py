"""Unanswerable twins of a benchmark's questions, put beside their originals.

The program that a right answer comes from, and its evidence, tell which statements decide the question. Their lines
are taken out of the text, and it is made sure that nothing else went and nothing is left.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from evals.generate.benchmark import check_free, write_benchmark
from evals.suites.mapeval import NO_OPTION, MapEvalRecord, data_file, read_mapeval
from evals.unanswerable.aims import (
    Aim,
    EveryWay,
    FieldOf,
    ListAround,
    Statements,
    Subject,
    Ways,
    load_words,
    statements,
)
from map_tools.errors import LimitError
from map_tools.facts import Fact, NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.text import normalise
from map_tools.types import TravelMode
from mapagent.core.agent import MapAgent
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.planner.embedded import NAME
from modules.query.language import syntax
from modules.query.language.parser import parse

ANY_CERTAINTY = Settings(modules={NAME: {"threshold": 0.0}})
"""The benchmark says whether an answer is right; how sure the reader is of it plays no part."""
ROUNDS = 3
"""Lines that say more besides are tried after those that say less, if these were not enough."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A text without its deciding lines.

    Attributes:
        text: What is left.
        lines: Numbers of the lines taken out, from 1.
    """

    text: str
    lines: tuple[int, ...]


@dataclass
class Cutter:
    """Cuts one text; the effect of each of its lines is found out once.

    Attributes:
        text: The text.
    """

    text: str
    _lines: list[str] = field(init=False)
    _said: dict[frozenset[int], Statements] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._lines = self.text.splitlines()

    def cut(self, aim: Aim, right: str) -> Cut | None:
        """The text without what the aim hits; None if that cannot be done cleanly.

        Args:
            aim: What has to vanish.
            right: The right answer's words.

        Returns:
            None if the text does not state it in lines of their own, other statements change, nothing is
            left, or the words of the remaining lines still tell it.
        """
        gone: frozenset[int] = frozenset()
        for _ in range(ROUNDS):
            if any(map(aim.hits, self._statements(gone))):
                gone |= self._lines_of(aim, gone)
        if not gone or not self._is_clean(aim, gone, right):
            return None
        kept = [line for number, line in enumerate(self._lines) if number not in gone]
        return Cut("\n".join(kept), tuple(sorted(number + 1 for number in gone)))

    def _statements(self, without: frozenset[int]) -> Statements:
        if without not in self._said:
            kept = [line for number, line in enumerate(self._lines) if number not in without]
            self._said[without] = statements("\n".join(kept))
        return self._said[without]

    def _lines_of(self, aim: Aim, gone: frozenset[int]) -> frozenset[int]:
        """Lines that carry what the aim hits and nothing it spares: those with the least besides."""
        before = self._statements(gone)
        besides: dict[int, int] = {}
        for number, line in enumerate(self._lines):
            if number in gone or not line.strip():
                continue
            lost = _lost(before, self._statements(gone | {number}))
            if any(map(aim.hits, lost)) and not any(map(aim.spares, lost)):
                besides[number] = sum(not aim.hits(subject) for subject in lost)
        least = min(besides.values(), default=0)
        return frozenset(number for number, extra in besides.items() if extra == least)

    def _is_clean(self, aim: Aim, gone: frozenset[int], right: str) -> bool:
        before, after = self._statements(frozenset()), self._statements(gone)
        if not after or any(map(aim.hits, after)) or any(subject not in before for subject in after):
            return False
        if any(map(aim.spares, _lost(before, after))):
            return False
        kept = [line for number, line in enumerate(self._lines) if number not in gone]
        return not aim.still_said(kept, [self._lines[number] for number in sorted(gone)], right)


def _lost(before: Statements, after: Statements) -> Iterable[Subject]:
    """Subjects of which something else, or nothing, is said now."""
    return [subject for subject, values in before.items() if after.get(subject) != values]


HOURS = frozenset({"is_open", "hours", "opens", "closes"})
MEASURED = frozenset({"distance", "direction", "lies"})
CHOOSING = frozenset({"min", "max", "sort", "nearest", "judge"})
"""Operators that compare several ways: with one gone another choice of them may do."""
STATED = frozenset({"rating", "address", "phone", "website", "price"})
"""Fields that a text states of a place by themselves; services tell by what is left out, too."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A rightly answered question.

    Attributes:
        calls: The operators of its program.
        fields: The fields that its program looks at.
        facts: What was read.
    """

    calls: frozenset[str]
    fields: frozenset[str]
    ordered: bool
    facts: tuple[Fact, ...]

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the places that were looked up by their names."""
        found = (fact for fact in self.facts if isinstance(fact, PlaceFact))
        return tuple(dict.fromkeys(fact.place.name for fact in found))


async def aims_of(record: MapEvalRecord, agent: MapAgent) -> tuple[Aim, ...]:
    """What to take away, one aim a twin; empty if the agent's answer is not the right one.

    Only the original is asked; whether the agent refuses a twin plays no part in which twins there are. With
    "none of the above" among the options it is a matter of opinion what is right where nothing is known.
    """
    if any(normalise(text) in load_words().none_of_these for text in record.answer.options):
        return ()
    question = Question(text=record.question, options=record.answer.options, context=record.context)
    answer = await agent.ask(question, use_provider=False)
    if answer.option_index != record.answer.correct or not answer.program:
        return ()
    case = _case(answer.program, tuple(item.value for item in answer.evidence))
    right = record.answer.options[record.answer.correct]
    found = (
        *_lists(case, question.options),
        *_ways(case, question.text, right),
        *_fields(case),
        *_positions(case, right),
    )
    return tuple(dict.fromkeys(found))


def _case(program: str, facts: tuple[Fact, ...]) -> _Case:
    nodes = [node for one in parse(program).statements for node in syntax.walk(one.expr)]
    calls = [node for node in nodes if isinstance(node, syntax.Call)]
    trips = [dict(node.keywords) for node in calls if node.operator == "trip"]
    return _Case(
        calls=frozenset(node.operator for node in calls),
        fields=frozenset(node.name for node in nodes if isinstance(node, syntax.Field)),
        ordered=not any({"order", "skip"} & given.keys() for given in trips),
        facts=facts,
    )


def _lists(case: _Case, options: Sequence[str]) -> Iterator[Aim]:
    names = frozenset(text for text in options if any(map(str.isalpha, text)))
    for fact in case.facts:
        if isinstance(fact, NearbyFact):
            anchor = fact.anchor_place.name if fact.anchor_place is not None else fact.anchor
            yield ListAround(anchor, fact.what, names)


def _ways(case: _Case, question: str, right: str) -> Iterator[Aim]:
    """Each leg where all of them count; else all ways together, as another choice of them might do.

    That a plan is impossible may follow from the stays alone, so such answers are let be. Where the question
    leaves the mode open, the ways by any mode go.
    """
    ends = [
        (fact.origin_name, fact.destination_name, fact.mode.value)
        for fact in case.facts
        if isinstance(fact, TravelFact | RoutesFact)
    ]
    if not ends or normalise(right) in load_words().impossible:
        return
    if not load_words().modes_in(question):
        ends = [(start, end, mode.value) for start, end, _ in ends for mode in TravelMode]
    pairs = list(dict.fromkeys(frozenset((start, end)) for start, end, _ in ends))
    if (case.ordered and not case.calls & CHOOSING) or len(pairs) == 1:
        yield from (Ways(frozenset(end for end in ends if {*end[:2]} == pair)) for pair in pairs)
    else:
        yield EveryWay(frozenset(mode for _, _, mode in ends))


def _fields(case: _Case) -> Iterator[Aim]:
    """What was looked up of the places."""
    hours = ["hours"] if case.calls & HOURS or "opening_hours" in case.fields else []
    for name in case.places:
        yield from (FieldOf(name, field, asked=field != "hours") for field in (*hours, *_stated(case)))


def _stated(case: _Case) -> Iterator[str]:
    for name in sorted(case.fields & STATED):
        yield {"price": "price_level"}.get(name, name)


def _positions(case: _Case, right: str) -> Iterator[Aim]:
    """Positions without which nothing can be measured: of the only two places, and of the answer."""
    if not case.calls & MEASURED or any(isinstance(fact, TravelFact | RoutesFact) for fact in case.facts):
        return
    for name in sorted(case.places):
        if len(case.places) <= 2 or normalise(name) in normalise(right):
            yield FieldOf(name, "location")


FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Twin:
    """A question that its context no longer answers.

    Attributes:
        original: The question it was made from.
        number: From 1, among the twins of one original.
        kind: What was taken out: "way", "ways", "list", "field".
    """

    original: MapEvalRecord
    number: int
    kind: str
    cut: Cut

    @property
    def id(self) -> str:
        """The original's id and the twin's number."""
        return f"{self.original.id}-twin-{self.number}"

    def record(self) -> dict[str, Any]:
        """The question in the benchmark's form."""
        options = list(self.original.answer.options)
        return {
            "id": self.id,
            "question": self.original.question,
            "answer": {"type": "mcq", "options": options, "correct": NO_OPTION},
            "context": self.cut.text,
            "classification": None,
            "twin_of": self.original.id,
        }

    def truth(self) -> dict[str, Any]:
        """How it was made: ids and numbers only, never texts."""
        return {
            "id": self.id,
            "twin_of": self.original.id,
            "category": self.original.category,
            "cut": self.kind,
            "lines": list(self.cut.lines),
        }


async def make_twins(records: Sequence[MapEvalRecord], *, seed: int, per_question: int) -> tuple[Twin, ...]:
    """The twins of all answerable questions with a context, in the order of the questions.

    Args:
        records: The benchmark.
        seed: Decides which twins are kept where a question has more than `per_question`.
        per_question: The most twins of one question, so that those with many legs do not outweigh the others.
    """
    dice = random.Random(seed)  # noqa: S311  (reproducible, not secret)
    cutters: dict[str, Cutter] = {}
    made: list[Twin] = []
    async with MapAgent(ANY_CERTAINTY) as agent:
        for record in records:
            if not record.answerable or record.defect or not record.context.strip():
                continue
            cutter = cutters.setdefault(record.context, Cutter(record.context))
            possible = [
                (aim.kind, cut)
                for aim in await aims_of(record, agent)
                if (cut := cutter.cut(aim, record.answer.options[record.answer.correct])) is not None
            ]
            made += _chosen(record, possible, dice, per_question)
    return tuple(made)


def _chosen(
    record: MapEvalRecord, possible: Sequence[tuple[str, Cut]], dice: random.Random, most: int
) -> Iterator[Twin]:
    different = list({cut.lines: (kind, cut) for kind, cut in possible}.values())
    kept = sorted(dice.sample(range(len(different)), min(most, len(different))))
    for number, index in enumerate(kept, 1):
        yield Twin(record, number, *different[index])


async def generate_twins(data: Path, out: Path, *, seed: int, per_question: int) -> dict[str, Any]:
    """Writes originals and twins as one benchmark; returns its manifest.

    Raises:
        InputFileError: The benchmark cannot be read.
        UsageError: `out` holds something already.
        LimitError: No question can be made unanswerable.
    """
    check_free(out)
    records = read_mapeval(data)
    twins = await make_twins(records, seed=seed, per_question=per_question)
    if not twins:
        raise LimitError(
            f"No question of {data} can be made unanswerable.",
            "Take one whose questions have contexts.",
        )
    manifest = {
        "format": FORMAT_VERSION,
        "source_sha256": sha256(data_file(data).read_bytes()).hexdigest(),
        "seed": seed,
        "per_question": per_question,
        "originals": len(records),
        "originals_answerable": sum(record.answerable for record in records),
        "originals_with_twins": len({twin.original.id for twin in twins}),
        "twins": len(twins),
        "twins_by_cut": dict(sorted(Counter(twin.kind for twin in twins).items())),
        "twins_by_category": dict(sorted(Counter(twin.original.category for twin in twins).items())),
    }
    return write_benchmark(out, _together(records, twins), [twin.truth() for twin in twins], manifest)


def _together(records: Iterable[MapEvalRecord], twins: Iterable[Twin]) -> Iterator[dict[str, Any]]:
    """The originals as they were, each followed by its twins."""
    by_original: dict[int | str, list[Twin]] = {}
    for twin in twins:
        by_original.setdefault(twin.original.id, []).append(twin)
    for record in records:
        yield record.model_dump(mode="json", exclude={"twin_of"})
        yield from (twin.record() for twin in by_original.get(record.id, ()))
