"""How numbered roads are written: "I-95" and "Interstate 95" are one road."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from map_tools.maps.names import canonical
from modules.spatial_database.vocabulary import read_data

_NUMBERED = re.compile(r"(?P<class>[a-z][a-z ]*?) ?(?P<number>\d+[a-z]?)(?P<rest>(?: .*)?)")


def road_spellings(name: str) -> Iterator[str]:
    """The name, and for a numbered road its other spellings ("US-17": "us highway 17", ...)."""
    yield name
    match = _NUMBERED.fullmatch(canonical(name))
    if match is None:
        return
    for group in _designations():
        if match["class"] in group:
            others = (words for words in group if words != match["class"])
            yield from (f"{words} {match['number']}{match['rest']}" for words in others)


@lru_cache(maxsize=1)
def _designations() -> tuple[Sequence[str], ...]:
    """Words of each class of roads, in the form of `canonical`."""
    groups = read_data("roads.toml")["designations"].values()
    return tuple(tuple(dict.fromkeys(map(canonical, group))) for group in groups)
