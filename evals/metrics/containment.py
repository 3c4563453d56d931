"""When a name is right: Geo-ReAct's token containment, and beside it strict equality."""

from collections.abc import Iterable

from evals.metrics.words import plain_words
from map_tools.text import normalise

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
