"""One request to a model: what it says, how the server is told, and what its reply depends on.

Small differences between servers in what parameters are called are learnt from their refusals (`Dialect`). Tools are
called the protocol's way where a server can, and in the words of the reply elsewhere.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from map_tools.errors import UsageError
from map_tools.types import Frozen
from mapagent.core.prompts import load_prompt
from mapagent.llm.chat import ChatMessage, ToolCard, ToolUse, prompt_tokens, text_tokens
from mapagent.llm.reply import ServerReply, values_in

KEY_VERSION = 2
"""Version of the cache key's parts; a change of their meaning must change it."""


class OutputMode(StrEnum):
    """A way to get words or a value out of a model, from the surest to the plainest."""

    SCHEMA = "schema"
    """The server holds the reply to a JSON schema (`response_format`)."""
    TOOLS = "tools"
    """The value comes as the arguments of one function; tools are called the protocol's way."""
    TEXT = "text"
    """The schema is described in words and the JSON is looked for in the text."""
    PLAIN = "plain"
    """Free text is wanted."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A request.

    Attributes:
        model: The model's name, as the server knows it.
        messages: The conversation.
        output_mode: How the value is asked for.
        schema: The value's plain JSON schema; None for free text.
        schema_name: What the value is called (also the function's name on the output mode of tools).
        schema_note: What the value is for, in a sentence.
        max_tokens: Longest reply.
        stop: Texts that end the reply.
        temperature: 0 for the likeliest words.
        seed: Seed of the server's sampling, None to leave it out.
        tools: What may be called in a conversation.
    """

    model: str
    messages: tuple[ChatMessage, ...]
    output_mode: OutputMode = OutputMode.PLAIN
    schema: dict[str, Any] | None = None
    schema_name: str = "answer"
    schema_note: str = ""
    max_tokens: int = 512
    stop: tuple[str, ...] = ()
    temperature: float = 0.0
    seed: int | None = None
    tools: tuple[ToolCard, ...] = ()

    @property
    def images(self) -> int:
        """How many pictures it carries."""
        return sum(len(message.images) for message in self.messages)

    @property
    def prompt_tokens(self) -> int:
        """About how many tokens are read: the conversation and its tools."""
        told = sum(text_tokens(json.dumps(_function(tool))) for tool in self.tools)
        return prompt_tokens(self.messages) + told

    def body(self) -> dict[str, Any]:
        """The body for Chat Completions (https://platform.openai.com/docs/api-reference/chat/create).

        Schema and tools are never sent together: servers ignore one of them
        (https://github.com/vllm-project/vllm/issues/16313).
        """
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [_message(message) for message in self.messages],
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
        }
        if self.stop:
            body["stop"] = list(self.stop)
        if self.seed is not None:
            body["seed"] = self.seed
        if self.output_mode is OutputMode.SCHEMA:
            held = {"name": self.schema_name, "strict": True, "schema": self.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": held}
        elif self.tools:
            body["tools"] = [_function(tool) for tool in self.tools]
        elif self.output_mode is OutputMode.TOOLS:
            function = {"name": self.schema_name, "description": self.schema_note, "parameters": self.schema}
            body["tools"] = [{"type": "function", "function": function}]
        return body

    def key_parts(self, base_url: str) -> dict[str, Any]:
        """Everything that changes the reply, in the order in which two keys are compared.

        Args:
            base_url: The server's address, without credentials.
        """
        return {
            "version": KEY_VERSION,
            "base_url": base_url,
            "model": self.model,
            "temperature": self.temperature,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "stop": list(self.stop),
            "rung": self.output_mode.value,
            "schema": self.schema,
            "schema_name": self.schema_name,
            "schema_note": self.schema_note,
            "tools": [_function(tool) for tool in self.tools],
            "messages": [_key_message(message) for message in self.messages],
        }


def _function(tool: ToolCard) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _called(use: ToolUse) -> dict[str, Any]:
    arguments = json.dumps(use.arguments, ensure_ascii=False)
    return {"id": use.id, "type": "function", "function": {"name": use.name, "arguments": arguments}}


def _message(message: ChatMessage) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.text}
    if message.calls:
        calls = [_called(use) for use in message.calls]
        return {"role": "assistant", "content": message.text or None, "tool_calls": calls}
    if not message.images:
        return {"role": message.role, "content": message.text}
    parts: list[dict[str, Any]] = [
        {"type": "image_url", "image_url": {"url": data_url(image)}} for image in message.images
    ]
    return {"role": message.role, "content": [*parts, {"type": "text", "text": message.text}]}


def _key_message(message: ChatMessage) -> dict[str, Any]:
    hashes = [hashlib.sha256(image).hexdigest() for image in message.images]
    calls = [_called(use) for use in message.calls]
    return {
        "role": message.role, "text": message.text, "images": hashes, "calls": calls, "call_id": message.call_id,
    }  # fmt: skip


_OPTIONAL = ("temperature", "seed", "stop")
"""A request is still worth sending without these."""


class Dialect:
    """How one server and model want their parameters.

    OpenAI's reasoning models take `max_completion_tokens` instead of `max_tokens` and no temperature
    (https://platform.openai.com/docs/guides/reasoning); older and local servers know only `max_tokens`.
    """

    def __init__(self) -> None:
        self._new_limit_name = False
        self._dropped: set[str] = set()

    def apply(self, body: dict[str, Any]) -> dict[str, Any]:
        """The body in this dialect."""
        adapted = {name: value for name, value in body.items() if name not in self._dropped}
        if self._new_limit_name and "max_tokens" in adapted:
            adapted["max_completion_tokens"] = adapted.pop("max_tokens")
        return adapted

    def learn(self, refusal: str) -> None:
        """Reads in a refusal what a parameter is called, or that it is not taken."""
        words = refusal.lower()
        if "max_completion_tokens" in words and "max_tokens" in words:
            self._new_limit_name = True
        elif "unsupported" in words:
            self._dropped |= {name for name in _OPTIONAL if f"'{name}'" in words}


SHOWN_SIDE_PX = 1536
"""Pictures as a model gets them are small. Servers scale larger pictures down themselves, to 768 px on the short side
(https://platform.openai.com/docs/guides/images-vision#calculating-costs), and count more tokens for them."""

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"


def data_url(image: bytes) -> str:
    """A picture in the form `image_url` takes.

    Raises:
        UsageError: The bytes are neither PNG nor JPEG.
    """
    if image.startswith(_PNG):
        kind = "image/png"
    elif image.startswith(_JPEG):
        kind = "image/jpeg"
    else:
        raise UsageError("A picture for the model is neither PNG nor JPEG.", "Save it as one of them.")
    return f"data:{kind};base64,{base64.b64encode(image).decode('ascii')}"


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
