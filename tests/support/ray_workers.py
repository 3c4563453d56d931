"""Workers of a Ray cluster that a test started: what they are made of, and how one of them is killed."""

import os
import signal
import time
from pathlib import Path


class Fragile:
    """A worker that answers with its question and dies of some, for tests of what becomes of them."""

    def __init__(self, deadly: int) -> None:
        self._deadly = deadly

    async def ask(self, number: int) -> int:
        """Answers with the number; dies of the deadly one, and raises for a negative one."""
        if number == self._deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        if number < 0:
            raise LookupError(number)
        return number

    async def close(self) -> None:
        """Has nothing to close."""


def kill_a_worker(driver: int, kind: str, longest_s: float = 60) -> None:
    """Kills a worker of this class of the cluster that this process started, as soon as there is one."""
    end = time.monotonic() + longest_s
    while time.monotonic() < end:
        for worker in _workers(kind):
            if driver in _ancestors(worker):
                os.kill(worker, signal.SIGKILL)
                return
        time.sleep(0.01)
    raise AssertionError("There was no worker to kill.")


def _workers(kind: str) -> list[int]:
    """Process numbers of the actors of a class on this machine; Ray names their processes after it."""
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
            # The name of the program stands in brackets and may hold anything; the parent is second after it.
            process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            break
        found.append(process)
    return found
