"""What is let in: who may ask, and how much.

Limited are sizes of bodies and the time they take, questions of one client, questions at work.

Guards also tell browsers what they may do with the page: headers after the OWASP secure headers project
(https://owasp.org/www-project-secure-headers/).
"""

import asyncio
import hmac
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mapagent.interfaces.http.options import ServeOptions, is_loopback
from mapagent.interfaces.http.replies import Refusal, refused

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing from elsewhere, nothing inline; pictures that the page itself holds (`data:`, `blob:`) are shown
(https://www.w3.org/TR/CSP3/)."""
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(self), camera=(), microphone=()",
}
PUBLIC_PATHS = frozenset({"", "/api/health"})
PUBLIC_PREFIX = "/page/"
"""What is served without the token: the page itself, which holds nothing, and whether the server lives."""
HISTORY_PATH = "/api/history"
"""The list of what was asked. Who has asked knows the id of his answer; only the list tells those of others."""
MAX_CLIENTS = 10_000
"""Clients whose requests are counted; the one that was quiet for longest is forgotten first."""
WAITING_FOR_EACH = 8
"""Questions that may wait for each one at work: more would only wait until their callers have given up."""


class Guard:
    """Turns foreign requests away and puts the security headers on every reply (ASGI middleware).

    A server that only this machine can reach answers only to this machine's names, so that no web page can
    reach it through a name of its own (DNS rebinding). A browser's request from another origin is refused.
    """

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        self._app = app
        self._token = options.token
        self._owner_token = options.owner_token
        self._local_only = options.local_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or answers 401 or 403."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._check(scope["scheme"], scope["path"].rstrip("/"), Headers(scope=scope))
        except Refusal as refusal:
            await refused(refusal)(scope, receive, secured)
            return
        await self._app(scope, receive, secured)

    def _check(self, scheme: str, path: str, headers: Headers) -> None:
        host = headers.get("host", "")
        if self._local_only and not is_loopback(_hostname(host)):
            raise Refusal(403, "This server answers only on this machine.", "Open it as http://127.0.0.1.")
        origin = headers.get("origin")
        if origin is not None and origin != f"{scheme}://{host}":
            raise Refusal(403, "Pages of other sites may not use this server.")
        if self._token is None:
            self._check_owner(path, headers)
        elif (
            path not in PUBLIC_PATHS
            and not path.startswith(PUBLIC_PREFIX)
            and not _bears(headers, self._token)
        ):
            raise Refusal(
                401,
                "This server wants a token.",
                "Send it as 'Authorization: Bearer TOKEN'.",
                {"WWW-Authenticate": "Bearer"},
            )

    def _check_owner(self, path: str, headers: Headers) -> None:
        if path == HISTORY_PATH and self._owner_token is not None and not _bears(headers, self._owner_token):
            raise Refusal(
                403,
                "What was asked is for who started this server.",
                "Open the link that `mapagent serve` has printed, or send its token as 'Authorization: Bearer TOKEN'.",
            )


def _bears(headers: Headers, token: str) -> bool:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), token.encode())


def _hostname(host: str) -> str:
    """The name in a Host header, without its port; empty if it is none (RFC 9110, section 7.2)."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class BodyLimit:
    """Refuses bodies over a size, whether they tell it in advance or not, and late ones (ASGI middleware).

    The framework's own limit answers in plain text, while every error of ours is the same JSON.
    """

    def __init__(self, app: ASGIApp, max_bytes: int, patience_s: float) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._patience_s = patience_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or answers 413 or 408."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        told = dict(scope["headers"]).get(b"content-length", b"")
        if told.isdigit() and int(told) > self._max_bytes:
            await refused(self._too_large())(scope, receive, send)
            return
        taken = 0
        end: float | None = asyncio.get_running_loop().time() + self._patience_s

        async def counted() -> Message:
            nonlocal taken, end
            try:
                async with asyncio.timeout_at(end):
                    message = await receive()
            except TimeoutError as error:
                raise self._too_slow() from error
            if not message.get("more_body", False):
                end = None  # what comes after the body is the end of the connection
            taken += len(message.get("body", b""))
            if taken > self._max_bytes:
                raise self._too_large()
            return message

        await self._app(scope, counted, send)

    def _too_slow(self) -> Refusal:
        told = f"The body did not arrive within {self._patience_s:g} s."
        return Refusal(408, told, "Send it faster, or less of it.")

    def _too_large(self) -> Refusal:
        megabytes = self._max_bytes // 1_000_000
        return Refusal(413, f"The body is larger than {megabytes} MB.", "Send a smaller picture or text.")


class RateLimit:
    """Questions of each client within a minute, as a token bucket (half a minute's worth at once).

    Args:
        per_minute: 0 for no limit.
        timer: A monotonic clock in seconds.
    """

    def __init__(self, per_minute: int, timer: Callable[[], float] = monotonic) -> None:
        self._per_s = per_minute / 60
        self._most = max(1.0, per_minute / 2)
        self._timer = timer
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, client: str) -> None:
        """Counts a request.

        Raises:
            Refusal: The client asks too often (429); `Retry-After` says when it may again.
        """
        if not self._per_s:
            return
        now = self._timer()
        left, at = self._buckets.pop(client, (self._most, now))
        left = min(self._most, left + (now - at) * self._per_s)
        self._buckets[client] = (max(left - 1, 0.0) if left >= 1 else left, now)
        while len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        if left < 1:
            wait_s = int((1 - left) / self._per_s) + 1
            raise Refusal(
                429,
                "You ask more often than this server allows.",
                f"Wait {wait_s} s.",
                {"Retry-After": str(wait_s)},
            )


class Slots:
    """So many questions at work at once; others wait, and more than that are turned away."""

    def __init__(self, at_once: int) -> None:
        self._free = asyncio.Semaphore(at_once)
        self._most = at_once * (1 + WAITING_FOR_EACH)
        self.taken = 0
        """Questions at work or waiting."""

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Holds a slot.

        Raises:
            Refusal: Too many wait already (503).
        """
        if self.taken >= self._most:
            raise Refusal(
                503, "The server has too much to do.", "Try again in a moment.", {"Retry-After": "1"}
            )
        self.taken += 1
        try:
            async with self._free:
                yield
        finally:
            self.taken -= 1
