"""Questions that compare several places by a fact or a condition: "Which of A, B and C is rated best?"."""

from modules.offline.analysis import Analysis
from modules.offline.compare_differences import ATTRIBUTES, read_difference, read_rank
from modules.offline.geometry_grammar import beyond
from modules.offline.intents import ComparePlacesIntent, Filters, When
from modules.offline.marks import Mention
from modules.offline.nearby_filters import address_part, hours_compared
from modules.offline.ranking import ranking
from modules.offline.reading import Reading, score
from modules.offline.slots import explained, joined, listed

_YES_NO = frozenset({"is", "are", "does", "do", "has", "have", "whether", "if"})
_EXPLAINED = ("sup", "comp", "ask", "attribute", "condition", "price", "service", "open", "need")


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a comparison of places."""
    return [*read_difference(analysis), *read_rank(analysis), *_read_one(analysis)]


def _read_one(analysis: Analysis) -> list[Reading]:
    """The place that has most or least of something, or fulfils a condition."""
    claimed = _claimed(analysis)
    places = claimed or _compared(analysis)
    if places is None:
        return []
    order = ranking(analysis)
    filters = _filters(analysis)
    direction = analysis.winds[0].value if analysis.winds and beyond(analysis) else None
    if order.by == "hours" and not analysis.has("open.word"):
        return []
    if order.by not in ATTRIBUTES and direction is None and (filters == Filters() or claimed):
        return []
    intent = ComparePlacesIntent(
        places=tuple(item.place for item in places),
        attribute=ATTRIBUTES.get(order.by),
        pick=order.pick,
        k=order.k,
        filters=filters,
        when=analysis.when if order.by == "hours" else None,
        by=hours_compared(analysis, order) if order.by == "hours" else None,
        direction=direction,
        claim=claimed[0].place if claimed else None,
    )
    used = explained(analysis, *_EXPLAINED, mentions=[*places, *analysis.by_role("target", "on", "in")])
    used += [
        (mark.start, mark.end)
        for mark in (*analysis.clocks, *analysis.days, *analysis.conditions, *analysis.winds)
    ]
    asked = analysis.has("ask.which_of", "ask.who")
    cue = 0.97 if places or asked or filters.address_contains else 0.7
    if analysis.distances or (analysis.refers_here and not places):
        cue -= 0.3
    return [Reading(intent, score(analysis, cue, used))]


def _claimed(analysis: Analysis) -> list[Mention]:
    """A and B of "does A have a higher rating than B?": A is said to be the one; else empty."""
    rivals = analysis.by_role("than")
    first = [item for item in analysis.places if rivals and item.start < rivals[0].start]
    asked = analysis.option_kind in {"none", "yes_no"} and analysis.starts & _YES_NO
    return [first[0], rivals[0]] if asked and len(first) == 1 else []


def _compared(analysis: Analysis) -> list[Mention] | None:
    """The places compared; empty if the options are the places; None if this is no comparison."""
    if analysis.option_kind in {
        "yes_no",
        "count",
        "via",
        "order",
        "duration",
        "distance",
        "direction",
        "clock",
    }:
        return None
    candidates = [item for item in analysis.places if item.role not in {"self", "on"}]
    named = listed(candidates)
    if len(named) >= 2 and joined(analysis, named):
        words = {token.norm for token in analysis.tokens}
        return named if analysis.has("ask.which_of", "comp") or words & {"which", "who"} else None
    elsewhere = [item for item in candidates if item.role != "in"]  # "in Vaduz" tells where, not which
    if analysis.options and not elsewhere and (analysis.has("ask.which_of") or not analysis.here):
        return []
    if analysis.options and ranking(analysis).by == "hours":
        return []
    if (
        analysis.options
        and analysis.has("ask.which_of")
        and "following" in {token.norm for token in analysis.tokens}
    ):
        return []
    return None


def _filters(analysis: Analysis) -> Filters:
    update: dict[str, object] = {}
    visited = analysis.has("open.visit") and bool(analysis.clocks or analysis.days)
    if (analysis.has("open.open", "open.closed") or visited) and ranking(analysis).by != "hours":
        moment = (
            When() if analysis.has("open.now") and not (analysis.clocks or analysis.days) else analysis.when
        )
        closed = analysis.says_closed
        update["closed_at" if closed else "open_at"] = moment
    if streets := analysis.by_role("on"):
        update["address_contains"] = address_part(streets[0])
    return analysis.filters.model_copy(update=update)
