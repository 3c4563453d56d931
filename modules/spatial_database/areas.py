"""A place's name and the areas it is said to lie in: "The Mill, Westport, OH", "The Mill in Westport"."""

import re
from collections.abc import Iterator

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
