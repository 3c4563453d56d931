"""`mapagent provider`: which sources of map facts there are, what they can do, how to begin a new one."""

from argparse import ArgumentParser, Namespace

from mapagent.interfaces.cli import emulate, provider_check, provider_new
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_config

ACTIONS = (provider_check, provider_new, emulate)
"""Modules that add an action: `add(actions)` adds its parser, which sets `act` to what it does."""


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="list the providers")
    add_config(listing)
    listing.set_defaults(act=list_providers)
    for action in ACTIONS:
        action.add(actions)


def run(given: Namespace) -> int:
    """Does what the action says."""
    code: int = given.act(given)
    return code


def list_providers(given: Namespace) -> int:  # noqa: ARG001
    """Prints the providers with the first line of their description."""
    from mapagent.runtime.plugins import Plugins
    from mapagent.runtime.providers import GROUP

    plugins = Plugins(GROUP, "provider")
    for name in plugins.names():
        description = (plugins.load(name).__doc__ or "").strip().splitlines()
        print(f"{name:<16} {description[0] if description else ''}")
    return 0


COMMAND = Command(help=BUILT_IN["provider"], configure=configure, run=run)
