"""Asks all questions one way and writes down what came of it."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from time import perf_counter
from typing import Any

from evals.smoke.judge import is_right
from evals.smoke.questions import SmokeQuestion, world_path
from map_tools.errors import MapAgentError
from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.question import Question

NOON = datetime.fromisoformat("2026-11-23T12:00")
"""The moment all questions are asked at: a Monday."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question.

    Attributes:
        path: "embedded" or "model" for the cascade, else empty.
        seconds: Wall time.
        tokens: Read and written by the model.
    """

    id: str
    wording: str
    world: str
    right: bool
    status: str
    answer: str
    reason: str
    path: str
    calls: int
    tokens: int
    seconds: float


async def outcomes(asked: Iterable[SmokeQuestion], settings: Settings) -> AsyncIterator[Outcome]:
    """Asks the questions one after the other with one way of answering (`settings.model`).

    The written town is asked instead of the settings' map where a question is about it.
    """
    town = settings.model_copy(update={"provider": f"recorded:{world_path()}", "map": None})
    async with AsyncExitStack() as stack:
        agents: Mapping[str, MapAgent] = {
            "helsinki": await stack.enter_async_context(MapAgent(settings)),
            "brookfield": await stack.enter_async_context(MapAgent(town)),
        }
        for one in asked:
            yield await _ask(agents[one.world], one)


async def _ask(agent: MapAgent, one: SmokeQuestion) -> Outcome:
    started = perf_counter()
    try:
        answer = await agent.ask(Question(text=one.text, options=one.options, at=NOON))
    except MapAgentError as error:
        answer = Answer(status=Status.ERROR, text="", reason=str(error))
    return Outcome(
        id=one.id,
        wording=one.wording,
        world=one.world,
        right=is_right(answer, one.truth),
        status=answer.status.value,
        answer=answer.text,
        reason=answer.reason,
        path=_path(agent),
        calls=answer.usage.llm_calls,
        tokens=answer.usage.prompt_tokens + answer.usage.completion_tokens,
        seconds=perf_counter() - started,
    )


def _path(agent: MapAgent) -> str:
    """The path the cascade took last, by its trace."""
    spans: Iterable[Any] = agent.last_trace.spans if agent.last_trace is not None else ()
    paths = [span.attributes["path"] for span in spans if span.name == "cascade"]
    return str(paths[-1]) if paths else ""
