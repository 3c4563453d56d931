"""What a command of the command line is, and the arguments that several of them share.

Commands are found through the entry points `mapagent.commands`.
"""

from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from map_tools.types import LatLng
    from mapagent.runtime.config import LoadedSettings


@dataclass(frozen=True)
class Command:
    """A command: its line in `--help`, its arguments, and what it does.

    `run` returns the exit code: 0 done, 1 the run failed, 2 wrong use. The module that defines a command is loaded
    when the command is given; for the list of all, only those of plug-ins are.
    """

    help: str
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


BUILT_IN: Mapping[str, str] = {
    "ask": "answer a question about a map",
    "chat": "ask question after question, each with those before it",
    "query": "run a program of the query language",
    "serve": "serve the web page and the HTTP API",
    "map": "add, update, list and remove maps",
    "places": "name places of your own",
    "provider": "list, check, make and emulate map providers",
    "module": "list the modules and their operators",
    "config": "show the settings and where they come from",
    "doctor": "say what works, what does not, and what to do",
    "cache": "explain or clear the kept replies",
    "mcp": "serve the agent and its tools over MCP",
    "batch": "answer a table of questions",
    "eval": "measure methods over benchmarks",
    "vectors": "embed the places of a map for recommendations",
    "recommend": "recommend a place, and draw it",
    "generate": "make a benchmark from a map",
}
"""The `help` of our own commands, so that `mapagent --help` loads none of them."""


MAX_PORT = 65_535
"""Ports are numbers of 16 bits (RFC 9293, section 3.1)."""
SETTING_FLAGS = ("model", "base_url", "provider", "map", "max_usd", "record", "replay")


def add_config(parser: ArgumentParser) -> None:
    """Every command takes a configuration file."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="a TOML file with settings")


def add_settings(parser: ArgumentParser) -> None:
    """Flags that set settings for one run."""
    add_config(parser)
    parser.add_argument("--model", help="offline (default), a model's name, or cascade:NAME")
    parser.add_argument("--base-url", metavar="URL", help="an OpenAI-compatible server")
    parser.add_argument("--provider", help="osm (default), recorded:PATH, or a plug-in's name")
    parser.add_argument("--map", metavar="NAME", help="which map (default: the last one added)")
    parser.add_argument("--max-usd", type=float, metavar="X", help="stop before spending more than this")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write down all a map service answers")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="answer from such a file, offline")


def add_own_places(parser: ArgumentParser, default: str) -> None:
    """Whether the user's own places (`mapagent places`) are known; None in the namespace: nothing was said.

    Args:
        parser: Of the command.
        default: What holds then, in words.
    """
    parser.add_argument(
        "--own-places",
        action=BooleanOptionalAction,
        help=f"whether places of your own are known (default: {default})",
    )


def settings_from(given: Namespace) -> "LoadedSettings":
    """The settings with the flags of this command line on top."""
    from mapagent.runtime.config import load_settings

    flags = {name: getattr(given, name) for name in SETTING_FLAGS if hasattr(given, name)}
    return load_settings(config=given.config, flags=flags)


def position(text: str) -> "LatLng":
    """Reads LAT,LON."""
    from pydantic import ValidationError

    from map_tools.types import LatLng

    parts = text.split(",")
    try:
        lat, lng = (float(part) for part in parts)
        return LatLng(lat=lat, lng=lng)
    except (ValueError, ValidationError) as error:
        raise ArgumentTypeError(
            f"'{text}' is not a position; write latitude,longitude in degrees, such as 60.17,24.94"
        ) from error


def moment(text: str) -> "datetime":
    """Reads an ISO 8601 moment; without a zone it is the place's local time."""
    from datetime import datetime

    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"'{text}' is not a moment; write it as 2026-11-21T18:30") from error


def positive(text: str) -> int:
    """Reads a whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"'{text}' is not a whole number from 1")
    return int(text)
