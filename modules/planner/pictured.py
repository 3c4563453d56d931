"""Questions about a picture: read like any other, and answered from the picture as a small map of its own.

Each likely reading is asked of all that the picture shows, then of the options alone, as labels go unread and signs
unrecognised; counts are of all, and are compared with the options afterwards. Where none has an answer, the option that
the picture supports best is told, as a weak one.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Protocol

from pydantic import BaseModel

from map_tools.errors import ProgramError
from map_tools.facts import PictureFact
from map_tools.kinds.concepts import lookup
from map_tools.types import Place
from mapagent.core.answer import Answer, NameSet, OptionPick, Quantity, Status, YesNo
from mapagent.core.ports import Run
from mapagent.core.question import Question
from modules.answer_generator.matching import Match, match_one
from modules.nlu.reader import WORTH, Reading
from modules.query.answering import PICTURE
from modules.query.language import syntax
from modules.query.language.parser import parse
from modules.query.values.amount import LENGTH, parse_amount
from modules.visual_place_recognizer.naming import in_winds
from modules.visual_place_recognizer.observing import Picture
from modules.visual_place_recognizer.support import (
    DETOUR,
    ReckonedWays,
    Support,
    best_supported,
    nearest_count,
)
from modules.visual_place_recognizer.world import Narrowing, PictureProvider

TRIED = 4
"""Maximum number of readings tried."""
SHOWN, CHOSEN, WEAK = 0.85, 0.7, 0.35
"""Shares of a reading's certainty that an answer keeps, from all that is shown and from the options alone; and the
certainty of what is only supported best."""
RECKONED = f"Ways are reckoned as {DETOUR:g} times the straight line."
WARNING = "The picture supports this option best, but it does not say more than that."
LOOK = "answer(picture.text)"
"""The program that reads the picture."""
_BLANK = "Nothing was read in the picture."
_NO_SCALE = "How far things are apart is not known: the picture could not be located on the map, and has no scale bar."
_NO_GROUND = "Where things are on the ground is not known: the picture could not be located on the map."
_NO_WAYS = "A picture shows no ways from one place to another."
_HERE = "here is the middle of the picture"
_UNREAD = "The question could not be read with enough certainty."
_WAYS = frozenset({"travel", "routes", "reachable", "trip", "departures"})
"""Operators on ways, of which a picture tells none."""
_SIZES = frozenset({"size", "perimeter", "length"})
_GROUND = frozenset({"location", "address", "street"})
"""Fields of places that a picture without a scale does not tell, and that one does not tell that was not located."""
_COORDINATES = frozenset({"lat", "lng"})
"""... and those by which places may be compared all the same: the westernmost has the least `lng`."""
_COMPARED = (syntax.Lambda, syntax.Comparison)
"""What is only compared is no part of what is told."""
_POSITION = re.compile(r" \({0}\)|,? ?{0}".replace("{0}", r"-?\d+\.\d{6},-?\d+\.\d{6}"))
"""A position as `LatLng` writes it, by which places of one name are told apart."""


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


class Shown:
    """What a picture shows, as a small map of its own that programs are run over.

    Args:
        run: Of the question.
        picture: As it was read.
        question: As it is asked of it, with winds for sides of the picture (default: that of the run).
        world: Makes the map of what was read, for a question.

    Attributes:
        run: Over the picture, whose middle is here.
    """

    def __init__(
        self,
        run: Run,
        picture: Picture,
        question: Question | None = None,
        world: Callable[[PictureFact, Question], PictureProvider] = PictureProvider,
    ) -> None:
        asked = in_winds(run.question if question is None else question)
        self._world, self._reason = world(picture.fact, asked), picture.fact.reason
        self._options = run.question.options
        self.run = run.over(self._world, asked.model_copy(update={"near": self._world.middle}))
        self.run.kept[PICTURE] = picture

    async def answer(self, program: str) -> Answer:
        """The answer of a program.

        Raises:
            ProgramError: It cannot be run.
        """
        return self.untold(program) or self.told(await self.run.execute(program))

    def untold(self, program: str) -> Answer | None:
        """Why the picture does not tell what a program asks for; None if it may."""
        grounded = any(one.name in _GROUND for one in _nodes(program, syntax.Field)) or any(
            one.name in _COORDINATES for one in _nodes(program, syntax.Field, _COMPARED)
        )
        if not self._world.scaled and (grounded or _measures(program)):
            reason = f"{_NO_SCALE} {self._reason}".strip()
        elif not self._world.capabilities.modes and any(_calls(program, _WAYS)):
            reason = _NO_WAYS
        elif grounded and not self._world.located:
            reason = _NO_GROUND
        else:
            return None
        return Answer(status=Status.UNANSWERABLE, reason=reason)

    def told(self, answer: Answer) -> Answer:
        """An answer with options as they are written, what was taken for "here", and no position but on the ground."""
        if answer.option_index is not None:
            written = self._options[answer.option_index].strip()
            picked = isinstance(answer.value, OptionPick)
            value = OptionPick(index=answer.option_index, text=written) if picked else answer.value
            answer = answer.model_copy(update={"text": written, "value": value})
        if any(name.name == "here" for name in _nodes(answer.program, syntax.Name)):
            answer = answer.model_copy(update={"assumptions": (*answer.assumptions, _HERE)})
        if self._world.located:
            return answer
        seen = tuple(item for item in answer.evidence if isinstance(item.value, PictureFact))
        bare: Answer = _unplaced(answer.model_copy(update={"shapes": {}, "trip": None, "evidence": ()}))
        return bare.model_copy(update={"evidence": seen, "program": answer.program})


def _unplaced(value: Any) -> Any:
    """A value without the positions of its places, in words too."""
    match value:
        case Place():
            return value.model_copy(update={"location": None})
        case BaseModel():
            return value.model_copy(update={name: _unplaced(one) for name, one in value})
        case tuple():
            return tuple(map(_unplaced, value))
        case Mapping():
            return {name: _unplaced(one) for name, one in value.items()}
        case str() if type(value) is str:  # an enumeration's member stays one
            return _POSITION.sub("", value)
    return value


def is_blank(picture: Picture) -> bool:
    """Whether nothing was read in a picture."""
    return not (picture.fact.labels or picture.fact.markers or picture.fact.water)


def tells(answer: Answer) -> bool:
    """Whether an answer from a picture tells of anything: that it shows none does not mean that there is none."""
    match answer.value:
        case None | Quantity(value=0) | NameSet(names=()) | YesNo(value=False):
            return False
    return answer.status is Status.ANSWERED


async def answer_pictured(reader: TriesReadings, run: Run) -> Answer:
    """Answers a question about a picture from what it shows, else from the map, else by what it supports best."""
    if run.own_names and run.provider is not None:
        return await reader.answer(run)  # where the user's own places are, no picture shows
    looked = await run.execute(LOOK)
    picture: Picture | None = run.kept.get(PICTURE)
    if picture is None:
        return looked
    if is_blank(picture):  # a question about it is not about the map
        return Answer(status=Status.UNANSWERABLE, reason=_BLANK, evidence=looked.evidence)
    shown, support = await _shown(reader, run, picture)
    if run.provider is not None and not tells(shown):
        read = await reader.answer(run)
        if read.status is Status.ANSWERED:
            return read
    if shown.status is not Status.ANSWERED and support is not None:
        shown = await _chosen(run, support)
    rest = [one for one in shown.evidence if one not in looked.evidence]
    return shown.model_copy(update={"evidence": (*looked.evidence, *rest)})


async def _shown(reader: TriesReadings, run: Run, picture: Picture) -> tuple[Answer, Support | None]:
    """What the picture alone says, and the option that it supports best where that is no answer."""
    whole, *narrowed = (
        Shown(run, picture, world=partial(PictureProvider, narrowing=one)) for one in (None, *Narrowing)
    )
    question = whole.run.question
    readings = await asyncio.to_thread(reader.readings, whole.run)
    if not question.live_options():
        read = await reader.answer(whole.run)
        return whole.untold(read.program) or whole.told(read), None
    counting = Shown(run, picture, question.model_copy(update={"options": ()}))
    worth = [one for one in readings if one.score >= readings[0].score - WORTH]
    first = next((one.program for one in worth if whole.untold(one.program) is None), "")
    refused = whole.untold(worth[0].program) if worth else None
    support: Support | None = None
    told = ((number, one) for number, one in enumerate(worth) if whole.untold(one.program) is None)
    tries = (
        (number, source)
        for number, one in islice(told, TRIED)
        for source in ((counting,) if _counts(one.program) else (whole, *narrowed))
    )
    for number, source in tries:
        answer = await reader.tried(source.run, readings, number)
        if answer is None:
            continue
        if source is counting:
            answer, nearest = _counted(answer, question)
            support = support or (nearest if _counts(first) else None)
        if answer.status is Status.ANSWERED and answer.option_index is not None:
            sure = round((CHOSEN if source in narrowed else SHOWN) * answer.confidence, 4)
            return source.told(answer.model_copy(update={"confidence": sure})), None
        refused = refused or answer
    if support is None and run.provider is None:
        support = await _reckoned(reader, run, picture, worth)
    if support is None and not _counts(first):
        support = best_supported(question, picture.fact, _kinds(first))
    return refused or Answer(status=Status.NOT_UNDERSTOOD, reason=_UNREAD), support


def _counted(answer: Answer, question: Question) -> tuple[Answer, Support | None]:
    """A count as one of the options; else why it is none, and the option that comes nearest."""
    value = answer.value
    if answer.status is not Status.ANSWERED or not isinstance(value, Quantity):
        return answer, None
    found = match_one(value, question)
    if isinstance(found, Match):
        chosen = {"option": question.letter(found.index), "option_index": found.index}
        return answer.model_copy(update=chosen), None
    reason = f"{found.reason} What was found: {answer.text}."
    refused = Answer(status=Status.UNANSWERABLE, reason=reason, evidence=answer.evidence)
    return refused, nearest_count(round(value.value), question)


async def _reckoned(
    reader: TriesReadings, run: Run, picture: Picture, readings: Sequence[Reading]
) -> Support | None:
    """The option that fits best where ways, of which a picture tells none, are reckoned from straight lines."""
    shown = Shown(run, picture, world=ReckonedWays)
    ways = (number for number, one in enumerate(readings) if any(_calls(one.program, _WAYS)))
    number = next((one for one in ways if shown.untold(readings[one].program) is None), None)
    answer = None if number is None else await reader.tried(shown.run, readings, number)
    if answer is None or answer.status is not Status.ANSWERED or answer.option_index is None:
        return None
    return Support(answer.option_index, RECKONED)


async def _chosen(run: Run, support: Support) -> Answer:
    """An option as the answer, as a weak one."""
    place = [index for index, _ in run.question.live_options()].index(support.index)
    answer = await run.execute(f"answer(options[{place}])")
    warnings = (*answer.warnings, WARNING)
    return answer.model_copy(update={"confidence": WEAK, "explanation": support.reason, "warnings": warnings})


def _counts(program: str) -> bool:
    """Whether what a program answers is a count, or a sum of some."""
    ends = [one for one in _nodes(program, syntax.Call) if one.operator == "answer"]
    first = ends[0].positional[0] if ends and ends[0].positional else None
    parts = [first] if not isinstance(first, syntax.Arithmetic) else [*syntax.children(first)]
    return any(isinstance(one, syntax.Call) and one.operator == "count" for one in parts)


def _measures(program: str) -> bool:
    """Whether a program tells a distance or a way, or names a distance: a picture without a scale has none."""
    return (
        any(_calls(program, _WAYS | {"distance"}, _COMPARED))
        or any(field.name in _SIZES for field in _nodes(program, syntax.Field))
        or any(
            (amount := parse_amount(one.text)) is not None and amount.dimension == LENGTH
            for one in _nodes(program, syntax.String)
        )
    )


def _calls(program: str, operators: frozenset[str], within: tuple[type, ...] = ()) -> Iterator[syntax.Call]:
    """The calls of some operators, but for those within other parts."""
    return (one for one in _nodes(program, syntax.Call, within) if one.operator in operators)


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
        if isinstance(node, syntax.Mapped):
            left += filter(None, (node.body.body, node.source, node.condition))  # its members are told
        elif not isinstance(node, within):
            left += syntax.children(node)
