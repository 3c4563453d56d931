"""Requests as the two libraries make them, as the wire takes them: keys apart from the rest."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from map_tools.wire import WireRequest
from map_tools.wire.redact import is_secret_name

FORM = "application/x-www-form-urlencoded"
_OURS = frozenset({"user-agent", "content-type", "accept-encoding"})
"""Headers that the wire sets itself."""


def wire_request(url: str, headers: Mapping[str, Any], body: Mapping[str, Any] | None = None) -> WireRequest:
    """The request that a library makes of an address.

    Args:
        url: The address with its query.
        headers: The library's headers.
        body: Sent by POST, as JSON or, if the headers say so, as a form; None: GET.
    """
    names = {name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)}
    request = WireRequest.from_url(url, secret_names=tuple(filter(is_secret_name, names)))
    sent = {
        name: str(value) for name, value in headers.items() if name.lower() not in _OURS and value is not None
    }
    request = replace(
        request,
        headers={name: value for name, value in sent.items() if not is_secret_name(name)},
        secret_headers={name: value for name, value in sent.items() if is_secret_name(name)},
    )
    if body is None:
        return request
    if any(str(value).startswith(FORM) for value in headers.values()):
        return replace(request, method="POST", form={name: str(value) for name, value in body.items()})
    return replace(request, method="POST", json=dict(body))
