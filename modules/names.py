"""When two wordings mean the same place: case, accents, punctuation, order and small slips are forgiven."""

import re
import unicodedata
from collections.abc import Sequence

from rapidfuzz import fuzz

SAME_SCORE = 0.86
"""Two names at or above this similarity are taken for the same place."""


def normalise(text: str) -> str:
    """Folds case, accents and punctuation: "Café  d'Été" and "cafe d ete" become equal."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(char for char in folded if not unicodedata.combining(char))
    return re.sub(r"[\W_]+", " ", plain).strip()


def similarity(a: str, b: str) -> float:
    """0 to 1: how alike two names are.

    A name that is wholly contained in the other ("Kelburn Park" in "Kelburn Park, Wellington") scores by
    containment, scaled down a little, so that an exact name always wins.
    """
    x, y = normalise(a), normalise(b)
    if not x or not y:
        return 0.0
    if x == y:
        return 1.0
    whole = fuzz.token_sort_ratio(x, y) / 100
    words_x, words_y = set(x.split()), set(y.split())
    if words_x <= words_y or words_y <= words_x:
        shared = min(len(words_x), len(words_y)) / max(len(words_x), len(words_y))
        return max(whole, 0.86 + 0.12 * shared) if min(len(x), len(y)) >= 4 else whole
    return whole


def same_name(a: str, b: str) -> bool:
    """True if the two wordings mean the same place."""
    return similarity(a, b) >= SAME_SCORE


def best_match(wanted: str, names: Sequence[str], *, threshold: float = SAME_SCORE) -> int | None:
    """Index of the name most like `wanted`; None if none reaches the threshold."""
    best, best_score = None, threshold
    for index, name in enumerate(names):
        score = similarity(wanted, name)
        if score > best_score or (score == best_score and best is None):
            best, best_score = index, score
    return best
