"""What may be there beside: a PostGIS server, the recognition of text in pictures."""

import os
import shutil
import socket
import subprocess
from collections.abc import Mapping
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

from mapagent.runtime.diagnostics.finding import Finding, State

POSTGRES_PORT = 5432
SOCKET_FOLDERS = (Path("/var/run/postgresql"), Path("/tmp"))  # noqa: S108 - where servers put their sockets
"""https://www.postgresql.org/docs/current/runtime-config-connection.html#GUC-UNIX-SOCKET-DIRECTORIES"""
CONNECT_TIMEOUT_S = 0.5
QUERY_TIMEOUT_S = 3.0
DRIVERS = ("psycopg", "asyncpg", "psycopg2")


def check_postgis(environ: Mapping[str, str] | None = None) -> tuple[Finding, ...]:
    """Is there a PostgreSQL server with PostGIS, and something to talk to it with?

    Args:
        environ: PGHOST and PGPORT say where (https://www.postgresql.org/docs/current/libpq-envars.html).
    """
    environ = os.environ if environ is None else environ
    driver = next((name for name in DRIVERS if find_spec(name) is not None), None)
    psql = shutil.which("psql", path=environ.get("PATH"))
    place = _server(environ)
    talk = f"driver {driver}" if driver else "no Python driver"
    talk += ", psql" if psql else ", no psql"
    if place is None:
        where = f"{environ.get('PGHOST') or 'localhost'}:{environ.get('PGPORT') or POSTGRES_PORT}"
        return (
            Finding(
                area="postgis",
                name="server",
                state=State.NO,
                detail=f"no PostgreSQL server at {where} ({talk})",
                remedy="Needed only for maps too large for one process; set PGHOST and PGPORT.",
            ),
        )
    version = _postgis_version(psql, environ) if psql else "unknown without psql"
    return (
        Finding(
            area="postgis",
            name="server",
            state=State.OK if version[0].isdigit() else State.NO,
            detail=f"PostgreSQL at {place} ({talk}); PostGIS {version}",
            remedy="" if driver else "Install a driver to use it: pip install psycopg.",
        ),
    )


def check_ocr() -> tuple[Finding, ...]:
    """Can text in pictures be read?"""
    missing = [name for name in ("rapidocr", "openvino") if find_spec(name) is None]
    if missing:
        return (
            Finding(
                area="ocr",
                name="rapidocr",
                state=State.NO,
                detail=f"not installed: {', '.join(missing)}",
                remedy="Needed only for pictures: pip install 'mapagent[vision]'.",
            ),
        )
    return (Finding(area="ocr", name="rapidocr", state=State.OK, detail="installed"),)


def _server(environ: Mapping[str, str]) -> str | None:
    """Where a PostgreSQL server listens, None if nowhere."""
    host, port = environ.get("PGHOST", ""), environ.get("PGPORT", "") or str(POSTGRES_PORT)
    if not port.isdecimal():
        return None
    folders = (Path(host),) if host.startswith("/") else () if host else SOCKET_FOLDERS
    for folder in folders:
        path = folder / f".s.PGSQL.{port}"
        if path.exists() and _answers(str(path)):
            return str(path)
    if host.startswith("/"):
        return None
    name = host or "localhost"
    return f"{name}:{port}" if _answers((name, int(port))) else None


def _answers(address: str | tuple[str, int]) -> bool:
    try:
        if isinstance(address, tuple):
            socket.create_connection(address, timeout=CONNECT_TIMEOUT_S).close()
            return True
        with closing(socket.socket(socket.AF_UNIX)) as local:
            local.settimeout(CONNECT_TIMEOUT_S)
            local.connect(address)
            return True
    except OSError:
        return False


def _postgis_version(psql: str, environ: Mapping[str, str]) -> str:
    """The version of PostGIS that the server can load, or why it is not known."""
    query = "SELECT default_version FROM pg_available_extensions WHERE name = 'postgis'"
    try:
        ran = subprocess.run(
            [psql, "-XAtwq", "-d", environ.get("PGDATABASE") or "postgres", "-c", query],
            capture_output=True,
            text=True,
            timeout=QUERY_TIMEOUT_S,
            check=False,
            env=dict(environ),
        )
    except (OSError, subprocess.TimeoutExpired):
        return "unknown: psql gives no answer"
    if ran.returncode != 0:
        return "unknown: psql may not log in"
    return ran.stdout.strip() or "is not installed there"
