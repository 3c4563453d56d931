"""Fetches what servers publish for everybody: no key goes along, redirects are followed, every size is bounded.

Services that are asked about places go through `map_tools.wire`, which throttles and keeps replies; files of any
size do not fit there.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from map_tools.errors import DownloadError, LimitError
from map_tools.wire.environment import UNTRUSTED, is_untrusted, opened

if TYPE_CHECKING:
    import httpx2
    from tenacity import Retrying

_STALL_S = 60.0
"""A server that is silent for so long has gone."""
_WHOLE_S = 300.0
"""Longest time for a file that is read as a whole, for a server may also send a byte a minute."""
_ATTEMPTS = 4
_BUSY: Final = frozenset(
    {
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.INTERNAL_SERVER_ERROR,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)
_AGAIN = "Run the same command again later."
_REMEDY = "Check the network connection and the address."


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file as its server announces it.

    Attributes:
        url: Where it is.
        size_bytes: How long it is; None if the server does not say.
    """

    url: str
    size_bytes: int | None


class Fetcher:
    """An HTTP client for published files, to be closed by leaving its context.

    Args:
        pause_s: Wait before the second attempt; it doubles with each further one.

    Raises:
        ConfigError: A proxy or the certificates of the environment cannot be used.
    """

    def __init__(self, pause_s: float = 1.0) -> None:
        import httpx2

        self._pause_s = pause_s
        self._client = opened(
            httpx2.Client,
            # Sizes, ranges and checksums are those of the file as it lies on the server.
            headers={"user-agent": "mapagent", "accept-encoding": "identity"},
            timeout=httpx2.Timeout(_STALL_S),
            follow_redirects=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def attempts(self) -> "Retrying":
        """Attempts to make something of the network, as long as another one may help (`DownloadError.passing`)."""
        from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

        return Retrying(
            stop=stop_after_attempt(_ATTEMPTS),
            wait=wait_exponential(multiplier=self._pause_s),
            retry=retry_if_exception(lambda error: isinstance(error, DownloadError) and error.passing),
            reraise=True,
        )

    def announced(self, url: str, what: str) -> RemoteFile:
        """What the server says of a file without sending it.

        Args:
            url: Where it is.
            what: How sentences call it: "the extract of Denmark".

        Raises:
            DownloadError: It is not there, or the server cannot be reached.
        """

        def once() -> RemoteFile:
            with self.opened("HEAD", url, what) as reply:
                return RemoteFile(url, announced_bytes(reply))

        return self.attempts()(once)

    def read(self, url: str, what: str, *, limit_bytes: int) -> bytes:
        """The whole of a file.

        Raises:
            DownloadError: It is not there, or did not arrive in full.
            LimitError: It is longer than the limit.
        """

        def once() -> bytes:
            until = time.monotonic() + _WHOLE_S
            body = bytearray()
            with self.opened("GET", url, what) as reply:
                for chunk in reply.iter_raw():
                    body += chunk
                    if len(body) > limit_bytes:
                        raise LimitError(
                            f"{_capital(what)} is longer than {limit_bytes / 1e6:g} MB at {url}.",
                            "Is that the right address?",
                        )
                    if time.monotonic() > until:
                        raise DownloadError(
                            f"{_capital(what)} did not arrive in {_WHOLE_S:g} s from {url}.", _AGAIN
                        )
            return bytes(body)

        return self.attempts()(once)

    @contextmanager
    def opened(
        self, method: str, url: str, what: str, headers: dict[str, str] | None = None
    ) -> Iterator["httpx2.Response"]:
        """A reply whose body is still to be read; also its reading is watched.

        Raises:
            DownloadError: The server refused, cannot be reached, or broke off.
        """
        import httpx2

        host = url.split("/", 3)[2] if url.count("/") > 1 else url
        try:
            with self._client.stream(method, url, headers=headers) as reply:
                _check_status(reply, url, what)
                yield reply
        except httpx2.TimeoutException:
            raise DownloadError(
                f"The server {host} went silent while {what} was fetched.", _AGAIN, passing=True
            ) from None
        except httpx2.ConnectError as error:
            raise DownloadError(
                f"The server {host} cannot be reached for {what} ({error}).",
                UNTRUSTED if is_untrusted(error) else _REMEDY,
            ) from None
        except (httpx2.NetworkError, httpx2.RemoteProtocolError):
            raise DownloadError(
                f"The server {host} broke off while {what} was fetched.", _AGAIN, passing=True
            ) from None
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            raise DownloadError(
                f"{_capital(what)} cannot be fetched from {url} ({error}).", _REMEDY
            ) from None


def announced_bytes(reply: "httpx2.Response") -> int | None:
    """The length that a reply's header promises; None if it promises none."""
    text: str = reply.headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdecimal() else None


def _check_status(reply: "httpx2.Response", url: str, what: str) -> None:
    status = reply.status_code
    if reply.is_success or status == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        return
    if status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
        raise DownloadError(f"{_capital(what)} is not there: {url} (HTTP {status}).", missing=True)
    raise DownloadError(f"The server refuses {what}: {url} (HTTP {status}).", _AGAIN, passing=status in _BUSY)


def _capital(what: str) -> str:
    return what[:1].upper() + what[1:]
