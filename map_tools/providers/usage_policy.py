"""What those who run public map servers ask of everybody: say who you are, go slowly, wait when told so.

- Nominatim: at most one request a second for all users of an application together, an identifying User-Agent,
  keep results (https://operations.osmfoundation.org/policies/nominatim/).
- Overpass: an identifying User-Agent, one request at a time, a pause after 429
  (https://dev.overpass-api.de/overpass-doc/en/preface/commons.html).
- FOSSGIS (OSRM, Valhalla): at most one request a second, an identifying User-Agent
  (https://www.fossgis.de/arbeitsgruppen/osm-server/nutzungsbedingungen/).
- OSRM's demo server: the same (https://github.com/Project-OSRM/osrm-backend/wiki/Api-usage-policy).
"""

import re
from importlib.metadata import version
from urllib.parse import urlsplit

from map_tools.errors import ConfigError
from map_tools.wire import Retention, WirePolicy
from map_tools.wire.policy import Judge

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
