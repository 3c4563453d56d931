"""Measures the marks of supplied texts on authors that they were not trained on.

    python -m scripts.reader.measure_texts [AUTHOR ...]

A mark is found if one of the same label shares a word with it, and right if it also belongs to the same place, or to
the way between the same places by the same means of travel.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from modules.nlu.marks import ABOUT_ONE, ABOUT_TWO, NAME, Mark, marker
from scripts.reader.texts import UNSEEN, Told, texts_of, unmarked


def main(arguments: Sequence[str]) -> None:
    """Prints, label by label, how many marks there are, are found and are right, and how many are made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("authors", nargs="*", default=UNSEEN)
    given = parser.parse_args(arguments)
    counts = Counter[tuple[str, str]]()
    for author in given.authors:
        for marked in texts_of(author):
            text, told = unmarked(marked)
            counts.update(_judged(told, marker().marks(text)))
    sys.stdout.write("label      marked  found  right  made\n")
    for label in (*ABOUT_ONE, *ABOUT_TWO, "all"):
        row = [counts[label, part] for part in ("marked", "found", "right", "made")]
        sys.stdout.write(f"{label:10}{row[0]:7}{row[1]:7}{row[2]:7}{row[3]:6}\n")
        for part, count in zip(("marked", "found", "right", "made"), row, strict=True):
            counts["all", part] += count


def _judged(told: Sequence[Told], made: Sequence[Mark]) -> Iterator[tuple[str, str]]:
    for mark in made:
        if mark.label != NAME:
            yield mark.label, "made"
    for want in told:
        if want.label == NAME:
            continue
        yield want.label, "marked"
        same = (
            one for one in made if one.label == want.label and one.begin < want.end and want.begin < one.end
        )
        found = next(same, None)
        if found is None:
            continue
        yield want.label, "found"
        ends = _placed(found.of, told) & set(want.of) and (
            not want.start or want.start in _placed(found.start, told)
        )
        if ends and (want.label == "direction" or found.mode == want.mode):
            yield want.label, "right"


def _placed(begin: int | None, told: Sequence[Told]) -> set[str]:
    """The place that is named where a mark points to."""
    if begin is None:
        return set()
    return {one.of[0] for one in told if one.label == NAME and one.begin <= begin < one.end}


if __name__ == "__main__":
    main(sys.argv[1:])
