"""Measures of words: GS-QA's content words and their precision, recall and F1, Geo-ReAct's token containment.

Words are compared in lower case, without punctuation and stop words; numbers in words are numbers ("two hundred
fifty" is 250).
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from map_tools.text import normalise

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
