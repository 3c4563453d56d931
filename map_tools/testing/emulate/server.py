"""The emulator as something that runs: in an event loop, or beside a program that has none."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from map_tools.errors import ConfigError
from map_tools.testing.emulate.api import GoogleApi
from map_tools.testing.emulate.backend import Backend
from map_tools.testing.emulate.faults import Fault, FaultPlan
from map_tools.testing.emulate.http import HttpServer

HOST = "127.0.0.1"
"""The emulator serves this machine alone."""


class Emulator:
    """Google's map services on a port of this machine.

    Args:
        backend: What is emulated from; its provider is not closed.
        faults: What goes wrong on purpose.
    """

    def __init__(self, backend: Backend, faults: Sequence[Fault] = ()) -> None:
        self._server = HttpServer(GoogleApi(backend, FaultPlan(faults, backend.seed)))

    async def start(self, port: int = 0) -> str:
        """Begins to serve; port 0 is any free one.

        Returns:
            The base address, "http://127.0.0.1:PORT".

        Raises:
            ConfigError: The port is taken or not allowed.
        """
        try:
            bound = await self._server.start(HOST, port)
        except (OSError, OverflowError) as error:
            raise ConfigError(f"Port {port} cannot be used: {error}.", "Choose another one.") from error
        return f"http://{HOST}:{bound}"

    async def close(self) -> None:
        """Ends all connections."""
        await self._server.close()


@contextmanager
def running(backend: Backend, faults: Sequence[Fault] = ()) -> Iterator[str]:
    """An emulator in a thread of its own, for blocking clients and tests; gives its base address."""
    emulator = Emulator(backend, faults)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="emulator", daemon=True)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(emulator.start(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(emulator.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()
