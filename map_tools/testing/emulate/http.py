"""A small HTTP/1.1 server on asyncio: what the emulator needs and no more.

Requests have a length (no chunks), replies too; connections are kept open. All sizes are bounded.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from urllib.parse import parse_qsl, unquote, urlsplit

MAX_HEAD_BYTES = 32_768
MAX_BODY_BYTES = 1_048_576
IDLE_S = 75.0
"""A connection without a request for so long is closed."""
DRIPS = 20
"""Pieces in which a reply drips in."""
_END_OF_HEAD = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Request:
    """A request; header names are in lower case, the path is unquoted. `target`: path and query as sent."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    target: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply, and how it is sent.

    Attributes:
        cut: Send the half of it and close the connection.
        reset: Send nothing and reset the connection.
        drip_s: Send it bit by bit over so many seconds.
    """

    status: int
    body: bytes
    content_type: str = "application/json; charset=UTF-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    reset: bool = False
    drip_s: float = 0.0


type Handler = Callable[[Request], Awaitable[Reply]]


class HttpServer:
    """Serves one handler on one port.

    Args:
        handler: Answers a request; it must not raise.
    """

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def start(self, host: str, port: int) -> int:
        """Begins to listen; port 0 is any free one.

        Returns:
            The port.

        Raises:
            OSError: The port cannot be had.
        """
        self._server = await asyncio.start_server(
            self._connected, host, port, limit=MAX_HEAD_BYTES, backlog=512
        )
        bound: int = self._server.sockets[0].getsockname()[1]
        return bound

    async def close(self) -> None:
        """Stops listening and ends all connections, requests under way included."""
        if self._server is None:
            return
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()
        self._server = None

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._connections.add(task)
            task.add_done_callback(self._connections.discard)
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, TimeoutError):
            pass  # the client has gone, or says nothing
        except asyncio.CancelledError:
            pass  # the server is closing; nobody waits for this task but `close`
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its reply; False if the connection ends with it."""
        try:
            request = await _read(reader)
        except _BadRequestError as error:
            await _send(writer, _plain(error.status), keep=False)
            return False
        keep = request.headers.get("connection", "").lower() != "close"
        reply = await self._handler(request)
        if reply.reset:
            _reset(writer)
            return False
        keep = keep and not reply.cut
        await _send(writer, reply, keep=keep)
        return keep


class _BadRequestError(Exception):
    """The bytes are no request that is served."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


async def _read(reader: asyncio.StreamReader) -> Request:
    """The next request of a connection."""
    async with asyncio.timeout(IDLE_S):
        try:
            head = await reader.readuntil(_END_OF_HEAD)
        except asyncio.LimitOverrunError as error:
            raise _BadRequestError(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE) from error
        return await _with_body(_parse(head), reader)


def _parse(head: bytes) -> Request:
    """A request without its body."""
    first, *lines = head.decode("latin-1").split("\r\n")
    method, _, rest = first.partition(" ")
    target, _, version = rest.partition(" ")
    if not version.startswith("HTTP/1.") or not target:
        raise _BadRequestError(HTTPStatus.BAD_REQUEST)
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    if version == "HTTP/1.0":
        headers["connection"] = "close"
    try:
        url = urlsplit(target)
    except ValueError as error:
        raise _BadRequestError(HTTPStatus.BAD_REQUEST) from error
    query = dict(parse_qsl(url.query, keep_blank_values=True))
    return Request(method, unquote(url.path), query, headers, b"", target)


async def _with_body(request: Request, reader: asyncio.StreamReader) -> Request:
    if "transfer-encoding" in request.headers:
        raise _BadRequestError(HTTPStatus.LENGTH_REQUIRED)
    length = request.headers.get("content-length", "0")
    if not length.isdecimal():
        raise _BadRequestError(HTTPStatus.BAD_REQUEST)
    if int(length) > MAX_BODY_BYTES:
        raise _BadRequestError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    body = await reader.readexactly(int(length))
    return replace(request, body=body)


async def _send(writer: asyncio.StreamWriter, reply: Reply, *, keep: bool) -> None:
    status = HTTPStatus(reply.status)
    headers = {
        "Content-Type": reply.content_type,
        "Content-Length": str(len(reply.body)),
        "Connection": "keep-alive" if keep else "close",
        **reply.headers,
    }
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    head = "\r\n".join(lines).encode("latin-1", "replace") + _END_OF_HEAD
    body = reply.body[: len(reply.body) // 2] if reply.cut else reply.body
    if reply.drip_s:
        await _drip(writer, head + body, reply.drip_s)
        return
    writer.write(head + body)
    await writer.drain()


async def _drip(writer: asyncio.StreamWriter, message: bytes, seconds: float) -> None:
    size = max(1, -(-len(message) // DRIPS))
    for start in range(0, len(message), size):
        writer.write(message[start : start + size])
        await writer.drain()
        await asyncio.sleep(seconds / DRIPS)


def _reset(writer: asyncio.StreamWriter) -> None:
    """Ends the connection with a reset: so does closing with a lingering time of 0 (socket(7), SO_LINGER)."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def _plain(status: HTTPStatus) -> Reply:
    return Reply(status.value, f"{status.value} {status.phrase}\n".encode(), "text/plain; charset=utf-8")
