"""How questions are worded: sets of wordings for every family, as data."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Literal, get_args

type WordingSet = Literal["base", "more", "fresh", "all"]

FILES = {"base": "wordings.toml", "more": "wordings_more.toml", "fresh": "wordings_fresh.toml"}
MOVES = "moves"


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording of a family.

    Attributes:
        id: Its set and its place in it: "more:3".
        text: With slots in braces.
    """

    id: str
    text: str


@dataclass(frozen=True)
class Wordings:
    """What questions may be worded with.

    Attributes:
        families: The wordings of each family.
        moves: For each mode of travel the words of the slots `move` ("walk") and `by` ("on foot").
    """

    families: Mapping[str, tuple[Wording, ...]]
    moves: Mapping[str, Mapping[str, tuple[str, ...]]]


@lru_cache(maxsize=len(get_args(WordingSet.__value__)))
def load_wordings(which: WordingSet) -> Wordings:
    """The wordings of one set, or of all of them."""
    families: dict[str, tuple[Wording, ...]] = {}
    moves: dict[str, dict[str, tuple[str, ...]]] = {}
    for name in FILES if which == "all" else (which,):
        data = _read(FILES[name])
        for mode, slots in data.pop(MOVES).items():
            known = moves.setdefault(mode, {})
            for slot, texts in slots.items():
                known[slot] = tuple(dict.fromkeys((*known.get(slot, ()), *texts)))
        for family, entry in data.items():
            texts = [Wording(f"{name}:{number}", text) for number, text in enumerate(entry["wordings"])]
            families[family] = (*families.get(family, ()), *texts)
    return Wordings(families, moves)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("evals.generate.mapeval").joinpath(name).read_text("utf-8"))
