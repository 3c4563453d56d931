"""Endless repetition: small models fall into saying the same again and again until the limit stops them."""

import re

TAIL_CHARS = 600
"""How much of the end is looked at."""
MIN_REPEATS = 4
MIN_REPEATED_CHARS = 48
"""A short list of equal words is no endless repetition."""

_DIGITS = re.compile(r"\d+")
_SPACES = re.compile(r"\s+")


def repeats_endlessly(text: str) -> bool:
    """Whether a text ends in one passage said over and over, whatever its running number.

    Args:
        text: A reply that was stopped by the limit of its length.
    """
    tail = _SPACES.sub(" ", _DIGITS.sub("0", text[-TAIL_CHARS:])).strip()
    longest = len(tail) // MIN_REPEATS
    return any(_repeats(tail, length) for length in range(1, longest + 1))


def _repeats(tail: str, length: int) -> bool:
    """Whether the tail ends in a passage of this length often enough (the last one may be cut short)."""
    run = 0
    for index in range(len(tail) - 1, length - 1, -1):
        if tail[index] != tail[index - length]:
            break
        run += 1
    repeated = run + length
    if repeated < max(MIN_REPEATS * length, MIN_REPEATED_CHARS):
        return False
    passage = tail[-length:]
    return any(char.isalpha() for char in passage) or "0" not in passage
