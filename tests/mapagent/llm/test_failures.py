"""Trouble with model servers: for each kind one sentence that names the thing, the remedy, and no key.

Replies have the shapes the servers document: OpenAI
(https://platform.openai.com/docs/guides/error-codes/api-errors), vLLM, Ollama and llama.cpp (seen).
"""

import asyncio
import gzip
import json
from typing import Any

import httpx
import pytest
import respx
from pydantic import SecretStr

from map_tools.errors import ModelError
from mapagent.core.ports import RequestContext
from mapagent.llm.chat import ChatMessage
from mapagent.llm.failures import ServerError, Target, Trouble
from mapagent.llm.server import MOST_BYTES
from tests.support import httpx2_mock  # noqa: F401 - registers the mocker
from tests.support.chat import CLOUD, KEY, Sleeper, chat_model, completion, openai_error, user
from tests.support.loopback import Scripted, json_reply, serving

pytestmark = pytest.mark.anyio

ROUTE = f"{CLOUD}/chat/completions"
PNG = b"\x89PNG\r\n\x1a\n"
PICTURE = (ChatMessage(role="user", text="What is this?", images=(PNG,)),)


async def _fails(
    answer: Any, messages: tuple[ChatMessage, ...] = user("Hi"), sleep: Sleeper | None = None
) -> tuple[ServerError, int]:
    """The error a request ends in, and how often it was sent."""
    request_context = RequestContext()
    model = chat_model(sleep=sleep)
    with respx.mock(using="httpx2") as router:
        mocked = {"side_effect": answer} if isinstance(answer, list | type) else {"return_value": answer}
        route = router.post(ROUTE).mock(**mocked)
        with pytest.raises(ServerError) as caught:
            await model.complete(messages, request_context=request_context, label="test")
    await model.close()
    assert isinstance(caught.value, ModelError)
    shown = f"{caught.value!r} {caught.value} {caught.value.detail} {request_context.trace.tree()}"
    assert KEY not in shown
    assert "\n" not in str(caught.value)
    return caught.value, route.call_count


def _error(status: int, body: Any, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=body, headers={k.replace("_", "-"): v for k, v in headers.items()})


LLAMA_CONTEXT = {
    "error": {
        "code": 400,
        "message": "request (9031 tokens) exceeds the available context size (8192 tokens)",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 9031,
        "n_ctx": 8192,
    }
}
VLLM_CONTEXT = {
    "object": "error",
    "message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
    "type": "BadRequestError",
    "code": 400,
}

FINAL = [
    (
        _error(401, openai_error(f"Incorrect API key provided: {KEY}.", code="invalid_api_key")),
        Trouble.KEY,
        "does not accept the key",
        "MAPAGENT_API_KEY",
    ),
    (_error(403, {"detail": "Forbidden"}), Trouble.KEY, "does not accept the key", "MAPAGENT_API_KEY"),
    (_error(404, {"detail": "Not Found"}), Trouble.ADDRESS, "no OpenAI-compatible server", "/v1"),
    (
        _error(404, openai_error("The model `small` does not exist or you do not have access to it.")),
        Trouble.MODEL,
        "has no model 'small'",
        "mapagent doctor",
    ),
    (
        _error(404, {"error": {"message": 'model "small" not found, try pulling it first'}}),
        Trouble.MODEL,
        "has no model 'small'",
        "mapagent doctor",
    ),
    (
        _error(400, openai_error("invalid model ID", code="model_not_found")),
        Trouble.MODEL,
        "has no model 'small'",
        "mapagent doctor",
    ),
    (_error(400, LLAMA_CONTEXT), Trouble.CONTEXT, "too long for the context", "less text"),
    (_error(400, VLLM_CONTEXT), Trouble.CONTEXT, "too long for the context", "less text"),
    (
        _error(400, openai_error("Too long.", code="context_length_exceeded")),
        Trouble.CONTEXT,
        "too long for the context",
        "less text",
    ),
    (
        _error(429, openai_error("You exceeded your current quota.", code="insufficient_quota")),
        Trouble.QUOTA,
        "no quota left",
        "billing",
    ),
    (
        _error(400, openai_error("Bad.")),
        Trouble.REFUSED,
        "refuses the request for 'small' (400: Bad)",
        "doctor",
    ),
    (httpx.ConnectError, Trouble.UNREACHABLE, "cannot be reached", "Start it"),
    (httpx.ConnectTimeout, Trouble.SLOW, "gave no answer in time", "model_timeout_s"),
]


@pytest.mark.parametrize(("answer", "trouble", "says", "remedy"), FINAL)
async def test_what_asking_again_cannot_help(answer: Any, trouble: Trouble, says: str, remedy: str) -> None:
    error, sent = await _fails(answer)
    assert error.trouble is trouble
    assert says in error.message
    assert remedy in error.remedy
    assert sent == (2 if trouble is Trouble.SLOW else 1)


AGAIN = [
    (_error(429, openai_error("Rate limit reached.")), Trouble.BUSY, 5),
    (_error(500, {"error": "oops"}), Trouble.BROKEN, 5),
    (httpx.Response(502, html="<html>Bad Gateway</html>"), Trouble.BROKEN, 5),
    (_error(503, {"detail": "overloaded"}), Trouble.BROKEN, 5),
    (_error(504, {}), Trouble.SLOW, 2),
    (httpx.ReadTimeout, Trouble.SLOW, 2),
    (httpx.RemoteProtocolError, Trouble.DROPPED, 5),
    (httpx.ReadError, Trouble.DROPPED, 5),
    (httpx.Response(200, html="<html>Sign in</html>"), Trouble.GARBLED, 4),
    (httpx.Response(200, text='{"choices": [{"mess'), Trouble.GARBLED, 4),
    (httpx.Response(200, json={"error": {"message": "upstream gone"}}), Trouble.GARBLED, 4),
]


@pytest.mark.parametrize(("answer", "trouble", "times"), AGAIN)
async def test_what_is_tried_again_and_then_given_up(answer: Any, trouble: Trouble, times: int) -> None:
    sleep = Sleeper()
    error, sent = await _fails(answer, sleep=sleep)
    assert (error.trouble, sent) == (trouble, times)
    assert sleep.waits_s == [0.5, 1.0, 2.0, 4.0][: times - 1]
    assert error.remedy


async def test_a_picture_for_a_text_model() -> None:
    says = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"
    seen_at_llama_cpp = _error(500, {"error": {"code": 500, "message": says, "type": "server_error"}})
    error, sent = await _fails(seen_at_llama_cpp, PICTURE)
    assert (error.trouble, sent) == (Trouble.IMAGE, 1)
    assert "cannot see pictures" in error.message
    error, _ = await _fails(_error(400, openai_error("small is not a multimodal model")), PICTURE)
    assert error.trouble is Trouble.IMAGE
    error, _ = await _fails(_error(500, {"error": {"message": says}}))
    assert error.trouble is Trouble.BROKEN  # no picture was sent, so that is not what is wrong


@pytest.mark.parametrize(
    ("header", "wait_s"),
    [("7", 7.0), ("Sun, 22 Nov 2026 12:00:09 GMT", 9.0), ("soon", 0.5), ("-3", 0.5)],
)
async def test_retry_after_is_honoured(header: str, wait_s: float) -> None:
    sleep, request_context = Sleeper(), RequestContext()
    model = chat_model(sleep=sleep)
    busy = _error(
        429, openai_error("Rate limit reached."), retry_after=header, date="Sun, 22 Nov 2026 12:00:00 GMT"
    )
    with respx.mock(using="httpx2") as router:
        router.post(ROUTE).mock(side_effect=[busy, httpx.Response(200, json=completion())])
        reply = await model.complete(user("Hi"), request_context=request_context, label="test")
    await model.close()
    assert reply.text == "Hello."
    assert sleep.waits_s == [wait_s]
    span, event = request_context.trace.spans
    assert span.attributes["retries"] == 1
    assert (event.name, event.attributes) == ("model.retry", {"trouble": "busy", "wait_s": wait_s})


async def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    sleep = Sleeper()
    error, sent = await _fails(_error(429, openai_error("Later."), retry_after="3600"), sleep=sleep)
    assert (error.trouble, sent, sleep.waits_s) == (Trouble.BUSY, 1, [])
    assert "deadline_s" in error.remedy


async def test_a_loading_model_is_waited_for() -> None:
    loading = _error(503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}})
    sleep = Sleeper()
    model = chat_model(sleep=sleep)
    with respx.mock(using="httpx2") as router:
        router.post(ROUTE).mock(side_effect=[*[loading] * 8, httpx.Response(200, json=completion())])
        reply = await model.complete(user("Hi"), request_context=RequestContext(), label="test")
    await model.close()
    assert reply.text == "Hello."
    assert sleep.waits_s == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0, 8.0]


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        ("w" * 200, "w" * 200),
        ("w" * 201, "w" * 199 + "…"),
        ("two\n lines", "two lines"),
        (f"no key {KEY} here", "no key *** here"),
        ("see http://ann:pw@models.example/v1", "see http://***@models.example/v1"),
    ],
)
def test_a_server_is_quoted_short_on_one_line_and_without_the_key(words: str, quoted: str) -> None:
    assert Target("http://localhost:1/v1", "small", SecretStr(KEY)).quoted(words) == quoted


async def test_credentials_in_the_address_are_not_shown() -> None:
    model = chat_model("http://ann:secret-pw@models.example/v1?token=t0ken")
    with respx.mock(using="httpx2") as router:
        router.route().mock(return_value=_error(500, {}))
        with pytest.raises(ServerError) as caught:
            await model.complete(user("Hi"), request_context=RequestContext(), label="test")
    await model.close()
    assert "http://models.example/v1" in str(caught.value)
    assert not {"secret-pw", "t0ken", "ann"} & set(str(caught.value).replace("/", " ").split())
    assert "secret-pw" not in str(caught.value)


async def test_a_server_that_calls_the_limit_otherwise_is_understood() -> None:
    unknown_name = openai_error(
        "Unsupported parameter: 'max_tokens' is not supported with this model. "
        "Use 'max_completion_tokens' instead.",
        param="max_tokens",
        code="unsupported_parameter",
    )
    no_temperature = openai_error(
        "Unsupported value: 'temperature' does not support 0 with this model.",
        param="temperature",
        code="unsupported_value",
    )
    model = chat_model()
    with respx.mock(using="httpx2") as router:
        route = router.post(ROUTE).mock(
            side_effect=[
                _error(400, unknown_name),
                _error(400, no_temperature),
                *[httpx.Response(200, json=completion())] * 2,
            ]
        )
        for _ in range(2):
            await model.complete(user("Hi"), request_context=RequestContext(), label="test", max_tokens=7)
    await model.close()
    sent = route.calls[-1].request.content
    assert route.call_count == 4
    assert b'"max_completion_tokens":7' in sent
    assert b"temperature" not in sent


async def test_calls_at_once_learn_together() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if b"max_completion_tokens" in request.content:
            return httpx.Response(200, json=completion())
        return _error(400, openai_error("Use 'max_completion_tokens', not 'max_tokens'."))

    model = chat_model()
    with respx.mock(using="httpx2") as router:
        router.post(ROUTE).mock(side_effect=answer)
        asked = [
            model.complete(user(f"Hi {n}"), request_context=RequestContext(), label="test") for n in range(4)
        ]
        replies = await asyncio.gather(*asked)
    await model.close()
    assert [reply.text for reply in replies] == ["Hello."] * 4


WHOLE = json.dumps(completion()).encode()


async def _refused_reply(reply: Scripted) -> ServerError:
    with serving(lambda _: reply) as server:
        model = chat_model(server.url)
        with pytest.raises(ServerError) as caught:
            await model.complete(user("Hi"), request_context=RequestContext(), label="test")
        await model.close()
    return caught.value


@pytest.mark.parametrize("status", [200, 500])
async def test_a_reply_without_end_is_not_read_to_it(status: int) -> None:
    body = b'{"choices": "' + b"x" * MOST_BYTES + b'"}'
    error = await _refused_reply(Scripted(status, body, {"content-type": "application/json"}))
    assert error.trouble is Trouble.GARBLED
    assert f"longer than {MOST_BYTES} bytes" in str(error)


async def test_a_long_reply_is_read() -> None:
    text = "x" * (MOST_BYTES // 4)
    with serving(lambda _: json_reply(completion(text))) as server:
        model = chat_model(server.url)
        reply = await model.complete(user("Hi"), request_context=RequestContext(), label="test")
        await model.close()
    assert len(reply.text) == len(text)


async def test_a_compressed_reply_is_not_unpacked() -> None:
    packed = gzip.compress(WHOLE + b" " * 50_000_000)
    error = await _refused_reply(
        Scripted(200, packed, {"content-type": "application/json", "content-encoding": "gzip"})
    )
    assert error.trouble is Trouble.GARBLED


@pytest.mark.parametrize(
    "charset", ["zip", "rot13", "idna", "unicode_escape", "utf-7", "no-such", "u" * 5_000]
)
@pytest.mark.parametrize("status", [200, 404])
async def test_json_is_in_utf_8_whatever_it_says(charset: str, status: int) -> None:
    reply = Scripted(status, WHOLE, {"content-type": f"application/json; charset={charset}"})
    with serving(lambda _: reply) as server:
        model = chat_model(server.url)
        if status == 200:
            answer = await model.complete(user("Hi"), request_context=RequestContext(), label="test")
            assert answer.text == "Hello."
        else:
            with pytest.raises(ServerError):
                await model.complete(user("Hi"), request_context=RequestContext(), label="test")
        await model.close()


async def test_a_question_goes_to_no_other_server() -> None:
    with serving(lambda _: json_reply(completion())) as other:
        error = await _refused_reply(Scripted(307, b"", {"location": f"{other.url}/chat/completions"}))
        assert error.trouble is Trouble.ADDRESS
        assert other.asked == []


@pytest.mark.parametrize("usage", [(-5_000_000, -1), (10**12, 10**12)])
async def test_what_cannot_be_counted_is_estimated_at_most(usage: tuple[int, int]) -> None:
    request_context = RequestContext()
    with serving(lambda _: json_reply(completion(usage=usage))) as server:
        model = chat_model(server.url)
        reply = await model.complete(
            user("Hi"), request_context=request_context, label="test", max_tokens=300
        )
        await model.close()
    assert 0 < reply.prompt_tokens < 100
    assert reply.completion_tokens == 300
    assert request_context.ledger.prompt_tokens == reply.prompt_tokens
    assert request_context.ledger.completion_tokens == 300
