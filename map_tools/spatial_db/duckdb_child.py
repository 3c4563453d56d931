"""The program that runs guest SQL on a DuckDB file, so that it can be killed: `python -m … FILE`.

What is asked comes as one line of JSON, and goes back as one, once it is told that work has begun. DuckDB keeps its
own limits badly: a nested `replace` ran 51 s and took 9 GB under "4 s, 2 GB", and some functions of geometry are never
interrupted. Here the operating system keeps them: memory and processor time are limited, and whoever started this
program may kill it.
"""

import json
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from map_tools.spatial_db.duckdb_engine import connect, lock_down
from map_tools.spatial_db.port import plain_rows

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MAX_REPLY_BYTES = 4_000_000
"""Bytes of a reply: 20 rows of 20 values of the greatest length that is shown."""
MAX_MEMORY_BYTES = 3 << 30
"""What the program may hold: DuckDB's own limit (`duckdb_engine`), and half as much again for its libraries."""
BEGUN = b"begun\n"
"""Comes before each reply: a program that was killed before it is no fault of the query."""
TOO_MUCH = "out of memory"
"""The message for whatever needs more than it may have."""
_GRACE_S = 2
"""Processor time beyond a query's time-out: whoever asked was to stop it before."""


def main() -> None:
    """Answers until its input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = connect(Path(sys.argv[1]), read_only=True)
    lock_down(connection)
    _limit("RLIMIT_DATA", MAX_MEMORY_BYTES)
    _limit("RLIMIT_CORE", 0)
    _serve(connection, sys.stdin.buffer, sys.stdout.buffer)


def _serve(connection: "DuckDBPyConnection", requests: BinaryIO, replies: BinaryIO) -> None:
    for line in requests:
        replies.write(BEGUN)
        replies.flush()
        request = json.loads(line)
        _limit("RLIMIT_CPU", int(time.process_time() + request["timeout_s"]) + _GRACE_S)
        reply = json.dumps(_answered(connection, request["sql"], request["max_rows"])).encode()
        if len(reply) >= MAX_REPLY_BYTES:
            reply = json.dumps({"error": TOO_MUCH}).encode()
        replies.write(reply + b"\n")
        replies.flush()


def _answered(connection: "DuckDBPyConnection", sql: str, max_rows: int) -> dict[str, Any]:
    import duckdb

    try:
        connection.execute(sql)
        described = connection.description or []
        rows = connection.fetchmany(max_rows)
    except (MemoryError, RecursionError):
        return {"error": TOO_MUCH}
    except duckdb.Error as error:
        return {"error": str(error)}
    geometries = frozenset(
        number for number, column in enumerate(described) if str(column[1]).startswith("GEOMETRY")
    )
    return {"columns": [column[0] for column in described], "rows": plain_rows(rows, geometries)}


def _limit(name: str, most: int) -> None:
    """Sets a limit of the system, or leaves a lower one; where there are none, DuckDB's own must do."""
    if sys.platform != "win32":
        import resource

        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    main()
