"""The reference, written from the code: what cannot be wrong because nobody typed it.

`python -m scripts.docs.reference DIR` writes the pages to a folder; the site has them through `hook.py`.
"""

import argparse
import inspect
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from map_tools import errors
from map_tools.errors import MapAgentError
from mapagent.core.agent import MapAgent
from mapagent.interfaces.cli.command import Command
from mapagent.interfaces.conversations import Conversations
from mapagent.interfaces.http.app import create_app
from mapagent.interfaces.http.options import ServeOptions
from mapagent.interfaces.mcp.tools import tools_of
from mapagent.runtime.config import ENV_PREFIX, SECRETS, TABLES, Settings
from mapagent.runtime.plugins import Plugins, entry_points
from modules.query.card import short_signature, worked_examples
from modules.query.inventory import INTERNAL, built_in
from modules.query.operators.base import Operator

WIDTH = 96
"""Columns of `--help`: what fits a page without scrolling."""
GROUPS = {
    "mapagent.providers": ("Providers", "where facts come from: `--provider NAME`"),
    "mapagent.modules": ("Modules", "what owns operators and does the work behind them"),
    "mapagent.planners": ("Planners", "what writes the programs of questions: `--model NAME`"),
    "mapagent.interpreters": ("Interpreters", "what runs programs"),
    "mapagent.suites": ("Suites", "what is measured: `mapagent eval NAME`"),
    "mapagent.methods": ("Methods", "who is measured: `mapagent eval SUITE --method NAME`"),
}
API = {
    "The agent": (
        "mapagent.core.agent.MapAgent",
        "mapagent.core.question.Question",
        "mapagent.core.answer.Answer",
    ),
    "Values of answers": (
        "mapagent.core.answer.Status",
        "mapagent.core.answer.Quantity",
        "mapagent.core.answer.Named",
        "mapagent.core.answer.YesNo",
        "mapagent.core.answer.Schedule",
        "mapagent.core.answer.Usage",
    ),
    "Evidence and facts": (
        "mapagent.core.answer.Evidence",
        "mapagent.core.answer.Source",
        "map_tools.facts.PlaceFact",
        "map_tools.facts.NearbyFact",
        "map_tools.facts.RoutesFact",
        "map_tools.facts.TravelFact",
        "map_tools.facts.FailureFact",
    ),
    "Plans, modules, planners": (
        "mapagent.core.answer.Plan",
        "mapagent.core.answer.Step",
        "mapagent.core.ports.Module",
        "mapagent.core.ports.Run",
        "mapagent.core.ports.Planner",
    ),
    "Providers": (
        "map_tools.providers.base.Provider",
        "map_tools.providers.base.Capabilities",
        "map_tools.providers.base.Terms",
    ),
    "Values of maps": ("map_tools.types.LatLng", "map_tools.types.Place", "map_tools.types.Route"),
}
"""What the page on Python shows; everything else is internal."""
type Node = Mapping[str, Any]
TOPICS: Mapping[str, str] = {
    "lookup": "Look up", "search": "Search", "travel": "Ways", "trip": "Trips", "space": "Space", "time": "Time",
    "lists": "Lists", "recommend": "Recommend", "picture": "Picture", "finish": "End",
}  # fmt: skip
"""What the operators of each file are about, in the order of the page."""
HEAD = """# Operators

Everything that a [program](../language.md) can call. This page is made of the operators' own signatures and
docstrings, as are the checker's messages and the card that models read. A parameter with `=` is given by name.
"""


class _Formatter(argparse.HelpFormatter):
    """Help as wide on every machine, whatever its terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=WIDTH)


def pages() -> Mapping[str, str]:
    """The pages by file name."""
    return {
        "command-line.md": "\n".join(_command_line()),
        "settings.md": "\n".join(_settings()),
        "plug-ins.md": "\n".join(_plug_ins()),
        "operators.md": operators_page(),
        "http-api.md": "\n".join(http_api()),
        "mcp-tools.md": "\n".join(_mcp_tools()),
        "python.md": "\n".join(_python()),
        "errors.md": "\n".join(_errors()),
    }


def commands() -> Mapping[str, argparse.ArgumentParser]:
    """The parser of every command and of every action below one, by what one types."""
    found: dict[str, argparse.ArgumentParser] = {}
    for entry in sorted(entry_points("mapagent.commands")):
        command: Command = entry.load()
        parser = argparse.ArgumentParser(prog=f"mapagent {entry.name}", description=command.help)
        command.configure(parser)
        found.update(_with_actions(parser))
    return found


def _with_actions(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    parser.formatter_class = _Formatter
    yield parser.prog, parser
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to its subparsers
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for child in action.choices.values():
                yield from _with_actions(child)


def _command_line() -> Iterator[str]:
    yield "# Command line\n"
    yield "What `--help` says, command by command. Exit codes: 0 done, 1 the run failed, 2 wrong use."
    for name, parser in commands().items():
        level = min(len(name.split()), 4)
        yield f"\n{'#' * level} {name}\n\n```text\n{parser.format_help().strip()}\n```"


def _settings() -> Iterator[str]:
    yield "# Settings\n"
    keys, tables = _listed(SECRETS, "_file"), _listed(TABLES)
    yield (
        "Later layers win: defaults, the file of `--config`, the environment, the flags of the command. In "
        f"the environment a setting is called `{ENV_PREFIX}` and its name in capitals; {tables} can stand "
        "only in the file. `mapagent config show` prints each value and where it comes from. Keys are read "
        f"from the environment, or from a file that the configuration names ({keys}). None means not set.\n"
    )
    yield "| setting | default | what |\n| --- | --- | --- |"
    told = _attributes(Settings)
    for name, field in Settings.model_fields.items():
        yield f"| `{name}` | {_default(name, field)} | {cell(told.get(name, ''))} |"


def _listed(names: Iterable[str], ending: str = "") -> str:
    return ", ".join(f"`{name}{ending}`" for name in names)


def _default(name: str, field: FieldInfo) -> str:
    if name in SECRETS or field.default is None or field.default_factory is not None:
        return ""
    return f"`{field.default}`" if field.default != "" else ""


def _attributes(kind: type) -> dict[str, str]:
    """The section `Attributes:` of a Google-style docstring: a sentence for each name."""
    found: dict[str, str] = {}
    _, _, section = inspect.getdoc(kind).partition("Attributes:\n")  # type: ignore[union-attr]
    names: tuple[str, ...] = ()
    for line in section.splitlines():
        if line.startswith("    ") and not line.startswith("     "):
            listed, _, text = line.strip().partition(": ")
            names = tuple(name.strip() for name in listed.split(","))
            found.update(dict.fromkeys(names, text))
        elif line.strip():
            found.update({name: f"{found[name]} {line.strip()}" for name in names})
    return found


def _plug_ins() -> Iterator[str]:
    yield "# Plug-ins\n"
    yield "All of these are found through entry points, ours and those of other packages alike."
    for group, (title, words) in GROUPS.items():
        yield f"\n## {title}\n\nGroup `{group}`: {words}.\n\n| name | what |\n| --- | --- |"
        plugins = Plugins(group, title)
        for name in plugins.names():
            yield f"| `{name}` | {cell(_described(plugins.load(name)))} |"


def _described(thing: Any) -> str:
    description = getattr(thing, "description", None)
    return description if isinstance(description, str) else (inspect.getdoc(thing) or "").split("\n\n")[0]


def _mcp_tools() -> Iterator[str]:
    yield "# MCP tools\n"
    yield "What `mapagent mcp` offers ([how to use it](../how-to/use-with-mcp.md)). All tools only read."
    for tool in tools_of(MapAgent()):
        described = tool.description.replace("\n## ", "\n### ")
        yield f"\n## {tool.name}\n\n{described}\n\n| argument | what |\n| --- | --- |"
        schema = tool.arguments.model_json_schema()
        for name, told in schema["properties"].items():
            needed = (
                "" if name in schema.get("required", ()) else f" Default: `{json.dumps(told['default'])}`."
            )
            yield f"| `{name}` | {cell(told.get('description', ''))}{needed} |"
        names = ", ".join(f"`{name}`" for name in tool.result.model_fields)
        yield f"\nReturns {names}."


def _python() -> Iterator[str]:
    yield "# Python\n"
    for title, names in API.items():
        yield f"\n## {title}\n"
        yield from (f"::: {name}" for name in names)


def _errors() -> Iterator[str]:
    yield "# Errors\n"
    yield "Every error names the thing and says what to do. `code` stands in evidence and in replies."
    yield "\n| error | code | what |\n| --- | --- | --- |"
    for name, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, MapAgentError):
            yield f"| `{name}` | `{kind.code}` | {cell(inspect.getdoc(kind) or '')} |"


def http_api() -> Iterator[str]:
    """The page, line by line."""
    described = create_app(Settings(), ServeOptions(state=Path()), Conversations()).openapi()
    yield "# HTTP API\n"
    yield "What `mapagent serve` answers. The same description, for programs, is at `/api/openapi.json`."
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield from _operation(method.upper(), path, operation, described)


def _operation(method: str, path: str, operation: Node, described: Node) -> Iterator[str]:
    yield f"\n## {method} {path}\n"
    yield operation.get("description") or operation.get("summary", "")
    parameters = operation.get("parameters", ())
    if parameters:
        yield "\n| parameter | in | what |\n| --- | --- | --- |"
        yield from (f"| `{one['name']}` | {one['in']} | {cell(_said(one))} |" for one in parameters)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    fields = _resolved(body, described).get("properties", {})
    if fields:
        yield "\n| field | what |\n| --- | --- |"
        yield from (f"| `{name}` | {cell(told.get('description', ''))} |" for name, told in fields.items())
    yield "\n| status | what |\n| --- | --- |"
    for status, reply in operation["responses"].items():
        yield f"| {status} | {cell(reply['description'])} |"


def _said(parameter: Node) -> str:
    return str(parameter.get("description") or parameter["schema"].get("description", ""))


def _resolved(schema: Node, described: Node) -> Node:
    """A schema, or the one it refers to."""
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Node = described["components"]["schemas"][name] if name else schema
    return found


def operators_page() -> str:
    """The page in Markdown."""
    return "\n".join([HEAD, *_topics(), *_fields(), *_examples()])


def _topics() -> Iterator[str]:
    listed = [one for one in built_in().values() if one.name not in INTERNAL]
    for topic, title in TOPICS.items():
        yield f"## {title}\n"
        for one in listed:
            if one.topic == topic:
                yield from _operator(one)


def _operator(one: Operator) -> Iterator[str]:
    yield f"### {one.name}\n"
    yield f"```\n{short_signature(one)}\n```\n"
    yield f"{' '.join(one.doc.split())}\n"
    yield f"Module `{one.module}`. Read back as `{one.phrase}`.\n"


def _fields() -> Iterator[str]:
    yield "## Fields\n"
    text = (resources.files("modules.query.data") / "fields.toml").read_text(encoding="utf-8")
    for kind, fields in tomllib.loads(text)["fields"].items():
        yield f"- {kind}: {fields}"
    yield '\nA place has a field for every key of OpenStreetMap too: `p.operator`, `fact(p, "name:sv")`.\n'


def _examples() -> Iterator[str]:
    yield "## Worked examples\n"
    for one in worked_examples():
        yield f"{one.question}\n\n```python\n{one.program}\n```\n"


def cell(text: str) -> str:
    """The first paragraph on one line, its bars and angle brackets taken literally."""
    first = " ".join(text.split("\n\n", maxsplit=1)[0].split())
    return first.replace("|", "\\|").replace("<", "&lt;")


def main() -> None:
    """Writes the pages to the folder that is named."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
