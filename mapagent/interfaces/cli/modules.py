"""`mapagent module list` and `mapagent module show NAME`: the inventory and its operators."""

import textwrap
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable

from map_tools.errors import ConfigError
from mapagent.core.ports import OperatorInfo
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_config, settings_from
from mapagent.runtime.opening import open_interpreter
from mapagent.runtime.plugins import Plugins

WIDTH = 100


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_config(actions.add_parser("list", help="list the modules, each with its operators"))
    show = actions.add_parser("show", help="tell what the operators of a module take, give and mean")
    show.add_argument("name", metavar="NAME", help="a module")
    add_config(show)


def run(given: Namespace) -> int:
    """Prints the module inventory, ours and that of plug-ins."""
    plugins = Plugins("mapagent.modules", "module")
    operators = tuple(open_interpreter(settings_from(given).settings).operators.values())
    if given.action == "show":
        _show(given.name, plugins, operators)
    else:
        _list(plugins, operators)
    return 0


def _list(plugins: Plugins, operators: Iterable["OperatorInfo"]) -> None:
    """Every module with the names of its operators; those of packages without a module come last."""
    owned: dict[str, list[str]] = {name: [] for name in plugins.names()}
    for one in operators:
        owned.setdefault(one.module, []).append(one.name)
    for module, names in owned.items():
        print(f"{module:<24} {_described(module, plugins)}".rstrip())
        print(_wrapped(", ".join(sorted(names)) or "(no operators)"))


def _described(module: str, plugins: Plugins) -> str:
    """What a module is for; one that cannot be loaded does not hide the others."""
    if module not in plugins.names():
        return ""
    try:
        return str(plugins.load(module).description)
    except ConfigError as error:
        return str(error)


def _show(name: str, plugins: Plugins, operators: Iterable["OperatorInfo"]) -> None:
    own = sorted((one for one in operators if one.module == name), key=lambda one: one.name)
    if not own or name in plugins.names():
        print(plugins.load(name).description)
    for one in own:
        print(f"\n{one.signature}")
        for paragraph in one.doc.split("\n\n"):
            print(_wrapped(" ".join(paragraph.split())))


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="    ")


COMMAND = Command(help=BUILT_IN["module"], configure=configure, run=run)
