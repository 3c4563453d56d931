"""Questions for places of a kind around or inside something."""

from dataclasses import dataclass

from map_tools.types import TravelMode
from modules.offline.analysis import Analysis, Span
from modules.offline.compare_differences import ATTRIBUTES
from modules.offline.intents import HERE, HOURS_RANKS, NearbyIntent
from modules.offline.lexicon import word_set
from modules.offline.marks import SURE, Mention
from modules.offline.nearby_asks import also, ask, attribute_asked, mark_spans, number_wanted
from modules.offline.nearby_filters import counted, filters_of, floor_of, rank_by
from modules.offline.nearby_more import More, more_asked
from modules.offline.nearby_opening import shut_place
from modules.offline.ranking import Ranking, ranking
from modules.offline.reading import Reading, score
from modules.offline.slots import Wanted, explained, sought, wanted

WALKABLE_M = 1000.0
"""What "within walking distance" means: about a quarter of an hour on foot."""
_ANCHOR_ROLES = ("near", "to", "from", "of", "between", "at", "in", "on", "via", "self", "subject", "than")
_UNCOUNTED: dict[str, object] = {"min_count": None, "max_count": None, "n": None, "attribute": None}
"""What a comparison of numbers ("more cafes or more bars") has no use for."""
_MORE_CUE = 0.95
"""How typical "which has more cafes, X or Y" is of a comparison of numbers."""
_NEXT = 2
"""The rank of "the next nearest": the first, where the nearest is left out for being closed."""
_UNRANKED = frozenset({"size"})
"""Orders a search cannot be ranked by."""
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
    more = more_asked(analysis, found)
    if more is not None and more.places:
        return [_more_of(analysis, found, more)]
    anchors = _anchors(analysis, found)
    if anchors is None:
        return []
    order = ranking(analysis)
    filters = filters_of(analysis, found, anchors.mentions[0] if anchors.mentions else None)
    least, most = counted(analysis, found)
    rank = rank_by(order, filters, analysis)
    intent = NearbyIntent(
        what=found.what,
        anchors=anchors.places,
        radius_m=_radius_m(analysis),
        max_duration_s=_max_duration_s(analysis),
        inside=anchors.inside and order.by != "distance_said",
        filters=filters,
        rank_by=rank,
        pick=order.pick,
        k=1 if order.k == _NEXT and shut_place(analysis) is not None else order.k,
        n=order.n or number_wanted(analysis, found),
        ask=ask(analysis, found, order),
        attribute=attribute_asked(analysis, found, order),
        mode=_mode(analysis),
        when=analysis.when if rank in HOURS_RANKS else None,
        also=also(analysis, found, order),
        min_count=least,
        max_count=most,
    )
    if more is not None:
        told = {"kinds": more.kinds, "pick": more.pick, "claims": more.claims, "ask": "more"}
        intent = intent.model_copy(update=_UNCOUNTED | told)
    used = explained(analysis, *_EXPLAINED, mentions=(*anchors.mentions, *analysis.by_role("without")))
    used += [*found.spans, *(more.spans if more else ()), *mark_spans(analysis)]
    return [Reading(intent, score(analysis, _cue(analysis, anchors, order), used))]


def _more_of(analysis: Analysis, found: Wanted, more: More) -> Reading:
    """The reading of a comparison of places by how many of a kind they have."""
    intent = NearbyIntent(
        what=found.what,
        anchors=tuple(item.place for item in more.places),
        radius_m=_radius_m(analysis),
        inside=not analysis.distances,
        rank_by="any",
        pick=more.pick,
        ask="more",
        claims=more.claims,
    )
    used = explained(analysis, *_EXPLAINED, mentions=more.places)
    return Reading(intent, score(analysis, _MORE_CUE, [*used, *more.spans, *mark_spans(analysis)]))


def _cue(analysis: Analysis, anchors: _Anchors, order: Ranking) -> float:
    """How much speaks for a search: a superlative or a radius most, a bare mention of a kind least."""
    if analysis.option_kind in {"via", "order", "clock"}:
        return 0.4
    strong = order.by != "none" or bool(analysis.distances) or analysis.asks_count or bool(analysis.winds)
    looked_for = bool(analysis.by_role("target")) or analysis.has("need")
    strong = strong or bool(analysis.conditions) or analysis.refers_here or bool(analysis.by_role("near"))
    cue = (
        0.6 + 0.2 * strong + 0.15 * looked_for - 0.4 * (analysis.has("unsupported") or order.by in _UNRANKED)
    )
    if _is_visit(analysis, anchors):
        cue -= 0.3
    if not anchors.mentions and not analysis.refers_here:
        cue -= 0.2 * (order.by == "none") + 0.3 * _is_choice(analysis, order)
    return min(cue, 0.97) if anchors.strength >= SURE or anchors.places == (HERE,) else min(cue, 0.85)


def _is_choice(analysis: Analysis, order: Ranking) -> bool:
    """True if the options are the places to choose from by what is known of each of them."""
    return analysis.option_kind in {"text", "pair"} and order.by in ATTRIBUTES


def _is_visit(analysis: Analysis, anchors: _Anchors) -> bool:
    """True for "have dinner at X on Sunday", "can I have lunch at X": X itself is meant, nothing around."""
    timed = bool(analysis.clocks or analysis.days) or bool(analysis.starts & word_set("able"))
    roles = {item.role for item in anchors.mentions}
    served = analysis.option_kind == "yes_no" and analysis.has("service") and bool(roles & {"at", "subject"})
    return (served or (timed and "at" in roles)) and not sought(analysis)


def _anchors(analysis: Analysis, found: Wanted) -> _Anchors | None:
    """What the search is centred on; None if a name stands where only a target can."""
    free = [item for item in analysis.places if not _within(item, found.spans)]
    if analysis.has("here.self"):  # where the speaker is counts, and else no mere words
        here = [item for item in free if item.role == "self"]
        free = here or [item for item in free if item.strength >= SURE or item.role != "subject"]
    free = [item for item in free if not _is_aside(analysis, item, found)]
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
    if best.role == "on" and analysis.here in free:
        best = analysis.here  # the street is one the address must name
    if best.role == "on" and analysis.refers_here:  # a street the address must name; one is elsewhere
        return _Anchors((HERE,), (), inside=False, strength=0.0)
    several = analysis.has("ask.between") or "both" in {token.norm for token in analysis.tokens}
    chosen = best.split() if several and best.role in {"near", "to", "from", "of", "between"} else (best,)
    inside = _is_area(analysis, best) and not analysis.distances and not analysis.winds
    places = tuple(floor_of(item.place)[1] for item in chosen)
    return _Anchors(places, (best,), inside=inside, strength=best.strength)


def _is_aside(analysis: Analysis, item: Mention, found: Wanted) -> bool:
    """True for words of another sentence that are no name for certain ("My son broke his arm. Which ...")."""
    if item.strength >= SURE or item.role != "subject" or not found.spans:
        return False
    return analysis.sentence_at(item.start) != analysis.sentence_at(found.spans[0][0])


def _is_area(analysis: Analysis, anchor: Mention) -> bool:
    """True if the places are to lie in the anchor: "in X", "does X have ...", "the libraries of X"."""
    if anchor.role == "in":
        return True
    if ranking(analysis).by != "none" or analysis.refers_here:
        return False
    owned = analysis.tokens and bool({token.norm for token in analysis.tokens} & word_set("owning"))
    plural = any(analysis.text[mark.start : mark.end].endswith("s") for mark in analysis.kinds)
    return (anchor.role == "subject" and owned) or (anchor.role == "of" and plural)


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
