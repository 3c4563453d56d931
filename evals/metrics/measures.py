"""Measures of an answer: how far a number, a direction or a place is off, and how well a list is ranked.

Errors are those of GS-QA and Geo-ReAct, with the accuracy as the tolerance changes.

Precision, recall and F1 at k of a ranked list against graded relevance are those of Spatial-RAG (arXiv 2502.18470,
section 5.1): what has the highest grade is relevant, and precision divides by k, however few places are named. NDCG
after K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20 (2002), with the
gain 2^grade - 1 of C. Burges et al., "Learning to rank using gradient descent", ICML 2005 (for grades 0 and 1 the two
agree).
"""

import math
from collections.abc import Iterable, Mapping, Sequence

from map_tools.types import LatLng

WINDS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
"""The sectors of GS-QA's figure 2, clockwise, each 45 degrees wide and centred on its wind."""
SECTOR_DEG = 45.0


def angle_error(reply_deg: float, gold_deg: float) -> float:
    """Degrees between two azimuths by 180: 0 is equal, 1 is opposite (GS-QA, equation 1)."""
    apart = abs(reply_deg - gold_deg) % 360
    return min(apart, 360 - apart) / 180


def best_angle_error(replies: Iterable[float], golds: Iterable[float]) -> float | None:
    """The least error of all pairs; None without any."""
    right = tuple(golds)
    return min((angle_error(reply, gold) for reply in replies for gold in right), default=None)


def wind_of(azimuth_deg: float) -> str:
    """The name of the sector an azimuth lies in; a border belongs to the next sector clockwise."""
    return WINDS[int((azimuth_deg % 360 + SECTOR_DEG / 2) // SECTOR_DEG) % len(WINDS)]


def azimuth_of(wind: str) -> float:
    """The middle of a wind's sector in degrees.

    Raises:
        ValueError: There is no such wind.
    """
    return WINDS.index(wind) * SECTOR_DEG


CAP_M = 500_000.0
"""GS-QA, section 5.1: the distance is divided by 500 km, and no error exceeds 1."""


def distance_error(reply: LatLng, gold: LatLng) -> float:
    """Geodesic metres between the two by `CAP_M`, at most 1."""
    from geographiclib.geodesic import Geodesic

    metres = float(Geodesic.WGS84.Inverse(reply.lat, reply.lng, gold.lat, gold.lng)["s12"])
    return min(1.0, metres / CAP_M)


def best_distance_error(replies: Iterable[LatLng], golds: Iterable[LatLng]) -> float | None:
    """The least error of all pairs; None without any (GS-QA: not attempted)."""
    right = tuple(golds)
    return min((distance_error(reply, gold) for reply in replies for gold in right), default=None)


TAU_NUMBER = 0.10
"""Geo-ReAct, section 6.2: τ_num, the largest relative error of a right number."""
CAP = 1.0
"""GS-QA, section 5.2: no relative error counts for more."""


def relative_error(reply: float, gold: float) -> float:
    """|reply - gold| / |gold|, not capped (GS-QA, equation 2). 0 for 0 against 0, else infinite against 0."""
    if gold == 0:
        return 0.0 if reply == 0 else float("inf")
    return abs(reply - gold) / abs(gold)


def best_relative_error(replies: Iterable[float], golds: Iterable[float]) -> float | None:
    """The least error of all pairs; None without any."""
    right = tuple(golds)
    return min((relative_error(reply, gold) for reply in replies for gold in right), default=None)


def capped(error: float) -> float:
    """An error as it enters a mean."""
    return min(CAP, error)


ENTITY_TAUS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Tolerances of figure 4 for names: the least similarity that counts as right."""
NUMBER_TAUS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5)
"""For numbers: the largest relative error that counts as right."""
_SLACK = 1e-9


def by_similarity(similarities: Sequence[float]) -> dict[str, float]:
    """Share of questions right at each τ of names; empty without questions."""
    return {
        f"{tau:g}": sum(value >= tau - _SLACK for value in similarities) / len(similarities)
        for tau in ENTITY_TAUS
        if similarities
    }


def by_error(errors: Sequence[float]) -> dict[str, float]:
    """Share of questions right at each τ of numbers; infinite errors are wrong at any. Empty without any."""
    return {
        f"{tau:g}": sum(value <= tau + _SLACK for value in errors) / len(errors)
        for tau in NUMBER_TAUS
        if errors
    }


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
