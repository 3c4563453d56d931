"""Loads the word lists that lie beside the code."""

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=8)
def load(name: str) -> dict[str, Any]:
    """The word list `NAME.toml` of this package; read once. Callers must not change it."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def alternatives(words: Iterable[str]) -> str:
    """A regular expression that matches any of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
