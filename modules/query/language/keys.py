"""The keys of OpenStreetMap that programs may use as fields, beside those with a type of their own."""

from functools import lru_cache
from importlib import resources


@lru_cache(maxsize=1)
def known_keys() -> frozenset[str]:
    """The keys of `keys.txt`, those that are plain names."""
    text = resources.files(__package__).joinpath("keys.txt").read_text(encoding="utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
