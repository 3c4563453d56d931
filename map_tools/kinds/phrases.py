"""Finding the phrases of a vocabulary in running text, whatever their case, accents, number or spelling."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_POSSESSIVE = re.compile(r"['’]s?$")

_SAME_WORD = {
    "center": "centre",
    "theater": "theatre",
    "harbor": "harbour",
    "parlor": "parlour",
    "neighborhood": "neighbourhood",
    "jewelry": "jewellery",
    "jeweler": "jeweller",
    "tire": "tyre",
    "store": "shop",
    "program": "programme",
    "buse": "bus",
    "taxis": "taxi",
}
"""American and British spellings, words that are interchangeable, and plurals the rules below get wrong."""


@dataclass(frozen=True, slots=True)
class Phrase[T]:
    """A phrase found in a text: `text[start:end]` means `value`."""

    start: int
    end: int
    value: T


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    word: str


class PhraseIndex[T]:
    """An index of phrases; the values are whatever they stand for.

    Args:
        phrases: From a phrase in any spelling to its value. Of two phrases that come to the same normal form
            the first one stays.
    """

    def __init__(self, phrases: Mapping[str, T]) -> None:
        self._values: dict[tuple[str, ...], T] = {}
        for phrase, value in phrases.items():
            self._values.setdefault(_normal_form(phrase), value)
        self._values.pop((), None)
        self._longest: dict[str, int] = {}
        for key in self._values:
            self._longest[key[0]] = max(self._longest.get(key[0], 0), len(key))

    def get(self, words: str) -> T | None:
        """The value of exactly this phrase, None if it is not in the vocabulary."""
        return self._values.get(_normal_form(words))

    def find(self, text: str) -> list[Phrase[T]]:
        """All phrases in a text, the longest first; one that lies within a longer one is left out."""
        return sorted(self._scan(text), key=lambda found: (found.start - found.end, found.start))

    def _scan(self, text: str) -> Iterator[Phrase[T]]:
        tokens = list(_tokens(text))
        words = tuple(token.word for token in tokens)
        position = 0
        while position < len(tokens):
            length = self._match(words, position)
            if length:
                value = self._values[words[position : position + length]]
                yield Phrase(tokens[position].start, tokens[position + length - 1].end, value)
            position += length or 1

    def _match(self, words: tuple[str, ...], position: int) -> int:
        """Number of words of the longest phrase that begins at `position`, 0 if none does."""
        for length in range(min(self._longest.get(words[position], 0), len(words) - position), 0, -1):
            if words[position : position + length] in self._values:
                return length
        return 0


_LETTERS = str.maketrans(
    {
        "ł": "l", "ø": "o", "đ": "d", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "ŋ": "n",
        "ŧ": "t", "ĸ": "k", "ə": "e", "ɛ": "e", "ɔ": "o", "ɖ": "d", "ɗ": "d", "ɓ": "b", "ɣ": "g", "ƙ": "k",
        "ƴ": "y", "ʋ": "v", "ɩ": "i", "ɲ": "n", "ƒ": "f", "ƶ": "z", "ǥ": "g", "ɨ": "i", "ʉ": "u", "ɵ": "o",
        "ґ": "г", "қ": "к", "ғ": "г", "ҳ": "х", "ҷ": "ч", "ұ": "у", "ү": "у", "ө": "о",
        "ی": "ي", "ى": "ي", "ک": "ك", "ة": "ه", "ٱ": "ا", "ـ": None,
        "ʼ": "'", "ʻ": "'", "ʹ": "'", "ʾ": "'", "ʿ": "'",
    }
)  # fmt: skip
"""Letters that are no plain letter with an accent (https://www.unicode.org/reports/tr15/), as people write
them who do not have them on their keyboards."""


def fold(text: str) -> str:
    """Case, accents and letters of single languages folded: "Café" becomes "cafe", "Għajn" "ghajn".

    All names and words are compared in this form, on whatever map and in whatever script; digits of other
    scripts become ours.
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text).casefold().translate(_LETTERS)
    return decomposed if decomposed.isascii() else "".join(map(_plain, decomposed))


def _plain(char: str) -> str:
    """A character, a digit of another script as ours; nothing for an accent."""
    if unicodedata.combining(char):
        return ""
    return str(unicodedata.decimal(char)) if char.isdecimal() else char


def singular(word: str) -> str:
    """The singular of a folded English word, or at least one form for its singular and plural.

    The rules need not be right for every word, only the same on both sides of a comparison.
    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "ches", "shes", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        yield _Token(match.start(), match.end(), _normal_word(fold(_POSSESSIVE.sub("", match.group()))))


def _normal_word(folded: str) -> str:
    word = singular(folded)
    return _SAME_WORD.get(word, word)


def _normal_form(phrase: str) -> tuple[str, ...]:
    if phrase.isascii() and phrase.replace(" ", "").isalnum():  # nearly all phrases; four times faster
        return tuple(_normal_word(word) for word in phrase.lower().split())
    return tuple(token.word for token in _tokens(phrase))
