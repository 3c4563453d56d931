"""The service behind the provider: its address, its key and what it demands of those who ask it."""

from typing import Any, Protocol

from map_tools.errors import ProviderError
from map_tools.wire import Wire, WirePolicy, WireRequest

BASE_URL = "https://atlas.example/v1"
POLICY = WirePolicy(name="atlas", title="the Atlas service", requests_per_s=5)
"""Five requests a second: https://atlas.example/terms#rate."""


class Asker(Protocol):
    """What the provider asks: the service itself, or what stands in for it."""

    async def get(self, path: str, **params: str) -> Any:
        """The reply as JSON; None where the service says that there is no such thing (404)."""
        ...

    async def close(self) -> None:
        """Frees what is held."""
        ...


class Service:
    """The service over the network: throttled, retried, its key kept out of everything that is written."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._wire = Wire(POLICY)

    async def get(self, path: str, **params: str) -> Any:
        """The reply as JSON; None where the service says that there is no such thing (404)."""
        request = WireRequest(
            url=f"{BASE_URL}/{path}", params=params, secret_headers={"X-Atlas-Key": self._key}
        )
        reply = await self._wire.send(request)
        if reply.status == 404:
            return None
        if not reply.ok:
            raise ProviderError(f"The Atlas service refused the request (status {reply.status}).")
        return reply.json()

    async def close(self) -> None:
        """Closes the connections."""
        await self._wire.close()
