"""Servers on the network that a user names: one wire for each host, so that each is asked at its own pace."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from map_tools.errors import ProviderError
from map_tools.providers.base import ProviderSetting
from map_tools.providers.usage_policy import host_of, is_here, policy_for, user_agent
from map_tools.wire import Player, Recorder, Retention, Wire, WireReply, WireRequest
from map_tools.wire.policy import Judge

REFUSED = frozenset({401, 403, 406, 418})
"""Statuses by which these servers turn somebody away: a blocked address, an agent they do not like."""


class HttpClients:
    """Sends requests to any of the servers.

    Args:
        provider: The provider's name.
        agent: How we present ourselves.
        own_per_s: Pace for servers that are neither public nor on this machine.
        keep: What may be kept for how long.
        judge: Finds errors inside good replies.
        folder: Where replies are kept and the pace is shared between processes; None: nowhere.
        recording: What the wires write to or answer from.
        processes: How many processes ask these servers side by side.
        machines: On how many machines they are.
    """

    def __init__(
        self,
        provider: str,
        *,
        agent: str,
        own_per_s: float = 1.0,
        keep: Retention,
        judge: Judge | None = None,
        folder: Path | None = None,
        recording: Recorder | Player | None = None,
        processes: int = 1,
        machines: int = 1,
    ) -> None:
        self._provider = provider
        self._agent = agent
        self._own_per_s = own_per_s
        self._keep = keep
        self._judge = judge
        self._folder = folder
        self._recording = recording
        self._processes = processes
        self._machines = machines
        self._wires: dict[str, Wire] = {}

    @classmethod
    def of(
        cls,
        setting: ProviderSetting,
        *,
        addresses: Iterable[str],
        own_per_s: float,
        keep: Retention,
        judge: Judge | None = None,
    ) -> Self:
        """The way to the servers of a provider.

        Args:
            setting: What the provider is opened with.
            addresses: Addresses of all servers; those on this machine are asked without a contact.
            own_per_s: Pace for servers that are neither public nor on this machine.
            keep: What may be kept for how long.
            judge: Finds errors inside good replies.

        Raises:
            ConfigError: The contact is missing, or no address.
        """
        recording = setting.recording if isinstance(setting.recording, Recorder | Player) else None
        nobody_else = isinstance(recording, Player) or all(map(is_here, addresses))
        return cls(
            setting.name,
            agent="mapagent" if nobody_else else user_agent(setting.contact, setting.name),
            own_per_s=own_per_s,
            keep=keep,
            judge=judge,
            folder=setting.cache_folder,
            recording=recording,
            processes=setting.processes,
            machines=setting.machines,
        )

    async def get(self, url: str, params: Mapping[str, str]) -> WireReply:
        """The reply to a GET request, whatever its status."""
        return await self.send(WireRequest(url=url, params=params))

    async def post(self, url: str, *, form: Mapping[str, str] | None = None, json: Any = None) -> WireReply:
        """The reply to a POST request, whatever its status."""
        return await self.send(WireRequest(method="POST", url=url, form=form, json=json))

    async def send(self, request: WireRequest) -> WireReply:
        """The reply to a request, whatever its status."""
        return await self._wire(request.url).send(request)

    async def close(self) -> None:
        """Closes all connections."""
        for wire in self._wires.values():
            await wire.close()

    def _wire(self, url: str) -> Wire:
        host = host_of(url)
        if host not in self._wires:
            policy = policy_for(
                url,
                provider=self._provider,
                agent=self._agent,
                own_per_s=self._own_per_s,
                keep=self._keep,
                judge=self._judge,
            ).shared(self._processes, self._machines)
            self._wires[host] = Wire(policy, folder=self._folder, recording=self._recording)
        return self._wires[host]


@contextmanager
def reading(who: str) -> Iterator[None]:
    """Around all that looks into a reply: one that is not as documented becomes a `ProviderError`.

    Args:
        who: Whose reply it is, to begin the sentence ("The server host").
    """
    try:
        yield
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise ProviderError(f"{who} sent a reply that cannot be read.", "Try again later.") from error


def error_body(reply: WireReply) -> Mapping[str, Any]:
    """The JSON object of a reply that may be an error; empty if it is something else, such as a web page."""
    if not reply.text().lstrip().startswith("{"):
        return {}
    body: Mapping[str, Any] = reply.json()
    return body


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
