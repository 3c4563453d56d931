"""Questions about a picture: read like any other, and answered from the picture as a small map of its own.

Each likely reading is asked of all that the picture shows, then of the options alone, as labels go unread and signs
unrecognised. Where none has an answer, the option that the picture supports best is told, as a weak one.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Protocol

from map_tools.errors import ProgramError
from map_tools.kinds.concepts import lookup
from mapagent.core.answer import Answer, Quantity, Status
from mapagent.core.ports import Run
from modules.nlu.reader import Reading
from modules.query.answering import PICTURE
from modules.query.language import syntax
from modules.query.language.parser import parse
from modules.query.values.amount import LENGTH, parse_amount
from modules.visual_place_recognizer.observing import Picture
from modules.visual_place_recognizer.support import Support, best_supported, nearest_count
from modules.visual_place_recognizer.world import Narrowing, PictureProvider

TRIED = 4
"""Readings that are tried."""
SHOWN, CHOSEN, WEAK = 0.85, 0.7, 0.35
"""Shares of a reading's certainty that an answer keeps, from all that is shown and from the options alone; and the
certainty of what is only supported best."""
WARNING = "The picture supports this option best, but it does not say more than that."
_BLANK = "Nothing was read in the picture."
_NO_SCALE = "How far things are apart is not known: the picture could not be located on the map."
_UNREAD = "The question could not be read with enough certainty."
_WAYS = frozenset({"travel", "routes", "reachable", "trip", "departures"})
"""Operators on ways, of which a picture tells none."""


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
    looked = await run.execute("answer(picture.text)")
    picture: Picture | None = run.kept.get(PICTURE)
    if picture is None:
        return looked
    if not picture.fact.labels:
        # a question about a picture that shows nothing is not about the map
        return Answer(status=Status.UNANSWERABLE, reason=_BLANK, evidence=looked.evidence)
    shown, support = await _shown(reader, run, picture)
    if shown.status is not Status.ANSWERED and run.provider is not None:
        read = await reader.answer(run)
        if read.status is Status.ANSWERED:
            return read
    if shown.status is not Status.ANSWERED and support is not None:
        shown = await _chosen(run, support)
    rest = (one for one in shown.evidence if one not in looked.evidence)
    return shown.model_copy(update={"evidence": (*looked.evidence, *rest)})


async def _shown(reader: TriesReadings, run: Run, picture: Picture) -> tuple[Answer, Support | None]:
    """What the picture alone says, and the option that it supports best where that is no answer."""
    world = PictureProvider(picture.fact, run.question)
    question = run.question.model_copy(update={"near": world.middle})
    whole = run.over(world, question)
    readings = await asyncio.to_thread(reader.readings, whole)
    asked = [one for one in readings[:TRIED] if world.scaled or not _measures(one.program)]
    live, counts = bool(question.live_options()), bool(asked) and _counts(asked[0].program)
    narrow = (
        [run.over(PictureProvider(picture.fact, run.question, to), question) for to in Narrowing]
        if live and not counts
        else []
    )
    refused: Answer | None = None
    for number, reading in enumerate(asked):
        if counts and not _counts(reading.program):
            continue
        for source, share in ((whole, SHOWN), *((one, CHOSEN) for one in narrow)):
            answer = _without_scale(await reader.tried(source, asked, number), world)
            if answer is not None and answer.status is Status.ANSWERED and (answer.option or not live):
                return answer.model_copy(update={"confidence": round(share * answer.confidence, 4)}), None
            refused = refused or answer
    support = None
    if live and counts:
        bare = run.over(world, question.model_copy(update={"options": ()}))
        support = nearest_count(_number(await reader.tried(bare, asked, 0)), question)
    elif live:
        support = best_supported(question, picture.fact, _kinds(asked[0].program) if asked else frozenset())
    return refused or Answer(status=Status.NOT_UNDERSTOOD, reason=_UNREAD), support


def _without_scale(answer: Answer | None, world: PictureProvider) -> Answer | None:
    """An answer; where the picture has no scale, none that is a distance."""
    if answer is None or world.scaled or not isinstance(answer.value, Quantity) or answer.value.unit != "m":
        return answer
    return Answer(status=Status.UNANSWERABLE, reason=_NO_SCALE, program=answer.program, plan=answer.plan)


async def _chosen(run: Run, support: Support) -> Answer:
    """An option as the answer, as a weak one."""
    place = [index for index, _ in run.question.live_options()].index(support.index)
    answer = await run.execute(f"answer(options[{place}])")
    warnings = (*answer.warnings, WARNING)
    return answer.model_copy(update={"confidence": WEAK, "explanation": support.reason, "warnings": warnings})


def _number(answer: Answer | None) -> int:
    """The number of an answer; 0 if it is none."""
    value = None if answer is None else answer.value
    return round(value.value) if isinstance(value, Quantity) else 0


def _counts(program: str) -> bool:
    """Whether a program counts."""
    return any(call.operator == "count" for call in _nodes(program, syntax.Call))


def _measures(program: str) -> bool:
    """Whether a program asks for ways or names a distance, which a picture without a scale does not tell."""
    return any(call.operator in _WAYS for call in _nodes(program, syntax.Call)) or any(
        (amount := parse_amount(one.text)) is not None and amount.dimension == LENGTH
        for one in _nodes(program, syntax.String)
    )


def _kinds(program: str) -> frozenset[str]:
    """The categories of what a program searches for."""
    first = (one for call in _nodes(program, syntax.Call) for one in call.positional[:1])
    kinds = (lookup(one.text) for one in first if isinstance(one, syntax.String))
    return frozenset(one for kind in kinds if kind is not None for one in kind.ids)


def _nodes[N: syntax.Node](program: str, kind: type[N]) -> Iterator[N]:
    """The parts of a program of a kind; none of what is no program."""
    try:
        parsed = parse(program)
    except ProgramError:
        return
    for statement in parsed.statements:
        yield from (node for node in syntax.walk(statement.expr) if isinstance(node, kind))
