"""Twins and originals judged together: refusing everything, or nothing, shows at once."""

from collections.abc import Sequence
from typing import Any

from evals.metrics.statistics import wilson
from evals.ports import Item, Score

type Judged = tuple[Item, Score]


def twin_metrics(judged: Sequence[Judged]) -> dict[str, Any]:
    """`{"twins": ...}` where the items hold twins of answerable questions; empty where they do not.

    Returns:
        Under "twins": `n` twins and their `recall` (share refused), `originals` with twins and their
        `false_rate` (share refused), `solved_together` (share of originals that are right and all of whose
        twins are refused), each share with its 95 % interval (`ci95`, Wilson). Only originals that were asked
        in the same run count.
    """
    originals = {item.group: (item, score) for item, score in judged if item.answerable}
    twins: dict[str, list[Judged]] = {}
    for item, score in judged:
        if not item.answerable and item.group in originals:
            twins.setdefault(item.group, []).append((item, score))
    if not twins:
        return {}
    refused = [score.refused for group in twins.values() for _, score in group]
    wrongly = [originals[group][1].refused for group in twins]
    together = [
        originals[group][1].correct and all(score.refused for _, score in members)
        for group, members in twins.items()
    ]
    return {
        "twins": {
            "n": len(refused),
            "recall": _share(refused),
            "recall_ci95": wilson(sum(refused), len(refused)),
            "originals": len(wrongly),
            "false_rate": _share(wrongly),
            "false_rate_ci95": wilson(sum(wrongly), len(wrongly)),
            "solved_together": _share(together),
            "solved_together_ci95": wilson(sum(together), len(together)),
        }
    }


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags)
