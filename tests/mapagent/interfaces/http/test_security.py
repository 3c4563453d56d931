"""Who may ask, how much and how fast, and what the replies let a browser do."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from mapagent.interfaces.http.admission import WAITING_FOR_EACH, RateLimit, Slots
from mapagent.interfaces.http.replies import Refusal
from tests.support.awkward import FOUND, register
from tests.support.http_server import Client, serving

TOKEN = "open-sesame"


def test_every_reply_has_the_security_headers(client: Client) -> None:
    replies = [client.get(path) for path in ("/", "/api/health", "/nothing", "/page/main.js")]
    replies.append(client.ask(" "))
    replies.append(client.get("/api/health", headers={"host": "evil.example"}))
    for reply in replies:
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy, "no other host is named"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8321", "10.0.0.1", "[::1", ""]
)
def test_a_foreign_name_does_not_reach_a_local_server(client: Client, host: str) -> None:
    assert client.get("/api/history", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"])
def test_pages_of_other_origins_are_refused(client: Client, origin: str) -> None:
    reply = client.post("/api/ask", json={"question": "x"}, headers={"origin": origin})
    assert reply.status_code == 403


def test_the_scheme_of_an_origin_counts(client: Client) -> None:
    """A page of another server on this port, read over TLS, is another origin (RFC 6454, section 4)."""
    origin = str(client.base_url).rstrip("/").replace("http:", "https:")
    assert client.post("/api/ask", json={"question": "x"}, headers={"origin": origin}).status_code == 403


def test_the_own_origin_may_ask(client: Client) -> None:
    reply = client.delete("/api/history", headers={"origin": str(client.base_url).rstrip("/")})
    assert reply.status_code == 204


def test_with_a_token_only_its_bearer_is_served(data_home: Path, tmp_path: Path) -> None:
    with serving(data_home, state=tmp_path, token=TOKEN) as client:
        for path in ("/api/setup", "/api/history", "/api/metrics", "/tiles/helsinki/0/0/0.mvt"):
            refused = [
                client.get(path, headers=headers)
                for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"})
            ]
            assert {reply.status_code for reply in refused} == {401}
            assert refused[0].headers["www-authenticate"] == "Bearer"
            assert client.get(path, headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
        for path in ("/", "/page/main.js", "/api/health"):
            assert client.get(path).status_code == 200


HANGING = f"How long does it take to walk from {FOUND} to Nowhere?"
PATIENCE_S = 10.0


def test_a_client_gets_half_a_minutes_worth_at_once_and_then_its_share() -> None:
    now = [0.0]
    rate = RateLimit(60, timer=lambda: now[0])
    for _ in range(30):
        rate.check("a")
    with pytest.raises(Refusal) as refused:
        rate.check("a")
    assert refused.value.status_code == 429
    assert refused.value.headers == {"Retry-After": "2"}
    rate.check("b")
    now[0] = 1.0
    rate.check("a")
    with pytest.raises(Refusal):
        rate.check("a")


def test_no_limit_is_no_limit() -> None:
    rate = RateLimit(0, timer=lambda: 0.0)
    for _ in range(1_000):
        rate.check("a")


@pytest.mark.anyio
async def test_more_than_can_wait_are_turned_away() -> None:
    slots = Slots(1)
    stop = asyncio.Event()

    async def held() -> None:
        async with slots.one():
            await stop.wait()

    tasks = [asyncio.create_task(held()) for _ in range(1 + WAITING_FOR_EACH)]
    await asyncio.sleep(0)
    with pytest.raises(Refusal) as refused:
        async with slots.one():
            pass
    assert refused.value.status_code == 503
    stop.set()
    await asyncio.gather(*tasks)
    assert slots.taken == 0


def test_the_rate_is_told_over_http(data_home: Path, tmp_path: Path) -> None:
    with serving(data_home, state=tmp_path, asks_per_minute=4) as client:
        replies = [client.ask("Which cafe is nearest to Ateneum?") for _ in range(3)]
        metrics = client.get("/api/metrics").text
    assert [reply.status_code for reply in replies] == [200, 200, 429]
    assert int(replies[2].headers["retry-after"]) >= 1
    assert 'mapagent_refused_total{status="429"' in metrics


@pytest.mark.parametrize("path", ["/api/ask", "/api/ask/stream"])
def test_the_work_of_a_caller_that_goes_away_stops(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The provider never answers: only giving the work up can bring the number of questions back to 0."""
    register(tmp_path / "plugins", monkeypatch)
    with serving(tmp_path / "home", provider="hanging") as client:
        with httpx2.Client(base_url=client.base_url, timeout=0.7) as impatient:
            with pytest.raises(httpx2.TimeoutException):
                _read(impatient, path)
            _await(lambda: _in_progress(client) == 0)
        assert "mapagent_asks_total" not in client.get("/api/metrics").text, "it was never answered"


def test_a_question_at_work_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(tmp_path / "plugins", monkeypatch)
    with serving(tmp_path / "home", provider="hanging", deadline_s=1.5) as client:
        asking = threading.Thread(target=client.ask, args=(HANGING,))
        asking.start()
        _await(lambda: _in_progress(client) == 1)
        asking.join(PATIENCE_S)
        assert 'mapagent_asks_total{status="limit"} 1' in client.get("/api/metrics").text


def _read(client: httpx2.Client, path: str) -> None:
    with client.stream("POST", path, json={"question": HANGING}) as reply:
        for _ in reply.iter_bytes():
            pass


def _in_progress(client: Client) -> int:
    lines = client.get("/api/metrics").text.splitlines()
    (line,) = (line for line in lines if line.startswith("mapagent_asks_in_progress"))
    return int(line.rpartition(" ")[2])


def _await(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def hasty(data_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a server that waits a second for a request."""
    with serving(data_home, state=tmp_path_factory.mktemp("hasty"), patience_s=1) as client:
        yield client


HEAD = b"POST /api/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
BODY = b'{"question": "Which cafe is nearest to Ateneum?"}'


@pytest.mark.parametrize(
    ("sent", "reply"),
    [
        (b"", b""),
        (b"POST /api/ask HT", b""),
        (HEAD, b""),
        (HEAD + b"Content-Length: 400\r\n\r\n", b" 408 "),
        (HEAD + b"Content-Length: 400\r\n\r\n" + BODY[:30], b" 408 "),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n1f4\r\n{", b" 408 "),
        (HEAD + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY + b"POST /api/ask HT", b" 200 "),
    ],
)
def test_a_half_sent_request_is_not_waited_for(hasty: Client, sent: bytes, reply: bytes) -> None:
    host, port = hasty.base_url.host, hasty.base_url.port
    assert port is not None
    with socket.create_connection((host, port), timeout=20) as line:
        line.sendall(sent)
        received = b"".join(iter(lambda: line.recv(65536), b""))
    assert reply in received[:20]
    assert hasty.ask("Which cafe is nearest to Ateneum?").status_code == 200
