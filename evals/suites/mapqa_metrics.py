"""The figures of a run over MapQA: headline, what is reported apart, and the published overall."""

from collections.abc import Iterable, Sequence
from typing import Any

from evals.metrics.errors import by_error
from evals.metrics.statistics import macro, mean
from evals.ports import Item, Score
from evals.suites.gsqa_metrics import NEVER, tally, value
from evals.suites.mapqa_file import APART, DISTANCE, SETS

type Judged = tuple[Item, Score]


def mapqa_metrics(judged: Sequence[Judged]) -> dict[str, Any]:
    """All figures; means over nothing are None."""
    headline = [pair for pair in judged if not pair[0].apart]
    types = {kind: _of(judged, kind) for kind in sorted({item.gold["type"] for item, _ in judged})}
    lenient = {str(kind): _share(pairs, "lenient") for kind, pairs in types.items()}
    return {
        "headline": tally(headline),
        "headline_ver": mean([value(score, "executed") for _, score in headline]),
        "headline_without_defective": tally([pair for pair in headline if not pair[0].defective]),
        "headline_by_type": {str(kind): tally(_of(headline, kind)) for kind in types if kind not in APART},
        "set_f1": {
            str(kind): mean([value(score, "f1") for _, score in _of(headline, kind)])
            for kind in types
            if kind in SETS and kind not in APART
        },
        "type7_planar": _planar(types.get(DISTANCE, [])),
        "apart": {
            **{str(kind): tally(types[kind]) for kind in types if kind in APART},
            "not_in_the_extract": tally(
                [pair for pair in judged if pair[0].apart and pair[0].gold["type"] not in APART]
            ),
        },
        "macro": macro({str(kind): tally(pairs)["accuracy"] for kind, pairs in types.items()}),
        "as_published": {"by_type": lenient, "overall": macro(lenient)},
        "ver": mean([value(score, "executed") for _, score in judged]),
    }


def _planar(judged: Sequence[Judged]) -> dict[str, Any]:
    """Agreement with the stored planar metres of EPSG:3857, over τ: a jump at 0.2 tells true metres."""
    true = [score.values.get("relative_error", NEVER) for _, score in judged]
    planar = [score.values.get("planar_error", NEVER) for _, score in judged]
    return {
        "n": len(judged),
        "agreement": _share(judged, "planar_right") if judged else None,
        "sensitivity_planar": by_error(planar),
        "sensitivity_true": by_error(true),
    }


def _of(judged: Iterable[Judged], kind: int) -> list[Judged]:
    return [pair for pair in judged if pair[0].gold["type"] == kind]


def _share(judged: Sequence[Judged], name: str) -> float:
    return sum(value(score, name) for _, score in judged) / len(judged)
