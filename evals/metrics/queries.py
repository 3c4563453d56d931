"""How many of the queries of a run were valid: VER by query, beside that by question (`evals.suites.scoring.gsqa`).

Geo-ReAct (section 5.2) names both: "the percentage of valid queries", and in its tables the share of
questions with a non-empty answer and no execution error.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from mapagent.trace import Span
from modules.spatial_database.traced import SPAN

WRITTEN, RAN = "queries", "queries_ran"


def query_counts(spans: Iterable[Span]) -> dict[str, float]:
    """How many queries a question's trace has and how many of them ran; empty if it has none."""
    written = [span for span in spans if span.name == SPAN]
    if not written:
        return {}
    return {
        WRITTEN: float(len(written)),
        RAN: float(sum(not span.attributes.get("error") for span in written)),
    }


def query_figures(values: Iterable[Mapping[str, float]]) -> dict[str, Any]:
    """Count and valid share over the figures of all questions; empty where nothing was queried.

    Args:
        values: The figures of each question, those of `query_counts` among them.
    """
    counted = [(one[WRITTEN], one.get(RAN, 0.0)) for one in values if WRITTEN in one]
    written = sum(number for number, _ in counted)
    if not written:
        return {}
    ran = sum(number for _, number in counted)
    return {"queries": {"n": int(written), "ran": int(ran), "ver": ran / written}}
