"""Runs the command line in this process or in one of its own, and looks at what it left behind."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from mapagent.interfaces.cli.main import main

PROGRAM = (sys.executable, "-m", "mapagent.interfaces.cli.main")


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


class CommandLine:
    """The command line in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Ran:
        self._capsys.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:  # argparse ends the process itself
            code = end.code if isinstance(end.code, int) else 1
        out, err = self._capsys.readouterr()
        return Ran(code, out, err)


def within_memory(memory_kb: int) -> tuple[str, ...]:
    """What to put before a command so that each of its processes may hold so much."""
    return ("sh", "-c", f'ulimit -d {memory_kb} && exec "$@"', "sh")


def start(*arguments: str | Path, data_home: Path, memory_kb: int | None = None) -> subprocess.Popen[str]:
    """The command line in a process (and a process group) of its own, each of its processes with so much memory."""
    return subprocess.Popen(
        [*(within_memory(memory_kb) if memory_kb else ()), *PROGRAM, *map(str, arguments)],
        env=dict(os.environ) | {"MAPAGENT_DATA_HOME": str(data_home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str], timeout_s: float = 60) -> Ran:
    """Waits for a process that was started."""
    out, err = process.communicate(timeout=timeout_s)
    return Ran(process.returncode, out, err)


def snapshot(folder: Path) -> Mapping[str, str]:
    """The files below a folder, each with the hash of its content."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
