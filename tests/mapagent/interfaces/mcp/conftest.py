"""A server over the hand-written harbour world or the demo map, and the official client beside it."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp.client import advertise
from mcp.client.client import Client
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp_types import CallToolResult, TextContent

from map_tools.own_places import NO_OWN_PLACES, OwnPlaces
from map_tools.providers.base import Provider
from mapagent.core.agent import MapAgent
from mapagent.interfaces.mcp.replies import STRUCTURED_SHARE
from mapagent.interfaces.mcp.server import MapServer
from mapagent.interfaces.mcp.workbench import Workbench
from mapagent.llm.chat import text_tokens
from mapagent.runtime.config import Settings
from tests.support.awkward import WORLD
from tests.support.maps import demo_map


@dataclass(frozen=True)
class Told:
    """A reply as the client got it."""

    text: str
    data: dict[str, Any]
    handle: str | None


@dataclass
class Caller:
    """Calls tools, and checks of every reply what holds for all of them."""

    client: Client
    reply_tokens: int

    async def __call__(self, tool: str, **arguments: Any) -> Told:
        """A reply that is no error; it must fit the declared schema and the budget."""
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, text_of(result)
        declared = {one.name: one for one in (await self.client.list_tools()).tools}[tool]
        assert declared.output_schema is not None
        Draft202012Validator(declared.output_schema).validate(result.structured_content)
        data: dict[str, Any] = result.structured_content
        assert text_tokens(text_of(result)) <= self.reply_tokens
        compact = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        assert text_tokens(compact) <= STRUCTURED_SHARE * self.reply_tokens
        links = [block.uri for block in result.content if block.type == "resource_link"]
        assert links == ([data["handle"]] if "handle" in data else [])
        return Told(text_of(result), data, data.get("handle"))

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The words of a reply that must be an error."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error, result.structured_content
        return text_of(result)


def text_of(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


@asynccontextmanager
async def calling(
    settings: Settings,
    *,
    provider: Provider | None = None,
    images: Path | None = None,
    reply_tokens: int = 1_500,
    own: OwnPlaces = NO_OWN_PLACES,
    apps: bool = False,
) -> AsyncIterator[Caller]:
    """The official client on a server in this process; with `apps` it says that it shows user interfaces."""
    extensions = [advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})] if apps else []
    bench = Workbench.of(MapAgent(settings, provider=provider, own=own), images=images)
    try:
        server = MapServer(bench, reply_tokens=reply_tokens).protocol()
        async with Client(server, extensions=extensions) as client:
            yield Caller(client, reply_tokens)
    finally:
        await bench.close()


@pytest.fixture
def harbour() -> Settings:
    """Settings of the hand-written world."""
    return Settings(provider=f"recorded:{WORLD}")


@pytest.fixture
def helsinki(tmp_path: Path) -> Settings:
    """Settings of the demo map, with a data home of its own."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "maps").symlink_to(demo_map().parent)
    return Settings(data_home=tmp_path / "data", map=demo_map().name)
