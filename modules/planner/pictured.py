"""Questions about a picture: read like any other, and answered from the picture as a small map of its own.

Each likely reading is asked of all that the picture shows, then of the options alone, as labels go unread and signs
unrecognised. Where none has an answer, the option that the picture supports best is told, as a weak one.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from map_tools.errors import ProgramError
from map_tools.kinds.concepts import lookup
from mapagent.core.answer import Answer, Quantity, Status
from mapagent.core.ports import Run
from modules.nlu.reader import WORTH, Reading
from modules.query.answering import PICTURE
from modules.query.language import syntax
from modules.query.language.parser import parse
from modules.query.values.amount import LENGTH, parse_amount
from modules.visual_place_recognizer.observing import Picture
from modules.visual_place_recognizer.support import Support, best_supported, nearest_count
from modules.visual_place_recognizer.world import Narrowing, PictureProvider

TRIED = 4
"""Maximum number of readings tried."""
SHOWN, CHOSEN, WEAK = 0.85, 0.7, 0.35
"""Shares of a reading's certainty that an answer keeps, from all that is shown and from the options alone; and the
certainty of what is only supported best."""
WARNING = "The picture supports this option best, but it does not say more than that."
_BLANK = "Nothing was read in the picture."
_NO_SCALE = "How far things are apart is not known: the picture could not be located on the map."
_HERE = "here is the middle of the picture"
_UNREAD = "The question could not be read with enough certainty."
_WAYS = frozenset({"travel", "routes", "reachable", "trip", "departures"})
"""Operators on ways, of which a picture tells none."""
_GROUND = frozenset({"location", "size", "perimeter", "length", "address", "street"})
"""Fields of places that a picture does not tell."""


class TriesReadings(Protocol):
    """Reads questions, and answers by one reading (`modules.planner.embedded.ReaderPlanner`)."""

    async def answer(self, run: Run) -> Answer:
        """The answer of the likeliest readings."""
        ...

    def readings(self, run: Run) -> list[Reading]:
        """The readings of the question, the likeliest first."""
        ...

    async def tried(self, run: Run, readings: Sequence[Reading], number: int) -> Answer | None:
        """The answer of a reading, with its certainty; None if it makes no program."""
        ...


async def answer_pictured(reader: TriesReadings, run: Run) -> Answer:
    """Answers a question about a picture from what it shows, else from the map, else by what it supports best."""
    if run.own_names and run.provider is not None:
        return await reader.answer(run)  # where the user's own places are, no picture shows
    looked = await run.execute("answer(picture.text)")
    picture: Picture | None = run.kept.get(PICTURE)
    if picture is None:
        return looked
    if not (picture.fact.labels or picture.fact.markers or picture.fact.water):
        # a question about a picture that shows nothing is not about the map
        return Answer(status=Status.UNANSWERABLE, reason=_BLANK, evidence=looked.evidence)
    shown, support = await _shown(reader, run, picture)
    shown = _assumed(shown)
    found = shown.status is Status.ANSWERED
    if run.provider is not None and not (found and _tells(shown)):
        read = await reader.answer(run)
        if read.status is Status.ANSWERED:
            return read
    if not found and support is not None:
        shown = await _chosen(run, support)
    rest = [one for one in shown.evidence if one not in looked.evidence] if picture.fact.frame else []
    return shown.model_copy(update={"evidence": (*looked.evidence, *rest)})


def _assumed(answer: Answer) -> Answer:
    """An answer with what was taken for "here": nobody knows where the asker of a picture is."""
    if not any(name.name == "here" for name in _nodes(answer.program, syntax.Name)):
        return answer
    return answer.model_copy(update={"assumptions": (*answer.assumptions, _HERE)})


def _tells(answer: Answer) -> bool:
    """Whether an answer tells of anything: that a picture shows none does not mean that there is none."""
    empty = isinstance(answer.value, Quantity) and answer.value.value == 0
    return answer.option is not None or not (answer.value is None or empty)


async def _shown(reader: TriesReadings, run: Run, picture: Picture) -> tuple[Answer, Support | None]:
    """What the picture alone says, and the option that it supports best where that is no answer."""
    world = PictureProvider(picture.fact, run.question)
    question = run.question.model_copy(update={"near": world.middle})
    whole = run.over(world, question)
    whole.kept[PICTURE] = picture
    readings = await asyncio.to_thread(reader.readings, whole)
    told = [number for number, one in enumerate(readings) if world.scaled or not _measures(one.program)]
    unscaled = Answer(status=Status.UNANSWERABLE, reason=f"{_NO_SCALE} {picture.fact.reason}".strip())
    if not question.live_options():
        read = await reader.answer(whole)
        if world.scaled:
            return read, None
        return (unscaled if _measures(read.program) else _without_positions(read)), None
    refused = unscaled if readings and not told else None
    counts = bool(told) and _counts(readings[told[0]].program)
    sources = [(whole, SHOWN)]
    for narrowing in () if counts else Narrowing:
        narrow = run.over(PictureProvider(picture.fact, run.question, narrowing), question)
        narrow.kept[PICTURE] = picture
        sources.append((narrow, CHOSEN))
    for number in told[:TRIED]:
        if readings[number].score < readings[0].score - WORTH:
            break
        for source, share in sources:
            answer = await reader.tried(source, readings, number)
            if answer is not None and answer.status is Status.ANSWERED and answer.option is not None:
                sure = {"confidence": round(share * answer.confidence, 4)}
                return answer.model_copy(update=sure if world.scaled else {**sure, "places": ()}), None
            refused = refused or answer
    if counts:
        bare = run.over(world, question.model_copy(update={"options": ()}))
        counted = _number(await reader.tried(bare, readings, told[0]))
        support = None if counted is None else nearest_count(counted, question)
    else:
        kinds = _kinds(readings[told[0]].program) if told else frozenset[str]()
        support = best_supported(question, picture.fact, kinds)
    return refused or Answer(status=Status.NOT_UNDERSTOOD, reason=_UNREAD), support


def _without_positions(answer: Answer) -> Answer:
    """An answer from a picture without a scale, where no position is one on the ground."""
    places = tuple(one.model_copy(update={"location": None}) for one in answer.places)
    return answer.model_copy(update={"places": places, "shapes": {}, "trip": None})


async def _chosen(run: Run, support: Support) -> Answer:
    """An option as the answer, as a weak one."""
    place = [index for index, _ in run.question.live_options()].index(support.index)
    answer = await run.execute(f"answer(options[{place}])")
    warnings = (*answer.warnings, WARNING)
    return answer.model_copy(update={"confidence": WEAK, "explanation": support.reason, "warnings": warnings})


def _number(answer: Answer | None) -> int | None:
    """The number that was counted; None if nothing was."""
    value = answer.value if answer is not None and answer.status is Status.ANSWERED else None
    return round(value.value) if isinstance(value, Quantity) and value.unit == "count" else None


def _counts(program: str) -> bool:
    """Whether what a program answers is a count, or a sum of some."""
    ends = [one for one in _nodes(program, syntax.Call) if one.operator == "answer"]
    first = ends[0].positional[0] if ends and ends[0].positional else None
    parts = [first] if not isinstance(first, syntax.Arithmetic) else [*syntax.children(first)]
    return any(isinstance(one, syntax.Call) and one.operator == "count" for one in parts)


def _measures(program: str) -> bool:
    """Whether a program tells a distance, a way or a position, or names a distance: a picture without a scale has none.

    Distances that are only compared are no part of what is told.
    """
    return (
        any(call.operator in _WAYS for call in _nodes(program, syntax.Call))
        or any(
            call.operator == "distance"
            for call in _nodes(program, syntax.Call, within=(syntax.Lambda, syntax.Comparison))
        )
        or any(field.name in _GROUND for field in _nodes(program, syntax.Field))
        or any(
            (amount := parse_amount(one.text)) is not None and amount.dimension == LENGTH
            for one in _nodes(program, syntax.String)
        )
    )


def _kinds(program: str) -> frozenset[str]:
    """The categories of what a program searches for."""
    first = (one for call in _nodes(program, syntax.Call) for one in call.positional[:1])
    kinds = (lookup(one.text) for one in first if isinstance(one, syntax.String))
    return frozenset(one for kind in kinds if kind is not None for one in kind.ids)


def _nodes[N: syntax.Node](program: str, kind: type[N], within: tuple[type, ...] = ()) -> Iterator[N]:
    """The parts of a program of a kind, but for those within others; none of what is no program."""
    try:
        parsed = parse(program)
    except ProgramError:
        return
    left: list[Any] = [statement.expr for statement in parsed.statements]
    while left:
        node = left.pop()
        if isinstance(node, kind):
            yield node
        if not isinstance(node, within):
            left += syntax.children(node)
