"""One event loop's way to a service: connections, slots, and what their failures mean."""

import asyncio
import json
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from map_tools.clock import Clock
from map_tools.errors import ProviderError
from map_tools.wire.environment import UNTRUSTED, is_untrusted, opened
from map_tools.wire.policy import Throttle, WirePolicy
from map_tools.wire.request import WireReply, WireRequest, redact, redact_bytes
from map_tools.wire.retry import NoReplyError, asked_wait_s, retry_after_s

if TYPE_CHECKING:
    import httpx2

PAST_DEADLINE_S = 0.5
"""Whoever can be cancelled at the deadline is cancelled before the attempt ends by itself."""
_LATER = "Try again later."
_CONNECTION = "Check the network connection and the address of the service."


class HttpClient:
    """Sends single requests.

    Args:
        policy: What the service demands.
        throttle: Lets requests pass at the policy's rate.
        clock: Tells when a reply came.
        transport: Another way to the network than HTTP; for tests.
    """

    def __init__(
        self,
        policy: WirePolicy,
        throttle: Throttle,
        clock: Clock,
        transport: "httpx2.AsyncBaseTransport | None" = None,
    ) -> None:
        self._policy = policy
        self._throttle = throttle
        self._clock = clock
        self._transport = transport
        self._client: httpx2.AsyncClient | None = None
        # The slot comes before the throttle, which polls: few are ever waiting there.
        self._slots = asyncio.Semaphore(policy.concurrency)

    async def attempt(self, request: WireRequest, left_s: Callable[[], float]) -> WireReply:
        """Sends a request once, when there is a slot and its turn has come.

        Args:
            request: What to ask.
            left_s: Seconds until the asker's deadline: soon after it the attempt ends, also where the asker
                is a thread that nobody can cancel.

        Raises:
            NoReplyError: There was no reply; another attempt may bring one.
            ProviderError: There was none, and another attempt would not help.
        """
        client = self._opened()  # takes its time once, which must not come between the turn and the request
        async with self._slots:
            await self._throttle.acquire()
            within_s = min(self._policy.timeout_s, left_s() + PAST_DEADLINE_S)
            reply = await self._exchange(client, request, within_s)
            if self._policy.rest_s and reply.status == HTTPStatus.TOO_MANY_REQUESTS:
                wait_s = max(self._policy.rest_s, asked_wait_s(reply))
                await self._throttle.rest(min(wait_s, self._policy.longest_wait_s))
            return reply

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.aclose()

    async def _exchange(
        self, client: "httpx2.AsyncClient", request: WireRequest, within_s: float
    ) -> WireReply:
        import httpx2

        policy = self._policy
        try:
            async with asyncio.timeout(within_s):
                return await self._streamed(client, request)
        except (TimeoutError, httpx2.TimeoutException):
            raise NoReplyError(f"did not answer within {within_s:.3g} s", _LATER) from None
        except httpx2.ConnectError as error:
            if is_untrusted(error):
                raise ProviderError(
                    f"The certificate of {policy.shown_name} does not hold ({_told(error, request)}).",
                    UNTRUSTED,
                ) from None
            raise NoReplyError(f"cannot be reached ({_told(error, request)})", _CONNECTION) from None
        except (httpx2.NetworkError, httpx2.RemoteProtocolError):
            raise NoReplyError("broke off the connection", _LATER) from None
        except httpx2.DecodingError:
            raise NoReplyError("sent a reply that cannot be unpacked", _LATER) from None
        except (httpx2.TransportError, httpx2.InvalidURL, UnicodeEncodeError) as error:
            raise ProviderError(
                f"The request to {policy.shown_name} cannot be sent ({_told(error, request)}).", _CONNECTION
            ) from None

    async def _streamed(self, client: "httpx2.AsyncClient", request: WireRequest) -> WireReply:
        client.cookies.clear()  # what an earlier reply set would change this one
        async with client.stream(**_arguments(request)) as response:
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > self._policy.max_body_bytes:
                    raise ProviderError(
                        f"The reply of {self._policy.shown_name} is longer than "
                        f"{self._policy.max_body_bytes} bytes.",
                        "Ask for less.",
                    )
            return WireReply(
                status=response.status_code,
                headers=_kept_headers(response.headers),
                body=redact_bytes(bytes(body), request.secrets()),
                received_at=self._clock.now(),
                address=request.address,
            )

    def _opened(self) -> "httpx2.AsyncClient":
        if self._client is None:
            import httpx2

            logging.getLogger("httpx2").addFilter(_WITHOUT_QUERY)
            self._client = opened(
                httpx2.AsyncClient,
                headers={"user-agent": self._policy.user_agent},
                timeout=httpx2.Timeout(self._policy.timeout_s),
                limits=httpx2.Limits(
                    max_connections=None, max_keepalive_connections=self._policy.concurrency
                ),
                # A redirect would carry the key to another host.
                follow_redirects=False,
                transport=self._transport,
            )
        return self._client


class _QueryFilter(logging.Filter):
    """httpx2 logs whole addresses; their queries may hold keys."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Cuts the query off every address of the message."""
        import httpx2

        if isinstance(record.args, tuple):
            record.args = tuple(
                redact(str(item).partition("?")[0]) if isinstance(item, httpx2.URL) else item
                for item in record.args
            )
        return True


_WITHOUT_QUERY: Final = _QueryFilter()


def _arguments(request: WireRequest) -> dict[str, Any]:
    headers = {**request.headers, **request.secret_headers}
    content: bytes | None = None
    if request.json is not None:
        content = json.dumps(request.json).encode()
        headers.setdefault("content-type", "application/json")
    return {
        "method": request.method.upper(),
        "url": request.bare_url,
        "params": [*request.pairs(), *request.secret_params.items()],
        "headers": headers,
        "content": content,
        "data": dict(request.form) if request.form is not None else None,
    }


def _kept_headers(headers: "httpx2.Headers") -> dict[str, str]:
    """What says how to read the reply; Retry-After in seconds, whatever form it came in."""
    kept = {"content-type": headers["content-type"]} if "content-type" in headers else {}
    wait_s = retry_after_s(headers.get("retry-after", ""), headers.get("date", ""))
    return kept | ({"retry-after": f"{wait_s:g}"} if wait_s is not None else {})


def _told(error: Exception, request: WireRequest) -> str:
    return redact(str(error) or type(error).__name__, request.secrets())
