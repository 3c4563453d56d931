"""`mapagent query`: runs a program of the query language."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from map_tools.errors import InputFileError
from mapagent.core.agent import MapAgent
from mapagent.interfaces.cli.ask import add_situation, settled, situation
from mapagent.interfaces.cli.command import BUILT_IN, Command, settings_from
from mapagent.runtime.own_places import own_places

MAX_PROGRAM_BYTES = 64_000
"""More than any program may have: what is longer is told so by the language itself."""


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "program", metavar="FILE|-", help="a file that holds the program; - for standard input"
    )
    add_situation(parser)


def run(given: Namespace) -> int:
    """Runs the program; exit code 0 for every honest outcome, 1 if the run failed."""
    return asyncio.run(_run(given))


async def _run(given: Namespace) -> int:
    program = _read(given.program)
    question, use_map = situation(given, f"(the program {given.program})")
    settings = settings_from(given).settings
    async with MapAgent(settings, own=own_places(settings)) as agent:
        answer = await agent.query(program, question=question, use_provider=use_map)
        return await settled(given, agent, question, answer, use_map=use_map)


def _read(name: str) -> str:
    if name == "-":
        return sys.stdin.read(MAX_PROGRAM_BYTES)
    try:
        with Path(name).open("rb") as stream:
            return stream.read(MAX_PROGRAM_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise InputFileError(
            f"The program {name} cannot be read: {error.strerror}.", "Name a file you may read, or - ."
        ) from error
    except UnicodeDecodeError as error:
        raise InputFileError(f"The program {name} is not UTF-8 text.", "Convert it to UTF-8.") from error


COMMAND = Command(help=BUILT_IN["query"], configure=configure, run=run)
