"""Runs the server: one process, or several that share a socket. The only file that knows uvicorn."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.supervisors import Multiprocess

from map_tools.errors import ConfigError
from mapagent.interfaces.conversations import conversations_for
from mapagent.interfaces.http.app import AppFactory
from mapagent.interfaces.http.options import ServeOptions
from mapagent.runtime.config import Settings

STOP_S = 5
"""Questions at work get so long to finish after Ctrl-C."""
BACKLOG = 512
WORKER_SILENCE_S = 60
"""A worker that does not answer its supervisor for so long is replaced. After uvicorn's 5 s one would be killed, with
the questions of everybody in it, because the machine is busy for a moment."""


def serve(settings: Settings, options: ServeOptions, announce: Callable[[str], None]) -> int:
    """Serves until it is interrupted; `announce` is told the address once it is taken, with the owner's token.

    Raises:
        ConfigError: The address cannot be used.
    """
    with (
        _bound(options) as listening,
        conversations_for(options.workers) as kept,
        suppress(KeyboardInterrupt),  # Ctrl-C is how a server is stopped
    ):
        config = _config(options, AppFactory(settings, options, kept))
        announce(_link(listening, options))
        if options.workers > 1:
            Multiprocess(config, sockets=[listening]).run()
        else:
            uvicorn.Server(config).run(sockets=[listening])
    return 0


def _config(options: ServeOptions, factory: AppFactory) -> uvicorn.Config:
    return uvicorn.Config(
        factory,
        factory=True,
        host=options.host,
        port=options.port,
        workers=options.workers,
        backlog=BACKLOG,
        timeout_graceful_shutdown=STOP_S,
        timeout_worker_healthcheck=WORKER_SILENCE_S,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        http=Impatient,
        timeout_keep_alive=options.patience_s,
    )


def _bound(options: ServeOptions) -> socket.socket:
    """The listening socket; made here so that a taken port is told in one sentence.

    It names its protocol, without which asyncio would leave Nagle's algorithm on, and every small reply would
    wait 40 ms for an acknowledgement (RFC 896, RFC 1122 section 4.2.3.2).
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            options.host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise _unusable(options, error) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise _unusable(options, error) from error
    listening.set_inheritable(True)
    return listening


def _unusable(options: ServeOptions, error: OSError) -> ConfigError:
    return ConfigError(
        f"The address {options.host}:{options.port} cannot be used: {error.strerror}.",
        "Name another one with --host and --port.",
    )


def _link(listening: socket.socket, options: ServeOptions) -> str:
    """Where a browser finds the page, with the owner's token."""
    port = listening.getsockname()[1]
    shown = f"[{options.host}]" if ":" in options.host else options.host
    return f"http://{shown}:{port}/" + (f"#token={options.owner_token}" if options.owner_token else "")


class Impatient(H11Protocol):
    """A connection that is closed if the head of a request does not arrive in time (`admission.BodyLimit`: of a body).

    uvicorn's time-out between requests (`timeout_keep_alive`) holds here for each head as well: only the protocol sees
    one before its end.
    """

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Counts from here to the end of the first head."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Counts from the first byte of a further head."""
        super().data_received(data)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Counts no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(self.timeout_keep_alive, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
