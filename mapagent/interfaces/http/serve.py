"""`mapagent serve`: the HTTP API and the web page."""

import os
import secrets
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.errors import ConfigError, InputFileError
from mapagent.interfaces.cli.command import (
    BUILT_IN,
    MAX_PORT,
    Command,
    add_own_places,
    add_settings,
    positive,
    settings_from,
)
from mapagent.interfaces.http.options import ASKS_PER_MINUTE, CONCURRENCY, HISTORY, HOST, PORT, ServeOptions

if TYPE_CHECKING:
    from mapagent.runtime.config import Settings

TOKEN_VARIABLE = "MAPAGENT_SERVE_TOKEN"  # noqa: S105 - the name of a variable, not a token
TOKEN_BYTES = 16
STATE_FOLDER = "serve"


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("--host", default=HOST, help="address to listen on (default: this machine only)")
    parser.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help=f"callers must send this token (or ${TOKEN_VARIABLE})"
    )
    parser.add_argument("--open", action="store_true", help="serve other machines without a token")
    parser.add_argument(
        "--offer-model", action="append", default=[], metavar="NAME", help="a model callers may choose"
    )
    parser.add_argument(
        "--offer-provider", action="append", default=[], metavar="P", help="a provider callers may choose"
    )
    parser.add_argument(
        "--rate", type=int, default=ASKS_PER_MINUTE, metavar="N",
        help=f"questions a minute from one address, 0 for no limit (default: {ASKS_PER_MINUTE})",
    )  # fmt: skip
    parser.add_argument(
        "--at-once", type=positive, default=CONCURRENCY, metavar="N",
        help=f"questions at work in each process (default: {CONCURRENCY})",
    )  # fmt: skip
    parser.add_argument(
        "--history", type=int, default=HISTORY, metavar="N",
        help=f"questions remembered, 0 for none (default: {HISTORY})",
    )  # fmt: skip
    parser.add_argument("--state", type=Path, metavar="FOLDER", help="where the history is kept")
    add_own_places(parser, "if only this machine is served, without a token")
    add_settings(parser)


def run(given: Namespace) -> int:
    """Serves until it is stopped."""
    settings = settings_from(given).settings
    if settings.record is not None or settings.replay is not None:
        raise ConfigError("A server neither records nor replays.", "Use `mapagent ask` for that.")
    options = options_from(given, settings)
    if options.own_places:
        from mapagent.runtime.own_places import own_places

        own_places(settings)  # a damaged file is told now, and not to whoever asks first
    try:
        from mapagent.interfaces.http.process import serve
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"`mapagent serve` needs the package '{error.name}'.", "Run `pip install 'mapagent[server]'`."
        ) from error
    return serve(settings, options, announce=_announce)


def _announce(url: str) -> None:
    sys.stderr.write(f"mapagent is at {url}\n")
    sys.stderr.flush()


def options_from(given: Namespace, settings: "Settings") -> ServeOptions:
    """The options of a command line.

    Raises:
        ConfigError: Other machines could use the server without a token, or a number is out of range.
        InputFileError: The token file cannot be read.
    """
    options = ServeOptions(
        state=given.state or settings.data_home / STATE_FOLDER,
        host=given.host,
        port=given.port,
        workers=given.workers,
        token=_token(given.token_file),
        models=tuple(given.offer_model),
        providers=tuple(given.offer_provider),
        asks_per_minute=given.rate,
        concurrency=given.at_once,
        history=given.history,
        own_places=bool(given.own_places),
    )
    if options.token is None:
        options = replace(options, owner_token=secrets.token_urlsafe(TOKEN_BYTES))
    if not 0 <= options.port <= MAX_PORT:
        raise ConfigError(f"There is no port {options.port}.", f"Ports go from 0 to {MAX_PORT}.")
    if options.asks_per_minute < 0 or options.history < 0:
        raise ConfigError("--rate and --history cannot be negative.", "0 means no limit, and no history.")
    if not (options.local_only or options.token or given.open):
        raise ConfigError(
            f"At {options.host} every machine that reaches this one could ask.",
            f"Give a token with --token-file or ${TOKEN_VARIABLE}, or say --open.",
        )
    if given.own_places is None and options.local_only and not (options.token or given.open):
        options = replace(options, own_places=True)
    return options


def _token(path: Path | None) -> str | None:
    if path is None:
        return os.environ.get(TOKEN_VARIABLE) or None
    try:
        token = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"The token file {path} cannot be read.", "Name a text file.") from error
    if not token:
        raise InputFileError(f"The token file {path} is empty.", "It should hold nothing but the token.")
    return token


COMMAND = Command(help=BUILT_IN["serve"], configure=configure, run=run)
