"""Kills a program, or a worker of a Ray cluster it has started, again and again and looks at what is left."""

import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


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


AT_START = 0.2
"""Share of the kills that come before the program has begun to write."""
WHOLE_GROUP = 0.5
"""Share of the kills that take the programs with them that the program has started."""
POLL_S = 0.002
LONGEST_START_S = 120.0


class Subject(Protocol):
    """A program that writes, and what must be true of it whenever it is killed.

    Attributes:
        name: What is told of it.
        longest_s: So long after it has begun to write, the latest kill comes.
    """

    name: str
    longest_s: float

    def start(self) -> "subprocess.Popen[bytes]":
        """Starts the program in a session of its own; it goes on from what is there."""
        ...

    def begun(self) -> bool:
        """Whether it has written something since it was started."""
        ...

    def check(self) -> list[str]:
        """What is lost, doubled or damaged now, in words; nothing runs meanwhile."""
        ...

    def finish(self) -> list[str]:
        """Lets the program come to its end, and says what is then not as it would be without any kill."""
        ...


@dataclass(frozen=True, slots=True)
class Toll:
    """What came of killing a program.

    Attributes:
        name: Of the program.
        killed: Kills that met it alive.
        at_start: Those of them before it had begun to write.
        too_late: Kills that found it finished.
        broken: What was lost, doubled or damaged, in words.
    """

    name: str
    killed: int
    at_start: int
    too_late: int
    broken: tuple[str, ...]


def kill_often(subject: Subject, kills: int, seed: int) -> Toll:
    """Kills a program so many times, at moments that follow from the seed, and lets it finish at last."""
    dice = random.Random(f"{seed} {subject.name}")  # noqa: S311 (reproducible, not secret)
    killed = at_start = too_late = 0
    start_s = 0.0
    broken: list[str] = []
    for number in range(1, kills + 1):
        process = subject.start()
        early = dice.random() < AT_START and start_s > 0
        if early:
            time.sleep(dice.uniform(0, start_s))
        else:
            start_s = _wait_until_begun(subject, process)
            time.sleep(dice.uniform(0, subject.longest_s))
        alive = _kill(process, group=dice.random() < WHOLE_GROUP)
        killed += alive
        at_start += alive and early
        too_late += not alive
        broken += [f"{subject.name}, kill {number}: {what}" for what in subject.check()]
    broken += [f"{subject.name}, at the end: {what}" for what in subject.finish()]
    return Toll(subject.name, killed, at_start, too_late, tuple(broken))


def _wait_until_begun(subject: Subject, process: "subprocess.Popen[bytes]") -> float:
    """Seconds until the program has written something, or has ended."""
    begin = time.monotonic()
    while process.poll() is None and not subject.begun():
        time.sleep(POLL_S)
        if time.monotonic() - begin > LONGEST_START_S:
            break
    return time.monotonic() - begin


def _kill(process: "subprocess.Popen[bytes]", *, group: bool) -> bool:
    """Kills a program and perhaps what it has started; True if it was alive.

    What it has started is killed at last in any case, as nothing may run while the damage is looked at.
    """
    if process.poll() is None and not group:
        os.kill(process.pid, signal.SIGKILL)
        # Not waited for to the end: until then nobody else can get its number, which is that of its group.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait() == -signal.SIGKILL
