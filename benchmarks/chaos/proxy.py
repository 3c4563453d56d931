"""A proxy before an HTTP server of this machine that lets requests go wrong on purpose, as a plan says.

The faults, and what the product must make of each, are in `faults.toml`; replies are spoilt by pure functions from
JSON to what a faulty server makes of it.

A plan is drawn from a seed, so that a run can be repeated. A draw depends on the seed, the request and how often it
was made before, not on the moment it comes in: the same requests in another order meet the same faults.
"""

import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from map_tools.errors import ConfigError
from map_tools.testing.emulate.faults import WEB_PAGE
from map_tools.testing.emulate.http import HttpServer, Reply, Request

if TYPE_CHECKING:
    import httpx2
import hashlib
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from typing import Protocol

from map_tools.types import Frozen


class FaultKind(StrEnum):
    """What goes wrong."""

    BUSY_TOLD = "busy_told"
    BUSY = "busy"
    FAILURE = "failure"
    UNAVAILABLE = "unavailable"
    RESET = "reset"
    DRIP = "drip"
    HALF_JSON = "half_json"
    WEB_PAGE = "web_page"
    WRONG_TYPE = "wrong_type"
    DUPLICATE_FIELDS = "duplicate_fields"
    CLOCK_SKEW = "clock_skew"
    EMPTY_LIST = "empty_list"
    MISSING_FIELDS = "missing_fields"
    STALE_ID = "stale_id"


class ServerKind(StrEnum):
    """Whose server it is."""

    MAP = "map"
    MODEL = "model"


class FaultCard(Frozen):
    """What is known of a fault.

    Attributes:
        kind: The fault.
        looks: What it looks like from outside.
        strikes: The servers at which it is tried.
        recoverable: The servers at which asking again brings the truth.
        must: What the product must make of it.
    """

    kind: FaultKind
    looks: str
    strikes: tuple[ServerKind, ...]
    recoverable: tuple[ServerKind, ...]
    must: str


@lru_cache(maxsize=1)
def fault_cards() -> tuple[FaultCard, ...]:
    """All faults in the file's order."""
    text = files("benchmarks.chaos").joinpath("faults.toml").read_text(encoding="utf-8")
    return tuple(FaultCard.model_validate(one) for one in tomllib.loads(text)["fault"])


def kinds_at(server: ServerKind, *, recoverable: bool) -> tuple[FaultKind, ...]:
    """The faults that are tried at a server; `recoverable`: only those that asking again makes good."""
    return tuple(
        card.kind for card in fault_cards() if server in (card.recoverable if recoverable else card.strikes)
    )


@dataclass(frozen=True, slots=True)
class Strike:
    """A fault that strikes a request; `dice` makes whatever the fault leaves to chance."""

    kind: FaultKind
    dice: random.Random


class Plan(Protocol):
    """Decides what strikes which request."""

    def next(self, identity: bytes) -> Strike | None:
        """What strikes the next request of this identity, if anything does."""
        ...


class ChaosPlan:
    """Draws the fault of each request.

    Args:
        kinds: The faults, all equally likely.
        share: The share of requests that are struck (0 to 1).
        seed: Equal seeds draw equal faults.
    """

    def __init__(self, kinds: Sequence[FaultKind], share: float, seed: int) -> None:
        self._kinds = tuple(kinds)
        self._share = share
        self._seed = seed
        self._made: Counter[bytes] = Counter()

    def next(self, identity: bytes) -> Strike | None:
        """What strikes the next request of this identity, if anything does."""
        key = hashlib.blake2b(identity, digest_size=16).digest()
        self._made[key] += 1
        dice = random.Random(f"{self._seed} {self._made[key]} {key.hex()}")  # noqa: S311 (repeatable, not secret)
        if not self._kinds or dice.random() >= self._share:
            return None
        return Strike(dice.choice(self._kinds), dice)


MISSING_SHARE = 0.2
"""Share of the fields that go missing."""


def emptied(value: Any) -> Any:
    """The value with every list at its top emptied (the value itself, if it is a list)."""
    if isinstance(value, list):
        return []
    if isinstance(value, dict):
        return {name: [] if isinstance(item, list) else item for name, item in value.items()}
    return value


def thinned(value: Any, dice: random.Random) -> Any:
    """The value without some of its fields, at any depth."""
    if isinstance(value, list):
        return [thinned(item, dice) for item in value]
    if isinstance(value, dict):
        return {name: thinned(item, dice) for name, item in value.items() if dice.random() >= MISSING_SHARE}
    return value


def doubled(value: Any) -> str:
    """JSON text in which each number and each text stands twice, the second time with another value."""
    if isinstance(value, list):
        return f"[{', '.join(map(doubled, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(_fields(value))}}}"
    return json.dumps(value, ensure_ascii=False)


def _fields(value: dict[str, Any]) -> list[str]:
    fields = []
    for name, item in value.items():
        fields.append(f"{json.dumps(name)}: {doubled(item)}")
        if isinstance(item, str | int | float):
            fields.append(f"{json.dumps(name)}: {json.dumps(_other(item), ensure_ascii=False)}")
    return fields


def _other(item: str | float) -> str | float | bool:
    """Another value of the same type."""
    if isinstance(item, bool):
        return not item
    return item[::-1] + "?" if isinstance(item, str) else item * 2 + 1


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


HOST = "127.0.0.1"
DRIP_S = 30.0
UPSTREAM_TIMEOUT_S = 120.0
NOT_PASSED_ON = frozenset({"accept-encoding", "connection", "content-length", "host", "keep-alive"})
"""Headers about one connection alone (RFC 9110, section 7.6.1), or set anew by whoever sends."""
PASSED_BACK = ("retry-after", "date")
"""Headers of a reply, beside its type, that mean something to a client."""


class ChaosProxy:
    """Passes requests on to a server, and lets some of them go wrong.

    Args:
        upstream: Base address of the server.
        plan: Which requests are struck.
        drip_s: How long a reply drips in; make it longer than the client waits.

    Attributes:
        requests: How many requests came in.
        struck: How many of them were struck, by fault.

    Raises:
        ConfigError: The server is not on this machine.
    """

    def __init__(self, upstream: str, plan: Plan, *, drip_s: float = DRIP_S) -> None:
        if urlsplit(upstream).hostname != HOST:
            raise ConfigError(
                f"'{upstream}' is not on this machine; faults are made before our own servers only.",
                f"Give an address such as http://{HOST}:8765.",
            )
        self._upstream = upstream.rstrip("/")
        self._plan = plan
        self._drip_s = drip_s
        self._server = HttpServer(self._answer)
        self._client: httpx2.AsyncClient | None = None
        self.requests = 0
        self.struck: Counter[FaultKind] = Counter()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        """Serves on a free port while the body runs; gives the base address."""
        import httpx2

        self._client = httpx2.AsyncClient(timeout=UPSTREAM_TIMEOUT_S, trust_env=False)
        try:
            yield f"http://{HOST}:{await self._server.start(HOST, 0)}"
        finally:
            await self._server.close()
            await self._client.aclose()

    async def _answer(self, request: Request) -> Reply:
        self.requests += 1
        strike = self._plan.next(f"{request.method} {request.target}\n".encode() + request.body)
        if strike is None:
            return await self._passed_on(request)
        reply = refusal(strike, request)
        if reply is None:
            good = await self._passed_on(request)
            reply = self._spoilt(strike, good)
            if reply is good:
                return good
        self.struck[strike.kind] += 1
        return reply

    def _spoilt(self, strike: Strike, good: Reply) -> Reply:
        return spoilt(strike, good, self._drip_s) if good.status == HTTPStatus.OK else good

    async def _passed_on(self, request: Request) -> Reply:
        """The server's own reply; HTTP 502 if there is none."""
        import httpx2

        assert self._client is not None  # noqa: S101 (the proxy serves only while it is running)
        headers = {name: text for name, text in request.headers.items() if name not in NOT_PASSED_ON}
        try:
            reply = await self._client.request(
                request.method, self._upstream + request.target, headers=headers, content=request.body
            )
        except httpx2.TransportError as error:
            return Reply(HTTPStatus.BAD_GATEWAY, f"{type(error).__name__}\n".encode(), "text/plain")
        kept = {name: reply.headers[name] for name in PASSED_BACK if name in reply.headers}
        return Reply(
            reply.status_code, reply.content, reply.headers.get("content-type", "text/plain"), headers=kept
        )
