"""Places to be put in order by the way to them: "Rank A, B and C by walking time from X, shortest first"."""

from modules.intents import CloserIntent, Compare
from modules.offline.analysis import Analysis, Span
from modules.offline.reading import Reading, score
from modules.offline.route_grammar_names import says, slots
from modules.offline.route_grammar_written import written_names


def read_order(analysis: Analysis) -> Reading | None:
    """A reading as the order of named places by time, length or straight distance from one place."""
    text = analysis.text
    found = says(text, "rank", "asked")
    if found is None or says(text, "rank", "visiting"):
        return None
    names = list(written_names(analysis))
    start = _start(analysis, names)
    candidates = [text[slice(*one)].strip(" \"'") for one in names if one != start]
    if len(candidates) < 2 or (start is None and analysis.here is None and not analysis.refers_here):
        return None
    intent = CloserIntent(
        anchor=text[slice(*start)].strip(" \"'") if start is not None else analysis.here_place,
        candidates=tuple(dict.fromkeys(candidates)),
        pick=_first(text),
        measure=_measure(analysis),
        mode=analysis.mode,
        in_order=True,
    )
    used = [*names, *((mark.start, mark.end) for mark in analysis.modes), found.span()]
    used += [match.span() for key in ("near", "far", "time") if (match := says(text, "rank", key))]
    return Reading(intent, score(analysis, 0.97, used))


def _start(analysis: Analysis, names: list[Span]) -> Span | None:
    """The name the ways begin at."""
    starts = {slot.start for slot in slots(analysis, "from")}
    return next((one for one in names if one[0] in starts), None)


def _first(text: str) -> Compare:
    """Which end of the order comes first: the one that is named first."""
    near, far = says(text, "rank", "near"), says(text, "rank", "far")
    return Compare.MAX if far and (near is None or far.start() < near.start()) else Compare.MIN


def _measure(analysis: Analysis) -> str:
    """By time where time is spoken of, else by the length of the way, or straight if no way is meant."""
    if says(analysis.text, "rank", "time"):
        return "duration"
    return "distance" if analysis.modes else "straight"
