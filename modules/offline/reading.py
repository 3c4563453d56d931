"""One way to read a question, and how well it explains the words."""

from collections.abc import Iterable
from dataclasses import dataclass

from modules.offline.analysis import Analysis, Span
from modules.offline.intents import Intent

CUE_SHARE = 0.7
"""The share of a score that the strength of the cue makes; the rest is the share of words explained."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An intent with a score of 0 to 1."""

    intent: Intent
    score: float


def score(analysis: Analysis, cue: float, used: Iterable[Span]) -> float:
    """How good a reading is.

    Args:
        analysis: The question.
        cue: 0 to 1, how typical the cues found are of the family: 1 for a phrase that means nothing else.
        used: The stretches of text the reading explains.
    """
    content = analysis.content()
    left = len(analysis.unexplained(used))
    share = 1.0 if not content else 1 - left / content
    return CUE_SHARE * cue + (1 - CUE_SHARE) * share
