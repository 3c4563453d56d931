"""Reads what a model wrote: JSON in prose, and calls such as `Nearby[{"query": "cafe"}]`.

Model text is only ever read, never run: calls are taken apart by the small grammar below.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from map_tools.tools import TOOLS
from mapagent.llm.jsontext import values_in
from mapagent.ports import ToolCall

_DECODER = json.JSONDecoder()
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_CALL = re.compile(r"([A-Za-z_]\w*)\s*([\[(])")
_NAME = re.compile(r"([A-Za-z_]\w*)\s*[=:]\s*")
_SINGLE_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'")
_REFERENCE = re.compile(r"\$\d+(?:\.\w+|\[\d+\])*")
_BARE = re.compile(r"[^,)\]\n]+")
_CLOSING = {"[": "]", "(": ")"}
_NAME_KEYS = ("name", "tool", "tool_name", "action")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input")
_PYTHON_WORDS: Mapping[str, Any] = {"None": None, "True": True, "False": False}


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text, also those in a list, each once; prose and fences are skipped."""
    seen: list[Any] = []
    for value in values_in(text):
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict) and item not in seen:
                seen.append(item)
                yield item


def argument_sets(text: str) -> tuple[dict[str, Any], ...]:
    """The JSON objects in a text as arguments of a tool that is settled already.

    An object that wraps the arguments once more (`{"tool": ..., "arguments": {...}}`) is unwrapped.
    """
    return tuple(_wrapped_arguments(found) or found for found in json_objects(text))


def read_call(text: str) -> ToolCall | None:
    """The first well-formed call in a text; None if there is none.

    A call is a name with its arguments in round or square brackets: one JSON object, or named values
    (`query="cafe"`), or values in the order of the tool's parameters (`Route("A", "B")`). Models trained on
    tool calls also write one JSON object with the name and the arguments, which is understood too.
    """
    as_json = _json_call(text)
    if as_json is not None:
        return as_json
    for match in _CALL.finditer(text):
        arguments = _Arguments(_TRAILING_COMMA.sub(r"\1", text[match.end() :]), _CLOSING[match[2]])
        try:
            return ToolCall(tool=match[1], arguments=arguments.read(_PARAMETERS.get(match[1], ())))
        except _NoCallError:
            continue
    return None


def _json_call(text: str) -> ToolCall | None:
    """A call written as `{"name": ..., "arguments": {...}}`."""
    for found in json_objects(text):
        name = next((found[key] for key in _NAME_KEYS if isinstance(found.get(key), str)), None)
        arguments = _wrapped_arguments(found)
        if name is not None and arguments is not None:
            return ToolCall(tool=name, arguments=arguments)
    return None


def _wrapped_arguments(found: dict[str, Any]) -> dict[str, Any] | None:
    return next((found[key] for key in _ARGUMENT_KEYS if isinstance(found.get(key), dict)), None)


_PARAMETERS: Mapping[str, Sequence[str]] = {
    name: tuple(tool.parameters.model_fields) for name, tool in TOOLS.items()
}


class _NoCallError(ValueError):
    """What looked like a call is none."""


class _Arguments:
    """Reads the arguments of one call up to its closing bracket."""

    def __init__(self, text: str, closing: str) -> None:
        self._text = text
        self._closing = closing
        self._at = 0

    def read(self, names: Sequence[str]) -> dict[str, Any]:
        """The arguments by name; `_NoCallError` if this is no call after all."""
        values: dict[str, Any] = {}
        unnamed = iter(names)
        self._skip()
        while not self._text.startswith(self._closing, self._at):
            named = self._take(_NAME)
            value = self._value()
            if named is None and isinstance(value, dict) and not values:
                return value
            name = named or next(unnamed, None)
            if name is None:
                raise _NoCallError
            values[name] = value
            self._skip()
        return values

    def _value(self) -> Any:
        """A JSON value, a text in single quotes, a reference to another call, or bare words."""
        try:
            value, self._at = _DECODER.raw_decode(self._text, self._at)
        except (json.JSONDecodeError, RecursionError):
            quoted = self._take(_SINGLE_QUOTED)
            if quoted is not None:
                return quoted
            words = (self._take(_REFERENCE) or self._take(_BARE) or "").strip()
            # An opening bracket or quote left over means broken JSON, which must not be taken for words.
            if not words or words[0] in "{[\"'":
                raise _NoCallError from None
            return _PYTHON_WORDS.get(words, words)
        return value

    def _take(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        return match[1] if pattern.groups else match[0]

    def _skip(self) -> None:
        while self._at < len(self._text) and self._text[self._at] in " ,\n\t":
            self._at += 1
