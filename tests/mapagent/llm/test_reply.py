"""What goes to servers and comes back: pictures in messages, replies of every shape, JSON in what models write."""

import base64
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from map_tools.errors import UsageError
from mapagent.llm.chat import ChatMessage
from mapagent.llm.reply import (
    FunctionCall,
    ServerReply,
    UnreadableReplyError,
    mend,
    read_reply,
    repeats_endlessly,
    values_in,
)
from mapagent.llm.request import ChatRequest, data_url

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


WALK = {"place": "harbour", "minutes": 12}
TEXT = json.dumps(WALK)


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"```json\n{TEXT}\n```",
        f"```\n{TEXT}```",
        f"Here it is:\n\n```json\n{TEXT}\n```\nI hope that helps {{really}}.",
        f"The answer is {TEXT}, as you see.",
        '{"place": "harbour", "minutes": 12,}',
        '{"place": "harbour", "minutes": 12, \n}\n',
        '{"place": "harbour", "minutes": 12',
        'Sure! {"place": "harbour", "minutes": 12\n',
        '```json\n{"place": "harbour", "minutes": 12',
    ],
)
def test_the_object_is_found(text: str) -> None:
    assert next(values_in(text)) == WALK


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no object at all",
        '{"place": "harb',
        '{"place": "harbour", "min',
        '{"place": "harbour", "minutes"',
        '{"place": "harbour", "minutes":',
        '{"place": [1, 2}',
        "{" * 5000,
        '{"a":' * 5000,
    ],
)
def test_what_cannot_be_known_is_not_guessed(text: str) -> None:
    assert list(values_in(text)) == []


def test_a_reply_that_was_cut_off_is_not_closed() -> None:
    """The number may have had more digits, the list more items."""
    cut = '{"minutes": 1'
    assert list(values_in(cut)) == [{"minutes": 1}]
    assert list(values_in(cut, ended=False)) == []


def test_brackets_and_commas_in_strings_stay() -> None:
    assert mend('{"a": "x,} ]\\" {", "b": [1, 2,],}', close=False) == '{"a": "x,} ]\\" {", "b": [1, 2]}'


def test_all_objects_are_offered_the_likeliest_first() -> None:
    assert list(values_in('first {"a": 1} then {"b": 2}')) == [{"a": 1}, {"b": 2}]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), _JSON, max_size=4))
def test_any_object_between_sentences_is_found(value: dict[str, Any]) -> None:
    assert next(values_in(f"Well: {json.dumps(value)} That is all.")) == value


@given(st.text(alphabet='{}[]",:\\ a1', max_size=60))
def test_no_text_breaks_the_search(text: str) -> None:
    for value in values_in(text):
        assert isinstance(value, dict | list)


def test_half_a_json_of_a_real_model_is_not_completed(said: Callable[[str], str]) -> None:
    assert list(values_in(said("smollm2_half_json"), ended=False)) == []


def test_code_of_a_real_model_holds_no_object(said: Callable[[str], str]) -> None:
    assert list(values_in(said("smollm2_code_for_call"))) == []


@pytest.mark.parametrize(("format_", "kind"), [("PNG", "image/png"), ("JPEG", "image/jpeg")])
def test_the_url_holds_the_picture(format_: str, kind: str) -> None:
    stream = io.BytesIO()
    Image.new("RGB", (8, 8)).save(stream, format=format_)
    head, _, data = data_url(stream.getvalue()).partition(",")
    assert head == f"data:{kind};base64"
    assert base64.b64decode(data) == stream.getvalue()


def test_other_bytes_are_refused() -> None:
    with pytest.raises(UsageError, match=r"neither PNG nor JPEG"):
        data_url(b"GIF89a")


def test_a_message_with_a_picture_has_parts() -> None:
    """https://platform.openai.com/docs/guides/images-vision"""
    png = b"\x89PNG\r\n\x1a\n"
    body = ChatRequest("m", (ChatMessage(role="user", text="What?", images=(png,)),)).body()
    (image, text) = body["messages"][0]["content"]
    assert image == {"type": "image_url", "image_url": {"url": data_url(png)}}
    assert text == {"type": "text", "text": "What?"}
