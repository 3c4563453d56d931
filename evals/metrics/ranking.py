"""Measures of a ranked list against graded relevance.

Precision, recall and F1 at k as in Spatial-RAG (arXiv 2502.18470, section 5.1): what has the highest grade is
relevant, and precision divides by k, however few places are named. NDCG after K. Järvelin and J. Kekäläinen,
"Cumulated gain-based evaluation of IR techniques", ACM TOIS 20 (2002), with the gain 2^grade - 1 of C. Burges
et al., "Learning to rank using gradient descent", ICML 2005 (for grades 0 and 1 the two agree).
"""

import math
from collections.abc import Mapping, Sequence

CUTS = (1, 3, 5, 10)
"""The k of Spatial-RAG's tables 2 and 4."""


def hits(named: Sequence[str], relevant: frozenset[str]) -> list[bool]:
    """For each named place whether it is relevant; a place named again counts for nothing."""
    seen: set[str] = set()
    found = []
    for name in named:
        found.append(name in relevant and name not in seen)
        seen.add(name)
    return found


def precision_at(named: Sequence[str], relevant: frozenset[str], k: int) -> float:
    """The share of k places that are relevant; places that are not named are not."""
    return sum(hits(named, relevant)[:k]) / k


def recall_at(named: Sequence[str], relevant: frozenset[str], k: int) -> float:
    """The share of the relevant places among the first k named.

    Raises:
        ValueError: Nothing is relevant.
    """
    if not relevant:
        raise ValueError("Recall is not defined where nothing is relevant.")
    return sum(hits(named, relevant)[:k]) / len(relevant)


def f1(precision: float, recall: float) -> float:
    """Their harmonic mean; 0 where both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def ndcg_at(named: Sequence[str], grades: Mapping[str, int], k: int | None = None) -> float:
    """The discounted gain of the first k named places (None: of all), by that of the best possible list.

    Args:
        named: Names, best first; one named again gains nothing.
        grades: The grade of each relevant place, 1 or more.
        k: Where both lists are cut.

    Raises:
        ValueError: Nothing is relevant.
    """
    if not grades:
        raise ValueError("NDCG is not defined where nothing is relevant.")
    return _dcg(_gained(named, grades)[:k]) / _dcg(sorted(grades.values(), reverse=True)[:k])


def ndcg_of_retrieved(named: Sequence[str], grades: Mapping[str, int], k: int | None = None) -> float:
    """NDCG by the best order of *what was named*, so that nothing is lost by leaving relevant places out.

    It is not said which NDCG Spatial-RAG prints; where its methods return a single place, every printed
    NDCG@k equals precision@1, which holds for this form alone.
    """
    gained = _gained(named, grades)[:k]
    ideal = _dcg(sorted(gained, reverse=True))
    return _dcg(gained) / ideal if ideal else 0.0


def _gained(named: Sequence[str], grades: Mapping[str, int]) -> list[int]:
    """The grade of each named place, 0 where it is named again."""
    firsts = hits(named, frozenset(grades))
    return [grades[name] if first else 0 for name, first in zip(named, firsts, strict=True)]


def _dcg(grades: Sequence[int]) -> float:
    return math.fsum((2.0**grade - 1) / math.log2(place + 1) for place, grade in enumerate(grades, 1))
