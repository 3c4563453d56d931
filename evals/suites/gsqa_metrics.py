"""The figures of a run over GS-QA: headline, published means, and what is reported apart."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evals.metrics.errors import by_error, by_similarity
from evals.metrics.statistics import ENTITY_TEMPLATES, NUMERIC_TEMPLATES, macro, mean, wilson
from evals.ports import Item, Score

type Judged = tuple[Item, Score]

NEVER = float("inf")
FAMILIES = {
    "name": "names",
    "loc": "locations",
    "angle": "directions",
    "distance": "distances",
    "count": "counts",
    "area": "areas",
    "length": "lengths",
}
_NUMERIC = frozenset({"count", "distance", "area", "length"})


def gsqa_metrics(judged: Sequence[Judged]) -> dict[str, Any]:
    """All figures; means over nothing are None."""
    headline = [pair for pair in judged if not pair[0].apart]
    accuracies = _accuracies(judged)
    return {
        "headline": tally(headline),
        "headline_ver": mean([value(score, "executed") for _, score in headline]),
        "headline_strict": mean([value(score, "strict") for _, score in headline]),
        "headline_without_defective": tally([pair for pair in headline if not pair[0].defective]),
        "headline_by_type": {
            family: tally([pair for pair in headline if pair[0].gold["kind"] == kind])
            for kind, family in FAMILIES.items()
        },
        "entity_macro": macro(accuracies, ENTITY_TEMPLATES),
        "numeric_macro": macro(accuracies, NUMERIC_TEMPLATES),
        "headline_entity_macro": macro(_accuracies(headline), ENTITY_TEMPLATES),
        "headline_numeric_macro": macro(_accuracies(headline), NUMERIC_TEMPLATES),
        "ver": mean([value(score, "executed") for _, score in judged]),
        "apart": _apart(judged),
        "free_text": {
            name: mean([value(s, name) for _, s in judged]) for name in ("precision", "recall", "f1")
        },
        "by_type": {
            family: _measures([pair for pair in judged if pair[0].gold["kind"] == kind])
            for kind, family in FAMILIES.items()
        },
        "by_template": {
            name: _measures([pair for pair in judged if pair[0].category == name]) for name in accuracies
        },
        "sensitivity": {
            "entity": by_similarity(_entity_similarities(judged)),
            "numeric": by_error(_number_errors(judged)),
        },
    }


def tally(judged: Sequence[Judged]) -> dict[str, Any]:
    """Count, right ones, accuracy and its interval."""
    right = sum(score.correct for _, score in judged)
    return {
        "n": len(judged),
        "correct": right,
        "accuracy": right / len(judged) if judged else None,
        "ci95": wilson(right, len(judged)),
    }


def value(score: Score, name: str) -> float:
    """A figure of a question; 0 for a question that failed before it had any."""
    return score.values.get(name, 0.0)


def _accuracies(judged: Iterable[Judged]) -> dict[str, float]:
    members: dict[str, list[bool]] = {}
    for item, score in judged:
        members.setdefault(item.category, []).append(score.correct)
    order = [*ENTITY_TEMPLATES, *NUMERIC_TEMPLATES]
    return {name: sum(members[name]) / len(members[name]) for name in order if name in members}


def _apart(judged: Sequence[Judged]) -> dict[str, Any]:
    """What never counts in the headline: T7 by place and fact, T8, and what the extract does not hold."""
    t7, t8 = (_of(judged, name) for name in ("T7", "T8"))
    rest = [pair for pair in judged if pair[0].apart and pair[0].category not in {"T7", "T8"}]
    return {
        "T7": {
            "n": len(t7),
            "place_found": mean([value(score, "place_found") for _, score in t7]),
            "fact_right": mean([float(score.correct) for _, score in t7]),
            "refused": mean([float(score.refused) for _, score in t7]),
        },
        "T8": {
            "n": len(t8),
            "place_found": mean([float(score.correct) for _, score in t8]),
            "refused": mean([float(score.refused) for _, score in t8]),
        },
        "not_in_the_extract": tally(rest),
    }


def _of(judged: Iterable[Judged], template: str) -> list[Judged]:
    return [pair for pair in judged if pair[0].category == template]


def _measures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Published measures of a group.

    `…_attempted` is the mean over questions with a usable reply, as in GS-QA's tables by template; the other
    one counts the rest as F1 0 and error 1, as in its overall summary.
    """
    scores = [score for _, score in judged]
    found: dict[str, Any] = {
        "n": len(scores),
        "accuracy": mean([float(score.correct) for score in scores]),
        "strict": mean([value(score, "strict") for score in scores]),
        "attempted": mean([value(score, "attempted") for score in scores]),
        "ver": mean([value(score, "executed") for score in scores]),
    }
    if any("parsed_f1" in score.values for score in scores):
        tried = [score for score in scores if value(score, "attempted")]
        found["parsed_f1"] = mean([value(score, "parsed_f1") for score in scores])
        found["parsed_f1_attempted"] = mean([value(score, "parsed_f1") for score in tried])
    for name in ("distance_error", "angle_error", "relative_error"):
        tried = [score for score in scores if name in score.values]
        if tried:
            found[name] = mean([score.values.get(name, 1.0) for score in scores])
            found[f"{name}_attempted"] = mean([score.values[name] for score in tried])
    return found


def _entity_similarities(judged: Iterable[Judged]) -> list[float]:
    return _figures(judged, lambda kind: kind not in _NUMERIC, lambda score: value(score, "similarity"))


def _number_errors(judged: Iterable[Judged]) -> list[float]:
    return _figures(
        judged, lambda kind: kind in _NUMERIC, lambda score: score.values.get("relative_error", NEVER)
    )


def _figures(
    judged: Iterable[Judged], wanted: Callable[[str], bool], figure: Callable[[Score], float]
) -> list[float]:
    return [figure(score) for item, score in judged if wanted(item.gold["kind"])]
