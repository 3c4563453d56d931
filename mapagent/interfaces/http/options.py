"""What `mapagent serve` is started with."""

from dataclasses import dataclass, field
from pathlib import Path

HOST = "127.0.0.1"
PORT = 8321
ASKS_PER_MINUTE = 300
"""Far more than a person asks, and little enough that one client cannot take the server from the others."""
CONCURRENCY = 8
"""An offline question is almost all computing, so more at once would only wait for each other."""
HISTORY = 1_000
PATIENCE_S = 20
"""A picture of 20 MB over a line of 8 Mbit/s takes as long."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How the server is run.

    Attributes:
        state: Folder of the history, made if needed.
        workers: Processes.
        token: What callers must send as `Authorization: Bearer TOKEN`; None: nothing.
        owner_token: What must be sent so where the server wants no token, to list what was asked or to forget it;
            None: nothing.
        models: Further models a caller may choose, beside "offline" and the settings' own.
        providers: Further providers a caller may choose, beside "osm" and the settings' own.
        asks_per_minute: Of one client and worker; 0 for no limit.
        concurrency: Questions at work at once in each worker.
        history: How many questions are remembered; 0 for none.
        patience_s: Seconds that the head of a request may take to arrive, its body, and the next request.
        own_places: Whether questions may name the places of the user that the server runs as. Callers are others,
            unless the server is for this machine alone.
    """

    state: Path
    host: str = HOST
    port: int = PORT
    workers: int = 1
    token: str | None = field(default=None, repr=False)
    owner_token: str | None = field(default=None, repr=False)
    models: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    asks_per_minute: int = ASKS_PER_MINUTE
    concurrency: int = CONCURRENCY
    history: int = HISTORY
    patience_s: int = PATIENCE_S
    own_places: bool = False

    @property
    def local_only(self) -> bool:
        """True if only this machine can reach the server."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """True for "localhost" and the addresses of the loopback interface (RFC 1122, RFC 4291)."""
    if host == "localhost":
        return True
    from ipaddress import ip_address

    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
