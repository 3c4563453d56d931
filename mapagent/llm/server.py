"""The wire to a model server: one request out, one reply back, with retries, limits and clear failures.

The `openai` package carries the requests (any server that speaks Chat Completions); its own retries are off,
for they know nothing of the question's deadline.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from map_tools.errors import LimitError
from map_tools.wire.environment import opened
from mapagent.llm.failures import ServerError, Target, Trouble, failure, from_openai
from mapagent.llm.reply import ServerReply, UnreadableReplyError, read_reply
from mapagent.llm.request import Dialect

if TYPE_CHECKING:
    import httpx2
    import openai
    from tenacity import AsyncRetrying, RetryCallState
import ipaddress
from urllib.parse import urlsplit

CONNECT_TIMEOUT_S = 10.0
LOST = frozenset({Trouble.SLOW, Trouble.DROPPED, Trouble.GARBLED})
"""Troubles after which the server may have written an answer, which was lost on its way."""
MOST_BYTES = 16_000_000
"""No reply is longer: the longest, with thoughts and the likelihoods of words, are a few megabytes."""
_PLAIN = {"accept-encoding": "identity"}
"""Asks for replies that are not compressed, whose length is what is read."""
_NO_KEY = "none"
"""The package wants a key; local servers do not look at it."""

type Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a server may be asked.

    Attributes:
        concurrency: Requests at once.
        requests_per_s: Requests started in a second; None for no limit.
        timeout_s: Longest time for one request.
    """

    concurrency: int = 4
    requests_per_s: float | None = None
    timeout_s: float = 120.0


class ModelServer:
    """A server that speaks Chat Completions.

    Connections are not kept: a question has few calls that take seconds each, and an idle connection would
    outlive the event loop it belongs to.

    Args:
        target: Address, model and key.
        pace: How fast it may be asked.
        sleep: Waits between attempts.
    """

    def __init__(
        self,
        target: Target,
        *,
        pace: Pace | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.target = target
        self._pace = pace or Pace()
        self._sleep = sleep
        self._dialect = Dialect()
        self._client: openai.AsyncOpenAI | None = None
        self._slots: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = None
        self._throttle = _throttle(self._pace.requests_per_s)

    async def chat(
        self,
        body: dict[str, Any],
        *,
        left_s: Callable[[], float],
        note: Callable[[ServerError, float], None] = lambda _error, _wait_s: None,
        lost: Callable[[], None] = lambda: None,
    ) -> ServerReply:
        """Sends one chat completion.

        Args:
            body: The request's body.
            left_s: Seconds left before the deadline, asked again before each attempt.
            note: Told of each failed attempt that is tried again, and of the wait before it.
            lost: Told of each attempt whose reply never came in whole, or was not waited for.

        Raises:
            LimitError: The deadline has passed.
            ServerError: The server cannot be reached, refuses, or answers rubbish.
        """
        async for attempt in retrying(left_s=left_s, sleep=self._sleep, note=note):
            with attempt:
                return await self._adapted(body, left_s, lost)
        raise AssertionError("tenacity ends with a value or an error")  # pragma: no cover

    async def get(self, path: str, *, timeout_s: float = 10.0) -> str:
        """The body of something the server tells about itself.

        Args:
            path: Relative to the base URL ("/models"), or absolute from the host's root ("//props").
            timeout_s: Longest time.

        Raises:
            ServerError: As for `chat`.
        """
        import httpx2

        client, url = self._opened(), self._url(path)
        return await self._guarded(
            lambda: client.get(url, cast_to=httpx2.Response), timeout_s=timeout_s, images=False
        )

    async def post(self, path: str, body: dict[str, Any], *, timeout_s: float = 10.0) -> str:
        """Like `get`, with a body to send."""
        import httpx2

        client, url = self._opened(), self._url(path)
        return await self._guarded(
            lambda: client.post(url, cast_to=httpx2.Response, body=body), timeout_s=timeout_s, images=False
        )

    async def close(self) -> None:
        """Frees the client."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    async def _adapted(
        self, body: dict[str, Any], left_s: Callable[[], float], lost: Callable[[], None]
    ) -> ServerReply:
        """One attempt, sent again at once where the refusal says what the server calls things."""
        while True:
            sent = self._dialect.apply(body)
            try:
                return await self._paced(sent, left_s, lost)
            except ServerError as error:
                if error.trouble is Trouble.REFUSED:
                    self._dialect.learn(error.detail)
                if self._dialect.apply(body) == sent:  # nothing learnt, by this call or by another one
                    raise

    async def _paced(
        self, body: dict[str, Any], left_s: Callable[[], float], lost: Callable[[], None]
    ) -> ServerReply:
        # The slot comes first: asyncio-throttle polls, and a thousand waiters would keep a core busy.
        async with self._slot(), self._throttle:
            left = left_s()
            if left <= 0:
                raise _too_late(self.target)
            try:
                return await self._once(body, min(self._pace.timeout_s, left))
            except asyncio.CancelledError:
                lost()
                raise
            except ServerError as error:
                if error.trouble in LOST:
                    lost()
                if error.trouble is Trouble.SLOW and left_s() <= 0:
                    raise _too_late(self.target) from error
                raise

    async def _once(self, body: dict[str, Any], timeout_s: float) -> ServerReply:
        client = self._opened()
        said = await self._guarded(
            lambda: client.chat.completions.with_raw_response.create(**cast("Any", body)),
            timeout_s=timeout_s,
            images=_has_images(body),
        )
        try:
            return read_reply(said)
        except UnreadableReplyError as error:
            raise failure(Trouble.GARBLED, self.target, detail=f"it sent {error}") from error

    async def _guarded(self, send: Callable[[], Awaitable[Any]], *, timeout_s: float, images: bool) -> str:
        """Sends and gives the body's text; every failure becomes a `ServerError`."""
        import openai

        try:
            async with asyncio.timeout(timeout_s):
                reply = await send()
        except TimeoutError as error:
            raise failure(Trouble.SLOW, self.target, detail=f"{timeout_s:.0f} s") from error
        except openai.APIError as error:
            raise from_openai(error, self.target, images=images) from error
        return str(reply.text)

    def _slot(self) -> asyncio.Semaphore:
        """The semaphore of the running loop: one that had waiters cannot be used in another loop."""
        loop = asyncio.get_running_loop()
        if self._slots is None or self._slots[0] is not loop:
            self._slots = (loop, asyncio.Semaphore(self._pace.concurrency))
        return self._slots[1]

    def _url(self, path: str) -> str:
        return root_of(self.target.base_url) + path[1:] if path.startswith("//") else path

    def _opened(self) -> "openai.AsyncOpenAI":
        if self._client is None:
            import httpx2
            import openai

            key = self.target.key
            self._client = openai.AsyncOpenAI(
                base_url=self.target.base_url,
                api_key=key.get_secret_value() if key is not None else _NO_KEY,
                max_retries=0,
                http_client=opened(
                    openai.DefaultAsyncHttpxClient,
                    through_proxy=not is_local(self.target.base_url),  # none stands before this machine
                    limits=httpx2.Limits(max_keepalive_connections=0),
                    timeout=httpx2.Timeout(self._pace.timeout_s, connect=CONNECT_TIMEOUT_S),
                    follow_redirects=False,  # they would carry the question to another host
                    headers=_PLAIN,
                    event_hooks={"response": [_bound]},
                ),
            )
        return self._client


async def _bound(response: "httpx2.Response") -> None:
    """A hook that stops the reading of a reply that is too long, and has it read as UTF-8, whatever it says it is.

    JSON is in UTF-8 (RFC 8259, section 8.1), and some of Python's codecs that a reply may name fail in their own ways.

    Raises:
        DecodingError: It is compressed, though nobody asked for that.
    """
    import httpx2

    if response.headers.get("content-encoding", "identity") not in {"", "identity"}:
        raise httpx2.DecodingError("the reply is compressed, which was not asked for")
    response.encoding = "utf-8"
    response.stream = _bounded_stream(response.stream)


def _bounded_stream(stream: Any) -> "httpx2.AsyncByteStream":
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = MOST_BYTES
            async for chunk in stream:
                left -= len(chunk)
                if left < 0:
                    raise httpx2.DecodingError(f"the reply is longer than {MOST_BYTES} bytes")
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Bounded()


def _throttle(requests_per_s: float | None) -> AbstractAsyncContextManager[Any]:
    if requests_per_s is None:
        return nullcontext()
    from asyncio_throttle.throttler import Throttler

    # One request in each period keeps fractions exact and never sends a second's worth at once.
    return cast("AbstractAsyncContextManager[Any]", Throttler(rate_limit=1, period=1 / requests_per_s))


def _too_late(target: Target) -> LimitError:
    return LimitError(
        f"The deadline passed before the model '{target.model}' answered.",
        "Raise deadline_s, or choose a faster model.",
    )


def _has_images(body: dict[str, Any]) -> bool:
    return any(isinstance(message["content"], list) for message in body.get("messages", ()))


FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0
"""Waits double from the first to the longest, as OpenAI's cookbook advises
(https://cookbook.openai.com/examples/how_to_handle_rate_limits)."""

MAX_ATTEMPTS: dict[Trouble, float] = {
    Trouble.BUSY: 5,
    Trouble.BROKEN: 5,
    Trouble.DROPPED: 5,
    Trouble.SLOW: 2,
    Trouble.GARBLED: 4,
    Trouble.LOADING: float("inf"),  # a large file takes minutes; the deadline ends it
}
"""How often a request is sent in all; trouble that is not named here would only come again."""


def retrying(
    *, left_s: Callable[[], float], sleep: Sleep, note: Callable[[ServerError, float], None]
) -> "AsyncRetrying":
    """The attempts for one request; the last error is raised as it is.

    Args:
        left_s: Seconds left before the deadline: a wait that would pass it is not begun.
        sleep: Waits.
        note: Told of each error that is tried again, and of the wait before it.
    """
    from tenacity import AsyncRetrying, retry_if_exception_type

    def stop(state: "RetryCallState") -> bool:
        error = _error(state)
        return state.attempt_number >= MAX_ATTEMPTS.get(error.trouble, 1) or state.upcoming_sleep >= left_s()

    def before_sleep(state: "RetryCallState") -> None:
        note(_error(state), state.upcoming_sleep)

    return AsyncRetrying(
        retry=retry_if_exception_type(ServerError),
        wait=wait_s,
        stop=stop,
        before_sleep=before_sleep,
        sleep=sleep,
        reraise=True,
    )


def wait_s(state: "RetryCallState") -> float:
    """Seconds before the next attempt: what the server asks for, else doubling.

    https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
    """
    asked = _error(state).retry_after_s
    if asked is not None:
        return asked
    return float(min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (state.attempt_number - 1)))


def _error(state: "RetryCallState") -> ServerError:
    error = state.outcome.exception() if state.outcome is not None else None
    if not isinstance(error, ServerError):  # pragma: no cover - only these are retried
        raise TypeError(f"not a server's failure: {error!r}")
    return error


OPENAI_URL = "https://api.openai.com/v1"
LOCAL_NAMES = ("localhost", "host.docker.internal")


def is_local(base_url: str) -> bool:
    """Whether an address is this machine's own."""
    host = _host(base_url)
    number = _number(host)
    return host in LOCAL_NAMES or (number is not None and (number.is_loopback or number.is_unspecified))


def is_private(base_url: str) -> bool:
    """Whether an address is on this machine or in a private network, where nobody charges for tokens."""
    host = _host(base_url)
    number = _number(host)
    return is_local(base_url) or "." not in host or (number is not None and number.is_private)


def root_of(base_url: str) -> str:
    """The server's root: everything before the path."""
    parts = urlsplit(base_url)
    return f"{parts.scheme}://{parts.netloc}"


def _host(base_url: str) -> str:
    return urlsplit(base_url).hostname or ""


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
