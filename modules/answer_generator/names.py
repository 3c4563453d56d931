"""Matching names of places, and the fixed texts of places: addresses, phone numbers, web sites."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from map_tools.text import SAME_SCORE, normalise, similarity
from mapagent.core.answer import Named
from modules.answer_generator.outcome import SAME, Choices, Fit, Match, NoMatch, Option, decide

HEAD_SCORE = 0.99
"""Score of an option whose part before " - " or a comma is the name itself; the rest is its address."""

SENTENCE_SCORE = 0.9
"""Score of a name found word for word inside a longer sentence."""

ADDRESS_FLOOR = 0.6
"""At least this weighted share of the words must agree for two addresses to be the same."""

ADDRESS_SHARE = 0.05
"""How much an agreeing address adds, so that it decides between branches of one name."""

MIN_PHONE_DIGITS = 6
MIN_SENTENCE_CHARS = 4
HEAD = re.compile(r"\s+[-–—]\s+|,\s+|\s*[(\n]")


def match_named(value: Named, choices: Choices) -> Match | NoMatch:
    """The option that names this place."""
    names = [value.name, *(value.place.aliases if value.place else ())]
    address = value.place.address if value.place else None
    fits = [Fit(option, _named_score(names, address, option.text)) for option in choices.options]
    return decide(fits, floor=SAME_SCORE, how="name", shown=f"'{value.name}'")


def name_score(name: str, text: str) -> float:
    """0 to 1: how surely an option names `name`, alone, with an address behind it, or in a sentence."""
    score = similarity(name, text)
    for head in heads(text):
        score = max(score, HEAD_SCORE * similarity(name, head))
    folded = normalise(name)
    if len(folded) >= MIN_SENTENCE_CHARS and f" {folded} " in f" {normalise(text)} ":
        score = max(score, SENTENCE_SCORE)
    return score


def heads(text: str) -> Iterator[str]:
    """The beginnings of an option that may be the name alone: up to each dash, comma, bracket or line end."""
    for hit in HEAD.finditer(text):
        head = text[: hit.start()].strip()
        if head:
            yield head


def head(text: str) -> str:
    """The name that an option begins with ("Name - Street 5" → "Name")."""
    return next(heads(text), text.strip())


def _named_score(names: Iterable[str], address: str | None, text: str) -> float:
    score = max(name_score(name, text) for name in names)
    if score >= SAME or address is None:
        return score
    return min(HEAD_SCORE + 0.005, score * (1 - ADDRESS_SHARE) + ADDRESS_SHARE * _overlap(address, text, {}))


def match_address(text: str, choices: Choices) -> Match | NoMatch:
    """The option with this address; words all options share (the city, the country) count for little."""
    spread = Counter(word for option in choices.options for word in set(normalise(option.text).split()))
    fits = [Fit(option, _overlap(text, option.text, spread)) for option in choices.options]
    return decide(fits, floor=ADDRESS_FLOOR, how="address", shown=f"'{text}'")


def _overlap(a: str, b: str, spread: Mapping[str, int]) -> float:
    """Share of the shorter text's words found in the other; rare words among the options weigh more."""
    if normalise(a) == normalise(b):
        return SAME
    words_a, words_b = set(normalise(a).split()), set(normalise(b).split())
    common = _weight(words_a & words_b, spread)
    shorter = min(_weight(words_a, spread), _weight(words_b, spread))
    longer = max(_weight(words_a, spread), _weight(words_b, spread))
    if not shorter:
        return 0.0
    return 0.9 * common / shorter + 0.09 * common / longer


def _weight(words: Iterable[str], spread: Mapping[str, int]) -> float:
    return sum(1 / max(1, spread.get(word, 1)) for word in words)


def match_phone(text: str, choices: Choices) -> Match | NoMatch:
    """The option with these digits; a country code may stand before either."""
    digits = _digits(text)
    fits = [Fit(option, _same_digits(digits, _digits(option.text))) for option in choices.options]
    return decide(fits, floor=SAME, how="phone number", shown=text)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit()).lstrip("0")


def _same_digits(a: str, b: str) -> float:
    shorter, longer = sorted((a, b), key=len)
    return SAME if len(shorter) >= MIN_PHONE_DIGITS and longer.endswith(shorter) else 0.0


def match_website(text: str, choices: Choices) -> Match | NoMatch:
    """The option with this web site: the host decides, the path makes it exact."""
    fits = [Fit(option, _same_site(text, option)) for option in choices.options]
    return decide(fits, floor=SENTENCE_SCORE, how="web site", shown=text)


def _same_site(text: str, option: Option) -> float:
    host, path = _site(text)
    other_host, other_path = _site(option.text)
    if not host or host != other_host:
        return 0.0
    return SAME if path == other_path else SENTENCE_SCORE


def _site(text: str) -> tuple[str, str]:
    word = next((piece for piece in text.split() if "." in piece), "")
    try:
        parts = urlsplit(word if "//" in word else f"//{word}")
    except ValueError:  # brackets that hold no IPv6 address
        return "", ""
    return parts.netloc.casefold().removeprefix("www."), parts.path.strip("/")
