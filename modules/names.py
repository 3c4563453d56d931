"""Matching a wording against several names; the similarity itself is `map_tools.text`."""

from collections.abc import Sequence

from map_tools.text import SAME_SCORE, normalise, same_name, similarity

__all__ = ["SAME_SCORE", "best_match", "normalise", "same_name", "similarity"]


def best_match(wanted: str, names: Sequence[str], *, threshold: float = SAME_SCORE) -> int | None:
    """Index of the name most like `wanted`; None if none reaches the threshold."""
    best, best_score = None, threshold
    for index, name in enumerate(names):
        score = similarity(wanted, name)
        if score > best_score or (score == best_score and best is None):
            best, best_score = index, score
    return best
