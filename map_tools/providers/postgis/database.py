"""The maps of a database, opened for reading: connections, and what regions there are at the moment."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from map_tools.errors import ConfigError, ProviderError
from map_tools.maps.info import parse_info
from map_tools.postgres import connect
from map_tools.providers.postgis.reading import RegionsReading
from map_tools.providers.postgis.regions import Region
from map_tools.providers.postgis.tables import LAYOUT, SCHEMA, SWAP_LOCK
from map_tools.types import Box

if TYPE_CHECKING:
    from psycopg import Connection

_OPTIONS = (
    "-c default_transaction_read_only=on -c search_path=public"
    " -c statement_timeout={timeout_ms} -c lock_timeout={timeout_ms}"
)
_ADD = "Add one with `mapagent map add FILE.osm.pbf --to DSN`."


class MapDatabase:
    """Regions that `load_region` has loaded; all methods may be called from several threads at once.

    Each reading is one transaction, which keeps regions from being replaced until it ends. Use
    `MapDatabase.open`.
    """

    def __init__(self, dsn: str, timeout_s: float) -> None:
        options = _OPTIONS.format(timeout_ms=max(1, round(timeout_s * 1000)))
        self._connect = partial(connect, dsn, options=options, autocommit=True)
        self._lock = threading.Lock()
        self._idle: list[Connection[Any]] = []
        self._known: dict[int, Region] = {}

    @classmethod
    def open(cls, dsn: str, *, timeout_s: float = 30.0) -> "MapDatabase":
        """Connects to a database.

        Args:
            dsn: Its address, best with the role that may only read.
            timeout_s: The longest time of one query.

        Raises:
            ConfigError: It cannot be reached, or holds no maps that this role may read.
            MapStoreError: A region is of another version.
            ProviderError: It is too slow.
        """
        database = cls(dsn, timeout_s)
        with closing(database._connect()) as connection, _server_errors():
            _check(connection)
        with ExitStack() as undo:
            undo.callback(database.close)
            if not database.regions():
                raise ConfigError("The database holds no maps yet.", _ADD)
            undo.pop_all()
        return database

    def regions(self) -> tuple[Region, ...]:
        """The regions there are, in the order they were loaded in."""
        with self.reading() as reading:
            return reading.regions

    @contextmanager
    def reading(self) -> Iterator[RegionsReading]:
        """The maps as they are now.

        Raises:
            ProviderError: The server cannot be reached any more, or a query took too long.
        """
        with _server_errors():
            connection, regions = self._begin()
            try:
                yield RegionsReading(connection, regions)
                connection.execute("COMMIT")
            finally:
                self._put_back(connection)

    def close(self) -> None:
        """Closes all connections that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _begin(self) -> "tuple[Connection[Any], tuple[Region, ...]]":
        """A connection in a new transaction, and the regions in it.

        A connection that has lain idle may have been closed by the server; then a new one is tried.
        """
        import psycopg

        while True:
            with self._lock:
                idle = self._idle.pop() if self._idle else None
            connection = idle or self._connect()
            with ExitStack() as undo:
                undo.callback(connection.close)
                try:
                    regions = self._regions(connection)
                except psycopg.OperationalError:
                    if idle is None:
                        raise
                    continue
                undo.pop_all()
                return connection, regions

    def _regions(self, connection: "Connection[Any]") -> tuple[Region, ...]:
        connection.execute("BEGIN")
        connection.execute("SELECT pg_advisory_xact_lock_shared(%s)", (SWAP_LOCK,))
        numbers = [
            row[0] for row in connection.execute("SELECT region FROM mapagent.regions ORDER BY region")
        ]
        known = self._known  # another thread may put other regions in its place meanwhile
        new = [number for number in numbers if number not in known]
        if new:
            self._known = known = known | _read_regions(connection, new)
        return tuple(known[number] for number in numbers)

    def _put_back(self, connection: "Connection[Any]") -> None:
        import psycopg

        status = connection.info.transaction_status
        if status is not psycopg.pq.TransactionStatus.IDLE:  # a reading that was broken off
            connection.close()
        else:
            with self._lock:
                self._idle.append(connection)


@contextmanager
def _server_errors() -> Iterator[None]:
    """What the server objects to becomes a sentence."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        reason = (error.diag.message_primary or str(error) or type(error).__name__).splitlines()[0]
        raise ProviderError(
            f"The map database could not answer: {reason}.", "See whether the server runs; then ask again."
        ) from error


def _check(connection: "Connection[Any]") -> None:
    """Are there tables of our layout, and may this role read them?"""
    found = connection.execute(
        "SELECT obj_description(oid, 'pg_namespace'), has_schema_privilege(oid, 'USAGE'), current_user"
        " FROM pg_namespace WHERE nspname = %s",
        (SCHEMA,),
    ).fetchone()
    if found is None:
        raise ConfigError("The database holds no maps yet.", _ADD)
    layout, may_read, role = found
    if not may_read:
        raise ConfigError(
            f"The PostgreSQL role '{role}' may not read the maps.",
            "Connect as the role that `mapagent map add --to` made, or grant it what that role has.",
        )
    if layout != LAYOUT:
        raise ConfigError(
            f"The schema '{SCHEMA}' of this database is not one that this program reads.",
            "Add its maps again with this version.",
        )


def _read_regions(connection: "Connection[Any]", numbers: list[int]) -> dict[int, Region]:
    found = connection.execute(
        "SELECT region, name, info, kinds, south, west, north, east FROM mapagent.regions"
        " WHERE region = ANY(%s)",
        (numbers,),
    )
    regions = {}
    for number, name, info, kinds, south, west, north, east in found:
        box = Box(south=south, west=west, north=north, east=east)
        regions[number] = Region(number, parse_info(name, info), frozenset(kinds), box)
    return regions
