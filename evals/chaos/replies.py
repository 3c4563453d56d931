"""What each fault makes of a request or of the reply to it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from evals.chaos.faults import FaultKind
from evals.chaos.plan import Strike
from evals.chaos.spoil import doubled, emptied, thinned
from map_tools.emulate.fault_replies import WEB_PAGE
from map_tools.emulate.http import Reply, Request

ASKED_WAIT_S = 1
"""What a Retry-After asks for: HTTP knows whole seconds only (RFC 9110, section 10.2.3)."""
SKEW = timedelta(days=1)
HTML = "text/html; charset=utf-8"
_ID_PARAMETERS = frozenset({"place_id", "placeid"})
"""How the older services name a place; the second is the older spelling, which `googlemaps` still sends."""


def refusal(strike: Strike, request: Request) -> Reply | None:
    """The reply of a fault that needs no reply of the server; None for the others."""
    match strike.kind:
        case FaultKind.BUSY_TOLD:
            return _error(429, "RESOURCE_EXHAUSTED", {"Retry-After": str(ASKED_WAIT_S)})
        case FaultKind.BUSY:
            return _error(429, "RESOURCE_EXHAUSTED")
        case FaultKind.FAILURE:
            return _error(500, "INTERNAL")
        case FaultKind.UNAVAILABLE:
            return _error(503, "UNAVAILABLE")
        case FaultKind.RESET:
            return Reply(200, b"", reset=True)
        case FaultKind.CLOCK_SKEW:
            return _error(503, "UNAVAILABLE", _skewed(strike))
        case FaultKind.WEB_PAGE:
            return Reply(200, WEB_PAGE, HTML)
        case FaultKind.STALE_ID:
            return _not_found(request) if _names_an_id(request) else None
    return None


def spoilt(strike: Strike, reply: Reply, drip_s: float) -> Reply:
    """A good reply as a fault spoils it; the reply itself where it has nothing that could be spoilt."""
    match strike.kind:
        case FaultKind.DRIP:
            return replace(reply, drip_s=drip_s)
        case FaultKind.HALF_JSON:
            return replace(reply, body=reply.body[: len(reply.body) // 2])
        case FaultKind.WRONG_TYPE:
            return replace(reply, content_type=HTML)
        case FaultKind.DUPLICATE_FIELDS:
            return _rewritten(reply, doubled)
        case FaultKind.EMPTY_LIST:
            return _rewritten(reply, lambda value: json.dumps(emptied(value)))
        case FaultKind.MISSING_FIELDS:
            return _rewritten(reply, lambda value: json.dumps(thinned(value, strike.dice)))
    return reply


def _rewritten(reply: Reply, write: Callable[[Any], str]) -> Reply:
    value = json.loads(reply.body)
    text = write(value)
    return reply if text == json.dumps(value) else replace(reply, body=text.encode())


def _error(code: int, status: str, headers: Mapping[str, str] | None = None) -> Reply:
    """An error in the form of Google's services (https://cloud.google.com/apis/design/errors).

    Model servers have the same outer form
    (https://platform.openai.com/docs/guides/error-codes/api-errors).
    """
    body = {"error": {"code": code, "message": "Made to fail.", "status": status}}
    return Reply(code, json.dumps(body).encode(), headers=headers or {})


def _skewed(strike: Strike) -> dict[str, str]:
    """The headers of a server whose clock is a day fast or slow."""
    now = datetime.now(UTC) + strike.dice.choice((SKEW, -SKEW))
    until = now + timedelta(seconds=ASKED_WAIT_S)
    return {"Date": format_datetime(now, usegmt=True), "Retry-After": format_datetime(until, usegmt=True)}


def _names_an_id(request: Request) -> bool:
    """Whether a request to one of Google's services names a place by its id."""
    return (
        request.path.startswith("/v1/places/")
        or b'"placeId"' in request.body
        or not _ID_PARAMETERS.isdisjoint(request.query)
        or any(value.startswith("place_id:") for value in request.query.values())
    )


def _not_found(request: Request) -> Reply:
    """What Google says of an id that is no longer known; the older services say it with HTTP 200.

    https://developers.google.com/maps/documentation/places/web-service/place-id#refresh-id
    """
    if request.path.startswith("/maps/api/"):
        return Reply(200, b'{"status": "NOT_FOUND"}')
    return _error(404, "NOT_FOUND")
