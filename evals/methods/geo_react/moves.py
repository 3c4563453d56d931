"""What a model writes at each step of the loop: a thought, a tool, and its arguments.

The form is plain, so that every server can hold a model to it: arguments are a list of pairs, whatever the
tool, and their texts become values by the tool's own types.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from modules.spatial_database.cards import kind_of

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
