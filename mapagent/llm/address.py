"""Addresses of model servers."""

import ipaddress
from urllib.parse import urlsplit

OPENAI_URL = "https://api.openai.com/v1"
LOCAL_NAMES = ("localhost", "host.docker.internal")


def is_local(base_url: str) -> bool:
    """Whether an address is this machine's own."""
    host = _host(base_url)
    number = _number(host)
    return host in LOCAL_NAMES or (number is not None and (number.is_loopback or number.is_unspecified))


def is_private(base_url: str) -> bool:
    """Whether an address is on this machine or in a private network, where nobody charges for tokens."""
    host = _host(base_url)
    number = _number(host)
    return is_local(base_url) or "." not in host or (number is not None and number.is_private)


def root_of(base_url: str) -> str:
    """The server's root: everything before the path."""
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}"


def _host(base_url: str) -> str:
    return urlsplit(base_url).hostname or ""


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
