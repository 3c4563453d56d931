"""The page on the HTTP API, from the description that the server gives of itself (OpenAPI)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mapagent.interfaces.conversations import Conversations
from mapagent.interfaces.http.app import create_app
from mapagent.interfaces.http.options import ServeOptions
from mapagent.runtime.config import Settings
from scripts.docs.table import cell

type Node = Mapping[str, Any]


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
