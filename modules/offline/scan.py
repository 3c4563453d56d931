"""Finds the typed parts of a question: quantities, days, directions, kinds of places."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from map_tools.compute.quantities import Span, find_clocks, find_distances, find_durations
from map_tools.concepts import Concept, cuisines_in, find_in
from modules.offline.conditions import conditions, merged
from modules.offline.lexicon import word_set
from modules.offline.marks import Mark, apart, outside
from modules.offline.moments import days, when
from modules.offline.token import Token

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis

_DIETS = frozenset({"serves_vegetarian", "serves_vegan", "gluten_free"})
"""Services that are kinds of food too: whoever looks for a place to eat may mean either."""
_SOUGHT = re.compile(r"\b(?:a|an|any|some|which|what|nearest|closest|many)\s+$", re.I)
_WIND = re.compile(
    r"\b(?P<ns>north|south)(?:[ -]?(?P<ew>east|west))?(?:ern|erly|wards?)?(?P<end>-?most)?\b"
    r"|\b(?P<e>east|west)(?:ern|erly|wards?)?(?P<far>-?most)?\b",
    re.I,
)
_ROAD_END = re.compile(r"\b[A-Z][\w.]*[ -]\d+ S$")
"""The number of a road and its direction ("Hwy 4 S"), which is no time of four seconds."""
_EMPHASIS = re.compile(
    r"\b(?P<number>\w+) (?:full|whole|entire|solid|good|single) (?=(?:hours?|minutes?|mins?|days?)\b)"
    r"|\b(?P<more>another) (?=(?:hour|minute)\b)",
    re.I,
)
"""What makes a duration sound longer ("two full hours"), or stands for its number ("another hour")."""
_WIND_CODE = re.compile(r"\b(NE|NW|SE|SW)\b")


def quantities(analysis: "Analysis") -> None:
    """Fills in durations, distances, clock times and days."""
    text = analysis.text
    analysis.distances = _marks(find_distances(text))
    whole_day = [Mark(*analysis.span(cue), 0.0) for cue in analysis.find("open.all_day")]
    plain = _EMPHASIS.sub(_plainly, text)
    spoken = [mark for mark in _marks(find_durations(plain)) if not _ROAD_END.search(text[: mark.end])]
    analysis.durations = tuple(apart(spoken, whole_day))
    taken = (*analysis.distances, *analysis.durations)
    analysis.clocks = tuple(apart(_marks(find_clocks(text)), taken))
    analysis.days = tuple(days(analysis))


def _plainly(emphasised: re.Match[str]) -> str:
    """The number alone, "a" as 1, in as many characters as before."""
    number = emphasised["number"] or "a"
    plain = "1" if number.casefold() in {"a", "an", "the"} else number
    return f"{plain} ".rjust(len(emphasised.group()))


def kinds(analysis: "Analysis") -> None:
    """Fills in kinds of places and cuisines."""
    found = [Mark(span.start, span.end, span.value) for span in find_in(analysis.text)]
    found = [mark for mark in found if not (_means_else(analysis, mark) or _is_own(analysis, mark))]
    analysis.kinds = tuple(sorted(found, key=lambda mark: mark.start))
    services = [analysis.span(cue) for cue in analysis.find("service") if cue.key not in _DIETS]
    said = [Mark(span.start, span.end, span.value) for span in cuisines_in(analysis.text)]
    taken = [Mark(start, end, 0.0) for start, end in services]
    plain = [mark for mark in analysis.kinds if mark.value.id != "restaurant"]
    cuisines = apart(apart(said, plain), taken)
    analysis.cuisines = tuple(sorted(cuisines, key=lambda mark: mark.start))


def winds(analysis: "Analysis") -> tuple[Mark[str], ...]:
    """The directions said; a wind that belongs to a name ("North Bridge") is none."""
    marks: list[Mark[str]] = []
    for match in _WIND.finditer(analysis.text):
        if _is_direction(analysis.tokens, match.start(), match.end()):
            ns, ew = (match["ns"] or "").lower(), (match["ew"] or match["e"] or "").lower()
            marks.append(Mark(match.start(), match.end(), (ns[:1] + ew[:1]).upper()))
    marks += [Mark(match.start(), match.end(), match[1]) for match in _WIND_CODE.finditer(analysis.text)]
    return tuple(marks)


def settle(analysis: "Analysis") -> None:
    """Drops what turned out to be part of a name; sets the moment and the conditions."""
    places = analysis.places
    analysis.kinds = tuple(outside(analysis.kinds, places))
    analysis.cuisines = tuple(outside(analysis.cuisines, places))
    analysis.winds = tuple(outside(analysis.winds, analysis.mentions))
    analysis.when = when(analysis)
    analysis.conditions = conditions(analysis)
    analysis.filters = merged(analysis.conditions)


def _means_else(analysis: "Analysis", mark: Mark[Concept]) -> bool:
    """True for a word that means a kind of place by itself, but not in this phrase ("work out")."""
    if any(_covers(analysis.span(cue), mark) for cue in analysis.find("need")):
        return True
    if _is_verb(analysis, mark) or any(_is_inside(token, mark) for token in analysis.tokens):
        return True
    phrases = [
        analysis.span(cue)
        for cue in analysis.find(
            "mode",
            "service",
            "ask.where",
            "attribute.category",
            "attribute.address",
            "attribute.phone",
            "other",
            "open.visit",
        )
    ]
    within = [span for span in phrases if _covers(span, mark)]
    sought = _SOUGHT.search(analysis.text[: mark.start]) is not None
    return any(span != (mark.start, mark.end) or not sought for span in within)


def _is_verb(analysis: "Analysis", mark: Mark[Concept]) -> bool:
    """True for "a number to book", "can I park", "that fall within a mile"."""
    word = analysis.text[mark.start : mark.end]
    behind = analysis.text[mark.end :].split(maxsplit=1)
    if word in word_set("verb", "falling") and behind and behind[0] in word_set("verb", "where"):
        return True
    return word in word_set("verb", "kinds") and analysis.word_before(mark.start) in word_set(
        "verb", "before"
    )


def _is_inside(token: Token, mark: Mark[Concept]) -> bool:
    """True for a part of a name in one word: "Buddha-Bar" is no bar that is looked for."""
    longer = mark.end - mark.start < token.end - token.start
    return token.capital and "-" in token.text and longer and _covers((token.start, token.end), mark)


def _covers(span: tuple[int, int], mark: Mark[Concept]) -> bool:
    return span[0] <= mark.start and mark.end <= span[1]


def _is_own(analysis: "Analysis", mark: Mark[Concept]) -> bool:
    """True for "my hotel": a place the speaker knows, not a kind that is looked for."""
    return re.search(r"\b(?:my|our)\s+$", analysis.text[: mark.start], re.I) is not None


def _marks[T](spans: Iterable[Span[T]]) -> tuple[Mark[T], ...]:
    return tuple(
        Mark(span.start, span.end, span.value) for span in sorted(spans, key=lambda span: span.start)
    )


def _is_direction(tokens: tuple[Token, ...], start: int, end: int) -> bool:
    inside = [index for index, token in enumerate(tokens) if token.start < end and start < token.end]
    if not inside:
        return False
    before = tokens[inside[0] - 1] if inside[0] else None
    after = tokens[inside[-1] + 1] if inside[-1] + 1 < len(tokens) else None
    named = (
        after is not None and after.is_word and after.capital and after.norm not in word_set("wind", "after")
    )
    if named and tokens[inside[0]].capital:
        return False
    if after is None or not after.is_word or after.norm in word_set("wind", "after"):
        return True
    return before is not None and before.norm in word_set("wind", "before") and not named
