"""`mapagent provider`: which sources of map facts there are, what they can do, how to begin or emulate one."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from mapagent.interfaces.cli.command import BUILT_IN, MAX_PORT, Command, add_config, positive, settings_from

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from map_tools.providers.base import Provider
    from map_tools.testing.emulate.backend import Backend
    from map_tools.testing.emulate.faults import Fault

SERVICES = ("google",)
DEFAULT_PORT = 8765
MAX_PAGE = 20
FAULT_HELP = (
    "let requests go wrong: KIND[@ENDPOINT][:every=N | :share=P][:seconds=S], such as slow:seconds=5 or "
    "over_query_limit@textsearch:share=0.3; may be given several times"
)


def configure(parser: ArgumentParser) -> None:
    """Declares the actions; each sets `act` to what it does."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="list the providers")
    add_config(listing)
    listing.set_defaults(act=list_providers)
    add_check(actions)
    add_new(actions)
    add_emulate(actions)


def run(given: Namespace) -> int:
    """Does what the action says."""
    code: int = given.act(given)
    return code


def list_providers(given: Namespace) -> int:  # noqa: ARG001
    """Prints the providers with the first line of their description."""
    from mapagent.runtime.opening import PROVIDERS
    from mapagent.runtime.plugins import Plugins

    plugins = Plugins(PROVIDERS, "provider")
    for name in plugins.names():
        description = (plugins.load(name).__doc__ or "").strip().splitlines()
        print(f"{name:<16} {description[0] if description else ''}")
    return 0


def add_check(actions: "_SubParsersAction[ArgumentParser]") -> None:
    """Adds `check` to the actions."""
    parser = actions.add_parser("check", help="check that a provider keeps the provider contract")
    parser.add_argument("provider", metavar="NAME", help="osm, recorded:PATH, or a plug-in's name")
    parser.add_argument("--map", metavar="NAME", help="which map (default: the last one added)")
    parser.add_argument("--sample", type=Path, metavar="FILE", help="facts of its world, as TOML")
    parser.add_argument("--live", action="store_true", help="ask the real service; it may cost money")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    add_config(parser)
    parser.set_defaults(act=check)


def check(given: Namespace) -> int:
    """Checks a provider; see `provider_check`, which is loaded when it is asked for."""
    from mapagent.interfaces.cli import provider_check

    return provider_check.run(given)


def add_new(actions: "_SubParsersAction[ArgumentParser]") -> None:
    """Adds `new` to the actions."""
    parser = actions.add_parser("new", help="write the beginnings of a provider package")
    parser.add_argument("name", metavar="NAME", help="how --provider will call it, such as my-maps")
    parser.add_argument(
        "--to", type=Path, default=Path(), metavar="DIR", help="where to make its folder (default: here)"
    )
    add_config(parser)
    parser.set_defaults(act=write_new)


def write_new(given: Namespace) -> int:
    """Writes the package and says what comes next."""
    from map_tools.errors import UsageError
    from mapagent.interfaces.cli.provider_check import write_skeleton
    from mapagent.runtime.opening import PROVIDERS
    from mapagent.runtime.plugins import Plugins

    if given.name in Plugins(PROVIDERS, "provider").names():
        raise UsageError(f"There is a provider '{given.name}' already.", "Choose another name.")
    for path in write_skeleton(given.name, given.to):
        print(f"wrote {path}")
    folder = given.to / given.name
    print(f"\nNext: pip install --editable {folder}, then mapagent provider check {given.name}")
    return 0


def add_emulate(actions: "_SubParsersAction[ArgumentParser]") -> None:
    """Adds `emulate` to the actions."""
    parser = actions.add_parser("emulate", help="serve a map in the formats of another service")
    parser.add_argument("service", choices=SERVICES, help="whose formats")
    parser.add_argument("--port", type=_port, default=DEFAULT_PORT, metavar="N", help="0 takes any free one")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--map", metavar="NAME", help="which map (default: the last one added)")
    source.add_argument("--world", type=Path, metavar="PATH", help="a recorded world instead of a map")
    parser.add_argument("--fault", action="append", default=[], metavar="FAULT", help=FAULT_HELP)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="makes random faults repeatable")
    parser.add_argument(
        "--page-size", type=positive, default=MAX_PAGE, metavar="N", help="results of a page, at most 20"
    )
    add_config(parser)
    parser.set_defaults(act=emulate)


def emulate(given: Namespace) -> int:
    """Serves until it is interrupted: Google's map services on this machine, answered from a map or world."""
    import asyncio

    from map_tools.clock import SystemClock
    from map_tools.testing.emulate.backend import Backend
    from map_tools.testing.emulate.endpoints import NAMES
    from map_tools.testing.emulate.faults import read_fault

    faults = [read_fault(text, NAMES) for text in given.fault]
    backend = Backend(
        _provider(given), SystemClock(), page_size=min(given.page_size, MAX_PAGE), seed=given.seed
    )
    asyncio.run(_serve(backend, faults, given.port))
    print("The emulator has stopped.", file=sys.stderr)
    return 0


def _provider(given: Namespace) -> "Provider":
    from mapagent.runtime.opening import open_provider

    provider = "osm" if given.world is None else f"recorded:{given.world}"
    return open_provider(settings_from(given).settings.model_copy(update={"provider": provider}))


async def _serve(backend: "Backend", faults: "list[Fault]", port: int) -> None:
    import asyncio
    import signal

    from map_tools.testing.emulate.server import Emulator

    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    emulator = Emulator(backend, faults)
    try:
        base = await emulator.start(port)
        print(_welcome(base, backend.provider), flush=True)
        await stopped.wait()
    finally:
        await emulator.close()
        await backend.provider.close()


def _welcome(base: str, provider: "Provider") -> str:
    return "\n".join(
        (
            f"Google's map services are emulated at {base}",
            f"  from the {'world' if provider.name == 'recorded' else 'map'} '{provider.map_name}'"
            + (f" ({provider.terms.attribution})" if provider.terms.attribution else ""),
            "  mapagent:    MAPAGENT_GOOGLE_BASE_URL=" + base + " MAPAGENT_GOOGLE_KEY=AIzaAnything \\",
            '                 mapagent ask "..." --provider google      (or google-legacy)',
            f'  googlemaps:  googlemaps.Client(key="AIzaAnything", base_url="{base}")',
            "  other code:  any key that is not empty; the paths are Google's own",
            "Press Ctrl-C to stop.",
        )
    )


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > MAX_PORT:
        raise ArgumentTypeError(f"'{text}' is not a port; write a number from 0 to {MAX_PORT}")
    return int(text)


COMMAND = Command(help=BUILT_IN["provider"], configure=configure, run=run)
