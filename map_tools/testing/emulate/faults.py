"""Faults on purpose: which requests go wrong, and what each fault looks like in each generation.

A fault hits all requests, every n-th one, or a share of them, of all endpoints or of one. Shares are drawn
from the seed, the request itself and how often it was made, so a run of parallel requests can be repeated.

Statuses: https://developers.google.com/maps/documentation/places/web-service/legacy/search#PlacesSearchStatus;
errors of the new services: https://cloud.google.com/apis/design/errors. The wording is our own.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from map_tools.errors import ConfigError
from map_tools.testing.emulate.endpoints import LegacyEndpoint, NewEndpoint
from map_tools.testing.emulate.google.envelope import INVALID_ARGUMENT, Json, RpcError
from map_tools.testing.emulate.google_legacy.envelope import INVALID_REQUEST, ZERO_RESULTS, LegacyStatusError

_MOST_REMEMBERED = 100_000
"""Different requests whose repetitions are counted."""
WEB_PAGE = b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Sign in first.</body></html>\n"
_DOMAIN = "googleapis.com"
_QUOTA = "You have exceeded your rate limit or daily quota for this API."


class FaultKind(StrEnum):
    """What goes wrong."""

    ZERO_RESULTS = "zero_results"
    """Nothing is found."""
    OVER_QUERY_LIMIT = "over_query_limit"
    """A quota is used up; the new services say RESOURCE_EXHAUSTED."""
    RESOURCE_EXHAUSTED = "resource_exhausted"
    """The same by its new name; the legacy services say OVER_QUERY_LIMIT."""
    REQUEST_DENIED = "request_denied"
    """The key is not accepted."""
    NOT_ENABLED = "not_enabled"
    """The project has not enabled this service (HTTP 403 in the new generation)."""
    UNKNOWN_ERROR = "unknown_error"
    """A passing fault of the server."""
    STALE_TOKEN = "stale_token"  # noqa: S105 (not a password)
    """A page token is refused."""
    SLOW = "slow"
    """The reply comes late."""
    HALF_JSON = "half_json"
    """The reply is whole by its length, but half of the JSON is missing."""
    HTML = "html"
    """The reply is a web page."""
    DROPPED = "dropped"
    """The connection ends in the middle of the reply."""
    RANDOM = "random"
    """Any of the above, drawn each time."""


_DRAWN = tuple(kind for kind in FaultKind if kind is not FaultKind.RANDOM)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and the requests it hits.

    Attributes:
        kind: What goes wrong.
        endpoint: Name of the only endpoint it hits; empty: all.
        every: It hits every so many-th request (1: each).
        share: It hits this share of the requests instead (0 to 1).
        seconds: How late a slow reply is.
    """

    kind: FaultKind
    endpoint: str = ""
    every: int = 1
    share: float | None = None
    seconds: float = 3.0


def read_fault(text: str, endpoints: Sequence[str]) -> Fault:
    """Reads "KIND[@ENDPOINT][:every=N | :share=P][:seconds=S]", such as "slow@textsearch:share=0.3".

    Raises:
        ConfigError: It is not of this form, or names what there is not.
    """
    what, *settings = text.split(":")
    name, _, endpoint = what.partition("@")
    if name not in set(FaultKind):
        raise ConfigError(f"There is no fault '{name}'.", f"Known: {', '.join(FaultKind)}.")
    if endpoint and endpoint not in endpoints:
        raise ConfigError(f"There is no endpoint '{endpoint}'.", f"Known: {', '.join(endpoints)}.")
    fault = Fault(FaultKind(name), endpoint)
    for setting in settings:
        fault = _with_setting(fault, setting, text)
    return fault


class FaultPlan:
    """Decides for each request whether something goes wrong.

    Args:
        faults: The first one that hits a request counts.
        seed: Makes the shares repeatable.
    """

    def __init__(self, faults: Sequence[Fault] = (), seed: int = 0) -> None:
        self._faults = tuple(faults)
        self._seed = seed
        self._hits: Counter[int] = Counter()
        self._repeats: Counter[bytes] = Counter()

    def next(self, endpoint: str, identity: bytes) -> Fault | None:
        """The fault that hits the next request to an endpoint; `identity` tells requests from each other."""
        if not self._faults:
            return None
        if len(self._repeats) > _MOST_REMEMBERED:
            self._repeats.clear()
        key = hashlib.blake2b(f"{endpoint}\n".encode() + identity, digest_size=16).digest()
        self._repeats[key] += 1
        for index, fault in enumerate(self._faults):
            if fault.endpoint in {"", endpoint} and self._strikes(index, fault, key):
                return self._drawn(fault, key)
        return None

    def _strikes(self, index: int, fault: Fault, key: bytes) -> bool:
        if fault.share is not None:
            return self._draw(f"share {index}", key) < fault.share
        self._hits[index] += 1
        return self._hits[index] % fault.every == 0

    def _drawn(self, fault: Fault, key: bytes) -> Fault:
        if fault.kind is not FaultKind.RANDOM:
            return fault
        return replace(fault, kind=_DRAWN[int(self._draw("kind", key) * len(_DRAWN))])

    def _draw(self, purpose: str, key: bytes) -> float:
        """A number from 0 to 1 (exclusive) that depends on nothing but the seed and the request."""
        text = f"{self._seed} {purpose} {self._repeats[key]} ".encode() + key
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest()) / 2**64


def _with_setting(fault: Fault, setting: str, text: str) -> Fault:
    name, _, value = setting.partition("=")
    try:
        if name == "every" and int(value) >= 1:
            return replace(fault, every=int(value))
        if name == "share" and 0 <= float(value) <= 1:
            return replace(fault, share=float(value))
        if name == "seconds" and float(value) >= 0:
            return replace(fault, seconds=float(value))
    except ValueError:
        pass
    raise ConfigError(
        f"'{setting}' in the fault '{text}' is not understood.",
        "Write every=N (from 1), share=P (0 to 1) or seconds=S.",
    )


def legacy_fault(endpoint: LegacyEndpoint, kind: FaultKind) -> None:
    """Ends a legacy request as the fault does; faults that spoil or delay a good reply do nothing here.

    Raises:
        LegacyStatusError: The status the fault is told by.
    """
    match kind:
        case FaultKind.ZERO_RESULTS:
            raise LegacyStatusError(ZERO_RESULTS)
        case FaultKind.OVER_QUERY_LIMIT | FaultKind.RESOURCE_EXHAUSTED:
            raise LegacyStatusError("OVER_QUERY_LIMIT", _QUOTA)
        case FaultKind.REQUEST_DENIED:
            raise LegacyStatusError("REQUEST_DENIED", "The provided API key is invalid.")
        case FaultKind.NOT_ENABLED:
            raise LegacyStatusError(
                "REQUEST_DENIED",
                f"You're calling a legacy API, not enabled for your project ({endpoint.service.title}).",
            )
        case FaultKind.UNKNOWN_ERROR:
            raise LegacyStatusError("UNKNOWN_ERROR")
        case FaultKind.STALE_TOKEN:
            raise LegacyStatusError(INVALID_REQUEST)


def new_fault(endpoint: NewEndpoint, kind: FaultKind) -> bool:
    """Ends a request of the new generation as the fault does.

    Returns:
        True if the reply is to be empty; False for faults that spoil or delay a good reply.

    Raises:
        RpcError: The error the fault is told by.
    """
    match kind:
        case FaultKind.ZERO_RESULTS if endpoint.prefix:
            raise RpcError("NOT_FOUND", "The place was not found.")
        case FaultKind.ZERO_RESULTS:
            return True
        case FaultKind.OVER_QUERY_LIMIT | FaultKind.RESOURCE_EXHAUSTED:
            raise RpcError("RESOURCE_EXHAUSTED", _QUOTA, (_info(endpoint, "RATE_LIMIT_EXCEEDED"),))
        case FaultKind.REQUEST_DENIED:
            raise RpcError(
                INVALID_ARGUMENT,
                "API key not valid. Please pass a valid API key.",
                (_info(endpoint, "API_KEY_INVALID"),),
            )
        case FaultKind.NOT_ENABLED:
            raise RpcError(
                "PERMISSION_DENIED",
                f"{endpoint.service.title} has not been used in this project before or it is disabled.",
                (_info(endpoint, "SERVICE_DISABLED"),),
            )
        case FaultKind.UNKNOWN_ERROR:
            raise RpcError("UNAVAILABLE", "The service is currently unavailable.")
        case FaultKind.STALE_TOKEN:
            raise RpcError(INVALID_ARGUMENT, "The page_token is invalid.")
    return False


def _info(endpoint: NewEndpoint, reason: str) -> Json:
    """The machine-readable part of an error (https://google.aip.dev/193#errorinfo)."""
    return {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": _DOMAIN,
        "metadata": {"service": endpoint.service.name},
    }
