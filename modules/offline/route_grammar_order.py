"""Places to be put in order by the way to them: "Rank A, B and C by walking time from X, shortest first"."""

from typing import Literal

from modules.offline.analysis import Analysis, Span
from modules.offline.intents import RouteIntent
from modules.offline.options import ordered_names
from modules.offline.reading import Reading, score
from modules.offline.route_grammar_names import slots
from modules.offline.route_grammar_written import written_names
from modules.offline.route_vocabulary import says


def read_order(analysis: Analysis) -> Reading | None:
    """A reading as the order of named places by time or length of the way from one place."""
    text = analysis.text
    found = says(text, "rank", "asked")
    if found is None or says(text, "rank", "visiting"):
        return None
    timed = says(text, "rank", "time")
    if not (timed or analysis.modes):
        return None
    names = list(written_names(analysis))
    start = _start(analysis, names)
    ends = tuple(dict.fromkeys(text[slice(*one)].strip(" \"'") for one in names if one != start))
    ends = ends or ordered_names(analysis.options)
    if len(ends) < 2 or (start is None and analysis.here is None and not analysis.refers_here):
        return None
    intent = RouteIntent(
        origin=text[slice(*start)].strip(" \"'") if start is not None else analysis.here_place,
        destination=ends[0],
        others=ends[1:],
        mode=analysis.mode,
        ask="order",
        select=_select(text, timed=timed is not None),
    )
    used = [*names, *((mark.start, mark.end) for mark in analysis.modes), found.span()]
    used += [match.span() for key in ("near", "far", "time") if (match := says(text, "rank", key))]
    return Reading(intent, score(analysis, 1.0, used))


def _start(analysis: Analysis, names: list[Span]) -> Span | None:
    """The name the ways begin at."""
    starts = {slot.start for slot in slots(analysis, "from")}
    return next((one for one in names if one[0] in starts), None)


def _select(text: str, *, timed: bool) -> Literal["fastest", "shortest", "longest", "slowest"]:
    """What is measured, and which end of the order comes first: the one that is named first."""
    near, far = says(text, "rank", "near"), says(text, "rank", "far")
    if far and (near is None or far.start() < near.start()):
        return "slowest" if timed else "longest"
    return "fastest" if timed else "shortest"
