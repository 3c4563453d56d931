"""Measures of an answer: how far a number, a direction or a place is off, how a list is ranked, which words it has.

Errors are those of GS-QA and Geo-ReAct, with the accuracy as the tolerance changes.

Precision, recall and F1 at k of a ranked list against graded relevance are those of Spatial-RAG (arXiv 2502.18470,
section 5.1): what has the highest grade is relevant, and precision divides by k, however few places are named. NDCG
after K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20 (2002), with the
gain 2^grade - 1 of C. Burges et al., "Learning to rank using gradient descent", ICML 2005 (for grades 0 and 1 the two
agree).

Of words, the measures are GS-QA's content words with their precision, recall and F1, and Geo-ReAct's token
containment. Words are compared in lower case, without punctuation and stop words; numbers in words are numbers ("two
hundred fifty" is 250).
"""

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from map_tools.text import normalise
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


_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_HUNDRED, _POINT = "hundred", "point"
_SMALL = {word: value for value, word in enumerate(_ONES)} | {
    word: 10 * value for value, word in enumerate(_TENS, 2)
}
_PLAIN = re.compile(r"(\d{1,15})(?:\.(\d+))?")

NUMBER_WORDS = frozenset((*_SMALL, *_SCALES, _HUNDRED))
"""Every word a number may consist of, besides "and" and "point" inside it."""


def in_words(digits: str) -> str:
    """A number in digits, in words without hyphens and "and": "150.5" is "one hundred fifty point five".

    Raises:
        ValueError: It is no plain decimal number, or has more than 15 digits before the point.
    """
    match = _PLAIN.fullmatch(digits)
    if match is None:
        raise ValueError(f"'{digits}' is no plain number")
    words = _whole(int(match[1]))
    if match[2]:
        words += [_POINT, *(_ONES[int(digit)] for digit in match[2])]
    return " ".join(words)


def from_words(text: str) -> float | None:
    """The number that words say ("one hundred and fifty", "two point five million"); None if none."""
    words = [word for word in re.split(r"[\s-]+", text.casefold().strip()) if word and word != "and"]
    if not words or words[0] not in NUMBER_WORDS - {_HUNDRED, *_SCALES}:
        return None
    total, group = 0.0, 0.0
    decimals: list[str] | None = None
    for word in words:
        if word == _POINT:
            decimals = []
        elif decimals is not None and word in _SMALL:
            decimals.append(str(_SMALL[word]))
            continue
        else:
            group = _with_decimals(group, decimals)
            decimals = None
            read = _next_word(word, total, group)
            if read is None:
                return None
            total, group = read
    return total + _with_decimals(group, decimals)


def _next_word(word: str, total: float, group: float) -> tuple[float, float] | None:
    if word == _HUNDRED:
        return total, group * 100
    if word in _SCALES:
        return total + group * _SCALES[word], 0.0
    return (total, group + _SMALL[word]) if word in _SMALL else None


def _with_decimals(group: float, decimals: list[str] | None) -> float:
    return float(f"{int(group)}.{''.join(decimals)}") if decimals else group


def _whole(number: int) -> list[str]:
    for scale, size in reversed(_SCALES.items()):
        if number >= size:
            rest = number % size
            return [*_whole(number // size), scale, *(_whole(rest) if rest else ())]
    if number >= 100:
        rest = number % 100
        return [_ONES[number // 100], _HUNDRED, *(_whole(rest) if rest else ())]
    if number >= len(_ONES):
        rest = number % 10
        return [_TENS[number // 10 - 2], *((_ONES[rest],) if rest else ())]
    return [_ONES[number]]


_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """The words that do not count."""
    data = tomllib.loads((files("evals.metrics") / "stopwords.toml").read_text("utf-8"))
    return frozenset(data["words"].split())


@lru_cache(maxsize=65_536)
def plain_words(text: str) -> tuple[str, ...]:
    """Lower-cased words and numbers, without punctuation (Geo-ReAct, section 6.2: T(e))."""
    return tuple(_WORD.findall(text.casefold().replace("’", "'")))


@lru_cache(maxsize=65_536)
def content_words(text: str) -> tuple[str, ...]:
    """`plain_words` without stop words, numbers in words (GS-QA, section 5.1: preprocessing)."""
    words: list[str] = []
    for word in plain_words(text):
        if word[0].isdigit():
            words += _number(word)
        elif word not in stop_words():
            words.append(word)
    return tuple(words)


def _number(digits: str) -> list[str]:
    """A number's words; what is no plain number ("3.1.4") counts as the word it is."""
    plain = digits.replace(",", "") if _THOUSANDS.fullmatch(digits) else digits
    try:
        return in_words(plain).split()
    except ValueError:
        return [digits]


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


TAU_ENTITY = 1.0
"""Geo-ReAct, section 6.2: τ_ent, the least similarity of a right name."""
MAX_NAMED = 3
"""Who names more places than this for one place is wrong, whatever is among them: containment would reward
whoever lists the map."""


def containment(reply: str, gold: str) -> float:
    """|T(reply) ∩ T(gold)| / min(|T(reply)|, |T(gold)|) over sets of words; 0 if either has none.

    Geo-ReAct, section 6.2. It forgives: "Park" alone matches every park, so `equal` is told beside it.
    """
    said, right = set(plain_words(reply)), set(plain_words(gold))
    if not said or not right:
        return 0.0
    return len(said & right) / min(len(said), len(right))


def best_containment(replies: Iterable[str], golds: Iterable[str]) -> float:
    """The best of all pairs; 0 without any."""
    right = tuple(golds)
    return max((containment(reply, gold) for reply in replies for gold in right), default=0.0)


def equal(reply: str, gold: str) -> bool:
    """True if the two are the same but for case, accents, punctuation and white space."""
    return bool(normalise(gold)) and normalise(reply) == normalise(gold)


def any_equal(replies: Iterable[str], golds: Iterable[str]) -> bool:
    """True if any reply equals any right answer."""
    right = {normalise(gold) for gold in golds} - {""}
    return any(normalise(reply) in right for reply in replies)
