"""The tables of `schema.sql`: what they hold, how the numbers in them are made, and making them.

Whoever writes to them needs a connection by `writing`; a role of its own is let read them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from map_tools.errors import ConfigError
from map_tools.postgres import connect

if TYPE_CHECKING:
    from psycopg import Connection

SCHEMA = "mapagent"
LAYOUT = "mapagent maps, layout 6"
"""The comment on the schema; tables of another layout are not read."""
TABLES = ("features", "places", "names", "bearers", "addresses")
"""The tables with a partition for each region."""
SWAP_LOCK = 0x6D61_7061
"""Key of the advisory lock that readers share and that whoever changes the regions holds alone."""
KINDS = ("n", "w", "r")
_ROW_BITS = 32

READER = "mapagent_reader"
"""The role that is let read, and made if there is none."""


def row_number(region: int, row: int) -> int:
    """The row of a feature among all regions."""
    return region << _ROW_BITS | row


def region_of(row: int) -> int:
    """The number of the region that a row belongs to."""
    return row >> _ROW_BITS


def thing_number(kind: str, osm_id: int) -> int:
    """An OpenStreetMap object as one number."""
    return osm_id * len(KINDS) + KINDS.index(kind)


def thing_named(thing: int) -> tuple[str, int]:
    """Kind and id of an object: the inverse of `thing_number`."""
    return KINDS[thing % len(KINDS)], thing // len(KINDS)


def statements(name: str) -> str:
    """The SQL of a file of this package."""
    return (files(__package__) / f"{name}.sql").read_text("utf-8")


@contextmanager
def writing(dsn: str) -> "Iterator[Connection[Any]]":
    """A connection whose work counts once it is committed; the server's objections become a sentence."""
    connection = connect(dsn)
    import psycopg

    reason = remedy = ""
    try:
        yield connection
    except psycopg.Error as error:
        reason = (error.diag.message_primary or str(error)).strip().splitlines()[0]
        remedy = _remedy(error)
    finally:
        connection.close()
    if reason:  # raised here, for the driver's error may quote what was sent
        raise ConfigError(f"The database cannot take the map: {reason}.", remedy)


def _remedy(error: Exception) -> str:
    from psycopg import errors

    if isinstance(error, errors.FeatureNotSupported | errors.UndefinedFile):
        return (
            "Install PostGIS and the contrib modules on the server (scripts/install-postgis does on Debian)."
        )
    if isinstance(error, errors.InsufficientPrivilege):
        return (
            "Use the database's owner, and have an administrator run once: "
            "CREATE EXTENSION postgis; CREATE ROLE mapagent_reader LOGIN."
        )
    return "Give the address of a database of your own with --to."


def make_tables(connection: "Connection[Any]", reader: str) -> None:
    """Makes the tables that are not there yet, and lets a role read them.

    Raises:
        ConfigError: The database holds tables of another layout, or does not know letters beyond ASCII.
    """
    from psycopg import sql

    connection.execute("SELECT pg_advisory_xact_lock(%s)", (SWAP_LOCK,))  # one at a time
    _check_layout(connection)
    connection.execute(sql.SQL(statements("schema")).format(comment=sql.Literal(LAYOUT)))
    _check_letters(connection)
    role = sql.Identifier(reader)
    if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (reader,)).fetchone() is None:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(role))
        connection.execute(sql.SQL("ALTER ROLE {} SET default_transaction_read_only = on").format(role))
    for grant in ("USAGE ON SCHEMA", "SELECT ON ALL TABLES IN SCHEMA"):
        connection.execute(sql.SQL(f"GRANT {grant} {{}} TO {{}}").format(sql.Identifier(SCHEMA), role))
    connection.commit()


def _check_layout(connection: "Connection[Any]") -> None:
    found = connection.execute(
        "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = %s", (SCHEMA,)
    ).fetchone()
    if found is not None and found[0] != LAYOUT:
        raise ConfigError(
            f"The schema '{SCHEMA}' of this database is not one that this program reads.",
            f"Drop it (DROP SCHEMA {SCHEMA} CASCADE) and add its maps again, or use another database.",
        )


def _check_letters(connection: "Connection[Any]") -> None:
    """The locale C makes letters of other alphabets no letters, so that names in them would not be found."""
    found = connection.execute("SELECT cardinality(public.show_trgm('ж'))").fetchone()
    if found is None or not found[0]:
        raise ConfigError(
            "This database does not know letters beyond ASCII.",
            "Make one with: CREATE DATABASE maps TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'.",
        )
