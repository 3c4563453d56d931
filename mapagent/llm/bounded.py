"""Replies of model servers, bounded while they come in: they may go on without end, or unpack to much."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 16_000_000
"""No reply is longer: the longest, with thoughts and the likelihoods of words, are a few megabytes."""
PLAIN = {"accept-encoding": "identity"}
"""Asks for replies that are not compressed, whose length is what is read."""


async def bound(response: "httpx2.Response") -> None:
    """A hook that stops the reading of a reply that is too long.

    Raises:
        DecodingError: It is compressed, though nobody asked for that.
    """
    import httpx2

    if response.headers.get("content-encoding", "identity") not in {"", "identity"}:
        raise httpx2.DecodingError("the reply is compressed, which was not asked for")
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
