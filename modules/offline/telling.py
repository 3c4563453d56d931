"""Cues so telling that a reading which leaves one out has misread the question.

A reading may explain nearly all words of a question and still miss its point: "the straight-line distance" is
no trip, "the largest park" no search by distance, "the phone number of the hospital in X" no fact about X.
Each check below stands for one such cue; a reading that overlooks it loses so much that it cannot win.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from map_tools.compute.quantities import find_numbers
from modules.offline.intents import (
    HOURS_RANKS,
    Attribute,
    BearingIntent,
    BetweenIntent,
    CloserIntent,
    ComparePlacesIntent,
    DirectionPickIntent,
    DistanceIntent,
    Intent,
    NearbyIntent,
    OpenIntent,
    PairIntent,
    PlaceFactIntent,
    RouteIntent,
    TripIntent,
    WithinIntent,
)
from modules.offline.lexicon import glue, lexicon, word_set
from modules.offline.nearby_opening import shut_place
from modules.offline.ranking import ranking

if TYPE_CHECKING:
    from modules.offline.analysis import Analysis
    from modules.offline.token import Token

OVERLOOKED = 0.4
"""Taken off a reading for each telling cue it does not account for: more than even a perfect reading is above
the parser's threshold (0.62)."""

_NEAREST = re.compile(r"(?:the )?(?:nearest|closest)\b", re.IGNORECASE)
_JOURNEY = (RouteIntent, TripIntent)
_NEGATED = ("condition", "price", "role", "open", "service", "sup", "filler", "mode", "comp")


def overlooked(analysis: "Analysis", intent: Intent) -> float:
    """What is taken off a reading for the telling cues that its intent leaves out."""
    return OVERLOOKED * sum(check(analysis, intent) for check in _CHECKS)


def _straight(analysis: "Analysis", intent: Intent) -> bool:
    """A straight line is asked for, yet the reading travels or states a fact."""
    return analysis.has("ask.straight") and isinstance(intent, (*_JOURNEY, PlaceFactIntent, OpenIntent))


def _closeness(analysis: "Analysis", intent: Intent) -> bool:
    """Which of several places is closer, yet the reading visits them all or looks for one between them."""
    return analysis.has("comp") and isinstance(intent, TripIntent | BetweenIntent)


def _count(analysis: "Analysis", intent: Intent) -> bool:
    """How many places there are, yet the reading names one."""
    return analysis.asks_count and isinstance(intent, NearbyIntent) and intent.ask != "count"


def _order(analysis: "Analysis", intent: Intent) -> bool:
    """An order the reading does not follow: by size, age, opening hours."""
    by = ranking(analysis).by
    if isinstance(intent, OpenIntent) and intent.by is not None:
        return False
    if by == "size":
        return not isinstance(intent, (*_JOURNEY, PairIntent, DistanceIntent))
    if by != "hours":
        return False
    if isinstance(intent, NearbyIntent):
        return intent.rank_by not in HOURS_RANKS
    if isinstance(intent, ComparePlacesIntent):
        return intent.attribute is not Attribute.HOURS
    return not isinstance(intent, (*_JOURNEY, OpenIntent))


def _moment(analysis: "Analysis", intent: Intent) -> bool:
    """A time of day is asked for ("until when can I ..."), yet the reading names places."""
    if not isinstance(intent, NearbyIntent) or not analysis.has("ask.till_when"):
        return False
    hours = intent.attribute is Attribute.HOURS or "hours" in intent.also
    return not hours and intent.rank_by not in HOURS_RANKS


def _rank(analysis: "Analysis", intent: Intent) -> bool:
    """The second, third, ... is wanted, yet the reading takes the first."""
    k = ranking(analysis).k
    if isinstance(intent, CloserIntent | ComparePlacesIntent):
        return k != intent.k
    return k > 1 and isinstance(intent, PairIntent)


def _opening(analysis: "Analysis", intent: Intent) -> bool:
    """Open at a certain time, yet the reading does not look at opening hours."""
    if not analysis.has("open.open", "open.closed") or not (analysis.clocks or analysis.days):
        return False
    if isinstance(intent, NearbyIntent):
        hours = intent.attribute is Attribute.HOURS or intent.rank_by in HOURS_RANKS
        told = hours or shut_place(analysis) is not None
        return not told and intent.filters.open_at is None and intent.filters.closed_at is None
    if isinstance(intent, ComparePlacesIntent):
        hours = intent.attribute is Attribute.HOURS
        return not hours and intent.filters.open_at is None and intent.filters.closed_at is None
    return not isinstance(intent, (*_JOURNEY, OpenIntent))


def _conditions(analysis: "Analysis", intent: Intent) -> bool:
    """A rating, price or service is required, yet the reading is one of pure geometry or opening hours."""
    ignorant = (
        DistanceIntent, BearingIntent, CloserIntent, PairIntent, DirectionPickIntent, WithinIntent,
    )  # fmt: skip
    return bool(analysis.conditions) and isinstance(intent, ignorant)


def _direction(analysis: "Analysis", intent: Intent) -> bool:
    """A direction of the compass is said, yet the reading has none."""
    if not analysis.winds or isinstance(intent, (*_JOURNEY, BearingIntent, DirectionPickIntent)):
        return False
    if isinstance(intent, ComparePlacesIntent):
        return intent.direction is None
    return not isinstance(intent, NearbyIntent)


def _kind(analysis: "Analysis", intent: Intent) -> bool:
    """A place of a kind is meant ("the hospital in X"), yet the reading is about X."""
    if not isinstance(intent, PlaceFactIntent | OpenIntent) or analysis.by_role("named"):
        return False
    located = [item for item in analysis.places if item.role in {"in", "near", "at"}]
    if any(item.place == intent.place and item.role == "near" for item in located):
        return True  # what is asked about something near X is no fact about X
    return any(
        item.place == intent.place and 0 < item.start - mark.end < _REACH
        for item in located
        for mark in analysis.kinds
    )


_REACH = 20
"""Characters between a kind and the place it lies in ("hospital *closest to the* X")."""


def _definite(analysis: "Analysis", intent: Intent) -> bool:
    """What is so of "the cafe at X" is asked, yet the reading looks for any cafe around X."""
    if not isinstance(intent, NearbyIntent) or intent.rank_by != "any" or intent.ask != "name":
        return False
    asked = analysis.option_kind in {"none", "yes_no"} and analysis.starts & word_set("negation", "asking")
    pointed = any(analysis.word_before(item.start) == "the" for item in analysis.by_role("target"))
    return bool(asked and pointed and analysis.by_role("at"))


def _negation(analysis: "Analysis", intent: Intent) -> bool:
    """Something must not hold, yet no known phrase says what."""
    if not isinstance(intent, NearbyIntent | ComparePlacesIntent) or intent.filters.without_cuisine:
        return False
    explained = {i for cue in analysis.find(*_NEGATED) for i in range(cue.first, cue.last)}
    asked = analysis.starts & word_set("negation", "asking")
    return not asked and any(
        token.norm in word_set("negation") and index not in explained and index - 1 not in explained
        for index, token in enumerate(analysis.tokens)
    )


def _search(analysis: "Analysis", intent: Intent) -> bool:
    """A stop is "the nearest" of its kind, yet the reading goes past it or takes the words for its name."""
    if isinstance(intent, RouteIntent):
        ends = (intent.origin, intent.destination, *intent.via)
        return any(_NEAREST.match(end) for end in ends)
    if not isinstance(intent, TripIntent) or any(visit.what is not None for visit in intent.visits):
        return False
    lasts = [analysis.span(cue)[1] for cue in analysis.find("sup.nearest")]
    return any(
        not analysis.between(last, mark.start).strip()
        for last in lasts
        for mark in analysis.kinds
        if mark.start > last
    )


def _choice(analysis: "Analysis", intent: Intent) -> bool:
    """Places are offered to choose from, yet the reading takes them for one anchor."""
    offered = [item.place for item in analysis.places if len(item.parts) > 1]
    return isinstance(intent, NearbyIntent) and any(
        anchor in offered and " or " in anchor.casefold() for anchor in intent.anchors
    )


def _possession(analysis: "Analysis", intent: Intent) -> bool:
    """A place that has something is wanted ("a cafe with a playground"), yet the reading does not heed it."""
    if not isinstance(intent, NearbyIntent | ComparePlacesIntent):
        return False
    looked_for = set(intent.what.categories) if isinstance(intent, NearbyIntent) else set()
    had = any(
        _is_had(analysis, mark.start) and looked_for.isdisjoint(mark.value.ids) for mark in analysis.kinds
    )
    return had or _has_unknown(analysis)


def _is_had(analysis: "Analysis", start: int) -> bool:
    """True for what stands behind "has a", "with its own"."""
    before = [token.norm for token in analysis.tokens if token.end <= start][-_POSSESSION:]
    return any(word in word_set("having") for word in before)


_POSSESSION = 4
"""Words back from a thing in which "has" or "with" makes it a possession ("with its own children's ...")."""


def _has_unknown(analysis: "Analysis") -> bool:
    """True for "offers a view", "sells kites": what a wanted place has, in words no vocabulary knows."""
    tokens, wishes = analysis.tokens, analysis.by_role("target")
    facts = {i for cue in analysis.cues if cue.family not in _NO_FACT for i in range(cue.first, cue.last)}
    needs = {i for cue in analysis.find("need") for i in range(cue.first, cue.last)}
    owning, supplying = _owning(analysis), _supplying(analysis)
    for index, known in [*((one, facts) for one in owning), *((one, facts | needs) for one in supplying)]:
        first = next((i for i in range(index + 1, len(tokens)) if _is_content(tokens[i])), None)
        owned = any(
            wish.end <= tokens[index].start and analysis.sentence_at(wish.start) == analysis.sentence[index]
            for wish in wishes
        )
        if owned and first is not None and first not in known and analysis.unmarked(tokens[first]):
            return True
    return False


_NO_FACT = frozenset({"here", "need", "filler", "role"})
"""Families of cues that say nothing of what a place has."""


def _owning(analysis: "Analysis") -> list[int]:
    """Where "has a", "with an" and the like stand, by their first token."""
    owners, articles = word_set("having", "owners"), word_set("having", "articles")
    pairs = enumerate(pairwise(analysis.tokens))
    return [index for index, (one, two) in pairs if one.norm in owners and two.norm in articles]


def _supplying(analysis: "Analysis") -> list[int]:
    """Where "sells", "repairs" and the like stand, by their tokens."""
    verbs = word_set("having", "suppliers")
    return [index for index, token in enumerate(analysis.tokens) if token.norm in verbs]


def _is_content(token: "Token") -> bool:
    return not token.is_word or (token.norm not in word_set("soft") and token.norm not in glue())


def _superlative(analysis: "Analysis", intent: Intent) -> bool:
    """The safest, the prettiest: an order that no fact tells, yet the reading answers."""
    del intent
    known = {index for cue in analysis.cues for index in range(cue.first, cue.last)}
    return any(
        index not in known
        and token.text.islower()
        and token.norm.endswith("est")
        and token.norm not in word_set("superlative", "no_superlative")
        and token.norm not in lexicon().words
        and analysis.unmarked(token)
        for index, token in enumerate(analysis.tokens)
    )


def _routes(analysis: "Analysis", intent: Intent) -> bool:
    """The options are routes or orders, yet the reading is about places or about a direction."""
    if analysis.option_kind == "order":
        return isinstance(intent, BearingIntent)
    return analysis.option_kind == "via" and not isinstance(intent, _JOURNEY)


def _amount(analysis: "Analysis", intent: Intent) -> bool:
    """The options are names, yet the reading works out an amount."""
    if analysis.option_kind != "text" or any(find_numbers(option) for option in analysis.options):
        return False
    return isinstance(intent, (*_JOURNEY, NearbyIntent)) and intent.ask in _AMOUNTS


_AMOUNTS = frozenset(
    {"travel_time", "total_time", "arrival", "leave_at", "spare", "distance", "duration", "way", "count"}
)
"""What only a number or a time of day answers."""


def _language(analysis: "Analysis", intent: Intent) -> bool:
    """A language is asked for ("novels in English"), which no fact tells."""
    del intent
    return analysis.has("unsupported.language")


_CHECKS: tuple[Callable[["Analysis", Intent], bool], ...] = (
    _straight, _closeness, _count, _order, _rank, _opening, _conditions, _direction, _kind, _negation,
    _definite, _moment, _search, _choice, _routes, _possession, _superlative, _language, _amount,
)  # fmt: skip
