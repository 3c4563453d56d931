"""Questions about the opening hours of one place."""

import re
from typing import Literal

from modules.offline.analysis import Analysis
from modules.offline.intents import Compare, OpenIntent, When
from modules.offline.lexicon import word_set
from modules.offline.marks import SURE
from modules.offline.moments import part_of_day_meant
from modules.offline.open_days import days_ranked
from modules.offline.place_grammar import the_place
from modules.offline.ranking import ranking
from modules.offline.reading import Reading, score
from modules.offline.slots import explained

Ask = Literal[
    "is_open",
    "is_closed",
    "opens_at",
    "closes_at",
    "hours_on_day",
    "open_days",
    "closed_days",
    "open_duration",
    "until_open",
    "until_close",
]

_EXPLAINED = (
    "open", "ask", "attribute.hours", "service", "condition", "sup.latest", "sup.earliest",
    "sup.open_longest", "sup.open_shortest", "need",
)  # fmt: skip
_YES_NO_STARTS = frozenset(
    {"is", "are", "will", "can", "could", "may", "does", "do", "would", "should", "am", "was"}
)

_BOTH_ENDS = re.compile(r"\bopens?\b.*\band\b.*\b(?:closes?|shuts?)\b", re.IGNORECASE)


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a question about opening hours."""
    place = the_place(analysis)
    if place is None:
        return []
    found = _asked(analysis)
    if found is None:
        return []
    ask, cue = found
    if ranking(analysis).by == "hours" and analysis.by_role("target"):
        return []
    when = _when(analysis, ask)
    seeks = any(item.strength < SURE for item in analysis.by_role("target")) and not analysis.by_role("named")
    several = sum(item.strength >= SURE and item.role != "self" for item in analysis.places) > 1
    cue -= 0.2 * seeks + 0.15 * several + 0.2 * analysis.has("ask.which_of", "sup.nearest", "sup.best")
    cue -= 0.1 * (place.strength < 0.5) + 0.3 * bool(analysis.modes and analysis.durations)
    used = explained(analysis, *_EXPLAINED, mentions=[place, *analysis.by_role("target", "named", "in")])
    used += [(mark.start, mark.end) for mark in (*analysis.clocks, *analysis.days, *analysis.durations)]
    count = ask in {"open_days", "closed_days"} and analysis.has("ask.how_many_days")
    by, pick = (ask == "open_days" and days_ranked(analysis)) or (None, Compare.MAX)
    intent = OpenIntent(place=place.place, ask=ask, when=when, count=count, by=by, pick=pick)
    return [Reading(intent, score(analysis, max(cue, 0.0), used))]


def _asked(analysis: Analysis) -> tuple[Ask, float] | None:
    """What is asked about the hours, with the strength of the cue."""
    if _visits(analysis):
        return ("is_open", 0.9) if ranking(analysis).by == "none" else None
    if analysis.has("open.possible") and analysis.days and not analysis.modes:
        return "is_open", 0.95
    if _does_something_there(analysis):
        return "is_open", 0.85
    return _of_days(analysis) or _of_hours(analysis)


def _visits(analysis: Analysis) -> bool:
    """True for "can I visit X on Monday at 5?"."""
    moment = analysis.has("ask.till_when", "ask.what_time") and not _names_moment(analysis)
    asked = analysis.has("open.visit") and not moment and not analysis.has("open.word")
    days = analysis.has("ask.which_days", "ask.how_many_days")
    return asked and not days and bool(analysis.clocks or analysis.days)


def _names_moment(analysis: Analysis) -> bool:
    """True for "is Monday at 5 a time when X can be visited?": the moment is told, not asked for."""
    return bool(analysis.starts & _YES_NO_STARTS) and bool(analysis.clocks)


def _of_days(analysis: Analysis) -> tuple[Ask, float] | None:
    """Questions for days of the week."""
    if days_ranked(analysis) is not None:
        return "open_days", 0.97
    if analysis.has("ask.which_days", "ask.how_many_days") and analysis.has("open.word", "attribute.hours"):
        return (
            "closed_days"
            if analysis.says_closed or (analysis.has("open.closes") and not analysis.has("open.open"))
            else "open_days"
        ), 0.97
    if analysis.has("ask.which_days", "ask.how_many_days") and analysis.has("open.visit"):
        return ("closed_days" if "not" in _words_of(analysis) else "open_days"), 0.95
    return None


def _of_hours(analysis: Analysis) -> tuple[Ask, float] | None:
    """Questions for times of the day."""
    if analysis.has("open.wait") and analysis.has("open.word"):
        opens = analysis.has("open.open", "open.opens") and not analysis.has("open.closes", "open.closed")
        return ("until_open" if opens else "until_close"), 0.98
    lasts = analysis.has("open.how_long") and analysis.has("open.open")
    if analysis.has("attribute.hours") and not _says_time(analysis) and not lasts:
        return "hours_on_day", 0.95
    if analysis.has("open.visit") and analysis.has("ask.till_when"):
        return "closes_at", 0.9
    if analysis.has("open.visit") and analysis.has("ask.what_time") and not analysis.has("open.word"):
        return "hours_on_day", 0.9
    if not analysis.has("open.word", "open.all_day", "open.now", "open.closes", "open.opens"):
        return None
    return _by_verb(analysis)


def _does_something_there(analysis: Analysis) -> bool:
    """True for "can I buy bread at X on Monday?": possible only while X is open."""
    asked = analysis.option_kind in {"none", "yes_no"} and analysis.starts & word_set("able")
    timed = (analysis.clocks or analysis.days) and not (analysis.modes or analysis.durations)
    return bool(asked and timed and analysis.by_role("at") and not analysis.has("open.word", "service"))


def _words_of(analysis: Analysis) -> set[str]:
    """All words of the question."""
    return {token.norm for token in analysis.tokens}


def _says_time(analysis: Analysis) -> bool:
    """True for "opening time", "closing hours": one end of the day, not all hours."""
    words = " ".join(token.norm for token in analysis.tokens)
    return "closing" in words or "opening time" in words.replace("opening times", "")


def _by_verb(analysis: Analysis) -> tuple[Ask, float] | None:
    words = " ".join(token.norm for token in analysis.tokens)
    if (
        analysis.has("open.how_long")
        and not analysis.has("ask.till_when")
        and analysis.has("open.open", "open.opens")
    ):
        return "open_duration", 0.9
    if analysis.has("ask.till_when", "sup.latest") and analysis.has("open.word"):
        return "closes_at", 0.95
    if _asks_moment(analysis):
        if _asks_both_ends(analysis):
            return "hours_on_day", 0.97
        closing = analysis.has("open.closes", "open.closed") and not words.startswith(
            "what time does it open"
        )
        return ("closes_at", 0.97) if closing else ("opens_at", 0.97)
    if (
        analysis.starts & _YES_NO_STARTS
        or analysis.option_kind == "yes_no"
        or {"whether", "if"} & set(words.split())
    ):
        closed = analysis.says_closed
        return ("is_closed" if closed or _closes_by(analysis) else "is_open"), 0.96
    if "closing time" in words:
        return "closes_at", 0.95
    if "opening time" in words:
        return "opens_at", 0.95
    return ("is_open", 0.75) if analysis.has("open.open", "open.closed") else None


def _closes_by(analysis: Analysis) -> bool:
    """True for "does X close before 9 pm?": it is closed then; closing *after* 9 is being open at 9."""
    if not analysis.clocks or analysis.has("open.open", "open.opens"):
        return False
    before = analysis.word_before(analysis.clocks[0].start)
    return analysis.has("open.closes") and before in word_set("before_time", "ending")


def _asks_both_ends(analysis: Analysis) -> bool:
    """True for "when does it open and when does it close?": one moment would be half an answer."""
    return analysis.option_kind != "clock" and _BOTH_ENDS.search(analysis.text) is not None


def _asks_moment(analysis: Analysis) -> bool:
    return analysis.has("ask.what_time", "ask.from_when") or analysis.option_kind == "clock"


def _when(analysis: Analysis, ask: Ask) -> When:
    when = analysis.when
    if ask in {"opens_at", "closes_at"}:
        return when.model_copy(update={"at": part_of_day_meant(analysis), "until": None})
    if ask in {"open_days", "closed_days"}:
        return When(at=when.at, until=when.until)
    if ask not in {"is_open", "is_closed", "until_open", "until_close"}:
        return when.model_copy(update={"at": None, "until": None})
    return when
