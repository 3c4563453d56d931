"""A server's reply to Chat Completions, read with care: servers differ in what they leave out.

The documented shape: https://platform.openai.com/docs/api-reference/chat/object. Small models fall into endless
repetition, saying the same again and again until the limit stops them (`repeats_endlessly`).
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from map_tools.validation import read_json

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
