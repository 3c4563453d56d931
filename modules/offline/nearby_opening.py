"""When the places that are looked for have to be open or closed."""

from datetime import time

from modules.offline.analysis import Analysis
from modules.offline.intents import When
from modules.offline.lexicon import word_set
from modules.offline.marks import SURE, Mention
from modules.offline.ranking import ranking
from modules.offline.slots import Wanted

WHOLE_DAY = When(at=time(0), until=time(23, 59))
"""Open round the clock."""
_OPENING = ("open.open", "open.closed", "open.closes", "open.opens", "open.visit")
_BESIDE = 6
"""Characters between "it is" and the time ("It is a Sunday")."""


def shut_place(analysis: Analysis) -> Mention | None:
    """The place that the question says is closed ("but X is closed today"), so that another one is wanted."""
    for cue in analysis.find("open.closed"):
        start = analysis.span(cue)[0]
        named = [item for item in analysis.places if item.strength >= SURE and item.end <= start]
        if (
            named
            and named[-1].role == "subject"
            and set(analysis.between(named[-1].end, start).split()) <= word_set("shut", "between")
        ):
            return named[-1]
    return None


def opening_filters(analysis: Analysis, found: Wanted) -> dict[str, When]:
    """The filter on opening hours by its field's name; empty if the question sets none."""
    if analysis.has("open.all_day") and analysis.has("open.word"):
        return {"open_at": WHOLE_DAY}
    if shut_place(analysis) is not None:
        return {}
    if analysis.has(*_OPENING) and _about_hours(analysis):
        return {"closed_at" if analysis.says_closed else "open_at": _moment(analysis)}
    late = (analysis.has("open.now") and analysis.clocks) or analysis.has("open.late")
    if late or (ranking(analysis).by != "distance_said" and _timed_with(analysis, found)):
        return {"open_at": analysis.when}
    return {"open_presumed": analysis.when} if _present_told(analysis) else {}


def _present_told(analysis: Analysis) -> bool:
    """True if the question says what day or time it is ("It's Sunday"): what is closed then is no use."""
    ends = [analysis.span(cue)[1] for cue in analysis.find("when.present")]
    marks = (*analysis.clocks, *analysis.days)
    return any(0 <= mark.start - end < _BESIDE for mark in marks for end in ends)


def _timed_with(analysis: Analysis, found: Wanted) -> bool:
    """True if the sentence that looks for a place says when it is used ("that serves lunch on Mondays")."""
    if not found.spans:
        return False
    sentence = analysis.sentence_at(found.spans[0][0])
    busy = [token.start for token in analysis.tokens if token.norm in word_set("in_business")]
    return any(
        analysis.sentence_at(mark.start) == sentence and any(start < mark.start for start in busy)
        for mark in (*analysis.clocks, *analysis.days)
    )


def _about_hours(analysis: Analysis) -> bool:
    """True if a place must be open or closed, rather than being asked when it opens."""
    if analysis.has("ask.what_time", "ask.till_when", "ask.from_when", "attribute.hours"):
        return bool(analysis.clocks or analysis.days) and analysis.has("open.open", "open.closed")
    return analysis.has("open.open", "open.closed") or bool(analysis.clocks)


def _moment(analysis: Analysis) -> When:
    if analysis.has("open.now") and analysis.when == When(at=None):
        return When()
    return analysis.when
