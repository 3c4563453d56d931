"""`ask_map` and `run_query`: a question in words, or a program that a model writes itself, answered and verified.

Their replies tell an answer: the text is short, the structured part complete.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from pydantic import Field

from map_tools.facts import FailureFact, PlaceFact
from map_tools.types import ID_PREFIX, Frozen, LatLng
from mapagent.core.agent import PROGRAM
from mapagent.core.answer import Answer, Evidence, Named, Part, Status
from mapagent.core.conversation import turn_of, with_earlier
from mapagent.core.question import MAX_OPTIONS, Choice, Question
from mapagent.core.rendering import clean, fact_text
from mapagent.interfaces.mcp.replies import Outcome, Reply, clipped
from mapagent.interfaces.mcp.tools.base import CandidateBrief, PlaceBrief, candidates_of, reference, whole
from mapagent.interfaces.mcp.workbench import Workbench, sound
from mapagent.interfaces.pictures import DESCRIPTION as PICTURE

LINES = 2
"""Pieces of evidence in the text form; all stand in the structured part."""
LINE_CHARS = 130
FEW_PLACES = 5
"""So many places of an answer are told with address, position and id; of a list the names are enough."""
CHOICE = "The number of the one that is meant of the `candidates` before."
EXAMPLES = 6
"""Worked examples behind the operator card: they cost every conversation tokens."""
INTRODUCTION = (
    "Runs a small program over the map and gives its answer, verified: one call for what takes many of the "
    "other tools, such as conditions, nesting, counting, arithmetic on times and whole trips. A program that "
    "cannot be run comes back with its line, what is wrong and what to write instead.\n\n"
)


class EvidenceLine(Frozen):
    """A piece of evidence in a line."""

    id: str
    tool: str
    fact: str
    derived_from: tuple[str, ...] = ()

    @classmethod
    def of(cls, item: Evidence) -> "EvidenceLine":
        """The evidence as replies tell it."""
        return cls(
            id=item.id,
            tool=item.source.tool,
            fact=clipped(fact_text(item.value)),
            derived_from=item.derived_from,
        )


class PartBrief(Frozen):
    """A further thing that was asked for; where it is not `known`, `text` says why."""

    text: str
    known: bool = True
    value: dict[str, Any] | None = Field(None, description="Typed: amounts in metres, seconds, ...")

    @classmethod
    def of(cls, part: Part) -> "PartBrief":
        """The part as replies tell it."""
        return cls(text=clean(part.text), known=part.known, value=_value(part.value))


class AnswerReply(Reply):
    """An answer, the program that gave it, and the evidence it rests on."""

    shortened: ClassVar[tuple[str, ...]] = ("evidence", "places", "explanation", "reason", "answer")

    status: str = Field(description="answered, unanswerable, not_understood, ambiguous or limit (cut short).")
    answer: str = ""
    value: dict[str, Any] | None = Field(
        None, description="The answer, typed: amounts in metres, seconds, ..."
    )
    option: str | None = Field(None, description="The letter of the chosen option.")
    option_index: int | None = Field(None, description="Its index from 0.")
    parts: dict[str, PartBrief] = Field({}, description="Further things that were asked for.")
    places: tuple[PlaceBrief, ...] = Field((), description="The places of the answer, in order.")
    candidates: tuple[CandidateBrief, ...] = Field(
        (), description="What an ambiguous name may mean; ask again with `choice`."
    )
    understood: str = Field("", description="The program in words.")
    program: str = Field("", description="What was run; run_query runs it again, changed or not.")
    reason: str = Field("", description="Why there is no answer, where there is none.")
    confidence: float = Field(0.0, description="0 to 1.")
    explanation: str = Field("", description="What the names of the program came to.")
    evidence: tuple[EvidenceLine, ...] = ()
    conversation: str | None = Field(None, description="Send it along to ask on.")

    def lines(self) -> Iterator[str]:
        """Parts, candidates, what it was taken for, and few places and facts."""
        yield from (f"{name.replace('_', ' ')}: {part.text}" for name, part in self.parts.items())
        yield from (one.choice_line() for one in self.candidates)
        if self.understood:
            yield f"I understood: {self.understood}"
        if self.conversation and self.program:  # asked in words: who sends a program has it already
            yield from f"program: {self.program}".split("\n")
        if self.explanation:
            yield f"({clipped(self.explanation, LINE_CHARS)})"
        if len(self.places) <= FEW_PLACES:
            for place in self.places:
                yield "; ".join(part for part in (place.line(), place.position, place.id) if part)
        yield from (f"[{item.id}] {clipped(item.fact, LINE_CHARS)}" for item in self._telling())
        if self.conversation:
            yield f"conversation: {self.conversation}"

    def _telling(self) -> tuple[EvidenceLine, ...]:
        return tuple(item for item in self.evidence if item.id in self.told)[:LINES]

    told: frozenset[str] = Field(frozenset(), exclude=True)
    """Ids of the evidence that the text form tells."""


class AskMapArguments(Frozen):
    """A question and what belongs to it."""

    question: str = Field(description="The question in plain words.", min_length=1)
    options: tuple[str, ...] = Field((), description="Answers to choose from.", max_length=MAX_OPTIONS)
    context: str | None = Field(
        None, description="A text with the facts; with it alone no map is asked, unless use_map is true."
    )
    use_map: bool | None = Field(None, description="Whether map tools may be used.")
    image: str | None = Field(None, description=PICTURE)
    near: LatLng | None = Field(None, description='Where the user is ("near me").')
    at: datetime | None = Field(
        None, description='The moment that "now" stands for, ISO 8601; without a zone it is local time there.'
    )
    choice: Choice = Field((), description=CHOICE)
    conversation: str | None = Field(
        None, description="That of an earlier reply, where the question refers to what was asked there."
    )


class AskMap:
    """Answers a question about a map."""

    name: ClassVar[str] = "ask_map"
    title: ClassVar[str] = "Ask the map"
    description: str = (
        "Answers a question about places, distances, directions, routes, opening hours, counts, trips and "
        "schedules on the map, with options to choose from if there are any, or about a map picture. Every "
        "number is computed and the answer verified against the evidence; what the map does not tell comes "
        'back as unanswerable, with the reason. The reply says what was understood ("I understood: ..."): if '
        "that is not what was asked, write the program yourself with run_query."
    )
    arguments: ClassVar[type[Frozen]] = AskMapArguments
    result: ClassVar[type[Reply]] = AnswerReply
    open_world: ClassVar[bool] = True
    drawn: ClassVar[bool] = True

    async def __call__(self, arguments: AskMapArguments, bench: Workbench) -> Outcome:
        """The agent's answer."""
        asked = arguments
        said = bench.conversations.turns(asked.conversation)
        with bench.picture(asked.image) if asked.image else nullcontext() as image:
            question = Question(
                text=asked.question,
                options=asked.options,
                context=asked.context,
                image=image,
                near=asked.near,
                at=asked.at,
                choice=asked.choice,
            )
            answer = sound(await bench.ask(with_earlier(question, said), use_map=asked.use_map))
        conversation = bench.conversations.add(asked.conversation, turn_of(question, answer))
        reply = answer_reply(answer).model_copy(update={"conversation": conversation})
        return Outcome(reply, whole(answer), answer)


class RunQueryArguments(Frozen):
    """A program and what it is about."""

    program: str = Field(description="The program.", min_length=1)
    position: LatLng | None = Field(None, description="`here`: where the user is.")
    moment: datetime | None = Field(
        None, description="`now`, ISO 8601; without a zone it is local time there."
    )
    options: tuple[str, ...] = Field((), description="`options`, to choose from.", max_length=MAX_OPTIONS)
    text: str | None = Field(None, description="A text with the facts; the map is then not asked.")
    choice: Choice = Field((), description=CHOICE)
    conversation: str | None = Field(
        None,
        description="That of an ask_map reply, whose names and `result` are then known.",
    )


@dataclass(frozen=True, slots=True)
class RunQuery:
    """Runs a program.

    Attributes:
        card: The operator card with worked examples (`MapAgent.describe`): how programs are written.
    """

    card: str

    name: ClassVar[str] = "run_query"
    title: ClassVar[str] = "Run a map query"
    arguments: ClassVar[type[Frozen]] = RunQueryArguments
    result: ClassVar[type[Reply]] = AnswerReply
    open_world: ClassVar[bool] = True
    drawn: ClassVar[bool] = True

    @property
    def description(self) -> str:
        """What it does, and the language."""
        return INTRODUCTION + self.card

    async def __call__(self, arguments: RunQueryArguments, bench: Workbench) -> Outcome:
        """The program's answer."""
        asked = arguments
        question = Question(
            text=PROGRAM,
            options=asked.options,
            context=asked.text,
            near=asked.position,
            at=asked.moment,
            choice=asked.choice,
        )
        question = with_earlier(question, bench.conversations.turns(asked.conversation))
        answer = sound(await bench.query(asked.program, question))
        kept = asked.conversation and bench.conversations.add(asked.conversation, turn_of(question, answer))
        return Outcome(answer_reply(answer).model_copy(update={"conversation": kept}), whole(answer), answer)


def answer_reply(answer: Answer) -> AnswerReply:
    """The answer as replies tell it."""
    return AnswerReply(
        summary=summary_of(answer),
        status=answer.status.value,
        answer=answer.text,
        value=_value(answer.value),
        option=answer.option,
        option_index=answer.option_index,
        parts={name: PartBrief.of(part) for name, part in answer.parts.items()},
        places=tuple(map(PlaceBrief.of, answer.places)),
        candidates=candidates_of(answer),
        understood=clean(answer.understood),
        program=answer.program,
        reason=answer.reason,
        confidence=round(answer.confidence, 4),
        explanation=clean(answer.explanation),
        evidence=tuple(map(EvidenceLine.of, answer.evidence)),
        told=_telling(answer),
        warnings=answer.warnings,
        attribution=answer.attribution,
    )


def summary_of(answer: Answer) -> str:
    """The answer in a sentence: what it is, and why there is none or what of it is missing."""
    if answer.status is Status.AMBIGUOUS and answer.candidates:
        asked = answer.candidates[0].asked
        return f"ambiguous: '{asked}' may be any of {len(answer.candidates)} places; ask again with choice."
    chosen = f"{answer.option}. {answer.text}" if answer.option else answer.text
    because = "" if answer.reason in answer.text else answer.reason
    if because and answer.status is not Status.ANSWERED:
        because = f"{answer.status.value}: {because}"
    return "; ".join(part for part in (chosen, because) if part) or answer.status.value


def _telling(answer: Answer) -> frozenset[str]:
    """The evidence that matters to a reader: what was searched and measured, and what could not be found out.

    A name that was looked up counts only where there is no answer, and each fact once; what was looked up
    again by its id says nothing new.
    """
    seen: set[str] = set()
    told: list[str] = []
    for item in answer.evidence:
        fact, text = item.value, fact_text(item.value)
        by_id = isinstance(fact, PlaceFact) and fact.query.startswith(ID_PREFIX)
        name = isinstance(fact, PlaceFact) and answer.status is Status.ANSWERED
        said = isinstance(fact, FailureFact) and fact.message in answer.reason
        if not (by_id or name or said or answer.candidates or text in seen):
            told.append(item.id)
        seen.add(text)
    return frozenset(told)


def _value(value: Any) -> dict[str, Any] | None:
    """A typed value as plain data; a place in it is told briefly."""
    if value is None:
        return None
    record: dict[str, Any] = value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, Named) and value.place is not None:
        record["place"] = reference(value.place)
    return record
