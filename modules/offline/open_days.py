"""Days of the week compared by the hours of one place: "on which day does X stay open longest?"."""

import re

from modules.offline.analysis import Analysis
from modules.offline.intents import Compare, HoursMeasure

_LENGTH = re.compile(
    r"\b(?:(?P<long>longest|most (?:hours|time))|shortest|(?:fewest|least) (?:hours|time))\b", re.IGNORECASE
)
_EDGE = re.compile(
    r"\b(?P<verb>open\w*|clos\w+|shuts?|stays?)\b[^.?!]*?\b(?:(?P<late>latest|last)|earliest|first)\b",
    re.IGNORECASE,
)


def days_ranked(analysis: Analysis) -> tuple[HoursMeasure, Compare] | None:
    """By what the days are compared and which end of the order is meant; None if they are not compared."""
    if not analysis.has("ask.which_days") or not analysis.has("open.word", "attribute.hours"):
        return None
    length = _LENGTH.search(analysis.text)
    if length is not None:
        return "duration", Compare.MAX if length["long"] else Compare.MIN
    edge = _EDGE.search(analysis.text)
    if edge is None:
        return None
    verb = edge["verb"].casefold()
    opening = verb.startswith("open") and not (edge["late"] and verb == "open")  # "open latest": until late
    return "opens" if opening else "closes", Compare.MAX if edge["late"] else Compare.MIN
