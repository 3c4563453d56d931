"""Kills a worker of a Ray cluster that a process has started."""

import os
import signal
import time
from pathlib import Path


def kill_a_worker(driver: int, kind: str, longest_s: float = 60) -> None:
    """Kills a worker of this class, as soon as there is one.

    Args:
        driver: The process that has started the cluster; no other cluster is touched.
        kind: Name of the worker's class.
        longest_s: So long it is looked for.

    Raises:
        LookupError: There was none.
    """
    end = time.monotonic() + longest_s
    while time.monotonic() < end:
        for worker in _workers(kind):
            if driver in _ancestors(worker):
                os.kill(worker, signal.SIGKILL)
                return
        time.sleep(0.01)
    raise LookupError(f"The process {driver} has no worker {kind}.")


def _workers(kind: str) -> list[int]:
    """Process numbers of the workers of a class on this machine; Ray names their processes after it."""
    title = f"ray::{kind}".encode()
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if _title(folder).startswith(title)]


def _title(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:  # it has ended meanwhile
        return b""


def _ancestors(process: int) -> list[int]:
    found = []
    while process > 1:
        try:
            # The program's name stands in brackets and may hold anything; the parent is second after it.
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            break
        found.append(process)
    return found
