"""The proxy: what it passes on, what it spoils, and whom it stands before."""

import asyncio
import json
from collections.abc import Callable, Coroutine

import httpx2
import pytest

from evals.chaos.faults import ChaosPlan, FaultKind, Plan
from evals.chaos.proxy import ChaosProxy
from map_tools.errors import ConfigError
from tests.evals.chaos.first_time import Always
from tests.support.loopback import Loopback, Scripted, json_reply, serving

REPLY = json_reply({"places": [{"id": "a"}], "next": ""}, Date="Mon, 23 Nov 2026 10:00:00 GMT")
SOUND = ChaosPlan((), 0.0, seed=0)

type Use = Callable[[httpx2.AsyncClient], Coroutine[None, None, httpx2.Response]]


def asked(
    plan: Plan, use: Use, reply: Scripted = REPLY, drip_s: float = 0.2
) -> tuple[httpx2.Response, ChaosProxy, Loopback]:
    """What comes of one request through a proxy."""

    async def run(server: Loopback) -> tuple[httpx2.Response, ChaosProxy, Loopback]:
        proxy = ChaosProxy(server.url, plan, drip_s=drip_s)
        async with (
            proxy.running() as base_url,
            httpx2.AsyncClient(base_url=base_url, trust_env=False) as client,
        ):
            return await use(client), proxy, server

    with serving(lambda _: reply) as server:
        return asyncio.run(run(server))


async def get(client: httpx2.AsyncClient) -> httpx2.Response:
    return await client.get("/v1/a%20b?x=1&x=2", headers={"X-Mask": "id"})


def test_a_request_is_passed_on_as_it_is() -> None:
    reply, proxy, server = asked(SOUND, get)
    assert reply.json() == {"places": [{"id": "a"}], "next": ""}
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["date"] == "Mon, 23 Nov 2026 10:00:00 GMT"
    (arrived,) = server.asked
    assert (arrived.path, arrived.params, arrived.headers["x-mask"]) == ("/v1/a%20b", {"x": ["1", "2"]}, "id")
    assert (proxy.requests, proxy.struck.total()) == (1, 0)


def test_a_body_is_passed_on_too() -> None:
    _, _, server = asked(SOUND, lambda client: client.post("/", json={"q": "Töölö"}))
    assert json.loads(server.asked[0].body) == {"q": "Töölö"}


@pytest.mark.parametrize(
    ("kind", "status", "headers"),
    [
        (FaultKind.BUSY_TOLD, 429, {"retry-after": "1"}),
        (FaultKind.BUSY, 429, {}),
        (FaultKind.FAILURE, 500, {}),
        (FaultKind.UNAVAILABLE, 503, {}),
        (FaultKind.WEB_PAGE, 200, {"content-type": "text/html; charset=utf-8"}),
    ],
)
def test_a_refusal_does_not_reach_the_server(kind: FaultKind, status: int, headers: dict[str, str]) -> None:
    reply, proxy, server = asked(Always(kind), get)
    assert reply.status_code == status
    assert {name: reply.headers.get(name) for name in headers} == headers
    assert ("retry-after" in reply.headers) == ("retry-after" in headers)
    assert (server.asked, proxy.struck) == ([], {kind: 1})


def test_a_reset_leaves_no_reply() -> None:
    with pytest.raises(httpx2.ReadError):
        asked(Always(FaultKind.RESET), get)


def test_a_reply_drips_in_whole_and_late() -> None:
    reply, _, _ = asked(Always(FaultKind.DRIP), get)
    assert reply.json()["places"] == [{"id": "a"}]
    assert reply.elapsed.total_seconds() >= 0.15  # the first bytes of 0.2 s may be read late


def test_half_of_a_reply_is_half() -> None:
    reply, _, _ = asked(Always(FaultKind.HALF_JSON), get)
    assert reply.content == REPLY.body[: len(REPLY.body) // 2]


def test_the_wrong_type_has_the_right_body() -> None:
    reply, _, _ = asked(Always(FaultKind.WRONG_TYPE), get)
    assert reply.content == REPLY.body
    assert reply.headers["content-type"].startswith("text/html")


def test_a_skewed_clock_is_a_day_off_and_asks_to_wait_a_second_by_itself() -> None:
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    reply, _, _ = asked(Always(FaultKind.CLOCK_SKEW), get)
    told = parsedate_to_datetime(reply.headers["date"])
    assert 86_000 < abs((told - datetime.now(UTC)).total_seconds()) < 86_800
    assert (parsedate_to_datetime(reply.headers["retry-after"]) - told).total_seconds() == 1


def test_what_has_nothing_to_spoil_is_passed_and_not_counted() -> None:
    reply, proxy, _ = asked(Always(FaultKind.EMPTY_LIST), get, json_reply({"id": "a"}))
    assert (reply.json(), proxy.struck.total()) == ({"id": "a"}, 0)


def test_an_error_of_the_server_itself_is_not_spoilt() -> None:
    reply, proxy, _ = asked(Always(FaultKind.HALF_JSON), get, json_reply({"error": {}}, 404))
    assert (reply.status_code, reply.json(), proxy.struck.total()) == (404, {"error": {}}, 0)


@pytest.mark.parametrize(
    ("use", "status"),
    [
        (lambda client: client.get("/v1/places/ChIJabc"), 404),
        (lambda client: client.post("/directions", json={"origin": {"placeId": "ChIJabc"}}), 404),
        (lambda client: client.get("/maps/api/place/details/json?place_id=ChIJabc"), 200),
        (lambda client: client.get("/maps/api/directions/json?origin=place_id:ChIJabc"), 200),
    ],
)
def test_a_stale_id_is_not_found_in_the_form_of_the_service(use: Use, status: int) -> None:
    reply, _, server = asked(Always(FaultKind.STALE_ID), use)
    assert reply.status_code == status
    assert "NOT_FOUND" in reply.text
    assert server.asked == []


def test_a_request_without_an_id_has_no_stale_one() -> None:
    reply, proxy, _ = asked(Always(FaultKind.STALE_ID), get)
    assert (reply.status_code, proxy.struck.total()) == (200, 0)


def test_a_server_that_is_gone_is_a_bad_gateway() -> None:
    async def run() -> int:
        with serving(lambda _: REPLY) as server:
            gone = server.url
        async with (
            ChaosProxy(gone, SOUND).running() as base_url,
            httpx2.AsyncClient(trust_env=False) as client,
        ):
            return (await client.get(base_url)).status_code

    assert asyncio.run(run()) == 502


@pytest.mark.parametrize("upstream", ["https://maps.example", "http://192.0.2.1:80", "127.0.0.1:80"])
def test_it_stands_only_before_servers_of_this_machine(upstream: str) -> None:
    with pytest.raises(ConfigError, match="not on this machine"):
        ChaosProxy(upstream, SOUND)
