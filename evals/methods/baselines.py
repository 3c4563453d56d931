"""The simplest methods: the model alone, asked once, and a random answer.

`direct-gsqa` asks under the five rules of GS-QA (section 4.1, "Bare LLM"); `random` draws a well-typed answer from
the map, the floor of GS-QA's tables (section 4).
"""

import asyncio
import random
import tomllib
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from evals.answers import AnswerKind
from evals.methods.loop import Asking
from evals.methods.reading import read_answer
from evals.ports import EvalContext, Task
from map_tools.errors import ConfigError
from map_tools.types import LatLng, Place
from mapagent.core.answer import Answer, Named, Quantity, Status
from mapagent.core.ports import RequestContext
from mapagent.llm.chat import ChatMessage
from modules.visual_place_recognizer.picture import shown_image

if TYPE_CHECKING:
    from evals.generate.world import RawPlace


MAX_TOKENS = 64
"""Room for an option's number, and for its text where the model writes that too."""


class Direct:
    """One request, one reply.

    These are the "base model" rows of MapEval and of the MapAgent paper (table 3). The model sees the
    question, the options and the context where there is one. It has no tools: without a context it answers
    from memory, or from the picture. As in MapEval's own script it names the option and writes nothing else.
    """

    name = "direct"

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Asks the model.

        Raises:
            ConfigError: There is no model.
            InputFileError: The picture cannot be read.
        """
        asking = Asking(task, context.settings.prompts, choice="answer_number")
        picture = task.question.image
        images = (await asyncio.to_thread(shown_image, picture),) if picture is not None else ()
        message = ChatMessage(role="user", text=asking.task_text(), images=images)
        return read_answer(await ask_once(self.name, context, (message,), request_context, MAX_TOKENS), task)


async def ask_once(
    method: str,
    context: EvalContext,
    messages: tuple[ChatMessage, ...],
    request_context: RequestContext,
    max_tokens: int,
) -> str:
    """One request to the desk's model for a method; its reply.

    Raises:
        ConfigError: There is no model.
    """
    if context.model is None:
        raise ConfigError(f"The method '{method}' needs a language model.", "Name one with --model.")
    reply = await context.model.complete(
        messages, request_context=request_context, label=method, max_tokens=max_tokens
    )
    return reply.text


GSQA_TOKENS = 256
"""The answers asked for are a few words."""
GSQA_PROMPT = "direct_gsqa"


class DirectGsqa:
    """One request with GS-QA's rules as system prompt; the whole reply is the answer."""

    name = "direct-gsqa"

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """Asks the model.

        Raises:
            ConfigError: There is no model.
        """
        rules = Asking(task, context.settings.prompts).prompt(GSQA_PROMPT)
        messages = (
            ChatMessage(role="system", text=rules.text),
            ChatMessage(role="user", text=task.question.text),
        )
        text = (await ask_once(self.name, context, messages, request_context, GSQA_TOKENS)).strip()
        return Answer(status=Status.ANSWERED if text else Status.NOT_UNDERSTOOD, text=text)


RANGES: dict[AnswerKind, tuple[float, float, str]] = {
    "count": (1, 1_000, "count"),
    "distance": (1, 200_000, "m"),
    "length": (10, 1_000_000, "m"),
    "area": (100, 1e9, "m2"),
}
"""Least and largest number of a type, and its unit; drawn evenly over orders of magnitude. GS-QA's largest
radius is 200 km; it does not publish the other ranges of its baseline."""


class RandomAnswer:
    """Draws a place of the map, or a number; the same question always gets the same answer."""

    name = "random"

    def __init__(self) -> None:
        self._map: _Map | None = None

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:  # noqa: ARG002 (the port)
        """An option where there are options, else an answer of the type the words ask for.

        Raises:
            ConfigError: The answer is a place, and the settings name no map to draw from.
        """
        question = task.question
        dice = random.Random(question.text)  # noqa: S311 (a baseline, not a secret)
        if options := question.live_options():
            index, text = dice.choice(options)
            return Answer(
                status=Status.ANSWERED, text=text, option=question.letter(index), option_index=index
            )
        value = self._value(kind_of(question.text), dice, context)
        text = value.name if isinstance(value, Named) else f"{value.value:.0f} {value.unit}"
        return Answer(status=Status.ANSWERED, text=text, value=value)

    def _value(self, kind: AnswerKind, dice: random.Random, context: EvalContext) -> Named | Quantity:
        if kind == "angle":
            return Quantity(value=dice.uniform(0, 360), unit="deg")
        if kind in RANGES:
            low, high, unit = RANGES[kind]
            return Quantity(value=float(round(low * (high / low) ** dice.random())), unit=unit)
        if self._map is None:
            self._map = _Map(_map_folder(context))
        return self._map.draw(dice)


class _Map:
    """The named places of a map."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def draw(self, dice: random.Random) -> Named:
        place = dice.choice(self._places)
        lat, lng = place.point
        return Named(
            name=place.name, place=Place(id=place.osm, name=place.name, location=LatLng(lat=lat, lng=lng))
        )

    @cached_property
    def _places(self) -> "tuple[RawPlace, ...]":
        from evals.generate.world import RawMap

        return RawMap(self._folder).places


def kind_of(question: str) -> AnswerKind:
    """The type of answer a question's words ask for."""
    said = f" {question.casefold()} "
    return next((kind for kind, words in _types() if any(word in said for word in words)), "name")


@lru_cache(maxsize=1)
def _types() -> tuple[tuple[AnswerKind, tuple[str, ...]], ...]:
    data = tomllib.loads((files("evals.methods") / "answer_types.toml").read_text("utf-8"))
    return tuple((entry["kind"], tuple(entry["words"])) for entry in data["type"])


def _map_folder(context: EvalContext) -> Path:
    from mapagent.runtime.opening import provider_setting

    folder = provider_setting(context.settings).map_path
    if folder is None:
        raise ConfigError("The method 'random' draws its answers from a map.", "Name one with --map.")
    return folder
