"""Servers in a thread of their own, so that an agent's work and theirs are apart."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from map_tools.emulate.http import Handler, HttpServer

HOST = "127.0.0.1"


@contextmanager
def serving(*handlers: Handler) -> Iterator[tuple[str, ...]]:
    """Runs a server for each handler; gives their base addresses."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="bench-servers", daemon=True)
    thread.start()
    servers = [HttpServer(handler) for handler in handlers]
    try:
        ports = [asyncio.run_coroutine_threadsafe(server.start(HOST, 0), loop).result() for server in servers]
        yield tuple(f"http://{HOST}:{port}" for port in ports)
    finally:
        for server in servers:
            asyncio.run_coroutine_threadsafe(server.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
