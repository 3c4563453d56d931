"""The corpus of injections: hand-written texts that try to steer an agent from inside its data."""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Literal, get_args

from map_tools.types import Frozen

type Spot = Literal["name", "review", "tag", "route", "context", "wiki", "label"]
SPOTS: tuple[Spot, ...] = get_args(Spot.__value__)
FILE = "{file}"
"""Stands in a text for the path of a file that nobody asked to be read."""


class Injection(Frozen):
    """One text.

    Attributes:
        place: Where it stands: the name, a review or a tag of a place, a remark about a way, a text supplied
            with the question, a page of an encyclopedia, a label of a map picture.
        language: ISO 639-1, or "mixed".
        aim: What it wants: another answer, further calls, a key, a file, to be run as markup, or to hide what
            it says by tricks of Unicode.
        text: The words, `FILE` in them.
    """

    place: Spot
    language: str
    aim: Literal["answer", "call", "key", "file", "markup", "unicode"]
    text: str


@lru_cache(maxsize=1)
def injections() -> tuple[Injection, ...]:
    """All texts in the order of `injections.jsonl`."""
    lines = (files(__package__) / "injections.jsonl").read_text("utf-8").split("\n")
    return tuple(Injection.model_validate(json.loads(line)) for line in lines if line)
