"""How `ask_map` and `run_query` tell an answer: its text short, its structured part complete."""

from collections.abc import Iterator
from typing import Any, ClassVar

from pydantic import Field

from map_tools.facts import FailureFact, PlaceFact
from map_tools.ids import ID_PREFIX
from map_tools.types import Frozen
from mapagent.core.answer import Answer, Evidence, Named, Part, Status
from mapagent.core.rendering import clean, fact_text
from mapagent.interfaces.mcp.replies import Reply, clipped
from mapagent.interfaces.mcp.tools.base import CandidateBrief, PlaceBrief, candidates_of, reference

LINES = 2
"""Pieces of evidence in the text form; all stand in the structured part."""
LINE_CHARS = 130
FEW_PLACES = 5
"""So many places of an answer are told with address, position and id; of a list the names are enough."""


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
    """The answer in a sentence: what it is, or why there is none."""
    if answer.status is Status.AMBIGUOUS and answer.candidates:
        asked = answer.candidates[0].asked
        return f"ambiguous: '{asked}' may be any of {len(answer.candidates)} places; ask again with choice."
    chosen = f"{answer.option}. {answer.text}" if answer.option else answer.text
    because = f"{answer.status.value}: {answer.reason}" if answer.reason else ""
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
