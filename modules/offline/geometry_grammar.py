"""Questions of pure geometry: straight-line distance, direction, what lies between, what is closer, pairs."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from map_tools.concepts import lookup
from modules.offline.analysis import Analysis
from modules.offline.conditions import comparison_at
from modules.offline.geometry_places import is_option, places_of, two_ends, with_area
from modules.offline.intents import (
    HERE,
    BearingIntent,
    BetweenIntent,
    Compare,
    DirectionPickIntent,
    DistanceIntent,
    Intent,
    PairIntent,
    What,
)
from modules.offline.marks import SURE, Mention
from modules.offline.reading import Reading, score
from modules.offline.slots import Wanted, explained, wanted

_EXPLAINED = ("ask", "comp", "sup", "mode", "condition")
_YES_NO = frozenset({"is", "are", "does", "do", "whether", "if"})
_BEYOND = re.compile(r"\b(?:furthe(?:r|st)|farthe(?:r|st)|mo(?:re|st))(?: (?:to|in|towards)(?: the)?)?\s+$")
_AT_END = re.compile(r"\b(?:north|south|east|west)\w* (?:(?:end|edge|side)\b|of (?:all|every)\b)")
_LONG = re.compile(r"\b(?:apart|far|gap|haul|(?:long|great|bigg|wid|larg|most)\w*|max\w*)\b", re.IGNORECASE)
_SHORT = re.compile(r"\b(?:near|close|next|(?:short|small|tight|least)\w*|min\w*)\b", re.IGNORECASE)
"""Words for a great and a small distance, of pairs of places."""
_OF_TWO = re.compile(
    r"\b(?:between (?:them|the two|each other)|from (?:each other|one another))\b", re.IGNORECASE
)
"""Of what two places have, and not one."""
_FROM_ROLES = frozenset({"from", "self"})
_AROUND = frozenset({"in", "self"})
"""Roles of where all of it is, which is none of the places to choose from."""


def read(analysis: Analysis) -> list[Reading]:
    """Readings as a question of geometry."""
    places = places_of(analysis)
    return [
        *_distance(analysis, places),
        *_bearing(analysis, places),
        *_direction_pick(analysis, places),
        *_between(analysis, places),
        *_pair(analysis, places),
    ]


def _reading(analysis: Analysis, intent: Intent, cue: float, mentions: Sequence[Mention]) -> Reading:
    used = explained(analysis, *_EXPLAINED, mentions=[*mentions, *analysis.by_role("target", "in")])
    used += [(mark.start, mark.end) for mark in (*analysis.winds, *analysis.distances)]
    weak = 0.06 * sum(item.strength < 0.5 for item in mentions)
    return Reading(intent, score(analysis, max(cue - weak, 0.0), used))


def _distance(analysis: Analysis, places: list[Mention]) -> list[Reading]:
    asks = analysis.has("ask.how_far", "ask.straight", "ask.apart") or analysis.option_kind == "distance"
    limit = analysis.distances[0].value if analysis.distances and _is_yes_no(analysis) else None
    if not asks and limit is None:
        return []
    ends = two_ends(analysis, _undashed(places))
    if analysis.has("ask.between") and analysis.has("ask.which_of"):
        return []
    if ends is None or analysis.has("sup", "comp") or _seeks_kind(analysis):
        return []
    straight = analysis.has("ask.straight")
    cue = 0.98 if straight else 0.88
    if analysis.modes and not straight:
        cue -= 0.35
    if len(places) > 2:
        cue -= 0.2
    if analysis.option_kind not in {"none", "distance", "text", "yes_no"}:
        cue -= 0.3
    a, b = ends
    beyond = limit is not None and _says_more(analysis)
    intent = DistanceIntent(
        a=a, b=b, at_most_m=None if beyond else limit, at_least_m=limit if beyond else None
    )
    return [_reading(analysis, intent, cue, places)]


def _undashed(places: list[Mention]) -> list[Mention]:
    """The two names of "distance X - Y"."""
    if len(places) != 1 or places[0].text.count(" - ") != 1:
        return places
    first, second = places[0].text.split(" - ")
    return [replace(places[0], text=first.strip()), replace(places[0], text=second.strip())]


def _says_more(analysis: Analysis) -> bool:
    """True for "more than 2 km", "at least 2 km"."""
    start, end = analysis.distances[0].start, analysis.distances[0].end
    inside = [i for i, token in enumerate(analysis.tokens) if start <= token.start and token.end <= end]
    said = comparison_at(analysis, inside[0], inside[-1] + 1) if inside else None
    return said in {"more_than", "at_least"}


def _seeks_kind(analysis: Analysis) -> bool:
    """True if a kind of place is looked for ("how far is the nearest pharmacy", "are there two banks")."""
    if analysis.starts & {"are", "is"} and analysis.has("ask.exists") and analysis.kinds:
        return True
    return any(item.strength < 0.5 for item in analysis.by_role("target")) and analysis.has(
        "sup.nearest", "sup.farthest", "ask.how_many", "ask.exists"
    )


def _is_yes_no(analysis: Analysis) -> bool:
    return analysis.option_kind == "yes_no" or bool(analysis.starts & _YES_NO)


def _bearing(analysis: Analysis, places: list[Mention]) -> list[Reading]:
    asserted = _is_yes_no(analysis) and analysis.option_kind != "direction"
    states = bool(analysis.winds) and asserted and not beyond(analysis)
    if not (analysis.has("ask.which_way") or analysis.option_kind == "direction" or states) or not places:
        return []
    if not states and analysis.winds and analysis.option_kind != "direction":
        return []
    if _seeks_kind(analysis):
        return []
    pair = _origin_and_target(analysis, places, states=states)
    if pair is None:
        return []
    origin, target = pair
    among = _alternatives(analysis) if analysis.option_kind != "direction" else ()
    said = analysis.winds[0].value if states and not among else None
    cue = 0.97 if analysis.option_kind in {"direction", "none", "yes_no"} else 0.85
    if analysis.modes and not analysis.has("ask.which_way"):
        cue -= 0.3
    intent = BearingIntent(
        origin=origin,
        target=target,
        is_direction=said,
        among=among,
        far=_asks_far_too(analysis, states=states),
    )
    return [_reading(analysis, intent, cue, places)]


def _asks_far_too(analysis: Analysis, *, states: bool) -> bool:
    """True for "how far is A from B, and in which direction?"."""
    return not (states or analysis.options or analysis.modes) and analysis.has("ask.how_far")


def _alternatives(analysis: Analysis) -> tuple[str, ...]:
    """The directions a question offers ("north or south of"); empty if it names one or none."""
    winds = analysis.winds
    joined_by_or = any(
        re.search(r"\bor\b", analysis.between(first.end, second.start)) for first, second in pairwise(winds)
    )
    return tuple(dict.fromkeys(mark.value for mark in winds)) if joined_by_or else ()


def _origin_and_target(analysis: Analysis, places: list[Mention], *, states: bool) -> tuple[str, str] | None:
    """Where one stands and what one looks at.

    "the direction of X from Y", "from Y, where is X", "is X north of Y": Y is the origin.
    """
    if len(places) == 1 and places[0].role in _FROM_ROLES and places[0].text.count(",") == 1:
        seen_from, _, seen = places[0].text.partition(",")  # "seen from A, B is in what direction?"
        return seen_from.strip(), seen.strip()
    if len(places) == 1:
        only = places[0]
        if only.role == "self" or not (analysis.refers_here or only.role in {"to", "of", "subject"}):
            return None
        return HERE, only.place
    first, second = places[0], places[1]
    if second.role in _FROM_ROLES and first.role not in _FROM_ROLES:
        return second.place, first.place
    if first.role in _FROM_ROLES:
        return first.place, second.place
    stands_at = first.role == "subject" and second.role in {"to", "at"}
    if states or stands_at or second.role in {"of", "near", "than"}:
        return second.place, first.place
    return first.place, second.place


def _direction_pick(analysis: Analysis, places: list[Mention]) -> list[Reading]:
    if (
        not analysis.winds
        or beyond(analysis)
        or analysis.option_kind in {"direction", "yes_no", "count"}
        or _yes_no_form(analysis)
    ):
        return []
    if analysis.has("sup.nearest", "sup.farthest", "ask.how_many") or analysis.distances:
        return []
    wind = analysis.winds[0]
    places = [item for item in places if item.strength >= SURE or item.role == "self"] or places
    anchors = [item for item in places if item.start >= wind.end] or places[-1:]
    whole = with_area(analysis, anchors[0]) if anchors else None
    anchor = whole.place if whole is not None else HERE if analysis.refers_here else None
    if anchor is None:
        return []
    others = [item for item in places if whole is None or not whole.start <= item.start < whole.end]
    candidates = [item for item in others if item.role not in _AROUND]
    if analysis.options:  # names that none of them is are where the question plays
        candidates = [item for item in candidates if is_option(analysis, item)]
        candidates = candidates if len(candidates) > 1 else []  # one alone is no choice
    found = wanted(analysis) or _anything(analysis)
    what = found.what if found is not None and not candidates else None
    if what is None and not candidates and not analysis.options:
        return []
    choosable = bool(analysis.options or candidates)
    intent = DirectionPickIntent(
        anchor=anchor, direction=wind.value, candidates=tuple(item.place for item in candidates), what=what
    )
    cue = 0.97 if choosable else 0.84
    spans = explained(analysis, *_EXPLAINED, mentions=[*places, *analysis.by_role("target")])
    spans += [(mark.start, mark.end) for mark in analysis.winds] + list(found.spans if found else ())
    return [Reading(intent, score(analysis, cue, spans))]


def _anything(analysis: Analysis) -> Wanted | None:
    """Landmarks, for "What lies north of X?" without options to choose from."""
    concept = lookup("landmark")
    if analysis.options or concept is None or not analysis.starts & {"what", "which"}:
        return None
    return Wanted(What(text=concept.label, categories=concept.ids), ())


def _yes_no_form(analysis: Analysis) -> bool:
    return bool(analysis.starts & _YES_NO) and not analysis.has("ask.exists")


def _between(analysis: Analysis, places: list[Mention]) -> list[Reading]:
    chooses = analysis.has("ask.which_of") and analysis.option_kind == "text"
    if not analysis.has("ask.between") or analysis.has("ask.how_far", "ask.how_long", "ask.which_way"):
        return []
    if analysis.has("ask.straight") and not chooses:
        return []
    ends = [part for item in analysis.by_role("between") for part in item.split()]
    ends = ends or [item for item in places if item.role in {"from", "to"}]
    if len(ends) < 2:
        ends += [item for item in places if item not in ends and ends and item.start > ends[-1].start]
    if len(ends) < 2 or analysis.option_kind in {"distance", "duration", "count", "direction", "via"}:
        return []
    candidates = [item for item in places if item not in ends[:2] and item.role != "self"]
    found = wanted(analysis, before=ends) or _anything(analysis)
    if not (found or candidates or analysis.options):
        return []
    intent = BetweenIntent(
        a=ends[0].place,
        b=ends[1].place,
        candidates=tuple(item.place for item in candidates),
        what=found.what if found is not None and not candidates else None,
    )
    spans = list(found.spans) if found else []
    used = explained(analysis, *_EXPLAINED, mentions=[*places, *analysis.by_role("target")]) + spans
    return [Reading(intent, score(analysis, 0.96, used))]


def beyond(analysis: Analysis) -> bool:
    """True for "further north", "furthest to the west", "northernmost": a rank along a direction."""
    said = (analysis.text[mark.start : mark.end].casefold() for mark in analysis.winds)
    if any(word.endswith("most") for word in said):
        return True
    if _AT_END.search(analysis.text) and analysis.options:
        return True
    return any(_BEYOND.search(analysis.between(0, mark.start)) for mark in analysis.winds)


def _pair(analysis: Analysis, places: list[Mention]) -> list[Reading]:
    if not (analysis.has("ask.pair") or analysis.option_kind == "pair"):
        return []
    near, far = analysis.has("sup.nearest", "comp.closer"), analysis.has("sup.farthest", "comp.farther")
    offered = analysis.option_kind == "pair"
    if offered and not (near or far):  # nothing else than their distance can be compared of pairs
        near = _SHORT.search(analysis.text) is not None
        far = not near and _LONG.search(analysis.text) is not None
    elif not (analysis.has("ask.pair", "ask.apart") or (offered and _OF_TWO.search(analysis.text))):
        return []
    if not (near or far):
        return []
    if analysis.kinds and any(item.role in {"to", "near", "from"} for item in places):
        return []  # "which two cafes are nearest to X?" looks for two, not for a pair
    named = [item for item in places if item.role not in {"in", "self"}]
    intent = PairIntent(
        places=tuple(item.place for item in named) if len(named) >= 2 and not offered else (),
        pick=Compare.MIN if near and not far else Compare.MAX,
    )
    return [_reading(analysis, intent, 0.98, places)]
