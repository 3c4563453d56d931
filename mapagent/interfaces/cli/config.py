"""`mapagent config show`: every setting, its value and where it comes from."""

from argparse import ArgumentParser, Namespace

from mapagent.interfaces.cli.command import BUILT_IN, Command, add_settings, settings_from


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    show = actions.add_parser("show", help="print the settings and their origins")
    add_settings(show)


def run(given: Namespace) -> int:
    """Prints one line per setting; secrets are only said to be set."""
    for name, value, origin in settings_from(given).shown():
        print(f"{name:<16} {value:<50} ({origin})")
    return 0


COMMAND = Command(help=BUILT_IN["config"], configure=configure, run=run)
