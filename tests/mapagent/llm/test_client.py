"""The client: budgets before a call, the cache, what the trace says, and where keys must not be."""

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
import respx

from map_tools.errors import ConfigError, LimitError, ModelReplyError
from map_tools.types import Frozen
from mapagent.core.ports import RequestContext
from mapagent.llm.chat import ChatMessage
from mapagent.llm.client import ChatOptions
from mapagent.llm.failures import ServerError, Trouble
from mapagent.llm.open import open_model
from mapagent.llm.prices import Price
from mapagent.llm.server import Pace
from mapagent.runtime.config import Settings
from mapagent.runtime.ledger import Ledger, Limits
from tests.support import httpx2_mock  # noqa: F401 - registers the mocker
from tests.support.chat import CLOUD, KEY, chat_model, completion, user
from tests.support.loopback import Asked, Scripted, in_turn, json_reply, serving

pytestmark = pytest.mark.anyio

ROUTE = f"{CLOUD}/chat/completions"
PRICE = Price(10.0, 30.0, "settings")


class Walk(Frozen):
    """A walk."""

    place: str
    minutes: int


def _request_context(**limits: Any) -> RequestContext:
    return RequestContext(Ledger(Limits(**limits)))


async def test_a_call_is_charged_and_written_down() -> None:
    request_context = RequestContext()
    model = chat_model(options=ChatOptions(PRICE))
    marked = (ChatMessage(role="user", text="Hi", prompt="plan@123"),)
    with respx.mock(using="httpx2") as router:
        route = router.post(ROUTE).mock(return_value=httpx.Response(200, json=completion(usage=(1000, 100))))
        reply = await model.complete(marked, request_context=request_context, label="plan", stop=("END",))
    await model.close()
    assert (reply.prompt_tokens, reply.completion_tokens, reply.cached) == (1000, 100, False)
    usage = request_context.ledger.usage()
    assert (usage.llm_calls, usage.prompt_tokens, usage.completion_tokens) == (1, 1000, 100)
    assert usage.cost_usd == pytest.approx(1000 * 10e-6 + 100 * 30e-6)
    (span,) = request_context.trace.spans
    assert span.name == "model"
    expected = {
        "label": "plan",
        "model": "small",
        "output_mode": "plain",
        "prompt": "plan@123",
        "cached": False,
    }
    assert expected.items() <= span.attributes.items()
    request = route.calls[0].request
    assert json.loads(request.content) == {
        "model": "small",
        "messages": [{"role": "user", "content": "Hi"}],
        "max_tokens": 512,
        "temperature": 0.0,
        "stop": ["END"],
    }
    assert request.headers["authorization"] == f"Bearer {KEY}"


async def test_stops_hold_where_the_server_does_not_know_them() -> None:
    model = chat_model()
    said = "Look up the tower.\nObservation: it is closed.\nAnswer: no"
    with respx.mock(using="httpx2") as router:
        router.post(ROUTE).mock(return_value=httpx.Response(200, json=completion(said)))
        stop = ("Answer:", "Observation:")
        reply = await model.complete(user("Hi"), request_context=RequestContext(), label="x", stop=stop)
    await model.close()
    assert reply.text == "Look up the tower."


async def test_a_server_that_does_not_count_is_estimated() -> None:
    request_context = RequestContext()
    model = chat_model()
    with respx.mock(using="httpx2") as router:
        router.post(ROUTE).mock(return_value=httpx.Response(200, json=completion("one two", usage=None)))
        await model.complete(user("Hello there"), request_context=request_context, label="x")
    await model.close()
    assert request_context.ledger.prompt_tokens > 0
    assert request_context.ledger.completion_tokens == 2
    assert request_context.trace.spans[0].attributes["tokens"] == "estimated"


async def test_what_the_budget_cannot_pay_is_not_sent() -> None:
    request_context = _request_context(max_usd=0.001)
    model = chat_model(options=ChatOptions(PRICE))
    with respx.mock(using="httpx2", assert_all_called=False) as router:
        route = router.post(ROUTE)
        with pytest.raises(LimitError, match=r"0\.0010 USD"):
            await model.complete(user("Hi"), request_context=request_context, label="x", max_tokens=512)
    await model.close()
    assert (route.call_count, request_context.ledger.usage().llm_calls) == (0, 0)


async def test_calls_at_once_cannot_overspend_together() -> None:
    """512 tokens cost at most 0.0154 USD: the budget is enough for one call at a time."""
    request_context = _request_context(max_usd=0.02)
    with serving(lambda _: json_reply(completion(usage=(10, 5))) | _slow()) as server:
        model = chat_model(f"{server.url}/v1", options=ChatOptions(PRICE))
        asked = [
            model.complete(user(f"Hi {n}"), request_context=request_context, label="x") for n in range(3)
        ]
        done = await asyncio.gather(*asked, return_exceptions=True)
        await model.close()
    assert sorted(type(item).__name__ for item in done) == ["ChatReply", "LimitError", "LimitError"]
    assert request_context.ledger.reserved_usd == pytest.approx(0)


WORST_USD = pytest.approx(2 * 10e-6 + 50 * 30e-6, abs=1e-4)
"""What 50 tokens in reply to two words cost at most; how words become tokens is an estimate."""


@pytest.mark.parametrize(
    "bad",
    [
        Scripted(drop=True),
        Scripted(200, b'{"id": "x"}', {"content-type": "application/json"}),
        Scripted(200, json.dumps(completion()).encode(), {"content-type": "application/json"}, cut=40),
    ],
    ids=["dropped", "garbled", "cut"],
)
async def test_a_lost_reply_counts_with_the_most_it_may_have_cost(bad: Scripted) -> None:
    request_context = RequestContext()
    with serving(in_turn(bad, json_reply(completion(usage=(1000, 10))))) as server:
        model = chat_model(f"{server.url}/v1", options=ChatOptions(PRICE))
        await model.complete(user("Hi there"), request_context=request_context, label="x", max_tokens=50)
        await model.close()
    (span,) = (span for span in request_context.trace.spans if span.name == "model")
    assert span.attributes["lost_usd"] == WORST_USD
    assert request_context.ledger.cost_usd == pytest.approx(
        span.attributes["lost_usd"] + 1000 * 10e-6 + 10 * 30e-6
    )


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_refused_request_costs_nothing(status: int) -> None:
    request_context = RequestContext()
    with serving(in_turn(json_reply({}, status), json_reply(completion(usage=(0, 0))))) as server:
        model = chat_model(f"{server.url}/v1", options=ChatOptions(PRICE))
        await model.complete(user("Hi there"), request_context=request_context, label="x", max_tokens=50)
        await model.close()
    assert request_context.ledger.cost_usd == 0


async def test_replies_that_are_lost_again_and_again_stop_at_the_budget() -> None:
    """The money is enough for two attempts; without it there would be five."""
    request_context = _request_context(max_usd=0.0035)
    with serving(lambda _: Scripted(drop=True)) as server:
        model = chat_model(f"{server.url}/v1", options=ChatOptions(PRICE))
        with pytest.raises(LimitError, match=r"budget of 0\.0035 USD"):
            await model.complete(user("Hi there"), request_context=request_context, label="x", max_tokens=50)
        await model.close()
    assert len(server.asked) == 2
    assert 0 < request_context.ledger.cost_usd <= 0.0035


async def test_who_is_cancelled_may_have_to_pay() -> None:
    request_context = RequestContext()
    with serving(lambda _: Scripted(delay_s=0.5)) as server:
        model = chat_model(f"{server.url}/v1", options=ChatOptions(PRICE))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await model.complete(
                    user("Hi there"), request_context=request_context, label="x", max_tokens=50
                )
        await model.close()
    assert request_context.ledger.cost_usd == WORST_USD
    assert request_context.ledger.reserved_usd == 0


def _slow() -> "_Delay":
    return _Delay()


class _Delay:
    def __ror__(self, reply: Scripted) -> Scripted:
        return Scripted(reply.status, reply.body, reply.headers, delay_s=0.2)


async def test_past_the_deadline_nothing_is_sent() -> None:
    moments = iter([0.0])
    request_context = RequestContext(Ledger(Limits(deadline_s=10), timer=lambda: next(moments, 11.0)))
    model = chat_model()
    with respx.mock(using="httpx2", assert_all_called=False) as router:
        route = router.post(ROUTE)
        with pytest.raises(LimitError, match=r"deadline passed before the model 'small'"):
            await model.complete(user("Hi"), request_context=request_context, label="x")
    await model.close()
    assert route.call_count == 0


async def test_the_deadline_ends_a_slow_answer() -> None:
    request_context = _request_context(deadline_s=0.3)
    with serving(lambda _: Scripted(delay_s=1.0)) as server:
        model = chat_model(f"{server.url}/v1")
        with pytest.raises(LimitError, match=r"deadline passed"):
            await model.complete(user("Hi"), request_context=request_context, label="x")
        await model.close()


async def test_a_kept_reply_costs_nothing_and_is_marked(tmp_path: Path) -> None:
    model = chat_model(options=ChatOptions(PRICE), folder=tmp_path)
    with respx.mock(using="httpx2") as router:
        route = router.post(ROUTE).mock(return_value=httpx.Response(200, json=completion()))
        first = await model.complete(user("Hi"), request_context=RequestContext(), label="x")
        request_context = _request_context(max_usd=0.0)  # no budget is needed for what is kept
        second = await model.complete(user("Hi"), request_context=request_context, label="y")
    await model.close()
    assert route.call_count == 1
    assert second == first.model_copy(update={"cached": True})
    assert request_context.ledger.usage().llm_calls == 0
    assert request_context.trace.spans[0].attributes["cached"] is True


async def test_no_artefact_holds_the_key(tmp_path: Path) -> None:
    request_context = RequestContext()
    model = chat_model(folder=tmp_path)
    refusal = httpx.Response(400, json={"error": {"message": f"no schema for {KEY}"}})
    value = completion('{"place": "x", "minutes": 1}')
    with respx.mock(using="httpx2") as router:
        router.post(ROUTE).mock(side_effect=[refusal, refusal, httpx.Response(200, json=value)])
        assert await model.structured(user("Hi"), Walk, request_context=request_context, label="x") == Walk(
            place="x", minutes=1
        )
    await model.close()
    request_context.trace.write(tmp_path / "trace.jsonl")
    written = _written(tmp_path)
    assert len(written) == 3  # the cache, the profile with the refusals, the trace
    assert not [name for name, content in written.items() if KEY.encode() in content]


def _written(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def test_a_prompt_too_long_for_the_set_context_is_not_sent() -> None:
    model = chat_model(options=ChatOptions(PRICE, context_tokens=600))
    with respx.mock(using="httpx2", assert_all_called=False) as router:
        route = router.post(ROUTE)
        with pytest.raises(
            ServerError, match=r"too long for the context of 'small' \(about \d+ tokens"
        ) as caught:
            await model.complete(user("word " * 200), request_context=RequestContext(), label="x")
    await model.close()
    assert (caught.value.trouble, route.call_count) == (Trouble.CONTEXT, 0)


async def test_endless_repetition_is_no_answer() -> None:
    said = completion("Go to the station. " * 40, finish_reason="length")
    model = chat_model()
    with respx.mock(using="httpx2") as router:
        router.post(ROUTE).mock(return_value=httpx.Response(200, json=said))
        with pytest.raises(ModelReplyError, match=r"'small' repeats itself"):
            await model.complete(user("Hi"), request_context=RequestContext(), label="x")
    await model.close()


async def test_so_many_requests_at_once_and_no_more() -> None:
    with serving(lambda _: json_reply(completion()) | _slow()) as server:
        model = chat_model(f"{server.url}/v1", pace=Pace(concurrency=2))
        asked = [
            model.complete(user(f"Hi {n}"), request_context=RequestContext(), label="x") for n in range(6)
        ]
        await asyncio.gather(*asked)
        await model.close()
    assert server.most_at_once == 2


async def test_so_many_requests_a_second_and_no_more() -> None:
    with serving(lambda _: json_reply(completion())) as server:
        model = chat_model(f"{server.url}/v1", pace=Pace(concurrency=8, requests_per_s=10))
        begun_s = time.monotonic()
        asked = [
            model.complete(user(f"Hi {n}"), request_context=RequestContext(), label="x") for n in range(4)
        ]
        await asyncio.gather(*asked)
        await model.close()
    assert max(asked.at_s for asked in server.asked) - begun_s >= 0.3  # three gaps of 0.1 s


def test_one_model_serves_several_event_loops() -> None:
    with serving(lambda _: json_reply(completion()) | _slow()) as server:
        model = chat_model(f"{server.url}/v1", pace=Pace(concurrency=1))

        async def twice() -> None:
            await asyncio.gather(
                *(
                    model.complete(user(f"Hi {n}"), request_context=RequestContext(), label="x")
                    for n in range(2)
                )
            )

        asyncio.run(twice())
        asyncio.run(twice())
        asyncio.run(model.close())
    assert len(server.asked) == 4


async def test_no_proxy_stands_before_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with serving(lambda _: json_reply(completion())) as server:
        model = chat_model(f"{server.url}/v1")
        assert (
            await model.complete(user("Hi"), request_context=RequestContext(), label="x")
        ).text == "Hello."
        await model.close()


async def test_a_connection_cut_in_the_middle_of_the_answer() -> None:
    whole = json.dumps(completion("A long answer. " * 50)).encode()
    headers = {"content-type": "application/json"}

    def cut(_: Asked) -> Scripted:
        return Scripted(200, whole, headers, cut=200)

    with serving(cut) as server:
        model = chat_model(f"{server.url}/v1")
        with pytest.raises(ServerError, match=r"broke off in the middle of the answer") as caught:
            await model.complete(user("Hi"), request_context=RequestContext(), label="x")
        await model.close()
    assert (caught.value.trouble, len(server.asked)) == (Trouble.DROPPED, 5)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, "The model 'gpt-99' at https://api.openai.com/v1 needs a key. Set MAPAGENT_API_KEY"),
        ({"base_url": "https://x.example/v1", "max_usd": 1, "api_key": "k"}, "costs is not known"),
    ],
)
def test_what_a_model_cannot_be_opened_without(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_model(Settings(model="gpt-99", **changes))
    assert says in str(caught.value)


def test_the_name_of_a_cascade_is_the_models() -> None:
    settings = Settings(model="cascade:qwen2:7b", base_url="http://127.0.0.1:11434/v1")
    assert open_model(settings).name == "qwen2:7b"
    assert open_model(settings, "other").name == "other"
