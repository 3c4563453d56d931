"""Precision, recall and F1 over words: GS-QA's measure for free text, names and addresses."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from evals.metrics.words import content_words


@dataclass(frozen=True, slots=True)
class Prf:
    """Precision, recall and F1 of one reply against one right answer, each 0 to 1."""

    precision: float
    recall: float
    f1: float


NOTHING = Prf(0.0, 0.0, 0.0)


def prf(reply: str, gold: str) -> Prf:
    """Shared words by the words of the reply (precision) and of the right answer (recall).

    GS-QA, section 5.1, "Evaluation strategy"; F1 is their harmonic mean, 0 if both are 0. A word that occurs
    twice counts twice.
    """
    said, right = Counter(content_words(reply)), Counter(content_words(gold))
    shared = (said & right).total()
    if not shared:
        return NOTHING
    precision, recall = shared / said.total(), shared / right.total()
    return Prf(precision, recall, 2 * precision * recall / (precision + recall))


def best_prf(replies: Iterable[str], golds: Iterable[str]) -> Prf:
    """The best match (by F1) between any reply and any right answer; all zero without either.

    GS-QA, section 5.1: "each predicted answer is compared to all possible answers, and only the best
    scores are reported".
    """
    right = tuple(golds)
    scores = (prf(reply, gold) for reply in replies for gold in right)
    return max(scores, key=lambda score: score.f1, default=NOTHING)
