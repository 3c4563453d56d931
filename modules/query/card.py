"""The operator card: the language as a model is told it, made of the operators' signatures and docstrings."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from modules.query.inventory import INTERNAL
from modules.query.operators.base import Operator, Parameter

PICTURE_MODULE = "visual_place_recognizer"
_TYPES: Mapping[str, str] = {
    "List of Any": "list",
    "Any": "value",
    "Same": "list",
    "Item": "member",
    "Fact": "value",
}


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example.

    Attributes:
        picture: Its question comes with a picture.
    """

    question: str
    program: str
    picture: bool = False


@lru_cache(maxsize=1)
def worked_examples() -> tuple[Example, ...]:
    """The worked examples."""
    entries = tomllib.loads(_data("examples.toml"))["example"]
    return tuple(
        Example(one["question"], one["program"].strip(), one.get("picture", False)) for one in entries
    )


def operator_card(operators: Mapping[str, Operator], *, picture: bool = False) -> str:
    """The language in about 2,000 tokens.

    Args:
        operators: By name; those that third parties bring come last.
        picture: Whether the question comes with one, so that its operators are told.
    """
    told = [
        one
        for one in operators.values()
        if one.name not in INTERNAL and (picture or one.module != PICTURE_MODULE)
    ]
    return (
        _data("card.md")
        .strip()
        .replace("{picture}", ", `picture`: `.marks .text .place`" if picture else "")
        .replace("{operators}", "\n".join(map(_row, told)))
        .replace("{fields}", "\n".join(_fields()))
    )


def card_with_examples(operators: Mapping[str, Operator], *, picture: bool = False, examples: int = 0) -> str:
    """The operator card with the first so many worked examples below it."""
    card = operator_card(operators, picture=picture)
    chosen = [one for one in worked_examples() if picture or not one.picture][:examples]
    told = [f"{one.question}\n```\n{one.program}\n```" for one in chosen]
    return "\n\n".join([card, "## Examples", *told]) if told else card


def short_signature(operator: Operator) -> str:
    """How an operator is called: "trip(visits, mode=, start=, end=, order="fixed") → Trip"."""
    shown = [one.name for one in operator.plain if one.required]
    shown += [_given(one) for one in operator.parameters if one.keyword or not one.required]
    if operator.others:
        shown.append("part=…")
    returns = str(operator.returns)
    return f"{operator.name}({', '.join(shown)}) → {_TYPES.get(returns, returns)}"


def _given(parameter: Parameter) -> str:
    """A parameter that is given by name, with its default."""
    default = parameter.default
    if default is None:
        return f"{parameter.name}="
    return f'{parameter.name}="{default}"' if isinstance(default, str) else f"{parameter.name}={default!r}"


def _row(operator: Operator) -> str:
    doc = " ".join(operator.doc.split())
    return f"{short_signature(operator)}: {doc}"


def _fields() -> Iterator[str]:
    for name, fields in tomllib.loads(_data("fields.toml"))["fields"].items():
        yield f"{name}: {fields}"


def _data(name: str) -> str:
    return (resources.files("modules.query.data") / name).read_text(encoding="utf-8")
