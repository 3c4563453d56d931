"""The proxy: what it passes on, what it spoils, and whom it stands before."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Callable, Coroutine

import httpx2
import pytest

from benchmarks.chaos.proxy import (
    ChaosPlan,
    ChaosProxy,
    FaultKind,
    Plan,
    ServerKind,
    doubled,
    emptied,
    fault_cards,
    kinds_at,
    thinned,
)
from map_tools.errors import ConfigError
from map_tools.validation import read_json
from tests.benchmarks.chaos.first_time import Always
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


LISTING = {"places": [{"id": "a", "rating": 4.5, "open": True, "name": {"text": "Quay"}}], "token": "t"}


def test_the_lists_at_the_top_are_emptied() -> None:
    assert emptied(LISTING) == {"places": [], "token": "t"}
    assert emptied([LISTING]) == []
    assert emptied({"id": "a"}) == {"id": "a"}


def test_a_fifth_of_the_fields_goes_missing_at_any_depth() -> None:
    wide = {"rows": [{str(number): number for number in range(1000)}]}
    dice = random.Random(3)
    while not (thin := thinned(wide, dice)):
        pass
    assert 740 < len(thin["rows"][0]) < 860  # 800 expected, 13 is one standard deviation


def test_numbers_and_texts_stand_twice_with_different_values() -> None:
    pairs: list[tuple[str, object]] = []

    def keep(found: list[tuple[str, object]]) -> dict[str, object]:
        pairs.extend(found)
        return dict(found)

    last = json.loads(doubled(LISTING), object_pairs_hook=keep)
    twice = [name for name, _ in pairs]
    assert [twice.count(name) for name in ("id", "rating", "open", "text", "token")] == [2] * 5
    assert [twice.count(name) for name in ("places", "name")] == [1, 1]
    assert last == {
        "places": [{"id": "a?", "rating": 10.0, "open": False, "name": {"text": "yauQ?"}}],
        "token": "t?",
    }


def test_what_is_said_twice_differently_is_no_json_to_the_product() -> None:
    with pytest.raises(ValueError, match="'text' stands twice, with different values"):
        read_json(doubled(LISTING))


KINDS = (FaultKind.BUSY, FaultKind.RESET, FaultKind.HALF_JSON)
REQUESTS = tuple(f"GET /{number % 400}".encode() for number in range(2000))
"""Each request five times."""


def drawn(plan: ChaosPlan, requests: tuple[bytes, ...] = REQUESTS) -> Counter[tuple[bytes, FaultKind | None]]:
    strikes = [(request, plan.next(request)) for request in requests]
    return Counter((request, strike.kind if strike else None) for request, strike in strikes)


def test_about_as_many_requests_are_struck_as_asked_for() -> None:
    struck = sum(count for (_, kind), count in drawn(ChaosPlan(KINDS, 0.3, seed=4)).items() if kind)
    assert 520 < struck < 680  # 600 expected, 20 is one standard deviation


def test_every_kind_is_about_as_frequent() -> None:
    kinds: Counter[FaultKind | None] = Counter()
    for (_, kind), count in drawn(ChaosPlan(KINDS, 1.0, seed=4)).items():
        kinds[kind] += count
    assert set(kinds) == set(KINDS)
    assert all(560 < count < 775 for count in kinds.values())  # 667 expected, 21 is one standard deviation


def test_equal_seeds_draw_equal_faults_in_any_order() -> None:
    backwards = tuple(reversed(REQUESTS))
    assert drawn(ChaosPlan(KINDS, 0.3, seed=4)) == drawn(ChaosPlan(KINDS, 0.3, seed=4), backwards)


def test_other_seeds_draw_other_faults() -> None:
    assert drawn(ChaosPlan(KINDS, 0.3, seed=4)) != drawn(ChaosPlan(KINDS, 0.3, seed=5))


def test_a_request_that_was_struck_may_pass_the_next_time() -> None:
    plan = ChaosPlan(KINDS, 0.5, seed=4)
    assert {plan.next(b"GET /") is None for _ in range(40)} == {True, False}


def test_nothing_is_struck_without_a_share_or_without_kinds() -> None:
    assert {kind for _, kind in drawn(ChaosPlan(KINDS, 0.0, seed=4))} == {None}
    assert {kind for _, kind in drawn(ChaosPlan((), 1.0, seed=4))} == {None}


def test_every_fault_has_its_card() -> None:
    assert [card.kind for card in fault_cards()] == list(FaultKind)
    assert all(set(card.recoverable) <= set(card.strikes) for card in fault_cards())


def test_what_a_server_says_wrongly_in_good_form_is_not_recoverable() -> None:
    lies = set(kinds_at(ServerKind.MAP, recoverable=False)) - set(kinds_at(ServerKind.MAP, recoverable=True))
    assert lies == {FaultKind.EMPTY_LIST, FaultKind.MISSING_FIELDS}
    model = kinds_at(ServerKind.MODEL, recoverable=False)
    assert model == kinds_at(ServerKind.MODEL, recoverable=True)
