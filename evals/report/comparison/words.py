"""Titles and leads of the comparison (`words.toml`)."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from evals.report.printed import paper

_EVERY = "every"
"""The lead of all tables of a paper that have none of their own."""


def head() -> str:
    """What stands above everything."""
    return _joined(_words()["head"])


def title(name: str, number: str) -> str:
    """The title of a table or figure: that of the printed table if it has no other."""
    return str(_entry(name, number).get("title") or paper(name).table(number).title)


def lead(name: str, number: str) -> str:
    """How a table or figure is to be read."""
    return _joined(_entry(name, number).get("lead") or _words()[name][_EVERY])


def _entry(name: str, number: str) -> dict[str, Any]:
    entry: dict[str, Any] = _words()[name].get(number, {})
    return entry


def _joined(text: str) -> str:
    """Without the line breaks inside paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


@lru_cache(maxsize=1)
def _words() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))
