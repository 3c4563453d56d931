"""A server's reply to Chat Completions, read with care, and JSON in what a model wrote.

Servers differ in what they leave out. The documented shape:
https://platform.openai.com/docs/api-reference/chat/object. Small models fall into endless
repetition, saying the same again and again until the limit stops them (`repeats_endlessly`).

JSON stands in fences, between sentences, with commas too many or a bracket missing. Nothing is guessed: a text that
was cut inside a word or a number is not completed, for its end is unknown.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from map_tools.validation import in_unicode, read_json

_THOUGHT = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)
"""Reasoning models of open servers think aloud in front of the answer, in these marks."""


class UnreadableReplyError(Exception):
    """The reply is not a chat completion; the message says what it is instead."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function the model wants called; `arguments` is JSON as the model wrote it, possibly broken."""

    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class ServerReply:
    """What came back.

    Attributes:
        text: The words, without thoughts.
        calls: The functions the model wants called.
        finish_reason: "stop", "length", "tool_calls", ... as the server says it.
        prompt_tokens, completion_tokens: As the server counted; None where it does not count.
        model: The model the server says it used, empty if it does not say.
        timings: The server's own measurements (llama.cpp), empty elsewhere.
    """

    text: str
    calls: tuple[FunctionCall, ...] = ()
    finish_reason: str = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    model: str = ""
    timings: dict[str, float] | None = None

    def as_json(self) -> str:
        """The reply as the cache keeps it."""
        calls = [[call.name, call.arguments, call.id] for call in self.calls]
        return json.dumps(
            {
                "text": self.text,
                "calls": calls,
                "finish_reason": self.finish_reason,
                "prompt_tokens": self.prompt_tokens,
                "completion_tokens": self.completion_tokens,
                "model": self.model,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> "ServerReply":
        """Reads what `as_json` wrote.

        Raises:
            ValueError: It is something else.
        """
        try:
            value = json.loads(text)
            value["calls"] = tuple(FunctionCall(*call) for call in value["calls"])
            reply = cls(**value)
        except (KeyError, TypeError) as error:
            raise ValueError("this is no reply") from error
        words = (reply.text, reply.finish_reason, reply.model)
        counts = (reply.prompt_tokens, reply.completion_tokens)
        if not all(isinstance(word, str) for word in (*words, *(call.arguments for call in reply.calls))):
            raise ValueError("words are no words")
        if not all(isinstance(count, int | None) for count in counts):
            raise ValueError("counts are no counts")
        return reply


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore", defer_build=True)


class _Function(_Loose):
    name: str
    arguments: str | dict[str, Any] | None = None


class _Call(_Loose):
    function: _Function
    id: str | None = None


class _Message(_Loose):
    content: str | list[Any] | None = None
    tool_calls: list[_Call] | None = None
    refusal: str | None = None


class _Choice(_Loose):
    message: _Message
    finish_reason: str | None = None


class _Usage(_Loose):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Completion(_Loose):
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None
    model: str | None = None
    timings: dict[str, Any] | None = None


def read_reply(body: str) -> ServerReply:
    """Reads the body of a successful reply.

    Raises:
        UnreadableReplyError: It is empty, HTML, broken JSON, JSON of another kind, or lacks its message.
    """
    try:
        completion = _Completion.model_validate(read_json(body))
    except (ValueError, RecursionError) as error:
        raise UnreadableReplyError(_what_instead(body)) from error
    choice = completion.choices[0]
    if not choice.message.model_fields_set:  # null words may be meant; where none are told, a part is missing
        raise UnreadableReplyError("a message without words")
    usage = completion.usage or _Usage()
    timings = {name: value for name, value in (completion.timings or {}).items() if isinstance(value, float)}
    return ServerReply(
        text=_THOUGHT.sub("", _words(choice.message)).strip(),
        calls=tuple(_call(call) for call in choice.message.tool_calls or ()),
        finish_reason=choice.finish_reason or "stop",
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        model=completion.model or "",
        timings=timings or None,
    )


def _words(message: _Message) -> str:
    """The words: a text, or a list of parts of which the texts count."""
    if isinstance(message.content, list):
        parts = (part.get("text", "") for part in message.content if isinstance(part, dict))
        return "".join(part for part in parts if isinstance(part, str))
    return message.content or message.refusal or ""


def _call(call: _Call) -> FunctionCall:
    arguments = call.function.arguments
    written = json.dumps(arguments) if isinstance(arguments, dict) else arguments or ""
    return FunctionCall(call.function.name, written, call.id or "")


def _what_instead(body: str) -> str:
    start = body.lstrip()[:200].lower()
    if not start:
        return "nothing"
    if start.startswith(("<!doctype", "<html", "<?xml", "<head", "<body")):
        return "a web page (HTML)"
    try:
        value = read_json(body)
    except (ValueError, RecursionError):
        return "broken JSON"
    problem = value.get("error") if isinstance(value, dict) else None
    if isinstance(problem, dict) and problem.get("message"):
        return f"an error: {str(problem['message'])[:200]}"
    return "JSON that is no chat completion"


TAIL_CHARS = 600
"""How much of the end is looked at."""
MIN_REPEATS = 4
MIN_REPEATED_CHARS = 48
"""A short list of equal words is no endless repetition."""

_DIGITS = re.compile(r"\d+")
_SPACES = re.compile(r"\s+")


def repeats_endlessly(text: str) -> bool:
    """Whether a text ends in one passage said over and over, whatever its running number.

    Args:
        text: A reply that was stopped by the limit of its length.
    """
    tail = _SPACES.sub(" ", _DIGITS.sub("0", text[-TAIL_CHARS:])).strip()
    longest = len(tail) // MIN_REPEATS
    return any(_repeats(tail, length) for length in range(1, longest + 1))


def _repeats(tail: str, length: int) -> bool:
    """Whether the tail ends in a passage of this length often enough (the last one may be cut short)."""
    run = 0
    for index in range(len(tail) - 1, length - 1, -1):
        if tail[index] != tail[index - length]:
            break
        run += 1
    repeated = run + length
    if repeated < max(MIN_REPEATS * length, MIN_REPEATED_CHARS):
        return False
    passage = tail[-length:]
    return any(char.isalpha() for char in passage) or "0" not in passage


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
