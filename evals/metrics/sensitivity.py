"""Accuracy as the tolerance changes (Geo-ReAct, section 7.2, figure 4)."""

from collections.abc import Sequence

ENTITY_TAUS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Tolerances of figure 4 for names: the least similarity that counts as right."""
NUMBER_TAUS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5)
"""For numbers: the largest relative error that counts as right."""
_SLACK = 1e-9


def by_similarity(similarities: Sequence[float]) -> dict[str, float]:
    """Share of questions right at each τ of names; empty without questions."""
    return {
        f"{tau:g}": sum(value >= tau - _SLACK for value in similarities) / len(similarities)
        for tau in ENTITY_TAUS
        if similarities
    }


def by_error(errors: Sequence[float]) -> dict[str, float]:
    """Share of questions right at each τ of numbers; infinite errors are wrong at any. Empty without any."""
    return {
        f"{tau:g}": sum(value <= tau + _SLACK for value in errors) / len(errors)
        for tau in NUMBER_TAUS
        if errors
    }
