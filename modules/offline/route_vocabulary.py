"""The vocabulary of questions about ways, and what sounds like a street in it."""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

_NUMBERED_ROAD = re.compile(r"[A-Za-z]{1,4}[- ]?\d{1,4}[A-Za-z]?$")


@lru_cache(maxsize=1)
def vocabulary() -> dict[str, Any]:
    """The words of `data/routes.toml`."""
    return tomllib.loads((files("modules.offline") / "data" / "routes.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=16)
def words(kind: str) -> frozenset[str]:
    """One of the word lists."""
    return frozenset(vocabulary()["words"][kind].split())


@lru_cache(maxsize=256)
def pattern(section: str, key: str) -> re.Pattern[str]:
    """An entry of the vocabulary; case does not matter."""
    return re.compile("|".join(f"(?:{one})" for one in vocabulary()[section][key]), re.IGNORECASE)


def says(text: str, section: str, key: str) -> re.Match[str] | None:
    """The first place where the text fits an entry of the vocabulary."""
    return pattern(section, key).search(text)


def street_like(name: str) -> bool:
    """True if a name sounds like a street ("Baker Street", "Rue Haute", "A3", "B84/E40")."""
    parts = re.split(r"[\s/]+", name.casefold().strip(" ."))
    if any(part.strip(".,") in words("street") for part in parts):
        return True
    if any(part.endswith(tuple(words("street_end"))) for part in parts):
        return True
    return any(_NUMBERED_ROAD.fullmatch(part) for part in parts)
