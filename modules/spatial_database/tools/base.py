"""What a concept tool is, the set of tools an agent is given, and a tool in words for its prompt.

A tool is made with what it works on (an engine, a database, a model), declares its role and the core concepts
of spatial information it stands for (Kuhn 2012; Geo-ReAct, section 2.6 and Table 1), and has typed arguments
and a typed result. `Toolkit.call` is the one door for an agent: it takes arguments as a model writes them and
gives back an observation, whatever happens.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from inspect import getdoc
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from map_tools.errors import ToolError, UnknownNameError
from map_tools.types import Frozen
from mapagent.core.rendering import clean

_ATTRIBUTE = re.compile(r"^    (\w[\w, ]*): (.+(?:\n        .+)*)", re.MULTILINE)


class Role(StrEnum):
    """What a tool is for (Geo-ReAct, section 4.1)."""

    GROUNDING = "grounding"
    """Unstructured input becomes a structured reference."""
    COMPUTATION = "computation"
    """A spatial predicate or metric is evaluated."""
    EXECUTION = "execution"
    """SQL is run."""


class Concept(StrEnum):
    """Kuhn's ten core concepts of spatial information."""

    LOCATION = "location"
    NEIGHBORHOOD = "neighborhood"
    OBJECT = "object"
    FIELD = "field"
    NETWORK = "network"
    EVENT = "event"
    GRANULARITY = "granularity"
    ACCURACY = "accuracy"
    MEANING = "meaning"
    VALUE = "value"


class Arguments(Frozen):
    """Arguments of a tool; unknown ones are refused."""


class Result(BaseModel):
    """What a tool brings back."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def text(self) -> str:
        """The result as a model reads it: JSON without empty fields."""
        return self.model_dump_json(exclude_none=True, exclude_defaults=True)


class SpatialTool[A: Arguments, R: Result](ABC):
    """One concept tool.

    Attributes:
        name: As in Geo-ReAct's Table 1 ("ResolveLocation").
        description: One or two sentences for whoever chooses among the tools.
        role: What it is for.
        concepts: What it stands for.
        arguments: The type of its arguments.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    role: ClassVar[Role]
    concepts: ClassVar[tuple[Concept, ...]]
    arguments: ClassVar[type[Arguments]]

    @abstractmethod
    async def run(self, arguments: A) -> R:
        """Does its work.

        Raises:
            ToolError: It cannot; the message is an observation an agent can act on.
        """


class Observation(Frozen):
    """What an agent sees of a call.

    Attributes:
        tool: The tool's name.
        ok: False if the call failed.
        text: The result, or what is wrong and what to do about it.
        result: The typed result as JSON-ready values; None for a failure.
        code: The code of the error (`map_tools.errors`, or "arguments"); empty if it went well.
    """

    tool: str
    ok: bool
    text: str
    result: dict[str, Any] | None = None
    code: str = ""


class Toolkit:
    """The tools an agent may use, by name.

    Args:
        tools: The tools; two of one name are refused by the assertion of uniqueness in the tests.
    """

    def __init__(self, tools: Iterable[SpatialTool[Any, Any]]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    @property
    def tools(self) -> Mapping[str, SpatialTool[Any, Any]]:
        """All tools by name."""
        return self._tools

    def tool(self, name: str) -> SpatialTool[Any, Any]:
        """The tool of this name, whatever its capitals.

        Raises:
            UnknownNameError: There is none; says which there are.
        """
        folded = {known.casefold(): tool for known, tool in self._tools.items()}
        found = folded.get(name.strip().casefold())
        if found is None:
            raise UnknownNameError(
                f"There is no spatial tool '{name}'.", f"Known: {', '.join(sorted(self._tools))}."
            )
        return found

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Observation:
        """Calls a tool with arguments as an agent wrote them; what is wrong becomes an observation."""
        try:
            tool = self.tool(name)
            result = await tool.run(tool.arguments.model_validate(dict(arguments)))
        except (ToolError, UnknownNameError) as error:
            return Observation(tool=name, ok=False, text=clean(str(error)), code=error.code)
        except ValidationError as error:
            return Observation(tool=name, ok=False, text=_wrong(name, error), code="arguments")
        return Observation(
            tool=tool.name,
            ok=True,
            text=result.text(),
            result=result.model_dump(mode="json", exclude_none=True),
        )


def _wrong(name: str, error: ValidationError) -> str:
    """What is wrong with arguments, in a line a model can act on."""
    parts = [
        f"{'.'.join(str(part) for part in one['loc']) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)
    ]
    return f"The arguments of {name} are wrong: {'; '.join(parts)}."


def tool_card(name: str, description: str, arguments: type[BaseModel]) -> str:
    """A tool in a few lines; the same tool gives the same text."""
    return "\n".join([f"- {name}: {description}", *_argument_lines(arguments)])


def _argument_lines(arguments: type[BaseModel]) -> Iterator[str]:
    schema = arguments.model_json_schema()
    required = frozenset(schema.get("required", ()))
    documented = _documented(arguments)
    for name, field in schema.get("properties", {}).items():
        need = "" if name in required else ", optional"
        told = field.get("description") or documented.get(name, "")
        yield f"    {name} ({kind_of(field)}{need}){': ' if told else ''}{told}"


def _documented(arguments: type[BaseModel]) -> Mapping[str, str]:
    """What the type's docstring says of its fields, under "Attributes:"."""
    found: dict[str, str] = {}
    _, _, attributes = (getdoc(arguments) or "").partition("Attributes:\n")
    for names, told in _ATTRIBUTE.findall(attributes):
        for name in names.split(","):
            found[name.strip()] = " ".join(told.split())
    return found


def kind_of(field: Mapping[str, Any]) -> str:
    """The type of an argument in a word, or the words it may be."""
    branches = [field, *field.get("anyOf", ())]
    words = next((branch["enum"] for branch in branches if "enum" in branch), None)
    if words:
        return " | ".join(map(str, words))
    kinds = (branch.get("type") for branch in branches)
    return next((str(kind) for kind in kinds if kind not in (None, "null")), "text")
