"""What a search wants to know of the way to the place it finds: how long it takes, how long it is."""

import re

from modules.offline.analysis import Analysis
from modules.offline.ranking import Ranking
from modules.offline.route_vocabulary import says

SECOND = re.compile(r"\b(?:and|plus)\b|[?.&]")
"""What stands between the place asked for and a second wish."""
_OPTIONS = frozenset({"none", "duration", "distance"})
"""Kinds of options that a measure of a way may be chosen from."""


def way_asked(analysis: Analysis, order: Ranking) -> str | None:
    """Whether the "duration" or the length ("way") of the way there is asked for; None if neither is."""
    if order.by not in {"distance_said", "duration"} or analysis.option_kind not in _OPTIONS:
        return None
    return _measure(analysis, analysis.text.casefold(), stated=bool(analysis.durations or analysis.distances))


def way_wished(analysis: Analysis, end: int) -> list[str]:
    """What a second wish behind the place found asks of the way there ("... and how long is the walk?")."""
    joint = SECOND.search(analysis.text, end)
    wish = _measure(analysis, analysis.text[joint.end() :].casefold(), stated=False) if joint else None
    return [] if wish is None else [wish]


def _measure(analysis: Analysis, text: str, *, stated: bool) -> str | None:
    """The measure of a way that a text asks for; a limit that is stated ("within 500 m") is not asked for."""
    if stated or not (analysis.modes or says(text, "reach", "moves")):
        return None
    if says(text, "ask", "duration"):
        return "duration"
    return "way" if analysis.modes and says(text, "ask", "distance") else None
