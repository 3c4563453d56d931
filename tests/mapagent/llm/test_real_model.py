"""The client on a real server with a real (tiny) model: the protocol is what is tested, not the wisdom."""

import json
import urllib.request
from pathlib import Path

import pytest

from map_tools.errors import ModelReplyError
from map_tools.types import Frozen
from mapagent.core.ports import RequestContext
from mapagent.llm.chat import ChatMessage, text_tokens
from mapagent.llm.failures import ServerError, Trouble
from mapagent.llm.probe import red_square
from mapagent.llm.request import OutputMode
from tests.support.chat import chat_model, user
from tests.support.loopback import Asked, Scripted, in_turn, json_reply, serving
from tests.support.model_server import RunningModel

pytestmark = pytest.mark.anyio


class Town(Frozen):
    """A town."""

    name: str
    inhabitants: int
    by_the_sea: bool


async def test_text(smol: RunningModel) -> None:
    request_context = RequestContext()
    model = chat_model(smol.base_url, model="smol", key=None)
    reply = await model.complete(
        user("Say hello."), request_context=request_context, label="hello", max_tokens=8
    )
    await model.close()
    assert reply.text
    assert 1 <= reply.completion_tokens <= 8
    assert request_context.ledger.prompt_tokens == reply.prompt_tokens > 0
    assert request_context.trace.spans[0].attributes["served_by"] == smol.served


async def test_a_schema_is_obeyed(smol: RunningModel) -> None:
    request_context = RequestContext()
    model = chat_model(smol.base_url, model="smol", key=None)
    town = await model.structured(
        user("Name a town."), Town, request_context=request_context, label="town", max_tokens=64
    )
    await model.close()
    assert isinstance(town.by_the_sea, bool)
    assert [span.attributes["output_mode"] for span in request_context.trace.spans] == ["schema"]


async def test_tools_of_a_model_that_calls_none_end_in_words(smol: RunningModel, tmp_path: Path) -> None:
    """What this model writes fits no shape: it is asked twice and then refused, and nothing is made up."""
    request_context = RequestContext()
    model = chat_model(smol.base_url, model="smol", key=None, folder=tmp_path)
    model._fallback_chain().refused(OutputMode.SCHEMA, "for this test")
    with pytest.raises(ModelReplyError):
        await model.structured(
            user("Name a town."), Town, request_context=request_context, label="town", max_tokens=24
        )
    await model.close()
    assert [span.attributes["output_mode"] for span in request_context.trace.spans] == ["tools", "text"]


async def test_a_picture_is_refused(smol: RunningModel) -> None:
    model = chat_model(smol.base_url, model="smol", key=None)
    message = ChatMessage(role="user", text="What is this?", images=(red_square(),))
    with pytest.raises(ServerError, match=r"'smol' cannot see pictures") as caught:
        await model.complete((message,), request_context=RequestContext(), label="see", max_tokens=8)
    await model.close()
    assert caught.value.trouble is Trouble.IMAGE


async def test_a_prompt_longer_than_the_context_is_refused(smol: RunningModel) -> None:
    model = chat_model(smol.base_url, model="smol", key=None)
    with pytest.raises(ServerError, match=r"too long for the context of 'smol' \(400: request") as caught:
        await model.complete(
            user("city " * 2500), request_context=RequestContext(), label="long", max_tokens=8
        )
    await model.close()
    assert caught.value.trouble is Trouble.CONTEXT


async def test_a_proxy_that_cuts_the_answer_and_then_lets_it_through(smol: RunningModel) -> None:
    asked: list[Asked] = []

    def proxy(request: Asked) -> Scripted:
        asked.append(request)
        forwarded = urllib.request.Request(
            smol.base_url + request.path.removeprefix("/v1"),
            request.body,
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(forwarded) as reply:
            body = reply.read()
        headers = {"content-type": "application/json"}
        return Scripted(200, body, headers, cut=len(body) // 2 if len(asked) == 1 else None)

    request_context = RequestContext()
    with serving(proxy) as server:
        model = chat_model(f"{server.url}/v1", model="smol", key=None)
        reply = await model.complete(
            user("Say hello."), request_context=request_context, label="hello", max_tokens=8
        )
        await model.close()
    assert reply.text
    assert len(asked) == 2
    assert request_context.ledger.usage().llm_calls == 1
    assert request_context.trace.spans[0].attributes["retries"] == 1


async def test_a_proxy_that_answers_503_while_the_model_loads(smol: RunningModel) -> None:
    loading = json_reply(
        {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}, 503
    )
    with serving(in_turn(loading, loading, json_reply(_completion(smol)))) as server:
        model = chat_model(f"{server.url}/v1", model="smol", key=None)
        answer = await model.complete(
            user("Say hello."), request_context=RequestContext(), label="hello", max_tokens=8
        )
        await model.close()
    assert answer.text
    assert len(server.asked) == 3


def _completion(smol: RunningModel) -> object:
    body = {"messages": [{"role": "user", "content": "Say hello."}], "max_tokens": 8}
    request = urllib.request.Request(
        f"{smol.base_url}/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


async def test_a_wrong_path_is_no_server(smol: RunningModel) -> None:
    model = chat_model(smol.base_url.replace("/v1", "/v7"), model="smol", key=None)
    with pytest.raises(ServerError, match=r"no OpenAI-compatible server at .*/v7") as caught:
        await model.complete(user("Hi"), request_context=RequestContext(), label="x")
    await model.close()
    assert caught.value.trouble is Trouble.ADDRESS


TEXTS = {
    "question": "How long does it take to walk from the chapel to the old park, and is there a café within "
    "300 m that is open at 21:30 on Sunday?",
    "addresses": "Keskuskatu 1 B 12, 00100 Helsinki, +358 9 1234567; 60.16812, 24.94221\n" * 8,
    "finnish": "Kahvila Töölönlahden rannalla on avoinna arkisin kello yhdeksästä iltapäivään. " * 8,
    "chinese": "请问从北京大学到天安门广场怎么走？需要多长时间？" * 10,
    "json": json.dumps(
        [{"name": "Aalto", "lat": 60.16812, "rating": 4.5, "hours": "Mo-Fr 09:00-18:00"}] * 10
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_estimates_of_tokens_are_on_the_high_side(smol: RunningModel, name: str) -> None:
    """Counted by the model's own vocabulary, one that splits words into many pieces."""
    root = smol.base_url.removesuffix("/v1")
    body = json.dumps({"content": TEXTS[name]}).encode()
    request = urllib.request.Request(f"{root}/tokenize", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        counted = len(json.load(reply)["tokens"])
    assert counted <= text_tokens(TEXTS[name]) <= 1.6 * counted
