"""Questions for places of a kind around or inside something."""

import re
from dataclasses import dataclass
from datetime import time

from map_tools.compute.quantities import parse_number
from map_tools.types import TravelMode
from modules.intents import HERE, Attribute, Filters, NearbyIntent, When
from modules.offline.analysis import Analysis, Span
from modules.offline.marks import Mention
from modules.offline.ranking import Ranking, ranking
from modules.offline.reading import Reading, score
from modules.offline.slots import SURE, Wanted, explained, wanted

WALKABLE_M = 1000.0
"""What "within walking distance" means: about a quarter of an hour on foot."""
_ANCHOR_ROLES = ("near", "to", "from", "of", "between", "at", "in", "on", "via", "self", "subject", "than")
_FLOOR = re.compile(r"((?:level|floor)\s+\w+|(?:\w+\s)?floor)\s+of\s+(?:the\s+)?(.+)", re.I)
"""A part of an address and the place it is part of ("Level 2 of X")."""
WHOLE_DAY = When(at=time(0), until=time(23, 59))
"""Open round the clock."""
_OPENING = ("open.open", "open.closed", "open.closes", "open.opens", "open.visit")
_NO_RANKING = frozenset({"hours", "size"})
"""Orders a search cannot be ranked by."""
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
_EXPLAINED = ("sup", "ask", "condition", "price", "service", "open", "need", "attribute", "comp", "mode")


@dataclass(frozen=True, slots=True)
class _Anchors:
    places: tuple[str, ...]
    mentions: tuple[Mention, ...]
    inside: bool
    strength: float


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a search for places of a kind."""
    found = wanted(analysis)
    if found is None:
        return []
    anchors = _anchors(analysis, found)
    if anchors is None:
        return []
    order = ranking(analysis)
    filters = _filters(analysis, found, anchors.mentions[0] if anchors.mentions else None)
    intent = NearbyIntent(
        what=found.what,
        anchors=anchors.places,
        radius_m=_radius_m(analysis),
        max_duration_s=_max_duration_s(analysis),
        inside=anchors.inside and order.by != "distance_said",
        filters=filters,
        rank_by=_rank_by(order, filters, analysis),
        pick=order.pick,
        k=order.k,
        n=order.n or _number_of(analysis, found),
        ask=_ask(analysis, found, order),
        attribute=_attribute(analysis, found, order),
        mode=_mode(analysis),
    )
    used = explained(analysis, *_EXPLAINED, mentions=(*anchors.mentions, *analysis.by_role("without")))
    used += [*found.spans, *_mark_spans(analysis)]
    return [Reading(intent, score(analysis, _cue(analysis, anchors, order), used))]


def _mark_spans(analysis: Analysis) -> list[Span]:
    marks = (
        *analysis.distances,
        *analysis.durations,
        *analysis.clocks,
        *analysis.days,
        *analysis.winds,
        *analysis.conditions,
    )
    return [(mark.start, mark.end) for mark in (*marks, *analysis.cuisines)]


def _cue(analysis: Analysis, anchors: _Anchors, order: Ranking) -> float:
    """How much speaks for a search: a superlative or a radius most, a bare mention of a kind least."""
    if analysis.option_kind in {"via", "order", "clock"}:
        return 0.4
    strong = order.by != "none" or bool(analysis.distances) or analysis.asks_count or bool(analysis.winds)
    looked_for = bool(analysis.by_role("target")) or analysis.has("need")
    strong = strong or bool(analysis.conditions) or analysis.refers_here or bool(analysis.by_role("near"))
    cue = (
        0.6
        + 0.2 * strong
        + 0.15 * looked_for
        - 0.4 * (analysis.has("unsupported") or order.by in _NO_RANKING)
    )
    if _is_visit(analysis, anchors):
        cue -= 0.3
    if not anchors.mentions and not analysis.refers_here and order.by == "none":
        cue -= 0.2
    return min(cue, 0.97) if anchors.strength >= SURE or anchors.places == (HERE,) else min(cue, 0.85)


def _is_visit(analysis: Analysis, anchors: _Anchors) -> bool:
    """True for "have dinner at X on Sunday": X itself is meant, not what is around it."""
    timed = bool(analysis.clocks or analysis.days)
    return timed and not analysis.by_role("target") and any(item.role == "at" for item in anchors.mentions)


def _anchors(analysis: Analysis, found: Wanted) -> _Anchors | None:
    """What the search is centred on; None if a name stands where only a target can."""
    free = [item for item in analysis.places if not _within(item, found.spans)]
    if analysis.here is not None and analysis.has("here.self"):
        free = [item for item in free if item.role == "self"]
    free.sort(
        key=lambda item: (
            item.strength < SURE,
            item.strength < 0.5,
            _ANCHOR_ROLES.index(item.role) if item.role in _ANCHOR_ROLES else 99,
        )
    )
    if not free:
        return _Anchors((HERE,), (), inside=False, strength=0.0)
    best = free[0]
    several = analysis.has("ask.between") or "both" in {token.norm for token in analysis.tokens}
    chosen = best.split() if several and best.role in {"near", "to", "from", "of", "between"} else (best,)
    inside = best.role == "in" and not analysis.distances and not analysis.winds
    places = tuple(_FLOOR.sub(r"\2", item.place) for item in chosen)
    return _Anchors(places, (best,), inside=inside, strength=best.strength)


def _within(mention: Mention, spans: tuple[Span, ...]) -> bool:
    return any(start <= mention.start and mention.end <= end for start, end in spans)


def _radius_m(analysis: Analysis) -> float | None:
    if analysis.distances:
        return analysis.distances[0].value
    words = {analysis.words(cue) for cue in analysis.find("mode.walking", "role.near")}
    if not analysis.durations and any("walking distance" in phrase for phrase in words):
        return WALKABLE_M
    return None


def _max_duration_s(analysis: Analysis) -> float | None:
    return analysis.durations[0].value if analysis.durations else None


def _mode(analysis: Analysis) -> TravelMode | None:
    if analysis.durations or analysis.has("sup.quickest"):
        return analysis.mode or (TravelMode.WALKING if analysis.durations else None)
    return analysis.mode


def _filters(analysis: Analysis, found: Wanted, place: Mention | None) -> Filters:
    update: dict[str, object] = {}
    if analysis.winds:
        update["direction"] = analysis.winds[0].value
    if excluded := tuple(part.place for item in analysis.by_role("without") for part in item.split()):
        update["exclude"] = excluded
    if analysis.has("open.all_day") and analysis.has("open.word"):
        update["open_at"] = WHOLE_DAY
    elif analysis.has(*_OPENING) and _about_hours(analysis):
        closed = analysis.has("open.closed") and not analysis.has("open.open")
        update["closed_at" if closed else "open_at"] = _moment(analysis)
    elif analysis.has("open.now") and analysis.clocks:
        update["open_at"] = analysis.when
    if place is not None and place.role == "on":
        floor = _FLOOR.match(place.text)
        update["address_contains"] = floor[1] if floor else place.text
    if any(mark.value == found.what.keyword for mark in analysis.cuisines):
        update["cuisine"] = found.what.keyword
    if named := analysis.by_role("named"):
        update["name_contains"] = named[-1].text
    return analysis.filters.model_copy(update=update)


def _about_hours(analysis: Analysis) -> bool:
    """True if a place must be open or closed, rather than being asked when it opens."""
    if analysis.has("ask.what_time", "ask.till_when", "ask.from_when", "attribute.hours"):
        return bool(analysis.clocks or analysis.days) and analysis.has("open.open", "open.closed")
    return analysis.has("open.open", "open.closed") or bool(analysis.clocks)


def _moment(analysis: Analysis) -> When:
    if analysis.has("open.now") and analysis.when == When(at=None):
        return When()
    return analysis.when


def _rank_by(order: Ranking, filters: Filters, analysis: Analysis) -> str:
    if order.by in {"rating", "rating_count", "price_level", "duration"}:
        return order.by
    if order.by == "distance_said":
        return "distance"
    return "any" if filters != Filters() or analysis.distances else "distance"


def _ask(analysis: Analysis, found: Wanted, order: Ranking) -> str:
    if (
        analysis.asks_count
        and not (analysis.has("attribute.rating_count") and order.by != "none")
        and not analysis.has("ask.how_far")
    ):
        return "count"
    if analysis.option_kind == "count" and "many" in analysis.text.casefold():
        return "count"
    if _asks_distance(analysis):
        return "distance"
    if _asks_direction(analysis):
        return "direction"
    if _attribute(analysis, found, order) is not None:
        return "fact"
    if _asks_existence(analysis):
        return "exists"
    return (
        "names"
        if order.n is not None or _number_of(analysis, found) or _plural_asked(analysis, found, order)
        else "name"
    )


def _number_of(analysis: Analysis, found: Wanted) -> int | None:
    """3 for "three supermarkets closest to ...": a number right before the kind."""
    if not found.spans:
        return None
    before = [token for token in analysis.tokens if token.end <= found.spans[0][0]]
    number = parse_number(before[-1].norm) if before and before[-1].norm not in {"a", "an"} else None
    return int(number) if number is not None and number == int(number) and 1 < number < 50 else None


def _asks_distance(analysis: Analysis) -> bool:
    cues = [cue for cue in analysis.find("ask.how_far") if analysis.words(cue) not in {"far", "distance"}]
    if cues and not analysis.distances:
        return True
    return analysis.option_kind == "distance" or bool(analysis.text.casefold().count("distance to the"))


def _asks_direction(analysis: Analysis) -> bool:
    return analysis.option_kind == "direction" or (analysis.has("ask.which_way") and not analysis.winds)


def _asks_existence(analysis: Analysis) -> bool:
    if analysis.option_kind == "yes_no":
        return True
    return (
        analysis.option_kind == "none"
        and bool(analysis.starts & {"is", "are", "does", "do", "whether", "if"})
        and analysis.has("ask.exists")
    )


def _plural_asked(analysis: Analysis, found: Wanted, order: Ranking) -> bool:
    """True if all fitting places are wanted: a plural kind, and no options to choose one from."""
    start, end = found.spans[0]
    word = analysis.text[start:end].casefold()
    plural = word.endswith("s") and not word.endswith("ss")
    return plural and not analysis.options and order.by in {"none", "distance_said"} and order.k == 1


def _attribute(analysis: Analysis, found: Wanted, order: Ranking) -> Attribute | None:
    """The fact asked about the place found; only with a superlative, which makes it one place."""
    if order.by not in {"distance_said", "rating", "rating_count", "price_level", "duration"}:
        return None
    taken = [*_mark_spans(analysis), *(analysis.span(cue) for cue in analysis.find("sup")), *found.spans]
    for cue in analysis.find("attribute"):
        start, end = analysis.span(cue)
        if cue.group in _ASKED_FACTS and not any(low < end and start < high for low, high in taken):
            return _ASKED_FACTS[cue.group]
    if analysis.has("open.closes", "open.opens") and analysis.has("ask.what_time", "ask.till_when"):
        return Attribute.HOURS
    return None
