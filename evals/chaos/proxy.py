"""A proxy before an HTTP server of this machine that lets requests go wrong on purpose."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from evals.chaos.faults import FaultKind
from evals.chaos.plan import Plan, Strike
from evals.chaos.replies import refusal, spoilt
from map_tools.emulate.http import HttpServer, Reply, Request
from map_tools.errors import ConfigError

if TYPE_CHECKING:
    import httpx2

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
