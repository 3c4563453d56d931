"""`ask_map`: a question in words, answered and verified by the agent."""

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import datetime
from typing import ClassVar

from pydantic import Field

from map_tools.errors import ToolError
from map_tools.types import Frozen, LatLng
from mapagent.answer import Answer, Status
from mapagent.evidence import Evidence
from mapagent.faces.mcp.pictures import DESCRIPTION as PICTURE
from mapagent.faces.mcp.replies import Outcome, Reply, clipped
from mapagent.faces.mcp.workbench import Workbench
from mapagent.facttext import fact_text
from mapagent.question import MAX_OPTIONS, Question


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


class AskMapReply(Reply):
    """The answer with the evidence it rests on."""

    shortened: ClassVar[tuple[str, ...]] = ("evidence", "explanation", "reason", "answer")

    status: str = Field(description="answered, unanswerable, not_understood, ambiguous or limit (cut short).")
    answer: str = ""
    option: str | None = Field(None, description="The letter of the chosen option.")
    option_index: int | None = Field(None, description="Its index from 0.")
    reason: str = Field("", description="Why there is no answer, where there is none.")
    confidence: float = Field(0.0, description="0 to 1.")
    explanation: str = Field("", description="How the answer was worked out, with its numbers.")
    evidence: tuple[EvidenceLine, ...] = ()

    def lines(self) -> Iterator[str]:
        """The derivation, then the evidence."""
        if self.explanation:
            yield self.explanation
        yield from (f"[{item.id}] {item.fact}" for item in self.evidence)


class AskMap:
    """Answers a question about a map."""

    name: ClassVar[str] = "ask_map"
    title: ClassVar[str] = "Ask the map"
    description: ClassVar[str] = (
        "Answers a question about places, distances, directions, routes, opening hours, counts, trips and "
        "schedules on the map, with options to choose from if there are any, or about a map picture. Every "
        "number is computed and the answer verified against the evidence; what the map does not tell comes "
        "back as unanswerable, with the reason. Prefer this tool to working an answer out from the others."
    )
    arguments: ClassVar[type[Frozen]] = AskMapArguments
    result: ClassVar[type[Reply]] = AskMapReply
    open_world: ClassVar[bool] = True

    async def __call__(self, arguments: AskMapArguments, bench: Workbench) -> Outcome:
        """The agent's answer."""
        asked = arguments
        with bench.picture(asked.image) if asked.image else nullcontext() as image:
            question = Question(
                text=asked.question,
                options=asked.options,
                context=asked.context,
                image=image,
                near=asked.near,
                at=asked.at,
            )
            answer = sound(await bench.ask(question, use_map=asked.use_map))
        return Outcome(_reply(answer), {"answer": answer.model_dump(mode="json", exclude_none=True)})


def sound(answer: Answer) -> Answer:
    """The answer, if the run came to one; that nothing is known is one too.

    Raises:
        ToolError: The run failed.
    """
    if answer.status is Status.ERROR:
        raise ToolError(answer.reason or "The run failed.")
    return answer


def _reply(answer: Answer) -> AskMapReply:
    return AskMapReply(
        summary=summary_of(answer),
        status=answer.status.value,
        answer=answer.text,
        option=answer.option,
        option_index=answer.option_index,
        reason=answer.reason,
        confidence=round(answer.confidence, 4),
        explanation=answer.explanation,
        evidence=tuple(map(EvidenceLine.of, answer.evidence)),
        warnings=answer.warnings,
        attribution=answer.attribution,
    )


def summary_of(answer: Answer) -> str:
    """The answer in a sentence: what it is, or why there is none."""
    chosen = f"{answer.option}. {answer.text}" if answer.option else answer.text
    because = f"{answer.status.value}: {answer.reason}" if answer.reason else ""
    return "; ".join(part for part in (chosen, because) if part) or answer.status.value
