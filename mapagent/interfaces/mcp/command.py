"""`mapagent mcp`: the agent and its map tools for clients of the Model Context Protocol."""

import asyncio
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path

from map_tools.errors import ConfigError
from map_tools.own_places import OwnPlaces
from mapagent.core.agent import MapAgent
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_own_places, add_settings, settings_from
from mapagent.runtime.own_places import CurrentPlaces, no_places

REPLY_TOKENS = 1_500
FEWEST_TOKENS = 300
"""Below this a reply has no room for anything but its frame."""


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument(
        "--http", type=int, metavar="PORT", help="serve HTTP on this machine (0: any free port), not stdio"
    )
    parser.add_argument(
        "--reply-tokens",
        type=_budget,
        default=REPLY_TOKENS,
        metavar="N",
        help=f"longest reply (default: {REPLY_TOKENS}); the rest stands behind a handle",
    )
    parser.add_argument("--images", type=Path, metavar="FOLDER", help="pictures in it may be named by tools")
    add_own_places(parser, "yes; the assistant reads the names that it is told, and no positions")
    add_settings(parser)


def run(given: Namespace) -> int:
    """Serves until the client goes or the process is interrupted."""
    try:
        import mcp  # noqa: F401
    except ImportError as error:
        raise ConfigError(
            "The Model Context Protocol needs the package 'mcp'.", "pip install 'mapagent[mcp]'"
        ) from error
    asyncio.run(_serve(given))
    return 0


async def _serve(given: Namespace) -> None:
    from mapagent.interfaces.mcp.server import (
        MapServer,  # these need the package that was looked for
        announce,
        serve_http,
        serve_stdio,
    )
    from mapagent.interfaces.mcp.workbench import Workbench

    settings = settings_from(given).settings
    # Both transports are for this machine alone. The assistant is a language model, whatever answers here.
    own: Callable[[], OwnPlaces] = (
        no_places if given.own_places is False else CurrentPlaces(settings, listed=False)
    )
    named = bool(own().places)  # a damaged file is told now
    bench = Workbench.of(MapAgent(settings, own=own), images=given.images)
    try:
        server = MapServer(bench, reply_tokens=given.reply_tokens, own_places=named).protocol()
        if given.http is None:
            await serve_stdio(server)
        else:
            await serve_http(server, given.http, announce)
    finally:
        await bench.close()


def _budget(text: str) -> int:
    if not text.isdecimal() or int(text) < FEWEST_TOKENS:
        raise ArgumentTypeError(f"'{text}' is not a whole number from {FEWEST_TOKENS}")
    return int(text)


COMMAND = Command(help=BUILT_IN["mcp"], configure=configure, run=run)
