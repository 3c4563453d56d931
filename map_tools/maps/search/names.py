"""Names of places made comparable: one canonical form for all spellings, and a measure of likeness."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from rapidfuzz import fuzz

from map_tools.kinds.phrases import fold

_WORD = re.compile(r"[^\W_]+")
_APOSTROPHE = re.compile(r"(?<=\w)['’‘`´ʼʻʹʾʿ](?=\w)")

SHORT_CHARS = 4
"""Shorter names occur by chance inside others, so containment says nothing about them."""

_PART_BASE, _PART_SPAN = 0.86, 0.12
"""A query that is a part of a name scores from 0.86 up, by the share of the name it is."""

_HEAD_BONUS = 0.02
"""What a name gets that begins with the query: "Kunstmuseum" is rather short for "Kunstmuseum X" than for
"Café im Kunstmuseum"."""

_WHOLE_BASE, _WHOLE_SPAN = 0.6, 0.3
"""A name that is a part of the query leaves words of the query unexplained, so it scores less."""

_SOFT_TOKEN = 0.82
_OTHER_NUMBER = 0.8


@dataclass(frozen=True, slots=True)
class _Spellings:
    same: dict[str, str]
    endings: dict[str, str]
    articles: frozenset[str]
    joins: tuple[str, ...]
    small_words: frozenset[str]


@lru_cache(maxsize=1)
def _spellings() -> _Spellings:
    data = tomllib.loads((files("map_tools.data") / "names.toml").read_text("utf-8"))
    return _Spellings(
        same={short: word for word, shorts in data["same"].items() for short in shorts.split()},
        endings={short: word for word, shorts in data["endings"].items() for short in shorts.split()},
        articles=frozenset(data["articles"]["leading"].split()),
        joins=tuple(word.strip() for word in data["joins"]["inside"].split(",")),
        small_words=frozenset(data["joins"]["beside"].split()),
    )


def joins() -> tuple[str, ...]:
    """Words that join a place with the area it lies in."""
    return _spellings().joins


def small_words() -> frozenset[str]:
    """Words that stand between a name and what is told of where it is; they say nothing of it."""
    return _spellings().small_words


def spellings_of(word: str) -> frozenset[str]:
    """All words that `canonical` makes this one of, itself among them."""
    return frozenset({word}.union(short for short, whole in _spellings().same.items() if whole == word))


def without_article(text: str) -> str:
    """A text without the article it begins with; itself if it is nothing else."""
    first, _, rest = text.strip().partition(" ")
    return rest.strip() if rest.strip() and fold(first) in _spellings().articles else text.strip()


@lru_cache(maxsize=4096)
def canonical(name: str) -> str:
    """One form for all spellings of a name: "The St. Mary's Rd" and "saint marys road" become equal.

    Case, accents and punctuation are folded, abbreviations are written out, a leading article is dropped.
    """
    words = _WORD.findall(fold(_APOSTROPHE.sub("", name)))
    if not words:
        return ""
    spellings = _spellings()
    if len(words) > 1 and words[0] in spellings.articles:
        words = words[1:]
    if words[0] == "st" and len(words) > 1:
        words[0] = "saint"
    return " ".join(map(_whole_word, words))


@lru_cache(maxsize=1 << 15)
def _whole_word(word: str) -> str:
    spellings = _spellings()
    for short, ending in spellings.endings.items():
        if word.endswith(short) and len(word) > len(short) + 2:
            return word[: -len(short)] + ending
    return spellings.same.get(word, word)


def likeness(query: str, name: str) -> float:
    """0 to 1: how well a query fits a name, both in canonical form.

    Slips of the keyboard and the order of words are forgiven; a query may leave words of the name out, or say
    more than the name; a number that differs ("Gate 5", "Gate 6") tells places apart.
    """
    if query == name:
        return 1.0
    wanted, given = query.split(), name.split()
    score = max(fuzz.ratio(query, name), fuzz.token_sort_ratio(query, name)) / 100
    ending = next(
        (one for one in _spellings().endings.values() if query.endswith(one) and name.endswith(one)), ""
    )
    if ending:  # it makes all streets alike
        score = min(score, fuzz.ratio(query.removesuffix(ending), name.removesuffix(ending)) / 100)
    score = max(score, _contained(query, name, set(wanted), set(given)))
    if score < _PART_BASE and len(wanted) < len(given) and len(query) >= SHORT_CHARS:
        score = max(score, _soft_contained(wanted, given, len(query) / len(name)))
    return score * _OTHER_NUMBER if _numbers(wanted) != _numbers(given) else score


def _contained(query: str, name: str, wanted: set[str], given: set[str]) -> float:
    if wanted <= given and len(query) >= SHORT_CHARS:
        head = _HEAD_BONUS if name.startswith(f"{query} ") else 0.0
        return _PART_BASE + _PART_SPAN * len(query) / max(len(name), len(query)) + head
    if given < wanted and len(name) >= SHORT_CHARS:
        return _WHOLE_BASE + _WHOLE_SPAN * len(name) / max(len(name), len(query))
    return 0.0


def _soft_contained(wanted: list[str], given: list[str], share: float) -> float:
    """As `_contained` for a part of a name that is misspelt."""
    total = 0.0
    for word in wanted:
        best = max(fuzz.ratio(word, other) for other in given) / 100
        if best < _SOFT_TOKEN:
            return 0.0
        total += best
    return total / len(wanted) * (_PART_BASE + _PART_SPAN * share)


def _numbers(words: list[str]) -> set[str]:
    return {word for word in words if word[0].isdigit()}
