"""`mapagent module list`: what can carry out a step of a plan."""

from argparse import ArgumentParser, Namespace

from mapagent.faces.cli.arguments import add_config
from mapagent.faces.cli.command import Command


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_config(actions.add_parser("list", help="list the modules"))


def run(given: Namespace) -> int:  # noqa: ARG001
    """Prints the module inventory, ours and that of plug-ins."""
    from mapagent.plugins import Plugins

    plugins = Plugins("mapagent.modules", "module")
    for name in plugins.names():
        print(f"{name:<24} {plugins.load(name).description}")
    return 0


COMMAND = Command(help="list the modules", configure=configure, run=run)
