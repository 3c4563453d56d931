"""The cascade: answers of which the embedded planner is sure cost no model call, the rest goes to a language model.

The model is first asked which of the embedded reader's readings is right (one short call, which a small model can
answer as well), and only if none is, to answer itself.
"""

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from pydantic import BaseModel, Field

from map_tools.errors import ConfigError, ModelError, ModelReplyError
from mapagent.core.answer import Answer, Status
from mapagent.core.ports import Closable, Planner, Run
from mapagent.core.prompts import load_prompt
from mapagent.llm.chat import ChatMessage, ChatModel
from mapagent.llm.open import open_model
from mapagent.runtime.config import Settings, share_setting
from modules.nlu.reader import refuses
from modules.planner.embedded import EmbeddedPlanner
from modules.planner.planner import ModelPlanner, PlannerSetting
from modules.planner.prompting import PACKAGE, data, options_text

NAME = "cascade"
DEFAULT_THRESHOLD = 0.75
"""Confidence from which an embedded answer is given; the setting `threshold` of `[modules.cascade]`."""
_NOTHING = frozenset({Status.NOT_UNDERSTOOD, Status.LIMIT, Status.ERROR})
"""Statuses of a planner that has no answer."""
LETTERS = "ABCD"
CHOSEN = 0.8
"""Confidence of an answer whose reading a model has chosen."""
MAX_TOKENS = 60


class CascadePlanner:
    """The embedded planner with a language model behind it (`mapagent.core.ports.Planner`).

    Args:
        first: The embedded planner.
        second: The one behind it.
        model: Chooses among the readings of the first, if that offers any; None: no choice is made.
        threshold: Confidence from which the first planner's answer is given, 0 to 1.
    """

    name = NAME

    def __init__(
        self,
        first: Planner,
        second: Planner,
        *,
        model: ChatModel | None = None,
        threshold: float = DEFAULT_THRESHOLD,
    ) -> None:
        self._first = first
        self._second = second
        self._model = model
        self._threshold = threshold

    @classmethod
    def from_settings(cls, settings: Settings) -> "CascadePlanner":
        """The planner for "cascade:NAME" (`mapagent.core.ports.PlannerFactory`).

        Raises:
            UsageError: NAME is missing or its model needs a key, or the threshold is not a number from 0 to 1.
        """
        if not settings.model.partition(":")[2]:
            raise ConfigError(f"The model '{settings.model}' names no model.", "Write it as cascade:NAME.")
        threshold = share_setting(settings, NAME, "threshold", DEFAULT_THRESHOLD, of="cascade")
        model = open_model(settings)
        second = ModelPlanner(model, PlannerSetting.of(settings))
        return cls(EmbeddedPlanner.from_settings(settings), second, model=model, threshold=threshold)

    async def answer(self, run: Run) -> Answer:
        """The embedded answer if it is sure enough, else the model's; the embedded one if the model has none.

        Raises:
            LimitError: A budget is spent.
            ModelError: There is no embedded answer, and the model cannot be reached.
        """
        embedded = await self._first.answer(run)
        doubt = self._doubt(embedded)
        if not doubt:
            self._told(run, embedded, path="embedded", reason="sure enough")
            return embedded
        try:
            chosen = await self._chosen(run)
            answer = chosen or await self._second.answer(run)
        except ModelError as error:
            if embedded.status is not Status.ANSWERED:
                raise
            self._told(run, embedded, path="embedded", reason=f"{doubt}; no model: {error.message}")
            warning = f"Not checked by the language model: {error.message}"
            return embedded.model_copy(update={"warnings": (*embedded.warnings, warning)})
        if answer.status in _NOTHING and embedded.status not in _NOTHING:
            self._told(run, embedded, path="embedded", reason=f"{doubt}; the model came to nothing")
            return embedded
        self._told(run, embedded, path="model" if chosen is None else "chosen", reason=doubt)
        return answer

    async def _chosen(self, run: Run) -> Answer | None:
        """The answer of the reading that the model chooses; None if it chooses none, or that has no answer."""
        if self._model is None or not isinstance(self._first, Offers):
            return None
        found = await choose(run, self._first, self._model)
        return found if found is not None and found.status is Status.ANSWERED else None

    async def close(self) -> None:
        """Frees the resources of both planners."""
        for planner in (self._first, self._second):
            if isinstance(planner, Closable):
                await planner.close()

    def _doubt(self, embedded: Answer) -> str:
        """Why the embedded answer is not given; empty if it is."""
        if embedded.status is not Status.ANSWERED and not refuses(embedded.program or ""):
            return embedded.reason or embedded.status.value
        lost = [name for name, part in embedded.parts.items() if not part.known]
        if lost:
            return f"no answer to {', '.join(lost)}"
        return "not sure enough" if embedded.confidence < self._threshold else ""

    def _told(self, run: Run, embedded: Answer, *, path: str, reason: str) -> None:
        run.request_context.trace.event(
            "cascade",
            path=path,
            free=run.request_context.ledger.llm_calls == 0,
            confidence=embedded.confidence,
            threshold=self._threshold,
            reason=reason,
        )


class Choice(BaseModel):
    """Which reading is meant."""

    choice: Literal["A", "B", "C", "D", "none"] = Field(description="The letter of the right way, or none.")


@runtime_checkable
class Offers(Protocol):
    """A planner that can say in how many ways it reads a question."""

    async def offered(self, run: Run, most: int) -> Sequence[Answer]:
        """The answers of its likeliest readings, at most `most`, each with its program and read-back."""
        ...


async def choose(run: Run, planner: Offers, model: ChatModel) -> Answer | None:
    """The answer of the reading that a model takes for the right one; None if it takes none, or there is none.

    Raises:
        LimitError: A budget is spent.
        ModelError: The model cannot be reached.
    """
    by_reading: dict[str, Answer] = {}
    for one in await planner.offered(run, len(LETTERS)):
        by_reading.setdefault(_reading(one), one)
    if not by_reading:
        return None
    rules = load_prompt(PACKAGE, "choose", run.settings.prompts)
    asked = load_prompt(PACKAGE, "choose_ask", run.settings.prompts)
    options = options_text(run.question)
    ways = "\n".join(f"{letter}. {told}" for letter, told in zip(LETTERS, by_reading, strict=False))
    words = asked.fill(
        question=data(run.question.text), options=f"\nOptions:\n{options}" if options else "", ways=ways
    )
    messages = (
        ChatMessage(role="system", text=rules.text, prompt=rules.mark),
        ChatMessage(role="user", text=words, prompt=asked.mark),
    )
    try:
        made = await model.structured(
            messages,
            Choice,
            request_context=run.request_context,
            label="planner.choose",
            max_tokens=MAX_TOKENS,
        )
    except ModelReplyError:
        return None
    chosen = dict(zip(LETTERS, by_reading.values(), strict=False)).get(made.choice)
    return None if chosen is None else chosen.model_copy(update={"confidence": CHOSEN})


def _reading(answer: Answer) -> str:
    """The read-back of an answer, without the assumptions."""
    return data(answer.understood.partition(" (assumed:")[0].rstrip("."))
