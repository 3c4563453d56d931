"""A checked value out of a model: the output modes in turn, and one repair.

Which output modes are tried is settled by the probe and corrected by what the server does.

schema  →  tools  →  text        an output mode the server refuses hands over to the next
reply   →  value                 read where the output mode puts it, else found in the words
        →  one repair turn       the model is told what is wrong, on the output mode where it should do better
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from map_tools.errors import ModelReplyError
from mapagent.core.prompts import load_prompt
from mapagent.llm.chat import ChatMessage
from mapagent.llm.failures import ServerError, Trouble
from mapagent.llm.profile import ServerProfile
from mapagent.llm.reply import ServerReply, repeats_endlessly, values_in
from mapagent.llm.request import OutputMode

PACKAGE = "mapagent.llm"
MAX_PROBLEMS = 3
"""What is wrong is told in so many points; a small model mends no more at once."""
MAX_ECHO_CHARS = 2_000
"""So much of a wrong answer is shown to the model again."""

type Send = Callable[[tuple[ChatMessage, ...], OutputMode, str], Awaitable[ServerReply]]


class _UnfitError(Exception):
    """A reply holds no value of the shape.

    Args:
        problem: What is wrong, for the model.
        held: Whether the reply held JSON at all.
        hopeless: The reply is not worth showing to the model again.
    """

    def __init__(self, problem: str, *, held: bool, hopeless: bool = False) -> None:
        super().__init__(problem)
        self.problem = problem
        self.held = held
        self.hopeless = hopeless


class StructuredCall[T: BaseModel]:
    """One value asked of a model.

    Args:
        shape: What the value must be.
        fallback_chain: The server's output modes.
        send: Sends a conversation on an output mode, with the reason for it.
        prompts: The user's own prompts.
    """

    def __init__(
        self, shape: type[T], fallback_chain: "FallbackChain", send: Send, prompts: Path | None
    ) -> None:
        self._shape = shape
        self._fallback_chain = fallback_chain
        self._send = send
        self._prompts = prompts

    async def run(self, messages: tuple[ChatMessage, ...]) -> T:
        """Asks, reads, and has it repaired once.

        Raises:
            ModelReplyError: The reply does not fit, even after it was told once what is wrong.
        """
        reply, output_mode = await self._climb(messages)
        try:
            return self._read(reply)
        except _UnfitError as unfit:
            return await self._repaired(messages, reply, output_mode, unfit)

    async def _climb(self, messages: tuple[ChatMessage, ...]) -> tuple[ServerReply, OutputMode]:
        """The first reply an output mode gives. A refusal is believed only where another output mode works."""
        refused: list[tuple[OutputMode, str]] = []
        for output_mode, known in self._fallback_chain.output_modes():
            reason = "; ".join((known, *(f"{name} refused ({words})" for name, words in refused)))
            try:
                reply = await self._send(self._told(messages, output_mode), output_mode, reason)
            except ServerError as error:
                if error.trouble is not Trouble.REFUSED or output_mode is OutputMode.TEXT:
                    raise
                refused.append((output_mode, error.detail))
                continue
            for name, words in refused:
                self._fallback_chain.refused(name, words)
            return reply, output_mode
        raise AssertionError("text is always an output mode")  # pragma: no cover

    async def _repaired(
        self,
        messages: tuple[ChatMessage, ...],
        reply: ServerReply,
        output_mode: OutputMode,
        unfit: _UnfitError,
    ) -> T:
        # A reply without a word says nothing of whether the server keeps to the output mode.
        if not unfit.held and not unfit.hopeless and _written(reply):
            self._fallback_chain.ignored(output_mode)
        again = output_mode if unfit.held or unfit.hopeless else OutputMode.TEXT
        told = self._told(messages, again)
        if unfit.hopeless:
            told = _appended(told, self._prompt("again", problem=unfit.problem))
        else:
            shown = _written(reply)[:MAX_ECHO_CHARS] or "(nothing)"
            told = (
                *told,
                ChatMessage(role="assistant", text=shown),
                ChatMessage(role="user", text=self._prompt("repair", problem=unfit.problem)),
            )
        second = await self._send(told, again, f"repair: {unfit.problem}")
        try:
            return self._read(second)
        except _UnfitError as still:
            raise ModelReplyError(
                f"The model gives no usable answer, even told once what is wrong: {still.problem}",
                "Ask in other words, or choose a larger model.",
            ) from still

    def _told(self, messages: tuple[ChatMessage, ...], output_mode: OutputMode) -> tuple[ChatMessage, ...]:
        """The conversation with what the output mode needs, said in words at its end: the beginning stays."""
        if output_mode is OutputMode.SCHEMA:
            return messages
        if output_mode is OutputMode.TOOLS:
            return _appended(messages, self._prompt("call_function", name=schema_name(self._shape)))
        schema = json.dumps(plain_schema(self._shape), ensure_ascii=False)
        return _appended(messages, self._prompt("json_only", schema=schema))

    def _prompt(self, prompt: str, **values: str) -> str:
        return load_prompt(PACKAGE, prompt, self._prompts).fill(**values)

    def _read(self, reply: ServerReply) -> T:
        """The value in a reply.

        Raises:
            _UnfitError: There is none.
        """
        first: ValidationError | None = None
        for value in self._values(reply):
            try:
                # Read as JSON, not as Python: a list may become a tuple, and strict shapes take enums' words.
                return self._shape.model_validate_json(json.dumps(value))
            except ValidationError as error:
                first = first or error
        if reply.finish_reason == "length":
            raise _cut(reply)
        if first is None:
            raise _UnfitError("it holds no JSON object.", held=False)
        raise _UnfitError(_problems(first), held=True)

    def _values(self, reply: ServerReply) -> Iterator[Any]:
        ended = reply.finish_reason != "length"
        for written in (*(call.arguments for call in reply.calls), reply.text):
            for value in values_in(written, ended=ended):
                yield _unwrapped(value, schema_name(self._shape))


def _unwrapped(value: Any, name: str) -> Any:
    """The arguments, where a model writes its function call as JSON in the text."""
    if isinstance(value, dict) and value.get("name") == name:
        inner = value.get("arguments", value.get("parameters"))
        if isinstance(inner, str):
            return next(values_in(inner), inner)
        return value if inner is None else inner
    return value


def _cut(reply: ServerReply) -> _UnfitError:
    if repeats_endlessly(_written(reply)):
        return _UnfitError("it repeats itself without end.", held=False, hopeless=True)
    return _UnfitError("it is too long and was cut off.", held=False, hopeless=True)


def _written(reply: ServerReply) -> str:
    return reply.text or "\n".join(call.arguments for call in reply.calls)


def _problems(error: ValidationError) -> str:
    """What is wrong with a value, for a model: the field and what it should be."""
    points = []
    for item in error.errors(include_url=False, include_input=False)[:MAX_PROBLEMS]:
        field = ".".join(str(part) for part in item["loc"]) or "the object"
        points.append(f"{field}: {item['msg']}")
    return "; ".join(points) + "."


def _appended(messages: tuple[ChatMessage, ...], words: str) -> tuple[ChatMessage, ...]:
    """The conversation with words at the end of its last message, or in one of its own."""
    if not messages or messages[-1].role != "user":
        return (*messages, ChatMessage(role="user", text=words))
    last = messages[-1]
    return (*messages[:-1], last.model_copy(update={"text": f"{last.text}\n\n{words}"}))


RUNGS = (OutputMode.SCHEMA, OutputMode.TOOLS, OutputMode.TEXT)


class FallbackChain:
    """The output modes of one server and model, from the surest down.

    Args:
        profile: What is known, None if nothing is.
        remember: Called with each output mode the server refuses, and its words.
    """

    def __init__(self, profile: ServerProfile | None, remember: Callable[[OutputMode, str], None]) -> None:
        self._profile = profile
        self._remember = remember
        self._out: dict[OutputMode, str] = {}
        for output_mode in RUNGS[:-1]:
            why = _known_against(profile, output_mode)
            if why:
                self._out[output_mode] = why

    def output_modes(self) -> tuple[tuple[OutputMode, str], ...]:
        """The output modes still worth trying, each with the reason why it is tried; text is always one."""
        left = [output_mode for output_mode in RUNGS if output_mode not in self._out]
        return tuple((output_mode, self._reason(output_mode)) for output_mode in left)

    def refused(self, output_mode: OutputMode, words: str) -> None:
        """The server does not take this output mode: it is not tried again."""
        self._out[output_mode] = f"{output_mode} refused ({words})" if words else f"{output_mode} refused"
        self._remember(output_mode, words)

    def ignored(self, output_mode: OutputMode) -> None:
        """The server took this output mode and did not keep to it: it is not tried again by this client."""
        if output_mode is not OutputMode.TEXT:
            self._out[output_mode] = f"{output_mode} ignored"

    def _reason(self, output_mode: OutputMode) -> str:
        above = [self._out[other] for other in RUNGS[: RUNGS.index(output_mode)] if other in self._out]
        if above:
            return "; ".join(above)
        if self._profile is None or not self._profile.probed:
            return "not probed: the surest first"
        return f"the probe of {_day(self._profile.found_at)} found that it works"


def _known_against(profile: ServerProfile | None, output_mode: OutputMode) -> str:
    """Why an output mode is of no use, empty if nothing speaks against it."""
    if profile is None:
        return ""
    if output_mode in profile.refused:
        return f"{output_mode} refused on {_day(profile.found_at)}"
    found = profile.schema_obeyed if output_mode is OutputMode.SCHEMA else profile.tools_called
    return (
        f"the probe of {_day(profile.found_at)} found that {output_mode} does not work"
        if found is False
        else ""
    )


def _day(moment: datetime) -> str:
    return moment.date().isoformat()


_KEPT = ("type", "enum", "description")
_NAME = re.compile(r"[^A-Za-z0-9_-]+")


def schema_name(shape: type[BaseModel]) -> str:
    """The shape's name with the characters a function's name may have."""
    return _NAME.sub("_", shape.__name__).strip("_")[:64] or "answer"


def schema_note(shape: type[BaseModel]) -> str:
    """The first line of the shape's docstring."""
    return (shape.__doc__ or "").strip().split("\n", 1)[0]


def plain_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The shape's JSON schema, plain, as the grammars of model servers want it.

    References are written out, titles and bounds left out (bounds are checked afterwards), every field is required
    and no other is allowed: the rules of OpenAI's strict mode
    (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas). Large bounds make llama.cpp refuse
    a schema ("repetitions exceeds sane defaults").

    Raises:
        TypeError: The shape holds itself, or fields with free names; no strict schema can say that.
    """
    whole = shape.model_json_schema()
    return _plain(whole, whole.get("$defs", {}), ())


def _plain(node: dict[str, Any], definitions: dict[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
    if "$ref" in node:
        return _referred(node, definitions, inside)
    if "allOf" in node and len(node["allOf"]) == 1:
        return _plain({**node["allOf"][0], **_described(node)}, definitions, inside)
    if "anyOf" in node:
        return _any_of(node, definitions, inside)
    plain = {name: node[name] for name in _KEPT if name in node}
    if "const" in node:
        plain["enum"] = [node["const"]]
    if node.get("type") == "object" or "properties" in node:
        return plain | _object(node, definitions, inside)
    items = node.get("items") or _first_item(node)
    if items is not None:
        plain["items"] = _plain(items, definitions, inside)
    return plain


def _referred(node: dict[str, Any], definitions: dict[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
    name = node["$ref"].rsplit("/", 1)[-1]
    if name in inside:
        raise TypeError(f"The shape '{name}' holds itself; a plain schema cannot say that.")
    return _plain(definitions[name], definitions, (*inside, name)) | _described(node)


def _object(node: dict[str, Any], definitions: dict[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
    if "properties" not in node and node.get("additionalProperties") is not False:
        raise TypeError("A shape holds a field with free names; name its fields, or use a list of pairs.")
    properties = {name: _plain(value, definitions, inside) for name, value in node["properties"].items()}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _any_of(node: dict[str, Any], definitions: dict[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
    """A field that may be null is its own type or null; other unions stay as they are."""
    branches = [_plain(branch, definitions, inside) for branch in node["anyOf"]]
    real = [branch for branch in branches if branch.get("type") != "null"]
    if len(real) == 1 and len(branches) == 2 and isinstance(real[0].get("type"), str):
        nullable = dict(real[0]) | {"type": [real[0]["type"], "null"]}
        if "enum" in nullable:
            nullable["enum"] = [*nullable["enum"], None]
        return nullable | _described(node)
    return {"anyOf": branches} | _described(node)


def _first_item(node: dict[str, Any]) -> dict[str, Any] | None:
    """What a tuple of equal items holds."""
    items = node.get("prefixItems") or [None]
    first: dict[str, Any] | None = items[0]
    return first


def _described(node: dict[str, Any]) -> dict[str, Any]:
    return {"description": node["description"]} if "description" in node else {}
