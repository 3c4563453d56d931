"""The figures of a run over wishes for recommendations."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evals.metrics.ranking import CUTS
from evals.metrics.statistics import mean, mean_interval
from evals.ports import Item, Score
from evals.suites.recommend_scoring import FAILURE

type Values = Mapping[str, float]
"""The values of a score."""

KINDS = ("precision", "recall", "f1", "ndcg", "ndcg_of_retrieved")
RATES = {
    "delivered": "delivery",
    "lies": "spatial_sparse",
    "surrounded": "spatial_dense",
    "alike": "semantic",
}
"""Values of a score, and the name of their mean in the overview of the first version of Spatial-RAG."""


def recommend_metrics(judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:
    """All figures; means over nothing are None. What is reported apart is in `apart` alone."""
    families: dict[str, list[Values]] = {}
    apart: list[Values] = []
    for item, score in judged:
        group = apart if item.apart else families.setdefault(item.category, [])
        group.append(score.values)
    return {
        "headline": figures(values for group in families.values() for values in group),
        "headline_without_defective": figures(
            score.values for item, score in judged if not item.apart and not item.defective
        ),
        "by_family": {name: figures(group) for name, group in sorted(families.items())},
        "apart": figures(apart),
    }


def figures(judged: Iterable[Values]) -> dict[str, Any]:
    """Measures of ranking, pass rates and failures of some questions.

    Pass rates are of the first place named: `delivery` over all questions, the others over those where a
    place was named and the wish has such a part, as the overview counts them.
    """
    scores = list(judged)
    interval = mean_interval(_values(scores, "ndcg@10"))
    return {
        "n": len(scores),
        "whole": {kind: mean(_values(scores, kind)) for kind in KINDS},
        "at": {str(k): {kind: mean(_values(scores, f"{kind}@{k}")) for kind in KINDS} for k in CUTS},
        "ndcg@10_ci95": None if interval is None else [interval.low, interval.high],
        "pass_rates": {name: mean(_present(scores, value)) for value, name in RATES.items()},
        "failures": dict(sorted(_failures(scores).items())),
    }


def _values(scores: Sequence[Values], name: str) -> list[float]:
    """The value of each score; 0 where the method failed before anything could be judged."""
    return [values.get(name, 0.0) for values in scores]


def _present(scores: Sequence[Values], name: str) -> list[float]:
    if name == "delivered":
        return _values(scores, name)
    return [values[name] for values in scores if name in values]


def _failures(scores: Sequence[Values]) -> Counter[str]:
    names = (name for values in scores for name in values if name.startswith(FAILURE))
    return Counter(name.removeprefix(FAILURE) for name in names)
