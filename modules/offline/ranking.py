"""Superlatives and ordinals: by what candidates are ordered, from which end, and which of them is wanted."""

import re
from dataclasses import dataclass
from typing import Literal

from map_tools.compute.quantities import parse_number, parse_ordinal
from modules.offline.analysis import Analysis
from modules.offline.intents import Compare
from modules.offline.lexicon import Cue, word_set

By = Literal["none", "distance_said", "rating", "rating_count", "price_level", "duration", "size", "hours"]

_BY: dict[str, tuple[By, Compare]] = {
    "sup.most_reviewed": ("rating_count", Compare.MAX),
    "sup.least_reviewed": ("rating_count", Compare.MIN),
    "sup.best": ("rating", Compare.MAX),
    "sup.worst": ("rating", Compare.MIN),
    "sup.cheapest": ("price_level", Compare.MIN),
    "sup.priciest": ("price_level", Compare.MAX),
    "sup.quickest": ("duration", Compare.MIN),
    "sup.nearest": ("distance_said", Compare.MIN),
    "sup.farthest": ("distance_said", Compare.MAX),
    "comp.closer": ("distance_said", Compare.MIN),
    "comp.farther": ("distance_said", Compare.MAX),
    "sup.earliest": ("hours", Compare.MIN),
    "sup.latest": ("hours", Compare.MAX),
    "sup.open_longest": ("hours", Compare.MAX),
    "sup.open_shortest": ("hours", Compare.MIN),
    "sup.biggest": ("size", Compare.MAX),
}
_MAX_N = 50
_RANK = re.compile(
    r"\b(?:(?:comes?|is|ranks?|ranked|placed|lies)(?: in)?(?: at)?"
    r" (?:number |no\. ?|nr\. ?|# ?)(?P<number>\w+)"
    r"|(?:comes?|ranks?|ranked|placed|is|takes?)(?: in)?(?: the)?"
    r" (?P<nth>second|third|fourth|fifth|2nd|3rd|4th|5th)(?= (?:in|by|for|on|place|when|if)\b|[?.,])"
    r"|next in line|runner[- ]up|next best)\b",
    re.IGNORECASE,
)
"""A rank told apart from the superlative."""
_ONE_AFTER = re.compile(
    r"\bnot the (?:very )?(?:closest|nearest|best|highest|first)\b[^.?!]{0,60}\b(?:but|rather) the "
    r"(?:one (?:after|behind|following)|next|second|following)\b",
    re.IGNORECASE,
)
"""The first is passed over in so many words."""
OPEN_LONGER = re.compile(
    r"\bhow (?:much (?:longer|shorter|more)"
    r"|many (?:more (?:hours|minutes)|(?:hours|minutes) (?:longer|shorter|more)))\b",
    re.IGNORECASE,
)
"""How long two places are open is compared ("how much longer is A open than B?")."""
_CLOSENESS = re.compile(r"\b(?:close(?:ness)?|near(?:ness)?|distance|proximity)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Ranking:
    """An order of candidates. `by` is "none" if the question names no superlative.

    `k` is the rank wanted, `n` how many from the top.
    """

    by: By = "none"
    pick: Compare = Compare.MIN
    k: int = 1
    n: int | None = None


def ranking(analysis: Analysis) -> Ranking:
    """The order the question asks for: the longest superlative decides, among equals the more specific."""
    cues = [cue for cue in analysis.find("sup", "comp") if cue.group in _BY and not _in_name(analysis, cue)]
    cues = [cue for cue in cues if not (_only_comparing(analysis, cue) or _ends_order(analysis, cue, cues))]
    if not cues and analysis.has("open.word") and not analysis.modes and OPEN_LONGER.search(analysis.text):
        return Ranking("hours", Compare.MAX)
    if not cues:
        k = _rank_said(analysis)
        return Ranking("distance_said", k=k) if k > 1 and _CLOSENESS.search(analysis.text) else Ranking()
    order = list(_BY)
    passed = [cue for cue in cues if _is_passed_over(analysis, cue)]
    said = [cue for cue in cues if cue not in passed] or passed
    best = max(said, key=lambda cue: (cue.last - cue.first, -order.index(cue.group)))
    by, pick = _BY[best.group]
    if by == "hours" and analysis.modes and not analysis.has("open.word", "attribute.hours"):
        by = "duration"  # "reach soonest on foot" is no matter of opening hours
    alike = [cue for cue in said if cue.group == best.group]
    k = max(2 if passed else 1, _rank_said(analysis), *(_ordinal_before(analysis, cue) for cue in alike))
    n = _number_beside(analysis, best)
    return Ranking(by, pick, k, n)


def _in_name(analysis: Analysis, cue: Cue) -> bool:
    start, end = analysis.span(cue)
    return any(item.start <= start and end <= item.end for item in analysis.mentions if item.role != "target")


def _only_comparing(analysis: Analysis, cue: Cue) -> bool:
    """True for "4.5 or better", "higher than": a comparison with a number, no superlative."""
    words = analysis.words(cue)
    if (
        words in {"best", "top"}
        and cue.last < len(analysis.tokens)
        and analysis.tokens[cue.last].norm in word_set("not_rated")
        and not _is_for_use(analysis, cue.last)
    ):
        return True
    after = analysis.tokens[cue.last].norm if cue.last < len(analysis.tokens) else ""
    before = analysis.tokens[cue.first - 1].norm if cue.first else ""
    if cue.group.startswith("comp") and after == "than" and (analysis.distances or analysis.durations):
        return True
    return (
        words.split()[0] in {"more", "fewer", "less", "better", "higher", "lower"}
        and (after == "than" or before == "or")
        and bool(analysis.conditions)
    )


def _ends_order(analysis: Analysis, cue: Cue, cues: list[Cue]) -> bool:
    """True for the second of "arranged from the closest to the most distant": the first tells the order."""
    joints = (
        analysis.between(analysis.span(one)[1], analysis.span(cue)[0])
        for one in cues
        if one.last <= cue.first
    )
    return any(joint.strip().casefold() in {"to", "to the"} for joint in joints)


def _is_passed_over(analysis: Analysis, cue: Cue) -> bool:
    """True for "after the closest one", "apart from the very nearest": the next in order is wanted."""
    first = cue.first
    while first and analysis.tokens[first - 1].norm in word_set("passed_over", "between"):
        first -= 1
    excluded = any(other.last == first for other in analysis.find("role.without"))
    return excluded or (first > 0 and analysis.tokens[first - 1].norm in word_set("passed_over", "words"))


def _rank_said(analysis: Analysis) -> int:
    """2 for "which comes in at number two", "not the nearest but the one after"; else 1."""
    said = _RANK.search(analysis.text)
    if said is None:
        return 2 if _ONE_AFTER.search(analysis.text) else 1
    told = said["nth"] or said["number"]
    rank = parse_ordinal(told) or parse_number(told) if told else 2
    return int(rank) if rank is not None and 1 <= rank <= _MAX_N else 1


def _is_for_use(analysis: Analysis, index: int) -> bool:
    """True at "to" in "the best to eat at": the place is what is best, not the way there."""
    after = analysis.tokens[index + 1].norm if index + 1 < len(analysis.tokens) else ""
    return analysis.tokens[index].norm == "to" and after in word_set("not_rated", "uses")


def _ordinal_before(analysis: Analysis, cue: Cue) -> int:
    """2 for "second nearest", "next closest" and "closest but one"."""
    for index in range(cue.first - 1, max(cue.first - 3, -1), -1):
        word = analysis.tokens[index].norm
        if word == "next":
            return 2
        rank = parse_ordinal(word)
        if rank is not None and rank >= 1:
            return rank
    tail = [token.norm for token in analysis.tokens[cue.last : cue.last + 5]]
    if tail[:2] == ["but", "one"] or ("but" in tail and "one" in tail[tail.index("but") :]):
        return 2
    return 1


def _number_beside(analysis: Analysis, cue: Cue) -> int | None:
    """3 for "three closest" and "closest three"."""
    for index in (cue.first - 1, cue.last):
        if 0 <= index < len(analysis.tokens):
            word = analysis.tokens[index].norm
            number = parse_number(word) if parse_ordinal(word) is None or word.isdigit() else None
            if number is not None and 1 < number <= _MAX_N and number == int(number):
                return int(number)
    return None
