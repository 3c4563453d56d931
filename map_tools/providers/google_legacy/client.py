"""The `googlemaps` client in worker threads, its requests led through the wire. Only this file knows it.

The client blocks and is not thread-safe (it keeps the parameters of a call on itself), so each call gets one
of its own; that costs no connection, because connections are the wire's. So throttle, retries, cache, recording,
budget and redaction are the same as for every other provider. The client itself never holds the key: it is given a
stand-in, and the key is put in on the way.
"""

import asyncio
import io
from collections.abc import Awaitable, Callable, Mapping
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from typing import Any

import requests
from pydantic import SecretStr
from requests.adapters import BaseAdapter

from map_tools.errors import LimitError, ProviderError, ToolError
from map_tools.providers.google_common.terms import Api, broken, refused
from map_tools.together import Threads
from map_tools.wire import Cost, Verdict, Wire, WireReply, WireRequest

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

STAND_IN_KEY = "AIza-put-in-by-the-wire"
"""What the client is given: it refuses keys that begin otherwise, whatever Google accepts
(https://github.com/googlemaps/google-maps-services-python/blob/v4.10.0/googlemaps/client.py)."""
KEY_PARAMETER = "key"
FINE = frozenset({"OK", "ZERO_RESULTS"})
BUSY = frozenset({"UNKNOWN_ERROR", "OVER_QUERY_LIMIT"})
"""Statuses after which asking again may help
(https://developers.google.com/maps/documentation/places/web-service/search-nearby#PlacesSearchStatus)."""


class LegacyClient:
    """Calls the older services.

    Args:
        wire: The way to the network; must judge replies as `judge` does.
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
        self._threads = Threads("googlemaps", WORKERS)

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
        await self._threads.close()
        await self._wire.close()

    async def _ask(self, api: Api, method: str, cost: Cost, arguments: dict[str, Any]) -> Any:
        self._wire.attach()
        given = {name: value for name, value in arguments.items() if value is not None}
        run = copy_context().run  # costs reach the account of whoever asks
        return await self._threads.run(partial(run, self._blocking, api, method, cost, given))

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


class _RefusedError(Exception):
    """The service answered with another status than OK or ZERO_RESULTS."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(status)
        self.status = status
        self.message = message


class WireAdapter(BaseAdapter):
    """A transport for `requests` that sends through the wire from a worker thread.

    Args:
        wire: The way to the network.
        key: Put in place of `STAND_IN_KEY`.
        api: The service asked, for error sentences.
        cost: What the request is billed.
    """

    def __init__(self, wire: Wire, key: SecretStr, api: Api, cost: Cost) -> None:
        super().__init__()
        self._wire = wire
        self._key = key
        self._api = api
        self._cost = cost

    def send(
        self,
        request: requests.PreparedRequest,
        *_args: Any,
        **_options: Any,
    ) -> requests.Response:
        """Sends a request and hands over the reply; timeouts and the like are the wire's.

        Raises:
            ToolError: No reply, or one with an HTTP error: the client would try those again on its own.
            LimitError: The budget does not hold the cost.
        """
        asked = WireRequest.from_url(request.url or "", secret_names=(KEY_PARAMETER,))
        keyed = replace(asked, secret_params={KEY_PARAMETER: self._key.get_secret_value()})
        reply = self._wire.send_blocking(keyed, cost=self._cost)
        status, message = status_of(reply)
        if not reply.ok:
            raise refused(self._api, status, message)
        if status == _no_status(reply):
            raise broken(self._api, "it has no status")
        response = requests.Response()
        response.status_code = reply.status
        response.url = reply.address
        response.raw = io.BytesIO(reply.body)
        return response

    def close(self) -> None:
        """Nothing to close: the wire outlives the request."""


def session_over(adapter: BaseAdapter) -> requests.Session:
    """A session that has no other way out, whatever proxies the environment names."""
    session = requests.Session()
    session.trust_env = False
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session


def judge(reply: WireReply) -> Verdict:
    """What the status inside a reply means: the older services answer with HTTP 200 even when they refuse."""
    status, _ = status_of(reply)
    if status in FINE:
        return Verdict.GOOD
    return Verdict.RETRY if status in BUSY else Verdict.FINAL


def status_of(reply: WireReply) -> tuple[str, str]:
    """Status word and message of a reply; the HTTP status where there is none."""
    try:
        body = reply.json()
    except ProviderError:
        body = None
    if not isinstance(body, Mapping) or not isinstance(body.get("status"), str):
        return _no_status(reply), ""
    return body["status"], str(body.get("error_message", ""))


def _no_status(reply: WireReply) -> str:
    return f"HTTP {reply.status}"
