"""`mapagent provider new NAME`: the beginnings of a package with a provider of one's own."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from mapagent.interfaces.cli.command import add_config

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add(actions: "_SubParsersAction[ArgumentParser]") -> None:
    """Declares the arguments."""
    parser = actions.add_parser("new", help="write the beginnings of a provider package")
    parser.add_argument("name", metavar="NAME", help="how --provider will call it, such as my-maps")
    parser.add_argument(
        "--to", type=Path, default=Path(), metavar="DIR", help="where to make its folder (default: here)"
    )
    add_config(parser)
    parser.set_defaults(act=run)


def run(given: Namespace) -> int:
    """Writes the package and says what comes next."""
    from map_tools.errors import UsageError
    from map_tools.testing.contract.skeleton import write_skeleton
    from mapagent.runtime.plugins import Plugins
    from mapagent.runtime.providers import GROUP

    if given.name in Plugins(GROUP, "provider").names():
        raise UsageError(f"There is a provider '{given.name}' already.", "Choose another name.")
    for path in write_skeleton(given.name, given.to):
        print(f"wrote {path}")
    folder = given.to / given.name
    print(f"\nNext: pip install --editable {folder}, then mapagent provider check {given.name}")
    return 0
