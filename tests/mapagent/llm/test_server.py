"""A model server that sends too much, something else than was asked for, counts wrongly, or sends on to another."""

import gzip
import json

import pytest

from mapagent.core.ports import RequestContext
from mapagent.llm.failures import ServerError, Trouble
from mapagent.llm.server import MOST_BYTES
from tests.support.chat import chat_model, completion, user
from tests.support.loopback import Scripted, json_reply, serving

pytestmark = pytest.mark.anyio

WHOLE = json.dumps(completion()).encode()


async def _fails(reply: Scripted) -> ServerError:
    with serving(lambda _: reply) as server:
        model = chat_model(server.url)
        with pytest.raises(ServerError) as caught:
            await model.complete(user("Hi"), request_context=RequestContext(), label="test")
        await model.close()
    return caught.value


@pytest.mark.parametrize("status", [200, 500])
async def test_a_reply_without_end_is_not_read_to_it(status: int) -> None:
    body = b'{"choices": "' + b"x" * MOST_BYTES + b'"}'
    error = await _fails(Scripted(status, body, {"content-type": "application/json"}))
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
    error = await _fails(
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
        error = await _fails(Scripted(307, b"", {"location": f"{other.url}/chat/completions"}))
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
