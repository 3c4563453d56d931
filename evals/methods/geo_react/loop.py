"""Geo-ReAct's loop: thought, tool, observation, until the model finishes (section 4).

    question → [ thought · tool(arguments) → observation ] up to K times → Finish(answer)

The loop stops on a repeated call, when nothing new is observed any more, on K steps, and on a spent budget;
the model is then asked once for its answer. Every request begins with the same words, and the journal only
grows at its end, so that servers can keep what they have read.

What a model writes at a step has a plain form, so that every server can hold a model to it: arguments are a list of
pairs, whatever the tool, and their texts become values by the tool's own types.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from map_tools.errors import LimitError, ModelReplyError
from mapagent.core.ports import RequestContext
from mapagent.core.prompts import load_prompt
from mapagent.core.rendering import clean
from mapagent.llm.chat import ChatMessage, ChatModel, LineRoom
from modules.spatial_database.tools.base import Observation, SpatialTool, Toolkit, kind_of, tool_card

FINISH = "Finish"
ANSWER = "answer"
"""The argument of Finish."""
MAX_ARGUMENTS = 10


class Argument(BaseModel):
    """One argument of a tool."""

    model_config = ConfigDict(extra="ignore")

    name: str
    value: str


class Move(BaseModel):
    """One step: why, which tool, and with what."""

    model_config = ConfigDict(extra="ignore")

    thought: str
    tool: str
    arguments: list[Argument] = Field(max_length=MAX_ARGUMENTS)

    @property
    def answer(self) -> str | None:
        """The answer, if the step ends the loop; None if it goes on."""
        if self.tool != FINISH:
            return None
        return next((one.value for one in self.arguments if one.name == ANSWER), "").strip()

    @property
    def action(self) -> str:
        """The call on one line, as the journal shows it; equal calls are equal lines."""
        given = {one.name: one.value for one in self.arguments}
        return f"{self.tool} {json.dumps(given, ensure_ascii=False, sort_keys=True)}"

    def given(self, arguments: type[BaseModel]) -> dict[str, Any]:
        """The arguments as the tool's own type takes them: what is no text is read as JSON."""
        fields: Mapping[str, Any] = arguments.model_json_schema().get("properties", {})
        return {
            one.name: one.value
            if kind_of(fields.get(one.name, {})) in {"text", "string"}
            else _value(one.value)
            for one in self.arguments
            if one.value.strip() or one.name in _required(arguments)
        }


def move_shape(tools: Iterable[str]) -> type[Move]:
    """The form of a step with these tools and Finish."""
    names = (*tools, FINISH)
    return create_model("Move", __base__=Move, tool=(Literal[names], ...))  # type: ignore[arg-type]


def _required(arguments: type[BaseModel]) -> frozenset[str]:
    return frozenset(name for name, field in arguments.model_fields.items() if field.is_required())


def _value(text: str) -> Any:
    """A number, list or the like that is written as JSON; else the words themselves."""
    try:
        return json.loads(text)
    except ValueError:
        return text


PACKAGE = "evals.methods.geo_react"
TOOLS_PACKAGE = "modules.spatial_database"
"""Whose conventions of SQL the prompt has."""
MAX_STEPS = 10
"""K of the paper (section 4)."""
STEP_TOKENS = 600
"""Longest reply: a thought and a query."""
MAX_IDLE = 2
"""So many observations in a row that tell nothing new end the acting."""
METRIC = "CalculateMetric"
"""The tool that most questions need nothing else but."""
SPAN = "tool"
"""Name of the spans of tool calls, as the kernel's."""


class End(StrEnum):
    """Why a loop ended."""

    FINISHED = "finished"
    REPEATED = "repeated call"
    NOTHING_NEW = "nothing new"
    STEPS = "steps"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Seen:
    """A call that was made, with what came of it."""

    move: Move
    observation: Observation


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a loop came to.

    Attributes:
        answer: The model's last words; empty if it gave none.
        seen: All calls in their order.
        end: Why it ended.
        reason: What the limit was, if one ended it.
    """

    answer: str
    seen: tuple[Seen, ...]
    end: End
    reason: str = ""


class ReActLoop:
    """Answers questions with a set of tools; one object for each question.

    Args:
        model: Who thinks.
        toolkit: What it may use.
        request_context: What the work is charged to.
        described: The tables in words.
        prompts: The user's own prompts; None for the built-in ones.
        max_steps: K.
    """

    def __init__(
        self,
        model: ChatModel,
        toolkit: Toolkit,
        request_context: RequestContext,
        *,
        described: str,
        prompts: Path | None = None,
        max_steps: int = MAX_STEPS,
    ) -> None:
        self._model = model
        self._toolkit = toolkit
        self._request_context = request_context
        self._prompts = prompts
        self._max_steps = max_steps
        self._system = self._system_message(described)
        self._shape = move_shape(toolkit.tools)
        self._journal: list[str] = []
        self._room = LineRoom()
        self._seen: list[Seen] = []
        self._idle = 0
        self._steps = 0

    async def run(self, question: str) -> Outcome:
        """The answer to a question, with all that was observed on the way.

        Raises:
            ModelError: The server cannot be reached or refuses.
        """
        self._journal = [f"Question: {clean(question)}"]
        return await self._guarded()

    async def again(self, problem: str) -> Outcome:
        """Goes on after an answer that cannot be given, told why.

        Raises:
            ModelError: The server cannot be reached or refuses.
        """
        self._journal.append(problem)
        return await self._guarded()

    async def _guarded(self) -> Outcome:
        try:
            return await self._act()
        except LimitError as error:
            return Outcome("", tuple(self._seen), End.LIMIT, str(error))

    async def _act(self) -> Outcome:
        end = End.STEPS
        while self._steps < self._max_steps:
            self._steps += 1
            move = await self._ask("react_step", self._shape)
            if move is None:
                continue
            if move.answer is not None:
                self._journal.append(f"Action {self._steps}: {move.action}")
                return Outcome(move.answer, tuple(self._seen), End.FINISHED)
            stop = await self._step(move)
            if stop is not None:
                end = stop
                break
        last = await self._ask("react_last", move_shape(()))
        return Outcome((last.answer or "") if last else "", tuple(self._seen), end)

    async def _step(self, move: Move) -> End | None:
        """Makes a call and notes what came of it; says if the acting should end here."""
        self._journal.append(
            f"Thought {self._steps}: {clean(move.thought)}\nAction {self._steps}: {move.action}"
        )
        if any(seen.move.action == move.action for seen in self._seen):
            self._note("This call was made before; its observation stands above.")
            return End.REPEATED
        observation = await self._call(move)
        told = {seen.observation.text for seen in self._seen if seen.observation.ok}
        self._idle = 0 if observation.ok and observation.text not in told else self._idle + 1
        self._seen.append(Seen(move, observation))
        self._note(observation.text)
        return End.NOTHING_NEW if self._idle >= MAX_IDLE else None

    async def _call(self, move: Move) -> Observation:
        tool = self._toolkit.tools.get(move.tool)
        arguments = move.given(tool.arguments) if tool else {}
        self._request_context.ledger.charge_tool()
        with self._request_context.trace.span(SPAN, tool=move.tool, arguments=arguments) as span:
            observation = await self._toolkit.call(move.tool, arguments)
            span.attributes |= {"ok": observation.ok, "code": observation.code}
        return observation

    def _note(self, text: str) -> None:
        # Not `splitlines`: a name can hold rarer ends of lines, and would begin a line of its own.
        shown = self._room.show_lines(clean(line) for line in text.split("\n"))
        self._journal.append(f"Observation {self._steps}: {shown}")

    async def _ask(self, prompt: str, shape: type[Move]) -> Move | None:
        """The next step; None, and a note in the journal, if the reply cannot be read as one."""
        wanted = load_prompt(PACKAGE, prompt, self._prompts)
        values = {"number": str(self._steps)} if "number" in wanted.placeholders else {}
        text = "\n".join([*self._journal, wanted.fill(**values)])
        messages = (self._system, ChatMessage(role="user", text=text, prompt=wanted.mark))
        try:
            return await self._model.structured(
                messages, shape, request_context=self._request_context, label=prompt, max_tokens=STEP_TOKENS
            )
        except ModelReplyError as error:
            self._journal.append(f"Observation {self._steps}: The step could not be read: {error.message}")
            return None

    def _system_message(self, described: str) -> ChatMessage:
        """The tools, the tables and an example with a tool that is there."""
        loaded = load_prompt(PACKAGE, "react", self._prompts)
        example = "react_example_metric" if METRIC in self._toolkit.tools else "react_example_sql"
        text = loaded.fill(
            tools=cards(self._toolkit),
            schema=described,
            conventions=load_prompt(TOOLS_PACKAGE, "conventions", self._prompts).text,
            example=load_prompt(PACKAGE, example, self._prompts).text,
        )
        return ChatMessage(role="system", text=text, prompt=loaded.mark)


def cards(toolkit: Toolkit) -> str:
    """The tools in words, each with its role and the concepts it stands for."""
    return "\n".join(
        tool_card(tool.name, f"({_role(tool)}) {tool.description}", tool.arguments)
        for tool in toolkit.tools.values()
    )


def _role(tool: SpatialTool[Any, Any]) -> str:
    concepts = ", ".join(tool.concepts)
    return f"{tool.role}: {concepts}" if concepts else str(tool.role)
