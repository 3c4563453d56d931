"""Right or wrong: a truth against an answer's text, by its own reading of numbers and names."""

import re
import unicodedata
from datetime import time

from evals.smoke.questions import Amount, Clock, Count, Lists, Refuses, Says, Truth, Wind, Yes
from mapagent.answer import Answer, Status

_NUMBER = re.compile(r"\d+")
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(h|hours?|min|mins|minutes?|s|seconds?)\b", re.IGNORECASE)
_LENGTH = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s*(km|m)\b", re.IGNORECASE)
_CLOCK = re.compile(r"\b(\d{1,2})(?::(\d\d))?\s*(am|pm)\b|\b(\d{1,2}):(\d\d)\b", re.IGNORECASE)
_MINUTES = {"h": 60.0, "m": 1.0, "s": 1 / 60}
_METRES = {"km": 1000.0, "m": 1.0}
SHOWN_SHARE = 0.01
"""Distances are shown with three digits."""


def is_right(answer: Answer, truth: Truth) -> bool:
    """True if the answer is the right one; a refusal is right only where there is no answer."""
    if isinstance(truth, Refuses):
        return answer.status is Status.UNANSWERABLE
    return answer.status is Status.ANSWERED and _fits(answer.text, truth)


def _fits(text: str, truth: Truth) -> bool:
    match truth:
        case Says():
            return any(_folded(one) in _folded(text) for one in truth.any)
        case Lists():
            return all(_folded(name) in _folded(text) for name in truth.names) and not any(
                _folded(name) in _folded(text) for name in truth.others
            )
        case Count():
            found = _NUMBER.search(text)
            return found is not None and int(found.group()) == truth.value
        case Amount():
            return _amount_fits(text, truth)
        case Clock():
            return _clock(text) == truth.value
        case Yes():
            return _folded(text).startswith("yes" if truth.value else "no")
        case Wind():
            return _folded(text) in map(_folded, truth.any)
        case Refuses():
            return False


def _amount_fits(text: str, truth: Amount) -> bool:
    if truth.kind == "minutes":
        parts = [float(number) * _MINUTES[unit[0].lower()] for number, unit in _DURATION.findall(text)]
        return bool(parts) and abs(sum(parts) - truth.value) <= truth.within
    found = _LENGTH.search(text)
    if found is None:
        return False
    metres = float(found[1].replace(",", "")) * _METRES[found[2].lower()]
    return abs(metres - truth.value) <= max(truth.within, SHOWN_SHARE * truth.value)


def _clock(text: str) -> time | None:
    found = _CLOCK.search(text)
    if found is None:
        return None
    if found[4]:
        return time(int(found[4]), int(found[5]))
    hour = int(found[1]) % 12 + (12 if found[3].lower() == "pm" else 0)
    return time(hour, int(found[2] or 0))


def _folded(text: str) -> str:
    """Letters and digits alone, without case and accents."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return re.sub(r"[^a-z0-9]", "", plain)
