"""Stops that a question names by their kind alone: "the nearest pharmacy"."""

import re

from map_tools.concepts import Concept
from modules.offline.analysis import Analysis, Span
from modules.offline.intents import What
from modules.offline.marks import Mark

_GOES_ON = re.compile(
    r"\s*(?:$|[,.;:?!)(]|(?:and|then|for|before|after|where|on|first|by|at \d)\b)", re.IGNORECASE
)
"""What may stand behind a stop: "the nearest pharmacy *to X*" is not the one nearest to the stop before."""


def searched_stops(analysis: Analysis) -> dict[Span, What]:
    """The kinds of places right behind "nearest" or "closest", by where they stand ("nearest pharmacy")."""
    found = {}
    for cue in analysis.find("sup.nearest"):
        first, last = analysis.span(cue)
        for mark in analysis.kinds:
            adjoins = mark.start > last and not analysis.between(last, mark.start).strip()
            if adjoins and _GOES_ON.match(analysis.text, mark.end):
                found[first, mark.end] = _what(analysis, mark)
    return found


def _what(analysis: Analysis, mark: Mark[Concept]) -> What:
    return What(text=analysis.text[mark.start : mark.end].casefold(), categories=mark.value.ids)
