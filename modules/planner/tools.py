"""The tools of the conversation: programs, the four map tools beside them, and the end."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from map_tools.tools import TOOLS, MapTool
from mapagent.llm.chat import ToolCard
from mapagent.llm.schemas import plain_schema

RUN_QUERY, FINISH = "run_query", "finish"
_NOT_TOLD = frozenset({"categories", "facts", "details", "shape"})
"""Parameters of map tools that only programs use."""


class Query(BaseModel):
    """A program, and what its writer reckons."""

    model_config = ConfigDict(extra="ignore")

    program: str = Field(description="The program, lines separated by line breaks.")
    draft: str = Field(
        "",
        description="Where a text or picture is supplied: the answer as you read it there yourself (an option's "
        "letter, or in words); empty if you cannot tell.",
    )


class Finish(BaseModel):
    """The end of a question."""

    model_config = ConfigDict(extra="ignore")

    outcome: Literal["computed", "other", "unanswerable"] = Field(
        description="computed: a program's result is the answer; other: what you give in `answer`; unanswerable: "
        "nothing supports any answer."
    )
    result: int = Field(0, description="Of computed: the number of the result; 0: the last one.")
    answer: str = Field("", description="Of other: an option's letter, or the answer in words.")
    evidence: list[str] = Field(
        default_factory=list,
        description="Of other: ids of evidence lines, or words quoted to the letter from text or picture.",
    )
    reason: str = Field("", description="Why; of unanswerable: what is missing.")


def tool_cards(which: Literal["programs", "map", "both"]) -> tuple[ToolCard, ...]:
    """The tools of a conversation, in an order that never changes."""
    query = ToolCard(
        name=RUN_QUERY,
        description="Runs a program of the language above; further programs may follow.",
        parameters=_schema(Query),
        block="program",
    )
    finish = ToolCard(
        name=FINISH, description="Ends the question with its answer.", parameters=_schema(Finish)
    )
    queries = (query,) if which != "map" else ()
    maps = tuple(map(_map_tool, TOOLS.values())) if which != "programs" else ()
    return (*queries, *maps, finish)


def _map_tool(tool: MapTool) -> ToolCard:
    whole = tool.parameters.model_json_schema()
    properties = {name: _field(field) for name, field in whole["properties"].items() if name not in _NOT_TOLD}
    schema = {"type": "object", "properties": properties, "required": whole.get("required", [])}
    return ToolCard(name=tool.name, description=tool.description, parameters=schema)


def _schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The schema of arguments; unlike a strict one it lets optional ones be left out."""
    schema = plain_schema(shape)
    schema["required"] = list(shape.model_json_schema().get("required", ()))
    return schema


def _field(field: dict[str, Any]) -> dict[str, Any]:
    """A field of a map tool's schema without what only bounds it."""
    kept: dict[str, Any] = {
        name: field[name] for name in ("type", "description", "enum", "items") if name in field
    }
    if "type" not in kept:
        kinds = [one["type"] for one in field.get("anyOf", ()) if one.get("type") not in {None, "null"}]
        kept["type"] = kinds[0] if kinds else "string"
        items = next((one["items"] for one in field.get("anyOf", ()) if "items" in one), None)
        if items is not None:
            kept["items"] = items
    if kept["type"] == "array" and "items" not in kept:
        kept["items"] = {"type": "string"}
    return kept
