"""Places measured against each other: "How much later does A close than B?", "Rank A, B and C by rating"."""

import re

from modules.offline.analysis import Analysis
from modules.offline.intents import Attribute, Compare, ComparePlacesIntent
from modules.offline.marks import SURE, Mention
from modules.offline.nearby_filters import hours_compared
from modules.offline.ranking import ranking
from modules.offline.reading import Reading, score
from modules.offline.slots import explained, listed

ATTRIBUTES = {
    "rating": Attribute.RATING,
    "rating_count": Attribute.RATING_COUNT,
    "price_level": Attribute.PRICE_LEVEL,
    "hours": Attribute.HOURS,
}
"""What places are compared by, as `modules.offline.ranking` names it."""

_SAID = ("rating_count", "rating", "price_level")
"""Attributes that may be said without a superlative, the narrower first."""

_PICKS = {
    "sup.best": Compare.MAX, "sup.worst": Compare.MIN, "sup.most_reviewed": Compare.MAX,
    "sup.least_reviewed": Compare.MIN, "sup.priciest": Compare.MAX, "sup.cheapest": Compare.MIN,
    "sup.earliest": Compare.MIN, "sup.latest": Compare.MAX, "sup.open_longest": Compare.MAX,
    "sup.open_shortest": Compare.MIN,
}  # fmt: skip
_PART = re.compile(r"\s*(?:->|>|→|,|;|\band\b|\bthen\b)\s*", re.IGNORECASE)
_EXPLAINED = ("sup", "comp", "ask", "attribute", "open")


def read_difference(analysis: Analysis) -> list[Reading]:
    """How much more of something the one place has than the other."""
    places = [item for item in listed(analysis.places) if item.strength >= SURE and item.role != "self"]
    by = _compared_by(analysis)
    if len(places) != 2 or by is None or not analysis.has("ask.difference") or analysis.modes:
        return []
    return [_reading(analysis, places, by, "difference")]


def read_rank(analysis: Analysis) -> list[Reading]:
    """All places in the order of something."""
    by = _compared_by(analysis)
    if by is None or not analysis.has("ask.rank") or analysis.modes or analysis.by_role("near", "self"):
        return []
    named = [item for item in listed(analysis.places) if item.strength >= SURE]
    return [_reading(analysis, named if len(named) > 1 else [], by, "order")]


def _compared_by(analysis: Analysis) -> str | None:
    order = ranking(analysis)
    if order.by in ATTRIBUTES:
        return order.by if order.by != "hours" or analysis.has("open.word") else None
    return next((name for name in _SAID if analysis.has(f"attribute.{name}")), None)


def _reading(analysis: Analysis, places: list[Mention], by: str, ask: str) -> Reading:
    order = ranking(analysis)
    first = next((_PICKS[cue.group] for cue in analysis.find("sup") if cue.group in _PICKS), Compare.MAX)
    names = tuple(item.place for item in places)
    if not names and analysis.options:
        names = tuple(part for part in _PART.split(analysis.options[0]) if part)
    intent = ComparePlacesIntent(
        places=names,
        attribute=ATTRIBUTES[by],
        pick=first,
        when=analysis.when if by == "hours" else None,
        by=hours_compared(analysis, order) if by == "hours" else None,
        ask="order" if ask == "order" else "difference",
    )
    used = explained(analysis, *_EXPLAINED, mentions=[*places, *analysis.by_role("target", "than")])
    used += [(mark.start, mark.end) for mark in (*analysis.days, *analysis.clocks)]
    return Reading(intent, score(analysis, 0.98, used))
