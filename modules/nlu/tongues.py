"""Times and amounts in German, French, Spanish and Italian, put in English words: the words are `data/times.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from map_tools.kinds.phrases import fold

type _Words = Mapping[str, str]

_SPOKEN = re.compile(r"\b(\d{1,2}) ?(h plus|h minus|h|plus|minus)\b(?: ?(\d{1,2})\b)?")
"""An hour, and the minutes after or before it."""
_BESIDE = re.compile(r"\b(\d{1,2}) (past|to) (\d{1,2})\b")
"""Minutes, and the hour they are after or before."""


def times_in_english(text: str) -> Iterator[str]:
    """What words for a time are in English, by each language that has some of them; clocks become figures."""
    for said in _in_english(text, "times"):
        beside = _BESIDE.sub(lambda found: _clock(found[3], found[1], is_before=found[2] == "to"), said)
        yield _SPOKEN.sub(
            lambda found: _clock(found[1], found[3] or "0", is_before="minus" in found[2]), beside
        )


def amounts_in_english(text: str) -> Iterator[str]:
    """What words for an amount are in English, by each language that has some of them."""
    return _in_english(text, "amounts")


def _clock(hour: str, minutes: str, *, is_before: bool) -> str:
    if is_before:
        return f"{int(hour) - 1 or 12}h{60 - int(minutes):02d}"
    return f"{hour}h{int(minutes):02d}" if int(minutes) else hour


def _in_english(text: str, topic: str) -> Iterator[str]:
    plain = fold(text.replace("’", "'"))
    for words, pattern in _tongues(topic):
        found = {match[0] for match in pattern.finditer(plain)}
        if not found <= _weak():
            parts = pattern.split(plain)
            yield " ".join(" ".join(words.get(part, part) for part in parts).split())


@lru_cache(maxsize=2)
def _tongues(topic: str) -> tuple[tuple[_Words, re.Pattern[str]], ...]:
    """By language its words for a topic, folded, with their English, and a pattern of them, the longest first."""
    made = []
    for tongue in (entry for name, entry in _file().items() if name != "rules"):
        lists = {**tongue["numbers"], **tongue[topic]}
        words = {
            fold(word.strip()): english for english, listed in lists.items() for word in listed.split(",")
        }
        longest = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        made.append((words, re.compile(rf"(?<![\w-])({longest})(?:(?<=')|(?![\w'-]))")))
    return tuple(made)


@lru_cache(maxsize=1)
def _weak() -> frozenset[str]:
    return frozenset(_file()["rules"]["weak"])


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    return tomllib.loads((files("modules.nlu.data") / "times.toml").read_text("utf-8"))
