"""A private PostGIS server for tests: a cluster in a temporary folder, on a free port of the loopback.

`python -m tests.support.postgis` starts one for a person, prints its address and stops it on Ctrl-C.
"""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.cli import within_memory

ROOT = Path(__file__).resolve().parents[2]
_INSTALL = ROOT / "scripts" / "install-postgis"
_ACCOUNT = "postgres"
_SETTINGS = {
    "fsync": "off",
    "shared_buffers": "256MB",
    "max_connections": "20",
    "logging_collector": "off",
    "autovacuum": "off",
}


MEMORY_KB = 2_000_000
"""Of each connection, as `docs/threat-model.md` asks of who runs a server: PostgreSQL has no such setting."""


@contextmanager
def server() -> Iterator[str]:
    """Starts a server and yields the address of its superuser; everything is gone at the end.

    Skips the test where PostGIS is missing and cannot be installed.
    """
    programs = _programs()
    with tempfile.TemporaryDirectory(prefix="mapagent-postgis-") as name:
        folder = Path(name)
        _give_away(folder)
        port = _free_port()
        _run(
            programs / "initdb",
            "-D",
            folder / "data",
            "-U",
            "owner",
            "--auth=trust",
            "--locale=C.UTF-8",
            "-E",
            "UTF8",
        )
        settings = " ".join(f"-c {key}={value}" for key, value in _SETTINGS.items())
        options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' {settings}"
        control = (programs / "pg_ctl", "-D", folder / "data", "-w", "-t", "60")
        _run(*within_memory(MEMORY_KB), *control, "-l", folder / "log", "-o", options, "start")
        try:
            yield f"host=127.0.0.1 port={port} user=owner dbname=postgres"
        finally:
            _run(*control, "-m", "immediate", "stop")


def _programs() -> Path:
    """The folder of a PostgreSQL that has PostGIS; installs it on a bare Debian machine."""
    found = _installed()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        installed = subprocess.run([str(_INSTALL)], capture_output=True, text=True, timeout=900, check=False)
        found = _installed()
        if found is None:
            pytest.skip(f"PostGIS could not be installed: {installed.stderr.strip()[-200:]}")
    if found is None:
        pytest.skip("needs PostgreSQL with PostGIS: run scripts/install-postgis as root")
    return found


def _installed() -> Path | None:
    for programs in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        version = programs.parent.name
        if Path(f"/usr/share/postgresql/{version}/extension/postgis.control").exists():
            return programs
    return None


def _run(*command: object) -> None:
    """Runs a program of PostgreSQL, which refuses to be run by root."""
    account = _account()
    done = subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # a server keeps its output open, so nobody may wait for its end
        stderr=subprocess.DEVNULL,
        cwd="/",
        check=False,
        timeout=120,
        **({"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}),
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed with {done.returncode}")


def _account() -> pwd.struct_passwd | None:
    """Whom to run the server as: somebody else if this is root, who may not."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(_ACCOUNT)
    except KeyError:
        return pwd.getpwnam("nobody")


def _give_away(folder: Path) -> None:
    account = _account()
    if account:
        os.chown(folder, account.pw_uid, account.pw_gid)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    with server() as address:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            pass
