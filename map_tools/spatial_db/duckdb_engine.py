"""DuckDB with its spatial extension, set up so that it measures right and can do nothing but read.

Two of its habits give silently wrong answers: geodesic functions read (latitude, longitude) unless
`geometry_always_xy` is set, and a plain SET is lost on the next cursor. So the setting is global, and a known
distance is measured on a cursor before anything else is.
https://duckdb.org/docs/stable/core_extensions/spatial/functions
"""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.errors import ConfigError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_EXTENSION = "spatial.duckdb_extension"
_KNOWN_POINTS = "ST_Point(-73.7781, 40.6413), ST_Point(4.7683, 52.3105)"
_KNOWN_DISTANCE_M = 5_863_386.807
"""New York (JFK) to Amsterdam (AMS) by GeographicLib. Read as (latitude, longitude) it would be 8,756 km."""
QUIET = "SET enable_progress_bar = false"
"""Keeps a cursor from printing how far a long query is; holds for one cursor, and cannot be set for all."""
_MEMORY_LIMIT = "2GB"

_MISSING = "The embedded SQL database needs DuckDB and its spatial extension."
_INSTALL = "Install them with: pip install 'mapagent[sql]'."


def extension_file() -> Path:
    """The signed spatial extension inside the wheel `duckdb-extension-spatial`.

    Raises:
        ConfigError: It is not installed, or has none for this version of DuckDB.
    """
    import duckdb

    spec = find_spec("duckdb_extension_spatial")
    if spec is None or spec.origin is None:
        raise ConfigError(_MISSING, _INSTALL)
    path = Path(spec.origin).parent / "extensions" / f"v{duckdb.__version__}" / _EXTENSION
    if not path.is_file():
        raise ConfigError(
            f"The installed spatial extension is not for DuckDB {duckdb.__version__}.",
            f"Upgrade both: pip install -U duckdb=={duckdb.__version__} duckdb-extension-spatial.",
        )
    return path


def connect(path: Path | None = None, *, read_only: bool = False) -> "DuckDBPyConnection":
    """A connection with the extension loaded and tested, to a file or (None) to memory.

    Raises:
        ConfigError: DuckDB or its extension is missing or does not measure right.
    """
    try:
        import duckdb
    except ImportError as error:
        raise ConfigError(_MISSING, _INSTALL) from error
    extension = extension_file()
    database = ":memory:" if path is None else str(path)
    connection = duckdb.connect(database, read_only=read_only, config={"threads": "1"})
    try:
        connection.execute(f"LOAD {sql_text(str(extension))}")
        connection.execute("SET GLOBAL geometry_always_xy = true")
        connection.execute(QUIET)
        _self_test(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def lock_down(connection: "DuckDBPyConnection") -> None:
    """Closes the connection's doors: no files, no network, no spilling, no way to open them again.

    Also makes `/` divide whole numbers as PostgreSQL does. Holds for all cursors of the connection.
    """
    for statement in (
        "SET GLOBAL integer_division = true",
        "SET GLOBAL temp_directory = ''",
        f"SET GLOBAL memory_limit = '{_MEMORY_LIMIT}'",
        "SET GLOBAL autoinstall_known_extensions = false",
        "SET GLOBAL autoload_known_extensions = false",
        "SET GLOBAL allow_community_extensions = false",
        "SET GLOBAL enable_external_access = false",
        "SET GLOBAL lock_configuration = true",
    ):
        connection.execute(statement)


def sql_text(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def _self_test(connection: "DuckDBPyConnection") -> None:
    with connection.cursor() as cursor:
        row = cursor.execute(f"SELECT ST_Distance_Spheroid({_KNOWN_POINTS})").fetchone()
    if row is None or abs(row[0] - _KNOWN_DISTANCE_M) > 0.1:
        raise ConfigError(
            f"DuckDB measures {row and row[0]} m from New York to Amsterdam, not {_KNOWN_DISTANCE_M:.0f} m.",
            "Install the versions that mapagent's extra 'sql' asks for.",
        )
