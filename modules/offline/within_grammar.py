"""Questions which of several named places lie within a limit: "Which of A, B and C are within 2 km of X?"."""

from collections.abc import Sequence

from modules.offline.analysis import Analysis
from modules.offline.conditions import comparison_at
from modules.offline.intents import WithinIntent
from modules.offline.marks import SURE, Mark, Mention
from modules.offline.ranking import ranking
from modules.offline.reading import Reading, score
from modules.offline.slots import explained, joined, listed

_EXPLAINED = ("ask", "comp", "mode", "condition")
_ANCHOR_ROLES = frozenset({"of", "from", "to", "near", "at"})
_BEYOND = frozenset({"more_than", "at_least"})
_CUE = 0.95


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a choice of those of several places that keep to a limit of distance or travel time."""
    limit = _limit(analysis)
    if limit is None or analysis.option_kind in {"yes_no", "duration", "distance"}:
        return []
    if ranking(analysis).by != "none" or analysis.clocks:
        return []
    if not (analysis.asks_count or analysis.has("ask.which_of")):
        return []
    anchor = _anchor(analysis, limit)
    candidates = _candidates(analysis, anchor)
    if candidates is None or (anchor is None and not analysis.refers_here):
        return []
    timed = limit in analysis.durations
    counts = analysis.asks_count and analysis.option_kind in {"none", "count", "text"}
    intent = WithinIntent(
        anchor=anchor.place if anchor is not None else analysis.here_place,
        candidates=tuple(item.place for item in candidates),
        limit_m=None if timed else limit.value,
        limit_s=limit.value if timed else None,
        beyond=_comparison(analysis, limit) in _BEYOND,
        mode=analysis.mode,
        ask="count" if counts else "names",
    )
    named = [*candidates, *([anchor] if anchor is not None else [])]
    used = explained(analysis, *_EXPLAINED, mentions=[*named, *analysis.by_role("target", "in")])
    used += [(mark.start, mark.end) for mark in (limit, *analysis.modes, *analysis.kinds)]
    return [Reading(intent, score(analysis, _CUE, used))]


def _limit(analysis: Analysis) -> Mark[float] | None:
    """The one distance or duration of the question."""
    marks = [*analysis.distances, *analysis.durations]
    return marks[0] if len(marks) == 1 else None


def _comparison(analysis: Analysis, limit: Mark[float]) -> str | None:
    inside = [i for i, token in enumerate(analysis.tokens) if limit.start <= token.start < limit.end]
    return comparison_at(analysis, inside[0], inside[-1] + 1) if inside else None


def _anchor(analysis: Analysis, limit: Mark[float]) -> Mention | None:
    """What is measured from: the place behind the limit, else where one is, else the one place told so."""
    single = [item for item in analysis.places if not item.parts and item.strength >= SURE]
    behind = [item for item in single if item.start >= limit.end and item.role != "in"]
    if behind:
        return behind[0]
    if analysis.here is not None:
        return analysis.here
    return next((item for item in single if item.role in _ANCHOR_ROLES), None)


def _candidates(analysis: Analysis, anchor: Mention | None) -> Sequence[Mention] | None:
    """The places judged; empty if the options are; None if neither are told, but a kind of place perhaps."""
    others = [item for item in analysis.places if item is not anchor and item.role not in {"self", "in"}]
    named = listed(others)
    if len(named) > 1 and joined(analysis, named):
        return named if all(item.strength >= SURE for item in named) else None
    return [] if not others and analysis.option_kind == "text" and not analysis.kinds else None
