"""Which label a wording means: names as people write them against names as readers of pictures read them."""

from functools import lru_cache
from itertools import accumulate

from rapidfuzz import fuzz

from map_tools.facts import PictureFact
from modules.answer_generator.names import head
from modules.names import SAME_SCORE, normalise, similarity

READ_SCORE = 0.84
"""Letter by letter, for names of some length: readers drop blanks and mistake letters."""
LEAST_READ = 6
SPELT_SCORE = 0.8
SPELT_LEAD = 0.05
LEAST_SPELT = 5
"""Spelt in another way a name of so many letters is so much alike, and so much more than any other."""
LEAST_MENTION = 4
MENTION_SCORE = 90
"""How well a label's words must fit a stretch of a text that mentions it (0 to 100)."""


@lru_cache(maxsize=4096)
def name_score(text: str, label: str) -> float:
    """0 to 1: how surely a wording means a label."""
    best = max(similarity(text, label), similarity(head(text), label))
    x, y = normalise(head(text)).replace(" ", ""), normalise(label).replace(" ", "")
    if min(len(x), len(y)) >= LEAST_READ:
        letters = fuzz.ratio(x, y) / 100
        best = max(best, letters if letters >= READ_SCORE else 0.0)
    return best


def labels_named(text: str, picture: PictureFact) -> tuple[int, ...]:
    """The labels that go by this name, the best first; more than one if the picture has it several times."""
    scored = labels_scored(text, picture)
    return tuple(index for score, index in scored if score >= scored[0][0] - 1e-9)


def labels_scored(text: str, picture: PictureFact) -> tuple[tuple[float, int], ...]:
    """The labels that may go by this name, each with how surely (0 to 1), the surest first."""
    scored = [(name_score(text, label.text), -index) for index, label in enumerate(picture.labels)]
    scored.sort(reverse=True)
    return tuple((score, -index) for score, index in scored if score >= min(SAME_SCORE, READ_SCORE))


def label_spelt(text: str, picture: PictureFact) -> int | None:
    """The only label whose letters are about those of a name that none has: names are spelt in many ways."""
    x = normalise(text).replace(" ", "")
    scored = sorted(
        (
            (fuzz.ratio(x, normalise(label.text).replace(" ", "")) / 100, -index)
            for index, label in enumerate(picture.labels)
        ),
        reverse=True,
    )
    if len(x) < LEAST_SPELT or not scored or scored[0][0] < SPELT_SCORE:
        return None
    return None if len(scored) > 1 and scored[1][0] > scored[0][0] - SPELT_LEAD else -scored[0][1]


def labels_begun(text: str, picture: PictureFact) -> tuple[int, ...]:
    """The labels whose first words are these: options and names on signs are cut off at times."""
    words = normalise(text).split()
    return tuple(
        index
        for index, label in enumerate(picture.labels)
        if words and _is_alike(" ".join(words), " ".join(normalise(label.text).split()[: len(words)]))
    )


def _is_alike(a: str, b: str) -> bool:
    """True for equal words, or long ones that differ in a letter or two."""
    return a == b or (min(len(a), len(b)) >= LEAST_READ and fuzz.ratio(a, b) / 100 >= READ_SCORE)


def labels_mentioned(text: str, picture: PictureFact) -> tuple[int, ...]:
    """The labels whose names occur in a running text, the longest first; none within another's words."""
    running = _Running(text)
    longest_first = sorted(range(len(picture.labels)), key=lambda one: -len(picture.labels[one].text))
    return tuple(index for index in longest_first if running.takes(picture.labels[index].text))


class _Running:
    """A text whose words are taken one name after the other; blanks count for nothing: readers drop them."""

    def __init__(self, text: str) -> None:
        words = normalise(text).split()
        self._letters = "".join(words)
        self._edges = {0, *accumulate(map(len, words))}

    def takes(self, name: str) -> bool:
        """True if the name occurs, beginning and ending where words do; its words are then used up."""
        letters = normalise(name).replace(" ", "")
        if len(letters) < LEAST_MENTION:
            return False
        at = self._letters.find(letters)
        while at >= 0 and not {at, at + len(letters)} <= self._edges:
            at = self._letters.find(letters, at + 1)
        end = at + len(letters)
        if at < 0 and len(letters) >= 2 * LEAST_READ:
            spot = fuzz.partial_ratio_alignment(letters, self._letters, score_cutoff=MENTION_SCORE)
            at, end = (spot.dest_start, spot.dest_end) if spot else (-1, -1)
        if at < 0:
            return False
        self._letters = self._letters[:at] + "_" * (end - at) + self._letters[end:]
        return True
