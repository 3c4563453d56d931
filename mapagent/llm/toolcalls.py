"""Tools in a conversation: called the protocol's way where a server can, in the words of the reply elsewhere."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from map_tools.types import Frozen
from mapagent.core.prompts import load_prompt
from mapagent.llm.chat import ChatMessage, ToolCard, ToolUse
from mapagent.llm.jsontext import values_in
from mapagent.llm.reply import ServerReply

PACKAGE = "mapagent.llm"
MAX_USES = 8
"""Calls of one reply that are carried out; a model that writes more repeats itself."""
_FENCED = re.compile(r"```[ \t]*([\w-]*)[ \t]*\r?\n(.*?)(?:```|\Z)", re.DOTALL)
_NAME_KEYS = ("name", "tool", "function")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")


class Uses(Frozen):
    """What a reply calls.

    Attributes:
        uses: The calls.
        problem: What is wrong with a call that could not be read; empty if nothing is.
    """

    uses: tuple[ToolUse, ...] = ()
    problem: str = ""


def uses_of(reply: ServerReply, tools: Sequence[ToolCard]) -> Uses:
    """The calls of a reply: those of the protocol, else those in its words."""
    if not reply.calls:
        return Uses(uses=tuple(_written(reply, tools))[:MAX_USES])
    uses: list[ToolUse] = []
    for number, call in enumerate(reply.calls[:MAX_USES], start=1):
        arguments = next((one for one in values_in(call.arguments) if isinstance(one, dict)), None)
        if arguments is None and call.arguments.strip():
            return Uses(uses=tuple(uses), problem=f"The arguments of {call.name} are no JSON object.")
        uses.append(ToolUse(id=call.id or f"call_{number}", name=call.name, arguments=arguments or {}))
    return Uses(uses=tuple(uses))


def _written(reply: ServerReply, tools: Sequence[ToolCard]) -> Iterator[ToolUse]:
    """Calls in the words of a reply: JSON objects that name a tool, and fenced blocks that stand for one."""
    known = {tool.name.casefold(): tool for tool in tools}
    number = 0
    for value in values_in(reply.text, ended=reply.finish_reason != "length"):
        for one in value if isinstance(value, list) else [value]:
            tool = known.get(str(_first(one, _NAME_KEYS)).casefold()) if isinstance(one, dict) else None
            if tool is None:
                continue
            given = _first(one, _ARGUMENT_KEYS)
            if isinstance(given, str):
                given = next((inner for inner in values_in(given) if isinstance(inner, dict)), {})
            number += 1
            yield ToolUse(
                id=f"call_{number}", name=tool.name, arguments=given if isinstance(given, dict) else {}
            )
    if number:
        return
    block = next((tool for tool in tools if tool.block), None)
    if block is None:
        return
    for language, text in _FENCED.findall(reply.text):
        if language.casefold() != "json" and text.strip():
            number += 1
            yield ToolUse(id=f"call_{number}", name=block.name, arguments={block.block: text.strip()})


def _first(value: dict[str, Any], keys: Sequence[str]) -> Any:
    for key in keys:
        found = value.get(key)
        if isinstance(found, dict) and key == "function":  # {"function": {"name": …, "arguments": …}}
            return found.get("name")
        if found is not None:
            return found
    inner = value.get("function")
    return inner.get("arguments") if isinstance(inner, dict) else None


def in_words(messages: Sequence[ChatMessage], tools: Sequence[ToolCard]) -> tuple[ChatMessage, ...]:
    """A conversation for a server that knows no tools: they are told in its first message, results as words."""
    told = load_prompt(PACKAGE, "tools_in_words").fill(tools="\n".join(map(_card, tools)))
    made: list[ChatMessage] = []
    for message in messages:
        match message.role:
            case "system" if not made:
                made.append(message.model_copy(update={"text": f"{message.text}\n\n{told}"}))
            case "tool":
                text = f"Result of {message.call_id}:\n{message.text}"
                if made and made[-1].role == "user":
                    made[-1] = made[-1].model_copy(update={"text": f"{made[-1].text}\n\n{text}"})
                else:
                    made.append(ChatMessage(role="user", text=text))
            case "assistant" if message.calls:
                made.append(ChatMessage(role="assistant", text=_calls_in_words(message, tools)))
            case _:
                made.append(message)
    return tuple(made)


def _calls_in_words(message: ChatMessage, tools: Sequence[ToolCard]) -> str:
    """What an assistant called, as it would have written it."""
    blocks = {tool.name: tool.block for tool in tools if tool.block}
    parts = [message.text] if message.text else []
    for use in message.calls:
        block = blocks.get(use.name)
        if block is not None and set(use.arguments) == {block}:
            parts.append(f"```\n{use.arguments[block]}\n```")
        else:
            parts.append(json.dumps({"tool": use.name, "arguments": use.arguments}, ensure_ascii=False))
    return "\n".join(dict.fromkeys(parts))


def _card(tool: ToolCard) -> str:
    properties: dict[str, dict[str, Any]] = tool.parameters.get("properties", {})
    required = set(tool.parameters.get("required", ()))
    fields = [
        f"{name}{'' if name in required else ' (optional)'}: {field.get('description', field.get('type', ''))}"
        for name, field in properties.items()
    ]
    return f"- {tool.name}: {tool.description}\n" + "\n".join(f"    {field}" for field in fields)
