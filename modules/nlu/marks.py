"""Marks in a supplied text: the names of places, values of one place, and values of the way between two.

The encoder of the reader's network reads the text in windows, with adapters of its own in each layer (low-rank
adaptation: Hu et al., 2021, arXiv:2106.09685). Each word gets a label, each marked value points to the name that it
belongs to and, if it tells of a way, to the one that the way starts from (biaffine pointers: Dozat and Manning, 2017,
arXiv:1611.01734).
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from modules.nlu.network import NEVER, Floats, Layer, encoded, log_softmax, scale
from modules.nlu.weights import Trained, load, trained
from modules.nlu.words import MARKED, QUESTION, Vocabulary

FILE = "marks.npz"
NAME = "name"
ABOUT_ONE = (
    "kind",
    "hours",
    "rating",
    "reviews",
    "price",
    "address",
    "phone",
    "web",
    "position",
    "has",
    "lacks",
)
ABOUT_TWO = ("time", "distance", "direction")
"""Labels of values that belong to one place, and to two."""
MODES = ("", "walk", "bike", "drive", "transit")
"""Modes of travel; empty where a value states none."""
LABELS = ("O", *(f"{part}-{label}" for label in (NAME, *ABOUT_ONE, *ABOUT_TWO) for part in "BI"))
"""The labels of words: outside of all marks, the first word of one, a further word of it."""
LONGEST_WINDOW = 256
"""Maximum number of pieces in a window."""
LONGEST_HEAD = 48
"""Pieces of the text's beginning put before each later window: it often says where all ways start."""
MOST_WINDOWS = 24
"""Maximum number of windows read of a text, so that the work is bounded."""
OVERLAP = 80
"""Pieces at the end of a window that are read again in the next one."""
DISTANCES, LINES, NEAR_WEIGHT = 9, 4, 5.0
"""Buckets of distance before and after a word, in words (each twice the last) and in lines; the factor that their
learned scores are multiplied by."""
KEPT_TEXTS = 4
"""Number of texts whose marks are cached."""
_WORD = re.compile(r"[^\W_]+|[^\w\s]|_|\n")


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled span of a text.

    Attributes:
        begin, end: Its offsets in the text, in characters.
        label: `NAME`, or one of `ABOUT_ONE` and `ABOUT_TWO`.
        of: Offset of the name of the place that a value is of or a way leads to; for a name, of an earlier name of
            the same place. None if there is none.
        start: Offset of the name of the place that a way starts from; None if there is none.
        mode: One of `MODES`.
        sure: The network's probability of `of` and `start`, 0 to 1.
    """

    begin: int
    end: int
    label: str
    of: int | None = None
    start: int | None = None
    mode: str = ""
    sure: float = 1.0


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a text as the network reads it.

    Attributes:
        ids, segments: Ids and segments of the pieces, begin and end token included.
        first, last: Index of the first and the last piece of each word.
        words: Begin and end of each word in the text; a line's end is a word.
        head: How many of these words are from the beginning of the text.
    """

    ids: list[int]
    segments: list[int]
    first: list[int]
    last: list[int]
    words: list[tuple[int, int]]
    head: int = 0


@dataclass(frozen=True, slots=True)
class _View:
    """A window as the network has read it.

    Attributes:
        words: Vectors of its words, (words, d).
        lines: The number of each word's line.
        names: The indices of the words that names begin with.
        anchors: Vectors of what can be pointed to, (1 + names, d): first nothing, then the names.
    """

    words: Floats
    lines: NDArray[np.int64]
    names: NDArray[np.int64]
    anchors: Floats

    def before(self, word: int) -> "_View":
        """The same with no other names than those before a word."""
        count = int(np.searchsorted(self.names, word))
        return replace(self, names=self.names[:count], anchors=self.anchors[: count + 1])


def window_at(text: str, words: Sequence[tuple[int, int]], begin: int, vocabulary: Vocabulary) -> Window:
    """The window from the word with index `begin` on, as far as there is room, behind the beginning of the text."""
    start, end = vocabulary.edges
    head = _head(text, words[:begin], vocabulary)
    made = Window([start], [QUESTION], [], [], [], len(head))
    for at in (*head, *words[begin:]):
        said = text[slice(*at)]
        own, segment = ((end,), MARKED) if said == "\n" else (vocabulary.of(said), QUESTION)
        if len(made.ids) + len(own) >= LONGEST_WINDOW:
            break
        made.first.append(len(made.ids))
        made.ids.extend(own)
        made.segments.extend([segment] * len(own))
        made.last.append(len(made.ids) - 1)
        made.words.append(at)
    made.ids.append(end)
    made.segments.append(QUESTION)
    return made


def _head(text: str, words: Sequence[tuple[int, int]], vocabulary: Vocabulary) -> Sequence[tuple[int, int]]:
    """The words of the text's first lines."""
    room, lines = LONGEST_HEAD, 0
    for number, (begin, end) in enumerate(words):
        room -= 1 if text[begin] == "\n" else len(vocabulary.of(text[begin:end]))
        if room < 0:
            return words[: lines or number]
        if text[begin] == "\n":
            lines = number + 1
    return words


def words_in(text: str) -> list[tuple[int, int]]:
    """Begin and end of each word, punctuation mark and line break of a text."""
    return [match.span() for match in _WORD.finditer(text)]


class Marker:
    """Finds the marks of texts.

    Args:
        reader: The trained reader, whose encoder and pieces are used.
        own: The trained adapters and labels.

    Attributes:
        marks: Gives all marks of a text, in its order; those of the last few texts are kept, as several questions are
            asked about one.
    """

    def __init__(self, reader: Trained, own: Trained) -> None:
        self._own: Layer = own.arrays
        self._encoder = _adapted(reader.arrays["encoder"], own.arrays)
        self._vocabulary = Vocabulary(reader.pieces)
        follows = np.zeros((len(LABELS), len(LABELS)), np.float32)
        for number, label in enumerate(LABELS):
            if label.startswith("I"):
                follows[:, number] = NEVER
                follows[[number - 1, number], number] = 0
        self._follows = follows
        self.marks = lru_cache(maxsize=KEPT_TEXTS)(self._marks)

    def _marks(self, text: str) -> tuple[Mark, ...]:
        found, beyond = dict[int, Mark](), dict[int, Mark]()
        for window, seen, unseen in self._windows(text):
            for mark in self._read(text, window):
                if seen <= mark.begin < unseen:
                    found[mark.begin] = mark
                elif mark.label == NAME:
                    beyond.setdefault(mark.begin, mark)
        begins = sorted(found)
        for mark in beyond.values():  # names that marks of another window belong to
            at = bisect_left(begins, mark.begin)
            before, after = begins[max(0, at - 1) : at], begins[at : at + 1]
            if all(found[one].end <= mark.begin for one in before) and all(mark.end <= one for one in after):
                found[mark.begin] = mark
        return tuple(found[begin] for begin in sorted(found))

    def _windows(self, text: str) -> Iterator[tuple[Window, int, int]]:
        """The windows of a text, each with begin and end of the part that its marks are taken from."""
        words, begin, seen = words_in(text), 0, 0
        for _ in range(MOST_WINDOWS if words else 0):
            window = window_at(text, words, begin, self._vocabulary)
            if begin + len(window.words) - window.head >= len(words):
                yield window, seen, len(text)
                return
            again = [at for at, piece in enumerate(window.first) if piece >= LONGEST_WINDOW - OVERLAP]
            lines = [at for at in again if text[window.words[at - 1][0]] == "\n"]
            following = lines[0] if lines else again[0]
            unseen = window.words[(following + len(window.words)) // 2][0]
            yield window, seen, unseen
            begin, seen = begin + following - window.head, unseen

    def _read(self, text: str, window: Window) -> Iterator[Mark]:
        """The marks of a window; a way never ends where it starts."""
        own = self._own
        read = encoded(self._encoder, window.ids, window.segments)
        words = (read[window.first] + read[window.last]) / np.float32(2)
        spans = list(_spans(self._labelled(log_softmax(words @ own["label"] + own["label_bias"]))))
        names = [first for first, _, label in spans if label == NAME]
        lines = np.cumsum([window.segments[piece] == MARKED for piece in window.first])
        view = _View(words, lines, np.array(names, int), np.concatenate([read[:1], words[names]]))
        modes = (words @ own["mode"] + own["mode_bias"]).argmax(-1)
        said = [text[slice(*window.words[name])].casefold() for name in names]
        apart = np.array([[one != other for other in ("", *said)] for one in ("", *said)], np.float32)
        apart[0, 0] = 1
        for first, last, label in spans:
            begin, end = window.words[first][0], window.words[last][1]
            if label == NAME:
                told = self._pointed("same", first, view.before(first))
            else:
                told = self._pointed("of", first, view)
            if label in ABOUT_TWO:
                ways = np.outer(told, self._pointed("start", first, view)) * apart
                of, start = divmod(int(ways.argmax()), len(view.anchors))
                mode = MODES[int(modes[first])] if label != "direction" else ""
                ends = _at(window, names, of), _at(window, names, start)
                yield Mark(begin, end, label, *ends, mode, float(ways[of, start]))
            else:
                of = int(told.argmax())
                yield Mark(begin, end, label, _at(window, names, of), sure=float(told[of]))

    def _pointed(self, relation: str, word: int, view: _View) -> Floats:
        """The probability that a word points to each anchor, given their vectors and their distance."""
        own = self._own
        keys = view.anchors @ own[f"{relation}_keys"]
        scores = keys @ (view.words[word] @ own[relation]) * scale(keys)
        away = view.names - word
        steps = (np.sign(away) * np.log2(np.abs(away) + 1).astype(int)).clip(-DISTANCES, DISTANCES)
        apart = (view.lines[view.names] - view.lines[word]).clip(-LINES, LINES)
        near = own[f"{relation}_words"][steps + DISTANCES] + own[f"{relation}_lines"][apart + LINES]
        scores[1:] += NEAR_WEIGHT * near
        told: Floats = np.exp(log_softmax(scores))
        return told

    def _labelled(self, told: Floats) -> list[int]:
        """The likeliest sequence of labels (Viterbi, 1967) in which every mark has a beginning."""
        score, came = told[0] + self._follows[0], []
        for each in told[1:]:
            ways = score[:, None] + self._follows
            came.append(ways.argmax(0))
            score = ways.max(0) + each
        labels = [int(score.argmax())]
        for step in reversed(came):
            labels.append(int(step[labels[-1]]))
        return labels[::-1]


def _at(window: Window, names: Sequence[int], anchor: int) -> int | None:
    return window.words[names[anchor - 1]][0] if anchor else None


def _spans(labels: Sequence[int]) -> Iterator[tuple[int, int, str]]:
    """First word, last word and label of each mark."""
    begun: tuple[int, str] | None = None
    for at, number in enumerate([*labels, 0]):
        part, _, label = LABELS[number].partition("-")
        if begun is not None and part != "I":
            yield begun[0], at - 1, begun[1]
            begun = None
        if part == "B":
            begun = at, label


def _adapted(encoder: Layer, own: Layer) -> dict[str, Any]:
    """The encoder with the adapters added to its matrices, and with norms and offsets of its own."""
    layers = []
    for layer, change in zip(encoder["layers"], own["layers"], strict=True):
        kept = {name: value for name, value in change.items() if not name.endswith(("_a", "_b"))}
        matrices = {
            name.removesuffix("_a"): layer[name.removesuffix("_a")] + down @ change[f"{name[:-2]}_b"]
            for name, down in change.items()
            if name.endswith("_a")
        }
        layers.append({**layer, **kept, **matrices})
    return {**encoder, "layers": layers, "positions": own["positions"]}


@lru_cache(maxsize=1)
def marker() -> Marker:
    """The marker of this version; loaded when a text first needs it."""
    with (files("modules.nlu.data") / FILE).open("rb") as file:
        return Marker(trained(), load(file))
