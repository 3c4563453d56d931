"""How far a number is off, as GS-QA and Geo-ReAct count it."""

from collections.abc import Iterable

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
