"""What a command of the command line is. Commands are found through the entry points `mapagent.commands`."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A command: its line in `--help`, its arguments, and what it does.

    `run` returns the exit code: 0 done, 1 the run failed, 2 wrong use. Modules that define commands must be
    light: heavy imports belong inside `run`.
    """

    help: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]
