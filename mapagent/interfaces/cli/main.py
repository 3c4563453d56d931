"""The entry point of the command line."""

import argparse
import io
import os
import re
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from typing import NoReturn

from mapagent.interfaces.cli.command import BUILT_IN, Command
from mapagent.runtime.plugins import entry_points

_SIGNED_PAIR = re.compile(r"-[\d.]+\s*,.*")
DESCRIPTION = "Answers questions about maps with verified evidence."


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; exit code 0: done, 1: the run failed, 2: wrong use, 3: the question was not understood."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    # The reader's matrices are small: further threads only wait for each other, and add up in another order.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # no name of a place may fail on an ASCII terminal
    try:
        return _run(_joined(arguments))
    except KeyboardInterrupt:
        print("Interrupted; nothing half-made was left behind.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`mapagent ... | head`): no complaint at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _joined(arguments: list[str]) -> list[str]:
    """`--near -33.9,151.2` as `--near=-33.9,151.2`, and a pair by itself apart: argparse takes it for a flag."""
    joined: list[str] = []
    for word in arguments:
        if joined and joined[-1].startswith("--") and _SIGNED_PAIR.fullmatch(word):
            joined[-1] += f"={word}"
        elif _SIGNED_PAIR.fullmatch(word):
            joined.append(f" {word}")  # with a space in front it is no flag
        else:
            joined.append(word)
    return joined


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong, without all that could have been said."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see `{self.prog} --help`)\n")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        # Nowhere else are both the wrong word and those that are taken at hand.
        from map_tools.errors import did_you_mean

        known = () if action.choices is None else tuple(action.choices)
        if known and value not in known and (hint := did_you_mean(str(value), map(str, known))):
            raise argparse.ArgumentError(action, f"there is no '{value}'. {hint}")
        super()._check_value(action, value)


def _run(arguments: list[str]) -> int:
    from map_tools.errors import did_you_mean

    commands = _commands()
    parser = _Parser(prog="mapagent", description=DESCRIPTION)
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    wanted = next((word for word in arguments if word in commands), None)
    first = arguments[0] if arguments else ""
    if wanted is None and first and not first.startswith("-"):
        hint = did_you_mean(first, commands) or f"Commands: {', '.join(commands)}."
        parser.error(f"there is no command '{first}'. {hint}")
    loaded: dict[str, Command] = {}
    for name, entry in commands.items():
        if wanted is None and name in BUILT_IN:
            subparsers.add_parser(name, help=BUILT_IN[name])
        elif wanted in (None, name):
            loaded[name] = command = entry.load()
            command.configure(subparsers.add_parser(name, help=command.help, description=command.help))
    given = parser.parse_args(arguments)
    if given.version:
        from mapagent import __version__

        print(f"mapagent {__version__}")
        return 0
    if given.command is None:
        parser.print_help()
        return 2
    return _guarded(loaded[given.command], given)


def _guarded(command: Command, given: argparse.Namespace) -> int:
    from map_tools.errors import MapAgentError, UsageError

    try:
        return command.run(given)
    except MapAgentError as error:
        from mapagent.core.rendering import clean

        print(f"mapagent: {clean(str(error))}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1


def _commands() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in sorted(entry_points("mapagent.commands"))}


if __name__ == "__main__":
    sys.exit(main())
