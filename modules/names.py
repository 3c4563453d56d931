"""Matching a wording against several names; the similarity itself is `map_tools.text`."""

from collections.abc import Sequence

from map_tools.text import SAME_SCORE, normalise, same_name, same_words, similarity

__all__ = ["SAME_SCORE", "best_match", "mention_score", "normalise", "same_name", "similarity"]

HEAD_SHARE = 0.99
"""What a name counts that fits only the part before the qualifiers ("Old Mill" in "Old Mill, Norwich")."""


SHORTEST_WORD = 3
"""Letters a word needs to stand for a name it is part of ("the zoo" for "City Zoo")."""


def mention_score(text: str, name: str) -> float:
    """0 to 1: how surely a question's words name a place that a supplied text describes.

    Laxer than `similarity`, for the few names of one text: the words may carry qualifiers behind a comma, and
    leave out words of the name, or spell them as another language does.
    """
    head = text.partition(",")[0]
    score = max(similarity(text, name), HEAD_SHARE * similarity(head, name))
    if score >= SAME_SCORE:
        return score
    word = normalise(head)
    part = len(word) >= SHORTEST_WORD and word in normalise(name).split()
    return max(score, SAME_SCORE if part or same_words(head, name) else 0.0)


def best_match(wanted: str, names: Sequence[str], *, threshold: float = SAME_SCORE) -> int | None:
    """Index of the name most like `wanted`; None if none reaches the threshold."""
    best, best_score = None, threshold
    for index, name in enumerate(names):
        score = similarity(wanted, name)
        if score > best_score or (score == best_score and best is None):
            best, best_score = index, score
    return best
