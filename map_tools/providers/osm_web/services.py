"""The servers on the network: one wire for each host, so that each is asked at its own pace."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from map_tools.errors import ProviderError
from map_tools.providers.osm_web.manners import host_of, policy_for
from map_tools.wire import Player, Recorder, Wire, WireReply, WireRequest

REFUSED = frozenset({401, 403, 406, 418})
"""Statuses by which these servers turn somebody away: a blocked address, an agent they do not like."""


class WebServices:
    """Sends requests to any of the servers.

    Args:
        provider: The provider's name.
        agent: How we present ourselves.
        own_per_s: Pace for servers that are neither public nor on this machine.
        folder: Where replies are kept and the pace is shared between processes; None: nowhere.
        recording: What the wires write to or answer from.
    """

    def __init__(
        self,
        provider: str,
        *,
        agent: str,
        own_per_s: float = 1.0,
        folder: Path | None = None,
        recording: Recorder | Player | None = None,
    ) -> None:
        self._provider = provider
        self._agent = agent
        self._own_per_s = own_per_s
        self._folder = folder
        self._recording = recording
        self._wires: dict[str, Wire] = {}

    async def get(self, url: str, params: Mapping[str, str]) -> WireReply:
        """The reply to a GET request, whatever its status."""
        return await self._wire(url).send(WireRequest(url=url, params=params))

    async def post(self, url: str, *, form: Mapping[str, str] | None = None, json: Any = None) -> WireReply:
        """The reply to a POST request, whatever its status."""
        return await self._wire(url).send(WireRequest(method="POST", url=url, form=form, json=json))

    async def close(self) -> None:
        """Closes all connections."""
        for wire in self._wires.values():
            await wire.close()

    def _wire(self, url: str) -> Wire:
        host = host_of(url)
        if host not in self._wires:
            policy = policy_for(url, provider=self._provider, agent=self._agent, own_per_s=self._own_per_s)
            self._wires[host] = Wire(policy, folder=self._folder, recording=self._recording)
        return self._wires[host]


def refusal(url: str, status: int, said: str = "") -> ProviderError:
    """The error for a status that says that the server did not answer the question.

    Args:
        url: What was asked.
        status: The HTTP status.
        said: The server's own words, empty if it has none for people.
    """
    host = host_of(url)
    if status == 429:
        return ProviderError(f"The server {host} has had too many requests.", "Try again in a minute.")
    if status in REFUSED:
        return ProviderError(
            f"The server {host} refuses us (status {status}).",
            "Check the contact address, and whether the server's operators have blocked you.",
        )
    reason = f": {said.rstrip('.')}" if said else ""
    return ProviderError(
        f"The server {host} could not answer (status {status}{reason}).",
        "Try again later, or name another server.",
    )
