"""What is asked of a server to see what it can do: one short request and one plain observation each."""

import base64
import io
import json
from dataclasses import dataclass
from typing import Any

from mapagent.core.prompts import load_prompt
from mapagent.llm.jsontext import values_in
from mapagent.llm.reply import ServerReply

PACKAGE = "mapagent.llm"
PICTURE_PX = 64
_SCHEMA = {
    "type": "object",
    "properties": {
        "river": {"type": "string", "enum": ["wide", "narrow"]},
        "bridges": {"type": "integer"},
    },
    "required": ["river", "bridges"],
    "additionalProperties": False,
}
"""Nothing a model would write of itself when it is asked for a poem."""
_TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "The name of the city."}},
            "required": ["city"],
            "additionalProperties": False,
        },
    },
}


@dataclass(frozen=True, slots=True)
class ToolSight:
    """How a reply calls the function: in the protocol's way, in its words, how often."""

    called: bool
    in_text: bool
    calls: int


def hello_body() -> dict[str, Any]:
    """A request any chat model can answer."""
    return _body("probe_hello", max_tokens=8)


def schema_body() -> dict[str, Any]:
    """Asks for a poem and holds the reply to a schema that has no room for one."""
    held = {"name": "river", "strict": True, "schema": _SCHEMA}
    return _body("probe_schema", max_tokens=48) | {
        "response_format": {"type": "json_schema", "json_schema": held}
    }


def obeys_schema(reply: ServerReply) -> bool:
    """Whether the reply has the schema's form."""
    value = next(values_in(reply.text), None)
    return (
        isinstance(value, dict)
        and value.keys() == {"river", "bridges"}
        and value["river"] in {"wide", "narrow"}
        and isinstance(value["bridges"], int)
    )


def tools_body() -> dict[str, Any]:
    """Asks something for which the function is there."""
    return _body("probe_tools", max_tokens=64) | {"tools": [_TOOL]}


def tool_choice_body() -> dict[str, Any]:
    """Says hello, and that a function must be called."""
    return _body("probe_hello", max_tokens=64) | {"tools": [_TOOL], "tool_choice": "required"}


def parallel_body() -> dict[str, Any]:
    """Asks something that takes two calls."""
    return _body("probe_parallel", max_tokens=128) | {"tools": [_TOOL], "parallel_tool_calls": True}


def tool_sight(reply: ServerReply) -> ToolSight:
    """How the reply calls the function."""
    good = [call for call in reply.calls if call.name == "weather" and _names_a_city(call.arguments)]
    return ToolSight(bool(good), _called_in_text(reply.text), len(good))


def vision_body() -> dict[str, Any]:
    """Shows a red square."""
    text = load_prompt(PACKAGE, "probe_vision").text
    url = f"data:image/png;base64,{base64.b64encode(red_square()).decode('ascii')}"
    content = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": text}]
    return {"messages": [{"role": "user", "content": content}], "max_tokens": 16, "temperature": 0.0}


def sees_red(reply: ServerReply) -> bool:
    """Whether the reply says the square's colour."""
    return "red" in reply.text.lower()


def speed_body(moment: str) -> dict[str, Any]:
    """Some 200 tokens to read and 32 to write; the moment in front makes them new to the server."""
    lines = "\n".join(f"Note {number}: the bus to stop {number * 7} leaves at noon." for number in range(8))
    return _body("probe_speed", max_tokens=32, moment=moment, lines=lines)


def red_square() -> bytes:
    """A red picture, as PNG."""
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", (PICTURE_PX, PICTURE_PX), (220, 20, 20)).save(stream, format="PNG")
    return stream.getvalue()


def _body(prompt: str, *, max_tokens: int, **values: str) -> dict[str, Any]:
    text = load_prompt(PACKAGE, prompt).fill(**values)
    return {"messages": [{"role": "user", "content": text}], "max_tokens": max_tokens, "temperature": 0.0}


def _names_a_city(arguments: str) -> bool:
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and isinstance(value.get("city"), str)


def _called_in_text(text: str) -> bool:
    return any(isinstance(value, dict) and value.get("name") == "weather" for value in values_in(text))
