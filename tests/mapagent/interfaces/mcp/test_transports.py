"""The server in a process of its own over stdio, and over HTTP on the loopback, with the official client."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from map_tools.providers.base import Provider
from map_tools.providers.recorded import RecordedProvider
from mapagent.core.agent import MapAgent
from mapagent.interfaces.mcp.server import MapServer, serve_http
from mapagent.interfaces.mcp.workbench import Workbench
from mapagent.runtime.config import Settings
from tests.support.awkward import FOUND, WORLD
from tests.support.cli import PROGRAM, CommandLine

pytestmark = pytest.mark.anyio

HARBOUR = ("mcp", "--provider", f"recorded:{WORLD}")
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
CALL = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "place_info", "arguments": {"place": FOUND}},
}


class Hanging(RecordedProvider):
    """Never answers a search, and tells when one was given up."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.asked = asyncio.Event()
        self.given_up = asyncio.Event()

    async def find_place(self, text: str, **more: Any) -> Any:
        self.asked.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.given_up.set()
            raise


@asynccontextmanager
async def http(settings: Settings, provider: Provider | None = None) -> AsyncIterator[str]:
    """The address of a server on the loopback."""
    bench = Workbench.of(MapAgent(settings, provider=provider))
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    server = MapServer(bench, reply_tokens=1_500).protocol()
    serving = asyncio.create_task(serve_http(server, 0, address.set_result))
    try:
        yield await address
    finally:
        serving.cancel()
        await asyncio.wait({serving})
        await bench.close()


async def test_stdio_with_the_official_client() -> None:
    server = StdioServerParameters(command=PROGRAM[0], args=[*PROGRAM[1:], *HARBOUR], env=dict(os.environ))
    async with Client(server) as client:
        tools = await client.list_tools()
        told = await client.call_tool("place_info", {"place": FOUND})
        whole = await client.read_resource(told.structured_content["handle"])
    assert len(tools.tools) == 10
    assert told.structured_content["place"]["address"] == "12 Quay Lane, Harbourtown"
    assert "12 Quay Lane" in whole.contents[0].text  # type: ignore[union-attr]


def test_standard_output_carries_the_protocol_and_nothing_else() -> None:
    initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    sent = "".join(json.dumps(message) + "\n" for message in (INITIALIZE, initialized, CALL))
    process = subprocess.Popen(
        [*PROGRAM, *HARBOUR],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(sent)
    process.stdin.flush()
    replies = [json.loads(process.stdout.readline()) for _ in range(2)]
    rest, _ = process.communicate(timeout=30)  # closes standard input: the server ends by itself
    assert [reply["id"] for reply in replies] == [1, 2]
    assert replies[1]["result"]["structuredContent"]["place"]["name"] == FOUND
    assert rest == ""
    assert process.returncode == 0


def test_http_in_a_process_of_its_own_until_it_is_interrupted() -> None:
    process = subprocess.Popen(
        [*PROGRAM, *HARBOUR, "--http", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    said = process.stderr.readline().strip()
    address = said.rpartition(" ")[2]

    async def call() -> Any:
        async with Client(address) as client:
            return await client.call_tool("place_info", {"place": FOUND})

    told = asyncio.run(call())
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert said == f"Serving the Model Context Protocol at {address}"
    assert address.startswith("http://127.0.0.1:")
    assert told.structured_content["place"]["name"] == FOUND
    assert (process.returncode, out) == (130, "")


async def test_calls_at_the_same_time_do_not_mix(harbour: Settings) -> None:
    names = ["Lighthouse Museum", "Salt & Smoke", "Green Bowl", FOUND] * 8
    async with http(harbour) as address, Client(address) as client:
        told = await asyncio.gather(*(client.call_tool("place_info", {"place": name}) for name in names))
    assert [one.structured_content["place"]["name"] for one in told] == names


async def test_http_with_the_official_client(harbour: Settings) -> None:
    async with http(harbour) as address, Client(address) as client:
        told = await client.call_tool("place_info", {"place": FOUND})
        missing = await client.call_tool("place_info", {"place": "Atlantis"})
        with pytest.raises(MCPError, match="There is no tool 'fly'"):
            await client.call_tool("fly", {})
        with pytest.raises(MCPError, match="no longer kept"):
            await client.read_resource("mapagent://result/gone")
        assert (await client.list_resources()).resources == []
        assert [one.uri_template for one in (await client.list_resource_templates()).resource_templates] == [
            "mapagent://result/{handle}"
        ]
    assert told.structured_content["place"]["address"] == "12 Quay Lane, Harbourtown"
    assert missing.is_error


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"host": "evil.example"}, 421), ({"origin": "https://evil.example"}, 403)],
)
async def test_a_web_page_cannot_reach_the_server(
    harbour: Settings, headers: dict[str, str], status: int
) -> None:
    accept = {"accept": "application/json, text/event-stream"}
    async with http(harbour) as address, httpx2.AsyncClient() as client:
        reply = await client.post(address, json=INITIALIZE, headers=accept | headers)
    assert reply.status_code == status


@pytest.mark.parametrize("transport", ["http", "in process"])
async def test_a_call_that_is_given_up_stops_the_work(harbour: Settings, transport: str) -> None:
    provider = Hanging.open(WORLD)
    settings = harbour.model_copy(update={"deadline_s": 30.0})
    bench = Workbench.of(MapAgent(settings, provider=provider))

    async def give_up(client: Client) -> None:
        call = asyncio.create_task(client.call_tool("ask_map", {"question": f"Where is {FOUND}?"}))
        await asyncio.wait_for(provider.asked.wait(), 10)
        call.cancel()
        await asyncio.wait({call})
        await asyncio.wait_for(provider.given_up.wait(), 10)

    if transport == "http":
        async with http(settings, provider) as address, Client(address) as client:
            await give_up(client)
    else:
        async with Client(MapServer(bench, reply_tokens=1_500).protocol()) as client:
            await give_up(client)
        await bench.close()


async def test_a_call_past_the_deadline_is_told(harbour: Settings) -> None:
    provider = Hanging.open(WORLD)
    settings = harbour.model_copy(update={"deadline_s": 0.2})
    async with http(settings, provider) as address, Client(address) as client:
        late = await client.call_tool("place_info", {"place": FOUND})
    assert late.is_error
    assert "The deadline of 0.2 s passed" in late.content[0].text  # type: ignore[union-attr]


def test_wrong_use_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    run = CommandLine(capsys)
    assert "is not a whole number from 300" in run("mcp", "--reply-tokens", "12").err
    assert run("mcp", "--reply-tokens", "12").code == 2


def test_a_missing_package_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    ran = CommandLine(capsys)("mcp")
    assert ran.code == 2
    assert "pip install 'mapagent[mcp]'" in ran.err
