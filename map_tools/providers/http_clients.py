"""Servers on the network that a user names: one wire for each host, so that each is asked at its own pace.

Those who run public map servers ask of everybody to say who they are, go slowly, and wait when told so:

- Nominatim: at most one request a second for all users of an application together, an identifying User-Agent,
  keep results (https://operations.osmfoundation.org/policies/nominatim/).
- Overpass: an identifying User-Agent, one request at a time, a pause after 429
  (https://dev.overpass-api.de/overpass-doc/en/preface/commons.html).
- FOSSGIS (OSRM, Valhalla): at most one request a second, an identifying User-Agent
  (https://www.fossgis.de/arbeitsgruppen/osm-server/nutzungsbedingungen/).
- OSRM's demo server: the same (https://github.com/Project-OSRM/osrm-backend/wiki/Api-usage-policy).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from map_tools.errors import ConfigError, ProviderError
from map_tools.providers.base import ProviderSetting
from map_tools.wire import Player, Recorder, Retention, Wire, WirePolicy, WireReply, WireRequest
from map_tools.wire.policy import Judge

REFUSED = frozenset({401, 403, 406, 418})
"""Statuses by which these servers turn somebody away: a blocked address, an agent they do not like."""

PUBLIC = (
    "openstreetmap.org",
    "openstreetmap.de",
    "openstreetmap.fr",
    "overpass-api.de",
    "kumi.systems",
    "project-osrm.org",
)
"""Domains of servers that are free for all; their pace cannot be raised."""
PUBLIC_PER_S = 1.0
REST_S = 30.0
"""After 429 the public Overpass servers want to be left alone for half a minute."""
TIMEOUT_S = 60.0
"""A query of Overpass waits for a slot before it is worked on."""
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_CONTACT = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+\w{2,}|https?://[^\s()<>]+\.[^\s()<>]+")
_SAMPLE = re.compile(r"(?:^|[@./])example\.(?:com|org|net)\b", re.IGNORECASE)


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


def host_of(url: str) -> str:
    """The host of an address, with its port if it names one: what has a pace and connections of its own."""
    return urlsplit(url).netloc.rpartition("@")[2]


def is_here(url: str) -> bool:
    """True for a server on this machine."""
    return urlsplit(url).hostname in _HERE


def is_public(url: str) -> bool:
    """True for a server that is free for all."""
    host = urlsplit(url).hostname or ""
    return any(host == domain or host.endswith(f".{domain}") for domain in PUBLIC)


def policy_for(
    url: str,
    *,
    provider: str,
    agent: str,
    own_per_s: float,
    keep: Retention,
    judge: Judge | None = None,
) -> WirePolicy:
    """How the server at an address is asked.

    Args:
        url: The address.
        provider: The provider's name.
        agent: How we present ourselves.
        own_per_s: Pace for a server that is neither public nor on this machine.
        keep: What may be kept for how long.
        judge: Finds errors inside good replies.
    """
    public, here = is_public(url), is_here(url)
    return WirePolicy(
        name=f"{provider} {host_of(url)}",
        title=f"The server {host_of(url)}",
        requests_per_s=PUBLIC_PER_S if public else None if here else own_per_s,
        across_processes=not here,
        concurrency=1 if public else 8,
        timeout_s=TIMEOUT_S,
        attempts=2,
        first_wait_s=1.0,
        rest_s=0.0 if here else REST_S,
        longest_wait_s=2 * REST_S,
        judge=judge,
        keep=keep,
        user_agent=agent,
    )


def user_agent(contact: str, provider: str) -> str:
    """How we present ourselves to a server that others run.

    Raises:
        ConfigError: The contact is missing, no address, or copied from an example.
    """
    text = contact.strip()
    if not text:
        raise ConfigError(
            f"The provider '{provider}' asks public servers, whose operators want to know whom to write to.",
            "Set MAPAGENT_CONTACT to your e-mail or web address.",
        )
    if not _CONTACT.fullmatch(text) or _SAMPLE.search(text):
        raise ConfigError(
            f"'{contact}' is not an address at which the operators of map servers can reach you.",
            "Set MAPAGENT_CONTACT to your e-mail or web address.",
        )
    return f"mapagent/{version('mapagent')} ({text})"
