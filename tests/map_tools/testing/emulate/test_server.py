"""The server itself: many clients, long and broken requests, a clean end; and its replies over a recorded world."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from map_tools.clock import SystemClock
from map_tools.errors import ConfigError
from map_tools.providers.recorded import RecordedProvider
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.http import MAX_BODY_BYTES, MAX_HEAD_BYTES, HttpServer, Reply, Request
from map_tools.testing.emulate.server import Emulator, running
from tests.map_tools.testing.emulate.conftest import HARBOUR, Asker, circle
from tests.support.cli import CommandLine, finish, start

CLIENTS = 200


def connection(asker: Asker) -> HTTPConnection:
    return HTTPConnection(urlsplit(asker.base).netloc, timeout=20)


def raw_exchange(asker: Asker, sent: bytes) -> bytes:
    """What comes back before the server closes the connection."""
    port = urlsplit(asker.base).port
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sock:
        sock.sendall(sent)
        with contextlib.suppress(ConnectionResetError):
            while piece := sock.recv(65536):
                received += piece
    return received


def test_two_hundred_requests_at_once(helsinki: Asker) -> None:
    """Every client is connected before the first one asks, and each gets the reply to its own question."""
    gate = threading.Barrier(CLIENTS, timeout=30)
    names = ["Kinopalatsi", "Hotel Arthur", "Zetor", "Bio Rex"]

    def ask(index: int) -> str:
        body = json.dumps({"textQuery": names[index % 4], "locationBias": circle(60.17, 24.94, 100)})
        client = connection(helsinki)
        try:
            client.connect()
            gate.wait()
            headers = {"X-Goog-Api-Key": "k", "X-Goog-FieldMask": "places.displayName.text"}
            client.request("POST", "/v1/places:searchText", body, headers)
            return str(json.loads(client.getresponse().read())["places"][0]["displayName"]["text"])
        finally:
            client.close()

    with ThreadPoolExecutor(CLIENTS) as pool:
        assert list(pool.map(ask, range(CLIENTS))) == names * (CLIENTS // 4)


def test_a_connection_serves_many_requests(harbour: Asker) -> None:
    client = connection(harbour)
    try:
        ports = set()
        for _ in range(5):
            client.request("GET", "/maps/api/timezone/json?key=k&location=60,25&timestamp=0")
            reply = client.getresponse()
            assert json.loads(reply.read())["status"] == "OK"
            assert reply.getheader("Connection") == "keep-alive"
            ports.add(client.sock.getsockname()[1])
        assert len(ports) == 1
        client.request("GET", "/maps/api/timezone/json?key=k", headers={"Connection": "close"})
        reply = client.getresponse()
        reply.read()
        assert reply.getheader("Connection") == "close"
    finally:
        client.close()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"GET\r\n\r\n", 400),
        (b"GET / HTTP/2\r\n\r\n", 400),
        (b"GET http://[ HTTP/1.1\r\n\r\n", 400),
        (b"POST /v1/places:searchText HTTP/1.1\r\nContent-Length: ten\r\n\r\n", 400),
        (b"POST /v1/places:searchText HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"POST /v1/places:searchText HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1), 413),
        (b"GET /" + b"a" * (MAX_HEAD_BYTES + 10) + b" HTTP/1.1\r\n\r\n", 431),
        (b"DELETE /v1/places/x HTTP/1.0\r\n\r\n", 404),
    ],
)
def test_bad_requests_are_refused(harbour: Asker, sent: bytes, code: int) -> None:
    assert raw_exchange(harbour, sent).startswith(b"HTTP/1.1 %d " % code)


def test_a_client_that_goes_away_harms_nobody(harbour: Asker) -> None:
    port = urlsplit(harbour.base).port
    for sent in (b"", b"GET /maps", b"POST / HTTP/1.1\r\nContent-Length: 50\r\n\r\nhalf"):
        with socket.create_connection(("127.0.0.1", port)) as sock:
            sock.sendall(sent)
    assert harbour.legacy("timezone", location="60,25", timestamp="0").json["status"] == "OK"


def test_closing_ends_requests_under_way() -> None:
    async def scenario() -> None:
        asked = asyncio.Event()

        async def never(request: Request) -> Reply:
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError

        server = HttpServer(never)
        port = await server.start("127.0.0.1", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        await asked.wait()
        await server.close()
        assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()
        await server.close()  # a second time does nothing

    asyncio.run(scenario())


def test_a_taken_port_is_named() -> None:
    backend = Backend(RecordedProvider.open(HARBOUR), SystemClock())
    with running(backend) as base:
        port = urlsplit(base).port or 0
        with pytest.raises(ConfigError, match=f"Port {port} ") as error:
            asyncio.run(Emulator(backend).start(port))
        assert error.value.remedy


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_interrupted(home: Path, number: signal.Signals) -> None:
    process = start("provider", "emulate", "google", "--port", "0", "--world", HARBOUR, data_home=home)
    try:
        assert process.stdout is not None
        welcome = [process.stdout.readline() for _ in range(7)]
        base = welcome[0].split()[-1]
        assert f'base_url="{base}"' in "".join(welcome)
        assert "harbour town's mapmakers" in welcome[1]
        assert Asker(base).legacy("place/textsearch", query="Green Bowl").json["status"] == "OK"
        os.kill(process.pid, number)
    finally:
        ran = finish(process)
    assert (ran.code, ran.err) == (0, "The emulator has stopped.\n")


def test_wrong_use_of_the_command(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    run = CommandLine(capsys)
    emulate = ("provider", "emulate", "google")
    assert run(*emulate, "--port", "70000").code == 2
    assert run(*emulate, "--fault", "flood", "--world", HARBOUR).code == 2
    assert run(*emulate, "--map", "a", "--world", HARBOUR).code == 2
    missing = run(*emulate, "--world", home / "nothing.json")
    assert missing.code == 2
    assert "nothing.json" in missing.err
    assert run("provider", "emulate", "bing").code == 2


TEXT, NEARBY = "/v1/places:searchText", "/v1/places:searchNearby"


def found(asker: Asker, name: str, mask: str) -> dict[str, Any]:
    fields = ",".join(f"places.{field}" for field in mask.split(","))
    place: dict[str, Any] = asker.post(TEXT, {"textQuery": name}, fields).json["places"][0]
    return place


def test_ratings_prices_and_reviews(harbour: Asker) -> None:
    museum = found(harbour, "Lighthouse Museum", "rating,userRatingCount,reviews,regularOpeningHours")
    assert (museum["rating"], museum["userRatingCount"]) == (4.6, 812)
    assert museum["reviews"][0]["text"]["text"] == "A long climb and a fine view."
    assert museum["regularOpeningHours"]["weekdayDescriptions"][0] == "Monday: Closed"
    assert found(harbour, "Salt & Smoke", "priceLevel") == {"priceLevel": "PRICE_LEVEL_EXPENSIVE"}
    legacy = harbour.legacy("place/textsearch", query="Salt & Smoke").json["results"][0]
    assert (legacy["price_level"], legacy["rating"], legacy["user_ratings_total"]) == (3, 4.2, 95)


def test_filters_by_price_and_rating(harbour: Asker) -> None:
    body = {"textQuery": "restaurant", "locationBias": circle(-12.5, 130.75, 5000)}
    cheap = harbour.post(TEXT, body | {"priceLevels": ["PRICE_LEVEL_INEXPENSIVE"]}, "places.displayName.text")
    assert cheap.json == {"places": [{"displayName": {"text": "Green Bowl"}}]}
    good = harbour.post(TEXT, body | {"minRating": 4.0}, "places.displayName.text")
    assert good.json == {"places": [{"displayName": {"text": "Salt & Smoke"}}]}
    wrong = harbour.post(TEXT, body | {"priceLevels": ["CHEAP"]}, "places.id")
    assert wrong.status == 400
    parameters = {"query": "restaurant", "location": "-12.5,130.75", "radius": "5000", "maxprice": "1"}
    legacy = harbour.legacy("place/textsearch", **parameters).json["results"]
    assert [place["name"] for place in legacy] == ["Green Bowl"]


def test_small_pages(harbour: Asker) -> None:
    first = harbour.legacy("place/nearbysearch", location="-12.5,130.75", radius="9000").json
    assert len(first["results"]) == 2
    second = harbour.legacy("place/nearbysearch", pagetoken=first["next_page_token"]).json
    names = [place["name"] for page in (first, second) for place in page["results"]]
    assert len(set(names)) == 4


def test_a_place_without_a_position_has_none(harbour: Asker) -> None:
    assert found(harbour, "Customs House", "displayName.text,location") == {
        "displayName": {"text": "Customs House"}
    }
    result = harbour.legacy("place/textsearch", query="Customs House").json["results"][0]
    assert "geometry" not in result


def test_recorded_routes_have_their_steps_and_no_invented_geometry(harbour: Asker) -> None:
    reply = harbour.legacy(
        "directions", origin="Customs House", destination="Lighthouse Museum", alternatives="true"
    ).json
    first, second = reply["routes"]
    assert (first["summary"], second["summary"]) == ("Pier Road", "Coast Highway")
    assert first["legs"][0]["duration"] == {"text": "12 mins", "value": 720}
    assert second["warnings"] == ["Toll road"]
    assert len(first["legs"][0]["steps"]) == 3
    assert "duration" not in first["legs"][0]["steps"][0]
    assert "start_location" not in first["legs"][0]["steps"][0]


def test_travel_in_one_direction_is_not_the_other(harbour: Asker) -> None:
    reply = harbour.legacy(
        "distancematrix", origins="Salt & Smoke", destinations="Customs House", mode="walking"
    ).json
    assert reply["rows"][0]["elements"][0] == {"status": "ZERO_RESULTS"}
    assert harbour.legacy("directions", origin="Salt & Smoke", destination="Customs House").json[
        "status"
    ] == ("ZERO_RESULTS")


def test_the_credit_is_the_world_s_own(harbour: Asker) -> None:
    reply = harbour.legacy("place/textsearch", query="Green Bowl")
    assert reply.json["html_attributions"] == [
        '<a href="https://example.org/terms">© The harbour town\'s mapmakers</a>'
    ]
