"""`mapagent provider list`: which sources of map facts there are."""

from argparse import ArgumentParser, Namespace

from mapagent.faces.cli.arguments import add_config
from mapagent.faces.cli.command import Command


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_config(actions.add_parser("list", help="list the providers"))


def run(given: Namespace) -> int:  # noqa: ARG001
    """Prints the providers with the first line of their description."""
    from mapagent.plugins import Plugins
    from mapagent.providers import GROUP

    plugins = Plugins(GROUP, "provider")
    for name in plugins.names():
        description = (plugins.load(name).__doc__ or "").strip().splitlines()
        print(f"{name:<16} {description[0] if description else ''}")
    return 0


COMMAND = Command(help="list the map providers", configure=configure, run=run)
