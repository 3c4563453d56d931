"""Makes of the marked texts what the marks of supplied texts are learned from.

    python -m scripts.reader.texts MINILM_FOLDER OUT.json.gz [--without AUTHOR...]

A file of `scripts/reader/marked_texts` holds an author's texts, parted by lines of `=====`. Marks stand in them as
`[[label:whose|words]]`: whose are ids of places ("p1"), of a way "p1>p2" or "p1>p2:walk". Each text comes in
several versions, with other names and other figures, and from its beginning or from one of its lines on.
"""

import argparse
import gzip
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modules.nlu.marks import LABELS, MODES, NAME, Window, window_at, words_in
from modules.nlu.words import Vocabulary
from scripts.reader.examples import ROOT
from scripts.reader.prepare import pieces_of

TEXTS = ROOT / "scripts" / "reader" / "marked_texts"
UNSEEN = ("f7", "f8")
"""Authors that are measured on and never trained on."""
VERSIONS, LEAST_VERSIONS = 20, 6
"""So many versions of each text, times its length in windows; so many at least."""
RENAMED, COUNTED, CUT, FROM_START, LEAST_CHARS = 0.6, 0.4, 0.4, 0.3, 300
"""Shares of versions: with other names, with other figures, without some lines, from the beginning on. Less than so
much is no window."""
_LINE_END = re.compile(r"\n(?![^\[\]]*\]\])")
"""An end of line that is in no mark."""
_MARK = re.compile(r"\[\[([a-z]+):([^|\]]*)\|([^\[\]]*?)\]\]")
_PARTED = re.compile(r"^=====+\s*$", re.MULTILINE)
_LABELS = {"n": NAME, "pos": "position", "dist": "distance", "dir": "direction"}
_LEAST_NAME, _LEAST_WORD = 5, 3


@dataclass(frozen=True, slots=True)
class Told:
    """A mark as its author set it.

    Attributes:
        begin, end: Where its words stand in the text without marks.
        label: What they say.
        of: The places they tell of.
        start: The place that a way starts from.
        mode: By what one travels.
    """

    begin: int
    end: int
    label: str
    of: tuple[str, ...]
    start: str = ""
    mode: str = ""


def texts_of(author: str) -> list[str]:
    """The marked texts of an author."""
    told = (TEXTS / f"{author}.txt").read_text(encoding="utf-8")
    return [text.strip("\n") for text in _PARTED.split(told) if text.strip()]


def unmarked(marked: str) -> tuple[str, list[Told]]:
    """A text without marks, and its marks."""
    text, told, at = "", list[Told](), 0
    for match in _MARK.finditer(marked):
        text += marked[at : match.start()]
        label, whose, words = _LABELS.get(match[1], match[1]), match[2], match[3]
        way, _, mode = whose.partition(":")
        start, _, of = way.rpartition(">")
        told.append(Told(len(text), len(text) + len(words), label, tuple(of.split(",")), start, mode))
        text += words
        at = match.end()
    return text + marked[at:], told


def names_of(texts: Sequence[str]) -> list[str]:
    """All proper names of some texts."""
    found = {match[3] for text in texts for match in _MARK.finditer(text) if match[1] == "n"}
    return sorted(name for name in found if _is_proper(name) and len(name) >= _LEAST_NAME)


def version(marked: str, names: Sequence[str], chance: random.Random) -> str:
    """A text with other names of its places, or other figures, or both, or neither."""
    renamed, counted = chance.random() < RENAMED, chance.random() < COUNTED
    given: dict[str, str] = {}

    def put(match: re.Match[str]) -> str:
        label, whose, words = match.groups()
        if label == "n" and renamed and _is_proper(words):
            name = given.get(whose)
            if name is None:
                words = given[whose] = chance.choice(names)
            else:
                words = chance.choice((name, name.split()[0])) if len(name.split()[0]) > _LEAST_WORD else name
        elif label != "n" and counted:
            words = "".join(_other(char, chance) for char in words)
        return f"[[{label}:{whose}|{words}]]"

    return _MARK.sub(put, marked)


def shortened(marked: str, chance: random.Random) -> str:
    """A text without some of its lines, up to a half of them that stand together."""
    lines = _LINE_END.split(marked)
    count = chance.randint(0, len(lines) // 2)
    begin = chance.randint(0, len(lines) - count)
    return "\n".join(lines[:begin] + lines[begin + count :])


def _other(char: str, chance: random.Random) -> str:
    return str(chance.randint(char != "0", 9)) if char.isdigit() else char


def _is_proper(name: str) -> bool:
    words = [word for word in re.findall(r"[^\W\d_]+", name) if len(word) >= _LEAST_WORD]
    return bool(words) and sum(word[0].isupper() for word in words) >= max(1, len(words) - 1)


def windows(
    texts: Sequence[str], names: Sequence[str], vocabulary: Vocabulary, *, seed: int = 1
) -> Iterator[dict[str, Any]]:
    """Versions of texts as the numbers that training reads."""
    chance = random.Random(seed)  # noqa: S311 (nothing is secret)
    for marked in texts:
        whole = unmarked(marked)[0]
        count = len(words_in(whole)) / len(window_at(whole, words_in(whole), 0, vocabulary).words)
        for _ in range(max(LEAST_VERSIONS, round(VERSIONS * count))):
            kept = shortened(marked, chance) if chance.random() < CUT else marked
            text, told = unmarked(version(kept, names, chance))
            words = words_in(text)
            lines = [
                at + 1 for at, (begin, _) in enumerate(words)
                if text[begin] == "\n" and len(text) - begin > LEAST_CHARS
            ]  # fmt: skip
            begin = 0 if chance.random() < FROM_START else chance.choice(lines or [0])
            yield numbered(window_at(text, words, begin, vocabulary), told)


def numbered(window: Window, told: Sequence[Told]) -> dict[str, Any]:
    """A window with the labels of its words, and with what they point to: word number plus one, 0 for nothing."""
    labels = [0] * len(window.words)
    placed: list[tuple[int, Told]] = []
    for mark in told:
        within = [
            at for at, (begin, end) in enumerate(window.words) if mark.begin <= begin and end <= mark.end
        ]
        if not within or window.words[within[0]][0] != mark.begin or window.words[within[-1]][1] != mark.end:
            continue
        labels[within[0]] = LABELS.index(f"B-{mark.label}")
        for at in within[1:]:
            labels[at] = LABELS.index(f"I-{mark.label}")
        placed.append((within[0], mark))
    names: dict[str, list[int]] = {}
    for first, mark in placed:
        if mark.label == NAME:
            names.setdefault(mark.of[0], []).append(first + 1)
    pointed: dict[str, list[tuple[int, list[int]]]] = {"same": [], "of": [], "start": []}
    modes = []
    for first, mark in placed:
        if mark.label == NAME:
            pointed["same"].append((first, [at for at in names[mark.of[0]] if at <= first] or [0]))
            continue
        pointed["of"].append((first, [at for place in mark.of for at in names.get(place, ())] or [0]))
        if mark.start:
            pointed["start"].append((first, names.get(mark.start) or [0]))
            if mark.label != "direction":
                modes.append((first, MODES.index(mark.mode)))
    return {
        "ids": window.ids, "segments": window.segments, "first": window.first, "last": window.last,
        "labels": labels, "pointed": pointed, "modes": modes,
    }  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    """Writes the windows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path, help="the folder of MiniLM: tokenizer.json")
    parser.add_argument("out", type=Path)
    parser.add_argument("--without", nargs="*", default=UNSEEN, help="authors left out")
    given = parser.parse_args(arguments)
    authors = sorted(path.stem for path in TEXTS.glob("*.txt") if path.stem not in given.without)
    texts = [text for author in authors for text in texts_of(author)]
    made = list(windows(texts, names_of(texts), Vocabulary(pieces_of(given.base))))
    about = {"tokens": LABELS, "modes": MODES, "windows": made}
    with gzip.open(given.out, "wt", encoding="utf-8", compresslevel=3) as file:
        json.dump(about, file)
    sys.stdout.write(f"{len(made)} windows of {len(texts)} texts\n")


if __name__ == "__main__":
    main(sys.argv[1:])
