"""A place's name and the areas it is said to lie in: "The Mill, Westport, OH", "The Mill in Westport"."""

import re
from collections.abc import Iterator
from functools import lru_cache

from map_tools.spatial_db.grounding.vocabulary import read_data
from map_tools.text import normalise

_JOINT = re.compile(r"\s*,\s*|\s+in\s+")


def name_cuts(words: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Words as a name and the areas behind it, the longest name first.

    A name can have a comma or an "in" of its own, so the words are cut at each, and not at all first.
    """
    yield words.strip(), ()
    joints = list(_JOINT.finditer(words))
    for number in range(len(joints) - 1, -1, -1):
        ends = [joint.start() for joint in joints[number + 1 :]] + [len(words)]
        begins = [joint.end() for joint in joints[number:]]
        areas = (words[begin:end].strip() for begin, end in zip(begins, ends, strict=True))
        yield words[: joints[number].start()].strip(), tuple(area for area in areas if area)


def area_forms(area: str) -> frozenset[str]:
    """An area's name in comparable form, and its code if it has one."""
    plain = _plain(area)
    return frozenset({plain, _codes().get(plain, plain)})


def _plain(words: str) -> str:
    """The words in comparable form; "D.C." is written "DC" too."""
    return normalise(words.replace(".", ""))


@lru_cache(maxsize=1)
def _codes() -> dict[str, str]:
    """Names by codes and codes by names, in comparable form."""
    codes = read_data("states.toml")["codes"]
    forward = {normalise(code): normalise(name) for code, name in codes.items()}
    return forward | {name: code for code, name in forward.items()}
