"""Connecting to a PostgreSQL server: the driver is imported when it is needed, and no password gets out."""

from typing import TYPE_CHECKING, Any

from map_tools.errors import ConfigError

if TYPE_CHECKING:
    from psycopg import Connection

MISSING = "PostGIS needs the package psycopg."
INSTALL = "Install it with: pip install 'mapagent[sql]'."
CONNECT_TIMEOUT_S = 10


def connect(dsn: str, *, options: str = "", autocommit: bool = False) -> "Connection[tuple[Any, ...]]":
    """Opens a connection.

    Args:
        dsn: The address of a database: libpq's "host=... dbname=..." or a URL; what it leaves out is taken
            from libpq's environment variables and password file
            (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
        options: Settings of the session, "-c NAME=VALUE".
        autocommit: Whether each statement is a transaction of its own.

    Raises:
        ConfigError: psycopg is missing, the address cannot be read, the server cannot be reached or refuses
            the role. What is said holds no password.
    """
    parts = _parts(dsn)
    if parts is None:
        raise ConfigError(
            "The address of the PostgreSQL database cannot be read.",
            "Write it as 'host=... dbname=... user=...' or as postgresql://USER@HOST/DATABASE.",
        )
    opened = _opened({**parts, "options": f"{parts.get('options') or ''} {options}".strip()}, autocommit)
    if isinstance(opened, str):
        password = str(parts.get("password") or "")
        reason = opened.replace(password, "***") if password else opened
        raise ConfigError(
            "The PostgreSQL server cannot be reached, or refuses this role.",
            f"Check its address; it says: {reason}",
        )
    return opened


def has_password(dsn: str) -> bool:
    """Whether an address has a password in it; True also for what cannot be read, for it may have one.

    Raises:
        ConfigError: psycopg is missing.
    """
    parts = _parts(dsn)
    return parts is None or bool(parts.get("password"))


def _parts(dsn: str) -> dict[str, Any] | None:
    """The parts of an address; None if it cannot be read. What libpq says of it would quote it."""
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
    except ImportError as error:
        raise ConfigError(MISSING, INSTALL) from error
    try:
        return conninfo_to_dict(dsn)
    except ProgrammingError:
        return None


def _opened(parts: dict[str, Any], autocommit: bool) -> "Connection[tuple[Any, ...]] | str":  # noqa: FBT001
    """A connection, or why there is none.

    An error that were raised here would have the driver's as its context, whose traceback holds the password.
    """
    import psycopg

    try:
        return psycopg.connect(**{"connect_timeout": CONNECT_TIMEOUT_S, **parts}, autocommit=autocommit)
    except psycopg.Error as error:
        return (str(error).strip() or type(error).__name__).splitlines()[0]
