"""Addresses of servers, as settings give them."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator


def _address(text: str) -> str:
    if not _is_one(text):
        raise ValueError("it is not the address of a server, which is written http://HOST:PORT/PATH")
    return text


def _is_one(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that hold no IPv6 address; a port that is no number, or too large a one
        return False


type WebAddress = Annotated[str, AfterValidator(_address)]
"""A setting that names a server by a web scheme, a host and perhaps a port (RFC 3986, section 3.2).

What is none is refused without being repeated, for an address can hold a password.
"""
