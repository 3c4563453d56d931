"""The four map tools, asked over HTTP."""

from dataclasses import dataclass, field
from typing import Any

import httpx

TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Connections:
    """Kept for the whole run: to open a client takes longer than a call."""

    blocking: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=TIMEOUT_S))
    awaited: httpx.AsyncClient = field(default_factory=lambda: httpx.AsyncClient(timeout=TIMEOUT_S))


@dataclass(frozen=True)
class RemoteTool:
    """A tool as the server describes it.

    Attributes:
        parameters: The JSON schema of its arguments.
        url: Where it is called.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    url: str
    connections: Connections

    def call(self, **arguments: Any) -> str:
        """What the tool brings, as text."""
        return _text(self.connections.blocking.post(self.url, json=_given(arguments)))

    async def call_async(self, **arguments: Any) -> str:
        """The same without blocking."""
        return _text(await self.connections.awaited.post(self.url, json=_given(arguments)))


def fetched_tools(url: str) -> tuple[RemoteTool, ...]:
    """The tools of a server."""
    connections = Connections()
    described = connections.blocking.get(f"{url}/tools").raise_for_status().json()
    return tuple(
        RemoteTool(**tool, url=f"{url}/tools/{tool['name']}", connections=connections) for tool in described
    )


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    """Frameworks fill what a model leaves out with None."""
    return {name: value for name, value in arguments.items() if value is not None}


def _text(response: httpx.Response) -> str:
    return str(response.raise_for_status().json())
