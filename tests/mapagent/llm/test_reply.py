"""What servers send back, in the shapes their documentation shows and in the ones they should not."""

import json
from collections.abc import Callable

import pytest

from mapagent.llm.reply import FunctionCall, ServerReply, UnreadableReplyError, read_reply, repeats_endlessly

USAGE = {"prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29}


def completion(message: dict[str, object], finish_reason: str | None = "stop", **more: object) -> str:
    """The object of https://platform.openai.com/docs/api-reference/chat/object."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason}
    return json.dumps({"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice], **more})


def test_words_and_counts() -> None:
    reply = read_reply(completion({"content": " Hello! "}, model="gpt-4o", usage=USAGE))
    assert reply == ServerReply("Hello!", (), "stop", 19, 10, "gpt-4o")


def test_function_calls_with_arguments_as_text_or_object() -> None:
    calls = [
        {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}},
        {"id": "call_2", "type": "function", "function": {"name": "g", "arguments": {"b": 2}}},
    ]
    reply = read_reply(completion({"content": None, "tool_calls": calls}, "tool_calls"))
    assert reply.calls == (FunctionCall("f", '{"a": 1}', "call_1"), FunctionCall("g", '{"b": 2}', "call_2"))
    assert (reply.text, reply.prompt_tokens) == ("", None)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<think>two plus two</think>\n\nFour", "Four"),
        ("<think>and so on without end", ""),
        ([{"type": "text", "text": "Fo"}, {"type": "text", "text": "ur"}], "Four"),
        (None, ""),
    ],
)
def test_thoughts_and_parts(content: object, text: str) -> None:
    assert read_reply(completion({"content": content})).text == text


def test_a_refusal_is_words() -> None:
    assert read_reply(completion({"content": None, "refusal": "I cannot."})).text == "I cannot."


@pytest.mark.parametrize(
    ("body", "instead"),
    [
        ("", "nothing"),
        ("<!DOCTYPE html><html><body>Sign in</body></html>", "a web page (HTML)"),
        ('{"choices": [{"message": {"role": "assist', "broken JSON"),
        ('{"choices": []}', "JSON that is no chat completion"),
        ('{"error": {"message": "upstream gone", "code": 502}}', "an error: upstream gone"),
        ("[" * 100_000, "broken JSON"),
        ('{"choices": [{"message": {"role": "assistant"}}]}', "a message without words"),
        (
            '{"choices": [{"message": {"content": "yes", "content": "no"}}]}',
            "broken JSON",
        ),
    ],
)
def test_what_is_no_reply_is_named(body: str, instead: str) -> None:
    with pytest.raises(UnreadableReplyError) as caught:
        read_reply(body)
    assert str(caught.value) == instead


def test_a_reply_survives_the_cache() -> None:
    reply = ServerReply("wörds", (FunctionCall("f", "{"),), "length", None, 3, "m")
    assert ServerReply.from_json(reply.as_json()) == reply


@pytest.mark.parametrize("name", ["smollm2_streets_without_end", "smollm2_json_without_end"])
def test_a_real_model_that_does_not_stop(said: Callable[[str], str], name: str) -> None:
    assert repeats_endlessly(said(name))


@pytest.mark.parametrize(
    "text",
    [
        "ha" * 100,
        "Turn left. " * 30,
        "".join(f"{number}. Turn left.\n" for number in range(40)),
        "Before it, a whole sentence. " + "and so on " * 20 + "and so",
    ],
)
def test_one_passage_over_and_over(text: str) -> None:
    assert repeats_endlessly(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No. No. No.",
        "Walk along the quay to the tower, cross the bridge, and turn left at the old market hall.",
        ", ".join(f"60.{number * 137 % 100000:05d}" for number in range(100)),
        "".join(f"Stop {name}: leaves at noon.\n" for name in ("Oak", "Elm", "Ash", "Fir", "Yew", "Larch")),
    ],
)
def test_lists_and_prose_are_no_repetition(text: str) -> None:
    assert not repeats_endlessly(text)
