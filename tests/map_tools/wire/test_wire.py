"""The wire against a real server: replies, faults, limits, threads, loops and cancellation."""

import asyncio
import gzip
import logging
import socket
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from map_tools.clock import SystemClock
from map_tools.errors import ConfigError, LimitError, ProviderError
from map_tools.wire.meter import Cost, metered
from map_tools.wire.policy import DataKind, Retention, WirePolicy
from map_tools.wire.request import WireReply, WireRequest
from map_tools.wire.wire import Wire
from tests.support.loopback import Asked, Scripted, in_turn, json_reply, serving

POLICY = WirePolicy(name="atlas", title="Atlas", timeout_s=5, attempts=3, user_agent="atlas-tests")
COST = Cost("Search", 0.03)
INSTEAD = "instead of JSON (status 200)"


async def no_wait(_: float) -> None:
    """Does not wait between attempts."""


def with_wire[T](
    work: Callable[[Wire], Awaitable[T]], policy: WirePolicy = POLICY, folder: Path | None = None
) -> T:
    """Runs `work` with a wire of its own."""

    async def run() -> T:
        wire = Wire(policy, folder=folder, sleep=no_wait)
        try:
            return await work(wire)
        finally:
            await wire.close()

    return asyncio.run(run())


def ask(url: str, policy: WirePolicy = POLICY, folder: Path | None = None) -> WireReply:
    """The reply to one request."""
    return with_wire(lambda wire: wire.send(WireRequest(url=url), cost=COST), policy, folder)


def own_path(asked: Asked) -> Scripted:
    """The request's own path, after a moment."""
    return Scripted(delay_s=0.02, body=f'"{asked.path}"'.encode())


def test_everything_of_the_request_arrives() -> None:
    request = WireRequest(
        method="POST",
        url="http://127.0.0.1/replaced?lang=fi",
        params={"q": "tea & cake"},
        headers={"X-Goog-FieldMask": "places.id"},
        json={"textQuery": "Töölö"},
        secret_headers={"X-Key": "secret-header"},
        secret_params={"key": "secret-parameter"},
    )

    async def post(wire: Wire, url: str) -> WireReply:
        from dataclasses import replace

        return await wire.send(replace(request, url=f"{url}/search?lang=fi"))

    with serving(lambda _: json_reply({"ok": True}, 201)) as server:
        reply = with_wire(lambda wire: post(wire, server.url))
    asked = server.asked[0]
    assert (asked.method, asked.path) == ("POST", "/search")
    assert asked.params == {"lang": ["fi"], "q": ["tea & cake"], "key": ["secret-parameter"]}
    assert asked.headers["x-goog-fieldmask"] == "places.id"
    assert asked.headers["x-key"] == "secret-header"
    assert asked.headers["user-agent"] == "atlas-tests"
    assert asked.headers["content-type"] == "application/json"
    assert asked.body == b'{"textQuery": "T\\u00f6\\u00f6l\\u00f6"}'
    assert (reply.status, reply.json(), reply.cached) == (201, {"ok": True}, False)
    assert abs((reply.received_at - SystemClock().now()).total_seconds()) < 60


def test_forms_are_sent_as_forms() -> None:
    with serving(lambda _: json_reply({})) as server:
        request = WireRequest(method="POST", url=server.url, form={"data": "node(1);out;"})
        with_wire(lambda wire: wire.send(request))
    assert server.asked[0].body == b"data=node%281%29%3Bout%3B"
    assert server.asked[0].headers["content-type"] == "application/x-www-form-urlencoded"


def test_packed_replies_are_unpacked() -> None:
    packed = Scripted(body=gzip.compress(b'{"a": 1}'), headers={"content-encoding": "gzip"})
    with serving(lambda _: packed) as server:
        assert ask(server.url).json() == {"a": 1}


def test_an_error_reply_is_handed_over_for_the_provider_to_explain() -> None:
    with serving(lambda _: json_reply({"error": {"status": "PERMISSION_DENIED"}}, 403)) as server:
        reply = ask(server.url)
    assert (reply.status, reply.json()["error"]["status"]) == (403, "PERMISSION_DENIED")
    assert len(server.asked) == 1


def test_redirects_are_not_followed_with_the_key() -> None:
    with serving(lambda _: Scripted(302, b"", {"location": "http://127.0.0.1:1/"})) as server:
        assert ask(server.url).status == 302


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Scripted(drop=True), "Atlas broke off the connection, tried 3 times."),
        (Scripted(body=b'{"places": []}', cut=6), "Atlas broke off the connection, tried 3 times."),
        (
            Scripted(body=b'{"places": ['),
            f"Atlas answered with JSON that is cut short or broken {INSTEAD}, tried 3 times.",
        ),
        (
            Scripted(body=b"<html>Please sign in</html>"),
            f"Atlas answered with a web page {INSTEAD}, tried 3 times.",
        ),
        (
            Scripted(body=b"not gzip", headers={"content-encoding": "gzip"}),
            "Atlas sent a reply that cannot be unpacked, tried 3 times.",
        ),
    ],
)
def test_faults_heal_or_end_in_a_sentence(fault: Scripted, said: str) -> None:
    with serving(in_turn(fault, fault, json_reply({"a": 1}))) as server:
        assert ask(server.url).json() == {"a": 1}
    with serving(lambda _: fault) as server:
        with pytest.raises(ProviderError) as raised:
            ask(server.url)
        assert len(server.asked) == 3
    assert raised.value.message == said
    assert raised.value.remedy


def test_a_service_that_is_too_slow_is_given_up() -> None:
    policy = WirePolicy(name="atlas", title="Atlas", timeout_s=0.2, attempts=1)
    with serving(lambda _: Scripted(delay_s=0.6)) as server, pytest.raises(ProviderError) as raised:
        ask(server.url, policy)
    assert raised.value.message == "Atlas did not answer within 0.2 s."


def test_an_attempt_that_nobody_waits_for_any_more_ends() -> None:
    """A thread that waits for it cannot be cancelled."""
    policy = WirePolicy(name="atlas", title="Atlas", timeout_s=300, attempts=3)

    async def late(url: str) -> None:
        wire = Wire(policy)
        try:
            with metered(left_s=lambda: 0.0):
                await wire.send(WireRequest(url=url))
        finally:
            await wire.close()

    with serving(lambda _: Scripted(delay_s=1.0)) as server, pytest.raises(ProviderError) as raised:
        asyncio.run(late(server.url))
    assert raised.value.message == "Atlas did not answer within 0.5 s."
    assert len(server.asked) == 1


def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ProviderError) as raised:
        ask(f"http://127.0.0.1:{port}/")
    assert raised.value.message.startswith("Atlas cannot be reached (")
    assert "tried 3 times" in raised.value.message
    assert "network" in raised.value.remedy


@pytest.mark.parametrize("url", ["gopher://maps.test/", "http://:99999/", "maps.test"])
def test_a_senseless_address_is_not_tried_again(url: str) -> None:
    with pytest.raises(ProviderError, match="The request to Atlas cannot be sent"):
        ask(url)


def test_a_reply_without_end_is_refused() -> None:
    policy = WirePolicy(name="atlas", title="Atlas", max_body_bytes=1000)
    with serving(lambda _: Scripted(body=b" " * 2000 + b"{}")) as server:
        with pytest.raises(ProviderError, match="longer than 1000 bytes"):
            ask(server.url, policy)
        assert len(server.asked) == 1


def test_too_many_requests_are_tried_again_after_the_wait_the_service_asks_for() -> None:
    waits_s: list[float] = []

    async def sleep(seconds: float) -> None:
        waits_s.append(seconds)

    async def run(url: str) -> int:
        wire = Wire(POLICY, sleep=sleep)
        reply = await wire.send(WireRequest(url=url))
        await wire.close()
        return reply.status

    by_date = {"date": "Fri, 31 Dec 1999 23:59:39 GMT", "retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}
    script = in_turn(
        json_reply({}, 429, retry_after="3"), Scripted(503, b"busy", by_date), json_reply({"a": 1})
    )
    with serving(script) as server:
        assert asyncio.run(run(server.url)) == 200
    assert waits_s == [3.0, 20.0]


def test_no_more_requests_are_under_way_than_the_policy_allows() -> None:
    policy = WirePolicy(name="atlas", concurrency=3, timeout_s=30, attempts=1)

    async def many(wire: Wire, url: str) -> list[WireReply]:
        return await asyncio.gather(*(wire.send(WireRequest(url=f"{url}/{number}")) for number in range(24)))

    three = threading.Barrier(3)

    def in_threes(asked: Asked) -> Scripted:
        three.wait(timeout=20)  # breaks if fewer than three are ever under way
        return own_path(asked)

    with serving(in_threes) as server:
        replies = with_wire(lambda wire: many(wire, server.url), policy)
    assert [reply.json() for reply in replies] == [f"/{number}" for number in range(24)]
    assert server.most_at_once == 3


def test_a_cancelled_request_frees_its_slot() -> None:
    policy = WirePolicy(name="atlas", concurrency=1)
    hold = threading.Event()

    def script(asked: Asked) -> Scripted:
        if asked.path == "/slow":
            hold.wait(10)
        return json_reply({})

    async def cancel_then_ask(wire: Wire, url: str) -> int:
        slow = asyncio.create_task(wire.send(WireRequest(url=f"{url}/slow")))
        waiting = asyncio.create_task(wire.send(WireRequest(url=f"{url}/waiting")))
        await asyncio.sleep(0.1)
        slow.cancel()
        waiting.cancel()
        await asyncio.wait([slow, waiting])
        assert slow.cancelled()
        assert waiting.cancelled()
        return (await wire.send(WireRequest(url=f"{url}/next"))).status

    with serving(script) as server:
        try:
            assert with_wire(lambda wire: cancel_then_ask(wire, server.url), policy) == 200
        finally:
            hold.set()


def test_replies_are_kept_and_used_by_another_wire(tmp_path: Path) -> None:
    policy = WirePolicy(name="atlas", keep=Retention.for_ever())
    with serving(lambda asked: json_reply({"at": asked.at_s})) as server:
        first = ask(server.url, policy, tmp_path)
        with metered() as meter:
            second = ask(server.url, policy, tmp_path)
    assert (first.cached, second.cached) == (False, True)
    assert (second.body, second.received_at) == (first.body, first.received_at)
    assert (meter.calls, meter.cached, meter.cost_usd) == (0, 1, 0.0)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "fault", [json_reply({}, 404), json_reply({}, 503), json_reply({"status": "DENIED"})]
)
def test_errors_are_neither_kept_nor_paid_for(tmp_path: Path, fault: Scripted) -> None:
    from map_tools.wire.policy import Verdict

    def judge(reply: WireReply) -> Verdict:
        return Verdict.FINAL if reply.json().get("status") == "DENIED" else Verdict.GOOD

    policy = WirePolicy(name="atlas", keep=Retention.for_ever(), judge=judge, attempts=1)
    with serving(in_turn(fault, json_reply({"a": 1}))) as server:
        with metered() as meter:
            ask(server.url, policy, tmp_path)
        assert (meter.calls, meter.cost_usd, dict(meter.skus)) == (1, 0.0, {})
        assert ask(server.url, policy, tmp_path).json() == {"a": 1}


def test_the_kind_of_data_decides_what_is_kept(tmp_path: Path) -> None:
    policy = WirePolicy(name="atlas", keep=Retention(ids_days=None, coordinates_days=30))

    async def ask_twice(wire: Wire, url: str, kind: DataKind) -> bool:
        for _ in range(2):
            reply = await wire.send(WireRequest(url=f"{url}/{kind}"), data=kind)
        return reply.cached

    with serving(lambda _: json_reply({})) as server:
        for kind, kept in ((DataKind.IDS, True), (DataKind.COORDINATES, True), (DataKind.PAYLOAD, False)):
            assert (
                with_wire(lambda wire, kind=kind: ask_twice(wire, server.url, kind), policy, tmp_path) is kept
            )


def test_a_change_of_mind_about_payloads_deletes_them(tmp_path: Path) -> None:
    keeping = WirePolicy(name="atlas", keep=Retention().with_payloads(7))
    with serving(lambda _: json_reply({"name": "Tea House"})) as server:
        ask(server.url, keeping, tmp_path)
        assert any(b"Tea House" in file.read_bytes() for file in tmp_path.iterdir())
        assert not ask(server.url, WirePolicy(name="atlas"), tmp_path).cached
        assert not ask(server.url, keeping, tmp_path).cached


def test_the_budget_is_asked_before_anything_is_sent() -> None:
    class Empty:
        def spend(self, cost_usd: float) -> None:
            raise LimitError("The budget is spent.")

        def refund(self, cost_usd: float) -> None:
            raise AssertionError("nothing was spent")

    with serving(lambda _: json_reply({})) as server:
        with metered(Empty()), pytest.raises(LimitError):
            ask(server.url)
        assert server.asked == []


def test_a_paid_request_is_booked_once_however_often_it_is_tried() -> None:
    with (
        serving(in_turn(json_reply({}, 503), Scripted(drop=True), json_reply({}))) as server,
        metered() as meter,
    ):
        ask(server.url)
    assert (meter.calls, meter.retries, meter.cost_usd, dict(meter.skus)) == (1, 2, 0.03, {"Search": 1})


def test_a_wire_serves_one_event_loop_after_another() -> None:
    wire = Wire(POLICY)

    async def once(url: str) -> int:
        reply = await wire.send(WireRequest(url=url))
        await wire.close()
        await wire.close()
        return reply.status

    with serving(lambda _: json_reply({})) as server:
        assert [asyncio.run(once(server.url)) for _ in range(2)] == [200, 200]


def test_threads_ask_through_the_same_wire(tmp_path: Path) -> None:
    policy = WirePolicy(name="atlas", concurrency=2, keep=Retention.for_ever())

    def library(wire: Wire, url: str, number: int) -> bytes:
        return wire.send_blocking(WireRequest(url=f"{url}/{number}"), cost=COST).body

    async def in_threads(wire: Wire, url: str) -> list[bytes]:
        wire.attach()
        calls = (asyncio.to_thread(library, wire, url, number) for number in range(6))
        return await asyncio.gather(*calls)

    with serving(own_path) as server:
        with metered() as first:
            bodies = with_wire(lambda wire: in_threads(wire, server.url), policy, tmp_path)
        with metered() as second:
            assert with_wire(lambda wire: in_threads(wire, server.url), policy, tmp_path) == bodies
    assert bodies == [f'"/{number}"'.encode() for number in range(6)]
    assert server.most_at_once <= 2
    assert (first.calls, first.cost_usd) == (6, pytest.approx(0.18))
    assert (second.calls, second.cached, second.cost_usd) == (0, 6, 0.0)


def test_errors_reach_the_thread() -> None:
    async def in_thread(wire: Wire, url: str) -> WireReply:
        wire.attach()
        return await asyncio.to_thread(wire.send_blocking, WireRequest(url=url))

    with serving(lambda _: Scripted(drop=True)) as server, pytest.raises(ProviderError, match="broke off"):
        with_wire(lambda wire: in_thread(wire, server.url))


def test_a_thread_without_a_loop_is_told_so() -> None:
    with pytest.raises(ProviderError, match="without a running event loop"):
        Wire(POLICY).send_blocking(WireRequest(url="http://127.0.0.1:1/"))


def test_blocking_the_loops_own_thread_is_refused() -> None:
    async def wrong(wire: Wire) -> None:
        wire.attach()
        wire.send_blocking(WireRequest(url="http://127.0.0.1:1/"))

    with pytest.raises(RuntimeError, match="own thread"):
        with_wire(wrong)


def test_the_asker_of_a_thread_that_is_cancelled_does_not_leave_it_hanging() -> None:
    hold = threading.Event()
    ended = threading.Event()

    def script(_: Asked) -> Scripted:
        hold.wait(10)
        return json_reply({})

    def library(wire: Wire, url: str) -> None:
        try:
            wire.send_blocking(WireRequest(url=url))
        except ProviderError:
            ended.set()

    async def given_up(wire: Wire, url: str) -> None:
        wire.attach()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await asyncio.to_thread(library, wire, url)

    with serving(script) as server:
        try:
            with_wire(lambda wire: given_up(wire, server.url))
            assert ended.is_set()
        finally:
            hold.set()


def test_why_a_request_is_not_cached_is_explained(tmp_path: Path) -> None:
    policy = WirePolicy(name="atlas", title="Atlas", keep=Retention.for_ever())
    with serving(lambda _: json_reply({})) as server:
        ask(f"{server.url}/a?q=tea", policy, tmp_path)
    wire = Wire(policy, folder=tmp_path)
    assert wire.explain(WireRequest(url=f"{server.url}/a", params={"q": "tea"})).found
    miss = wire.explain(WireRequest(url=f"{server.url}/a", params={"q": "cocoa"}))
    assert str(miss.difference) == 'params.q: wanted "cocoa", stored "tea"'
    assert wire.clear() == 1
    asyncio.run(wire.close())
    assert "without a cache" in Wire(policy).explain(WireRequest(url=server.url)).note


def test_a_shared_rate_needs_a_shared_folder() -> None:
    with pytest.raises(ConfigError, match="folder to share"):
        Wire(WirePolicy(name="nominatim", requests_per_s=1, across_processes=True))


def test_logs_of_the_http_library_hold_no_query(caplog: pytest.LogCaptureFixture) -> None:
    async def secretly(wire: Wire, url: str) -> None:
        await wire.send(WireRequest(url=f"{url}/a", secret_params={"appid": "hidden-word"}))

    with serving(lambda _: json_reply({})) as server, caplog.at_level(logging.DEBUG):
        with_wire(lambda wire: secretly(wire, server.url))
    assert f"{server.url}/a" in caplog.text
    assert "hidden-word" not in caplog.text
