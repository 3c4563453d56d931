"""Tools in words for a prompt: name, what it is for, and its arguments."""

import re
from collections.abc import Iterator, Mapping
from inspect import getdoc
from typing import Any

from pydantic import BaseModel

_ATTRIBUTE = re.compile(r"^    (\w[\w, ]*): (.+(?:\n        .+)*)", re.MULTILINE)


def tool_card(name: str, description: str, arguments: type[BaseModel]) -> str:
    """A tool in a few lines; the same tool gives the same text."""
    return "\n".join([f"- {name}: {description}", *_argument_lines(arguments)])


def _argument_lines(arguments: type[BaseModel]) -> Iterator[str]:
    schema = arguments.model_json_schema()
    required = frozenset(schema.get("required", ()))
    documented = _documented(arguments)
    for name, field in schema.get("properties", {}).items():
        need = "" if name in required else ", optional"
        told = field.get("description") or documented.get(name, "")
        yield f"    {name} ({kind_of(field)}{need}){': ' if told else ''}{told}"


def _documented(arguments: type[BaseModel]) -> Mapping[str, str]:
    """What the type's docstring says of its fields, under "Attributes:"."""
    found: dict[str, str] = {}
    _, _, attributes = (getdoc(arguments) or "").partition("Attributes:\n")
    for names, told in _ATTRIBUTE.findall(attributes):
        for name in names.split(","):
            found[name.strip()] = " ".join(told.split())
    return found


def kind_of(field: Mapping[str, Any]) -> str:
    """The type of an argument in a word, or the words it may be."""
    branches = [field, *field.get("anyOf", ())]
    words = next((branch["enum"] for branch in branches if "enum" in branch), None)
    if words:
        return " | ".join(map(str, words))
    kinds = (branch.get("type") for branch in branches)
    return next((str(kind) for kind in kinds if kind not in (None, "null")), "text")
