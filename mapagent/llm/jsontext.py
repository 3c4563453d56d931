"""JSON in what a model wrote: in fences, between sentences, with commas too many or a bracket missing.

Nothing is guessed: a text that was cut inside a word or a number is not completed, for its end is unknown.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from map_tools.validation import in_unicode

_FENCE = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\r?\n?(.*?)```", re.DOTALL)
_CLOSERS = {"{": "}", "[": "]"}
MAX_STARTS = 50
"""Places at which an object is looked for; a text with more opening braces is no answer."""


def values_in(text: str, *, ended: bool = True) -> Iterator[Any]:
    """JSON objects and lists a text holds, the likeliest first.

    Args:
        text: What the model wrote.
        ended: Whether the model came to an end by itself. Then missing closing brackets are added; a reply
            that was cut off may lack more than brackets, so it is left as it is.
    """
    seen: list[Any] = []
    for value in _found(text, ended=ended):
        if value not in seen:
            seen.append(value)
            yield value


def _found(text: str, *, ended: bool) -> Iterator[Any]:
    yield from _parsed(text.strip())
    fenced = [match.strip() for match in _FENCE.findall(text)]
    for block in fenced:
        yield from _parsed(block)
    yield from _balanced(text)
    for block in (*fenced, text):
        mended = mend(block, close=ended)
        if mended is not None:
            yield from _parsed(mended)


def _parsed(text: str) -> Iterator[Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict | list):
        yield in_unicode(value)


def _balanced(text: str) -> Iterator[Any]:
    """Whole objects between other words."""
    decoder = json.JSONDecoder()
    position = -1
    for _ in range(MAX_STARTS):
        position = text.find("{", position + 1)
        if position < 0:
            return
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            continue
        yield in_unicode(value)
        position = end - 1


def mend(text: str, *, close: bool) -> str | None:
    """The text's first object without commas before a closing bracket, closed if it ends after a whole value.

    Returns:
        None if there is no object, or it ends where its rest cannot be known.
    """
    start = text.find("{")
    if start < 0:
        return None
    scan = _Scan()
    for char in text[start:]:
        scan.take(char)
        if scan.done:
            return "".join(scan.out)
    return scan.closed() if close else None


class _Scan:
    """Copies an object character by character, keeping count of strings and brackets."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self._open: list[str] = []
        self._in_string = False
        self._escaped = False
        self._mismatch = False

    @property
    def done(self) -> bool:
        """Whether the object is closed (or cannot be)."""
        return self._mismatch or (bool(self.out) and not self._open)

    def take(self, char: str) -> None:
        """Copies one character."""
        if self._in_string:
            self._take_in_string(char)
            return
        if char == '"':
            self._in_string = True
        elif char in _CLOSERS:
            self._open.append(_CLOSERS[char])
        elif char in "}]":
            self._drop_comma()
            self._mismatch = not self._open or self._open.pop() != char
        self.out.append(char)

    def closed(self) -> str | None:
        """The object with its missing brackets, None if it ends inside a string or before a value."""
        if self._in_string:
            return None
        self._drop_comma()
        tail = "".join(self.out).rstrip()
        if not tail or tail[-1] in ":{[" or _ends_at_a_key(tail):
            return None
        return tail + "".join(reversed(self._open))

    def _take_in_string(self, char: str) -> None:
        self.out.append(char)
        if self._escaped:
            self._escaped = False
        elif char == "\\":
            self._escaped = True
        elif char == '"':
            self._in_string = False

    def _drop_comma(self) -> None:
        while self.out and self.out[-1].isspace():
            self.out.pop()
        if self.out and self.out[-1] == ",":
            self.out.pop()


_KEY_AT_END = re.compile(r'[{,]\s*"(?:[^"\\]|\\.)*"$')


def _ends_at_a_key(text: str) -> bool:
    """Whether the last string may be the name of a field whose value is missing."""
    return _KEY_AT_END.search(text) is not None
