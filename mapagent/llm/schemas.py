"""Plain JSON schemas of pydantic models, as the grammars of model servers want them.

References are written out, titles and bounds left out (bounds are checked afterwards), every field is
required and no other is allowed: the rules of OpenAI's strict mode
(https://platform.openai.com/docs/guides/structured-outputs#supported-schemas). Large bounds make llama.cpp
refuse a schema ("repetitions exceeds sane defaults").
"""

import re
from typing import Any

from pydantic import BaseModel

_KEPT = ("type", "enum", "description")
_NAME = re.compile(r"[^A-Za-z0-9_-]+")


def schema_name(shape: type[BaseModel]) -> str:
    """The shape's name with the characters a function's name may have."""
    return _NAME.sub("_", shape.__name__).strip("_")[:64] or "answer"


def schema_note(shape: type[BaseModel]) -> str:
    """The first line of the shape's docstring."""
    return (shape.__doc__ or "").strip().split("\n", 1)[0]


def plain_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The shape's schema.

    Raises:
        TypeError: The shape holds itself, or fields with free names; no strict schema can say that.
    """
    whole = shape.model_json_schema()
    return _plain(whole, whole.get("$defs", {}), ())


def _plain(node: dict[str, Any], definitions: dict[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
    if "$ref" in node:
        return _referred(node, definitions, inside)
    if "allOf" in node and len(node["allOf"]) == 1:
        return _plain({**node["allOf"][0], **_described(node)}, definitions, inside)
    if "anyOf" in node:
        return _any_of(node, definitions, inside)
    plain = {name: node[name] for name in _KEPT if name in node}
    if "const" in node:
        plain["enum"] = [node["const"]]
    if node.get("type") == "object" or "properties" in node:
        return plain | _object(node, definitions, inside)
    items = node.get("items") or _first_item(node)
    if items is not None:
        plain["items"] = _plain(items, definitions, inside)
    return plain


def _referred(node: dict[str, Any], definitions: dict[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
    name = node["$ref"].rsplit("/", 1)[-1]
    if name in inside:
        raise TypeError(f"The shape '{name}' holds itself; a plain schema cannot say that.")
    return _plain(definitions[name], definitions, (*inside, name)) | _described(node)


def _object(node: dict[str, Any], definitions: dict[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
    if "properties" not in node and node.get("additionalProperties") is not False:
        raise TypeError("A shape holds a field with free names; name its fields, or use a list of pairs.")
    properties = {name: _plain(value, definitions, inside) for name, value in node["properties"].items()}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _any_of(node: dict[str, Any], definitions: dict[str, Any], inside: tuple[str, ...]) -> dict[str, Any]:
    """A field that may be null is its own type or null; other unions stay as they are."""
    branches = [_plain(branch, definitions, inside) for branch in node["anyOf"]]
    real = [branch for branch in branches if branch.get("type") != "null"]
    if len(real) == 1 and len(branches) == 2 and isinstance(real[0].get("type"), str):
        nullable = dict(real[0]) | {"type": [real[0]["type"], "null"]}
        if "enum" in nullable:
            nullable["enum"] = [*nullable["enum"], None]
        return nullable | _described(node)
    return {"anyOf": branches} | _described(node)


def _first_item(node: dict[str, Any]) -> dict[str, Any] | None:
    """What a tuple of equal items holds."""
    items = node.get("prefixItems") or [None]
    first: dict[str, Any] | None = items[0]
    return first


def _described(node: dict[str, Any]) -> dict[str, Any]:
    return {"description": node["description"]} if "description" in node else {}
