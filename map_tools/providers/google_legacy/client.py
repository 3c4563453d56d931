"""The `googlemaps` client in worker threads. Only this file knows it.

The client blocks and is not thread-safe (it keeps the parameters of a call on itself), so each call gets one
of its own; that costs no connection, because connections are the wire's.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from pydantic import SecretStr

from map_tools.errors import LimitError, ToolError
from map_tools.providers.google_common.errors import Api, broken, refused
from map_tools.providers.google_legacy.session import STAND_IN_KEY, WireAdapter, session_over
from map_tools.wire import Cost, Wire

HOST = "https://maps.googleapis.com"
WORKERS = 8
"""Calls at once; further ones wait. A call does nothing but wait for the wire."""
NO_PACE = 1_000_000
"""Requests a second the client lets pass: the pace is the wire's."""

TOKEN_PAUSE_S = 2.0
TOKEN_ATTEMPTS = 4
"""A token of a further page is good only after a short delay that is not documented in seconds; a request
before that is INVALID_REQUEST
(https://developers.google.com/maps/documentation/places/web-service/search-nearby#PlaceSearchPaging)."""


class _RefusedError(Exception):
    """The service answered with another status than OK or ZERO_RESULTS."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(status)
        self.status = status
        self.message = message


class LegacyClient:
    """Calls the older services.

    Args:
        wire: The way to the network; must judge replies as `session.judge` does.
        key: The key.
        base_url: Address of a server that speaks the services' formats (an emulator); None: Google's own.
        sleep: Waits until the token of a further page is good; tests give one that does not.
    """

    def __init__(
        self,
        wire: Wire,
        key: SecretStr,
        *,
        base_url: str | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._wire = wire
        self._key = key
        self._base = base_url.rstrip("/") if base_url else HOST
        self._sleep = sleep
        self._pool = ThreadPoolExecutor(max_workers=WORKERS, thread_name_prefix="googlemaps")

    async def call(self, api: Api, method: str, cost: Cost, /, *, subject: str = "", **arguments: Any) -> Any:
        """What a method of `googlemaps.Client` returns.

        Args:
            api: The service the method asks.
            method: "places_nearby", "directions", ...
            cost: What Google bills.
            subject: What is asked for, for the sentence where Google has none.
            arguments: As the method takes them; those that are None are left out.

        Raises:
            ToolError: Google refused, cannot be reached, or sent something unreadable.
            LimitError: The budget does not hold the cost.
        """
        try:
            return await self._ask(api, method, cost, arguments)
        except _RefusedError as refusal:
            raise refused(api, refusal.status, refusal.message, subject=subject) from refusal

    async def next_page(self, api: Api, method: str, cost: Cost, token: str) -> Any:
        """A further page of a search, after the pause that its token needs.

        Raises:
            ToolError, LimitError: As `call`.
        """
        refusal: _RefusedError | None = None
        for _ in range(TOKEN_ATTEMPTS):
            await self._sleep(TOKEN_PAUSE_S)
            try:
                return await self._ask(api, method, cost, _page_arguments(method, token))
            except _RefusedError as early:
                refusal = early
                if early.status != "INVALID_REQUEST":
                    break
        status, message = (refusal.status, refusal.message) if refusal else ("INVALID_REQUEST", "")
        raise refused(api, status, message) from refusal

    async def close(self) -> None:
        """Ends the threads and closes the connections; may be called again."""
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)
        await self._wire.close()

    async def _ask(self, api: Api, method: str, cost: Cost, arguments: dict[str, Any]) -> Any:
        self._wire.attach()
        given = {name: value for name, value in arguments.items() if value is not None}
        run = copy_context().run  # costs reach the account of whoever asks
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, run, self._blocking, api, method, cost, given)

    def _blocking(self, api: Api, method: str, cost: Cost, arguments: dict[str, Any]) -> Any:
        import googlemaps
        from googlemaps.exceptions import ApiError, TransportError

        with session_over(WireAdapter(self._wire, self._key, api, cost)) as session:
            client = googlemaps.Client(
                key=STAND_IN_KEY,
                requests_session=session,
                retry_over_query_limit=False,
                queries_per_second=NO_PACE,
                queries_per_minute=60 * NO_PACE,
                base_url=self._base,
            )
            try:
                return getattr(client, method)(**arguments)
            except ApiError as error:
                raise _RefusedError(error.status, error.message or "") from error
            except TransportError as error:
                raise _cause(error, api) from error


def _page_arguments(method: str, token: str) -> dict[str, Any]:
    """A token says all; the text search still wants its text, which Google then ignores."""
    return {"query": "", "page_token": token} if method == "places" else {"page_token": token}


def _cause(error: Any, api: Api) -> Exception:
    """What our own transport raised: the client wraps everything."""
    cause = getattr(error, "base_exception", None)
    return cause if isinstance(cause, ToolError | LimitError) else broken(api, type(cause or error).__name__)
