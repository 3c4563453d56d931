"""What a search wants to know of the places it finds."""

import re

from map_tools.compute.quantities import parse_number
from modules.offline.analysis import Analysis, Span
from modules.offline.intents import Attribute
from modules.offline.lexicon import word_set
from modules.offline.nearby_filters import counted
from modules.offline.nearby_ways import SECOND, way_asked, way_wished
from modules.offline.option_fit import can_be
from modules.offline.ranking import Ranking
from modules.offline.slots import Wanted

_ASKED_FACTS = {
    "attribute.address": Attribute.ADDRESS,
    "attribute.phone": Attribute.PHONE,
    "attribute.website": Attribute.WEBSITE,
    "attribute.email": Attribute.EMAIL,
    "attribute.hours": Attribute.HOURS,
    "attribute.location": Attribute.LOCATION,
    "attribute.rating": Attribute.RATING,
    "attribute.rating_count": Attribute.RATING_COUNT,
    "attribute.price_level": Attribute.PRICE_LEVEL,
}
_ALSO = {
    "ask.how_far": "distance",
    "attribute.address": "address",
    "attribute.phone": "phone",
    "attribute.website": "website",
    "attribute.hours": "hours",
}
"""Second wishes: "and how far is it?", "and its phone number"."""
_WHICH_TOO = re.compile(
    r"[?,.;] *(?:and |if (?:so|yes),? )*"
    r"(?:which(?: one| ones)?|what(?: is|'s) it called|where(?: is it)?)\s*\?",
    re.IGNORECASE,
)
"""After "is there a ...?": the name is wanted, which says yes as well."""
_DISTANCE_TO = re.compile(
    r"(?<!est )(?<!minimum )(?<!minimal )(?<!maximum )(?<!maximal )\bdistance to the\b", re.IGNORECASE
)
"""What is asked for; in "the smallest distance to the lake" it tells which place."""


def ask(analysis: Analysis, found: Wanted, order: Ranking) -> str:
    """What is wanted of the places found: a name, all names, how many, how far, a fact."""
    way = way_asked(analysis, order)
    if way is not None and not also(analysis, found, order):
        return way
    if (
        analysis.asks_count
        and not (analysis.has("attribute.rating_count") and order.by != "none")
        and all(analysis.words(cue) == "distance" for cue in analysis.find("ask.how_far"))
    ):
        return "count"
    if analysis.option_kind == "count" and "many" in analysis.text.casefold():
        return "count"
    if counted(analysis, found) != (None, None):
        return "exists"
    if also(analysis, found, order):
        return "name"
    if _asks_distance(analysis):
        return "distance"
    if _asks_direction(analysis):
        return "direction"
    if attribute_asked(analysis, found, order) is not None:
        return "fact"
    if _asks_existence(analysis) and not (
        _begins_with_any(analysis) and _plural_asked(analysis, found, order)
    ):
        return "exists"
    return (
        "names"
        if order.n is not None or number_wanted(analysis, found) or _plural_asked(analysis, found, order)
        else "name"
    )


def number_wanted(analysis: Analysis, found: Wanted) -> int | None:
    """3 for "three supermarkets closest to ...": a number right before the kind."""
    if not found.spans:
        return None
    before = [token for token in analysis.tokens if token.end <= found.spans[0][0]]
    number = parse_number(before[-1].norm) if before and before[-1].norm not in {"a", "an"} else None
    return int(number) if number is not None and number == int(number) and 1 < number < 50 else None


def _asks_distance(analysis: Analysis) -> bool:
    cues = [cue for cue in analysis.find("ask.how_far") if analysis.words(cue) not in {"far", "distance"}]
    cues = [cue for cue in cues if analysis.word_before(analysis.span(cue)[0]) != "by"]  # ranked by how close
    if cues and not analysis.distances:
        return True
    return analysis.option_kind == "distance" or _DISTANCE_TO.search(analysis.text) is not None


def _asks_direction(analysis: Analysis) -> bool:
    return analysis.option_kind == "direction" or (analysis.has("ask.which_way") and not analysis.winds)


def _asks_existence(analysis: Analysis) -> bool:
    if analysis.option_kind == "yes_no":
        return True
    if _WHICH_TOO.search(analysis.text):
        return False
    return (
        analysis.option_kind == "none"
        and bool(analysis.starts & {"is", "are", "does", "do", "whether", "if"})
        and analysis.has("ask.exists")
    ) or (analysis.option_kind == "none" and _begins_with_any(analysis))


def _begins_with_any(analysis: Analysis) -> bool:
    """True for "any post office near X?"; "any libraries near X?" asks for all of them."""
    sought = [mark.start for mark in analysis.kinds] + [item.start for item in analysis.by_role("target")]
    return analysis.tokens[0].norm == "any" and any(
        analysis.tokens[0].end < start and not analysis.between(analysis.tokens[0].end, start).strip()
        for start in sought
    )


def _plural_asked(analysis: Analysis, found: Wanted, order: Ranking) -> bool:
    """True if all fitting places are wanted: a plural kind, and no options to choose one from."""
    start, end = found.spans[0]
    word = analysis.text[start:end].casefold()
    wished = any(analysis.span(cue) == (start, end) for cue in analysis.find("need"))
    plural = word.endswith("s") and not word.endswith(("ss", "'s")) and not wished
    plural = plural or analysis.word_before(start) in word_set("every")
    return plural and not analysis.options and order.by in {"none", "distance_said"} and order.k == 1


def attribute_asked(analysis: Analysis, found: Wanted, order: Ranking) -> Attribute | None:
    """The fact asked about the place found, which must be one: by a superlative, or "the hospital in X"."""
    if not _is_the_one(analysis, found) and order.by not in {
        "distance_said",
        "rating",
        "rating_count",
        "price_level",
        "duration",
    }:
        return None
    told = analysis.find("sup", "open.all_day")
    taken = [*mark_spans(analysis), *(analysis.span(cue) for cue in told), *found.spans]
    for cue in analysis.find("attribute"):
        start, end = analysis.span(cue)
        known = any(low < end and start < high for low, high in taken) or _is_required(analysis, cue.group)
        if cue.group in _ASKED_FACTS and not known and can_be(analysis, _ASKED_FACTS[cue.group]):
            return _ASKED_FACTS[cue.group]
    if analysis.has("open.closes", "open.opens") and analysis.has("ask.what_time", "ask.till_when"):
        return Attribute.HOURS
    return None


def _is_required(analysis: Analysis, group: str) -> bool:
    """True if a fact is a condition ("with a rating of 4 or more"), so is not asked for."""
    filters = analysis.filters
    if group == "attribute.rating":
        return filters.min_rating is not None or filters.max_rating is not None
    return group == "attribute.rating_count" and filters.min_rating_count is not None


def _is_the_one(analysis: Analysis, found: Wanted) -> bool:
    """True for "the hospital in X": the only one there, so that it can be asked for its phone number."""
    if not found.spans:
        return False
    start, end = found.spans[0]
    word = analysis.text[start:end].casefold()
    return analysis.word_before(start) == "the" and (not word.endswith("s") or word.endswith("ss"))


def also(analysis: Analysis, found: Wanted, order: Ranking) -> tuple[str, ...]:
    """What is asked besides the name: a wish after "and", where "which" has asked for the place itself."""
    named = _asks_name(analysis, found) and order.by != "none"
    if not found.spans or not (named or _begins_with_is_there(analysis)):
        return ()
    end = max(high for _, high in found.spans)
    wishes = way_wished(analysis, end)
    for cue in analysis.find(*_ALSO):
        start = analysis.span(cue)[0]
        joint = SECOND.search(analysis.text, end, start) if start > end else None
        if joint is not None and (cue.group != "ask.how_far" or not (wishes or analysis.words(cue) == "far")):
            wishes.append(_ALSO[cue.group])
    return tuple(dict.fromkeys(wishes))


def _begins_with_is_there(analysis: Analysis) -> bool:
    """True for "is there a cafe ..., and how far is it?": what is told of the place says yes as well."""
    return analysis.option_kind == "none" and "is" in analysis.starts and analysis.has("ask.exists")


def _asks_name(analysis: Analysis, found: Wanted) -> bool:
    """True if the question asks which place it is, before anything else."""
    before = analysis.text[: found.spans[0][0]].casefold().split()
    return bool(set(before) & word_set("naming")) and not analysis.asks_count


def mark_spans(analysis: Analysis) -> list[Span]:
    """The stretches that quantities, days, directions, conditions and cuisines take."""
    marks = (
        *analysis.distances,
        *analysis.durations,
        *analysis.clocks,
        *analysis.days,
        *analysis.winds,
        *analysis.conditions,
    )
    return [(mark.start, mark.end) for mark in (*marks, *analysis.cuisines)]
