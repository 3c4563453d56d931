"""Numbers as English words and back: "two hundred fifty" is 250."""

import re

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
