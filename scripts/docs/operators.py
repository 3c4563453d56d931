"""The reference of the language: operators by topic, fields of values, and the worked examples."""

import tomllib
from collections.abc import Iterator
from importlib import resources

from modules.query.card import TOPICS, short_signature, worked_examples
from modules.query.inventory import INTERNAL, built_in
from modules.query.operators.base import Operator

HEAD = """# Operators

Everything that a [program](../language.md) can call. This page is made of the operators' own signatures and
docstrings, as are the checker's messages and the card that models read. What stands behind `*` is given by name.
"""


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
