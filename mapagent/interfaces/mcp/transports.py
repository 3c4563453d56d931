"""The two ways to reach the server: over standard input and output, or over HTTP on this machine."""

import asyncio
import socket
import sys
from collections.abc import Callable
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from map_tools.errors import UsageError
from mapagent.core.images import MAX_BYTES

HOST = "127.0.0.1"
PATH = "/mcp"
MAX_BODY_BYTES = MAX_BYTES * 4 // 3 + 1_000_000
"""A request may hold the largest picture as base64, and some words beside it."""


async def serve_stdio(server: Server[Any]) -> None:
    """Serves one client until it closes our standard input; standard output carries the protocol only."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


async def serve_http(server: Server[Any], port: int, ready: Callable[[str], None]) -> None:
    """Serves streamable HTTP on the loopback until it is stopped.

    Host and Origin of requests are checked by the SDK, so that no web page reaches the server through a name
    that points at this machine (DNS rebinding).

    Args:
        server: What to serve.
        port: 0 takes any free one.
        ready: Called with the address once connections are accepted.

    Raises:
        UsageError: The port is taken.
    """
    app = server.streamable_http_app(
        streamable_http_path=PATH, host=HOST, max_request_body_size=MAX_BODY_BYTES
    )
    running = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
    with _listening(port) as listener:
        serving = asyncio.create_task(running.serve(sockets=[listener]))
        ready(f"http://{HOST}:{listener.getsockname()[1]}{PATH}")
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            running.should_exit = True
            await serving
            raise


def announce(address: str) -> None:
    """Tells people where the server is; on standard error, as everything that is not protocol."""
    sys.stderr.write(f"Serving the Model Context Protocol at {address}\n")
    sys.stderr.flush()


def _listening(port: int) -> socket.socket:
    try:
        return socket.create_server((HOST, port))
    except OSError as error:
        raise UsageError(f"Port {port} cannot be used: {error.strerror}.", "Choose another one.") from error
