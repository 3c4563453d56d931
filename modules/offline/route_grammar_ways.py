"""Ways compared by their ends, named by the options: "Which trip takes longer: A to B or B to A?"."""

import re

from modules.offline.analysis import Analysis
from modules.offline.intents import Compare, PairIntent
from modules.offline.reading import Reading, score
from modules.offline.route_grammar_written import written_names
from modules.offline.route_vocabulary import says

_JOINT = re.compile(r"\s(?:to|->|>|→)\s", re.IGNORECASE)
_LEAST = 2
"""Ways there must be to choose from."""


def read_ways(analysis: Analysis) -> Reading | None:
    """A reading as a choice between ways that differ in their ends or their direction."""
    text = analysis.text
    ways = [option for option in analysis.options if len(_JOINT.findall(option)) == 1]
    compared = says(text, "pattern", "ways_compared")
    if len(ways) < _LEAST or compared is None:
        return None
    longest = says(text, "pattern", "reach_slow") is not None and not says(text, "select", "fastest")
    intent = PairIntent(
        pick=Compare.MAX if longest else Compare.MIN,
        measure="distance" if says(text, "pattern", "reach_length") else "duration",
        mode=analysis.mode,
    )
    used = [*written_names(analysis), *((mark.start, mark.end) for mark in analysis.modes), compared.span()]
    return Reading(intent, score(analysis, 1.0, used))
