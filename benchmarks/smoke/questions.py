"""The hand-written questions of `questions.toml`: their truths, how they are asked, and which answers are right.

A truth is held against an answer's text by this module's own reading of numbers and names.
"""

import re
import tomllib
import unicodedata
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, time
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Literal

from pydantic import Field

from map_tools.errors import MapAgentError
from map_tools.types import Frozen
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.runtime.config import Settings


class Says(Frozen):
    """The answer holds any of these texts."""

    kind: Literal["says"]
    any: tuple[str, ...]


class Lists(Frozen):
    """The answer holds all these names, and none of the others."""

    kind: Literal["lists"]
    names: tuple[str, ...]
    others: tuple[str, ...] = Field((), alias="not")


class Count(Frozen):
    """The answer's first number."""

    kind: Literal["count"]
    value: int


class Amount(Frozen):
    """A distance in metres or a duration in minutes, give or take."""

    kind: Literal["metres", "minutes"]
    value: float
    within: float


class Clock(Frozen):
    """A time of day."""

    kind: Literal["clock"]
    value: time


class Yes(Frozen):
    """Yes or no."""

    kind: Literal["yes"]
    value: bool


class Wind(Frozen):
    """Any of these directions, word for word."""

    kind: Literal["wind"]
    any: tuple[str, ...]


class Refuses(Frozen):
    """No answer is right."""

    kind: Literal["refuses"]


Truth = Annotated[Says | Lists | Count | Amount | Clock | Yes | Wind | Refuses, Field(discriminator="kind")]


class SmokeQuestion(Frozen):
    """One question.

    Attributes:
        wording: "plain" as reference books say it, "free" as people do.
        world: "helsinki" (the demo map) or "brookfield" (`world.json`).
        how: How the truth was found, by means that are not the product's.
    """

    id: str
    wording: Literal["plain", "free"]
    world: Literal["helsinki", "brookfield"]
    text: str
    options: tuple[str, ...] = ()
    truth: Truth
    how: str


def questions() -> tuple[SmokeQuestion, ...]:
    """All questions in the file's order."""
    text = files("benchmarks.smoke").joinpath("questions.toml").read_text(encoding="utf-8")
    return tuple(SmokeQuestion.model_validate(one) for one in tomllib.loads(text)["question"])


def world_path() -> Path:
    """The written town."""
    return Path(str(files("benchmarks.smoke").joinpath("world.json")))


_NUMBER = re.compile(r"\d+")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(h|hours?|min|mins|minutes?|s|seconds?)\b", re.IGNORECASE)
_LENGTH = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s*(km|m)\b", re.IGNORECASE)
_CLOCK = re.compile(r"\b(\d{1,2})(?::(\d\d))?\s*(am|pm)\b|\b(\d{1,2}):(\d\d)\b", re.IGNORECASE)
_MINUTES = {"h": 60.0, "m": 1.0, "s": 1 / 60}
_METRES = {"km": 1000.0, "m": 1.0}
SHOWN_SHARE = 0.01
"""Distances are shown with three digits."""


def is_right(answer: Answer, truth: Truth) -> bool:
    """True if the answer is the right one; a refusal is right only where there is no answer."""
    if isinstance(truth, Refuses):
        return answer.status is Status.UNANSWERABLE
    return answer.status is Status.ANSWERED and _fits(answer.text, truth)


def _fits(text: str, truth: Truth) -> bool:
    match truth:
        case Says():
            return any(_folded(one) in _folded(text) for one in truth.any)
        case Lists():
            return all(_folded(name) in _folded(text) for name in truth.names) and not any(
                _folded(name) in _folded(text) for name in truth.others
            )
        case Count():
            found = _NUMBER.search(text)
            return found is not None and int(found.group()) == truth.value
        case Amount():
            return _amount_fits(text, truth)
        case Clock():
            return _clock(text) == truth.value
        case Yes():
            return _folded(text).startswith("yes" if truth.value else "no")
        case Wind():
            return _folded(text) in map(_folded, truth.any)
        case Refuses():
            return False


def _amount_fits(text: str, truth: Amount) -> bool:
    if truth.kind == "minutes":
        parts = [float(number) * _MINUTES[unit[0].lower()] for number, unit in _DURATION.findall(text)]
        return bool(parts) and abs(sum(parts) - truth.value) <= truth.within
    found = _LENGTH.search(text)
    if found is None:
        return False
    metres = float(found[1].replace(",", "")) * _METRES[found[2].lower()]
    return abs(metres - truth.value) <= max(truth.within, SHOWN_SHARE * truth.value)


def _clock(text: str) -> time | None:
    found = _CLOCK.search(text)
    if found is None:
        return None
    if found[4]:
        return time(int(found[4]), int(found[5]))
    hour = int(found[1]) % 12 + (12 if found[3].lower() == "pm" else 0)
    return time(hour, int(found[2] or 0))


def _folded(text: str) -> str:
    """Letters and digits alone, without case and accents."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return re.sub(r"[^a-z0-9]", "", plain)


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
