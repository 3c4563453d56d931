"""Addresses of servers, as settings give them."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator


def web_address(text: str) -> str:
    """The address of a server, unchanged (RFC 3986, section 3.2).

    Raises:
        ValueError: It does not begin with a web scheme, names no server, or its host or port cannot be. The
            message does not repeat it, for an address can hold a password.
    """
    if not _is_one(text):
        raise ValueError("it is not the address of a server, which is written http://HOST:PORT/PATH")
    return text


def _is_one(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that hold no IPv6 address; a port that is no number, or too large a one
        return False


type WebAddress = Annotated[str, AfterValidator(web_address)]
"""A setting that names a server."""
