"""Whether a reading for the map tools leaves nothing for a spatial database to add, by the words alone.

To read a question for a database takes longer than all else that is done to understand it, and mostly it is
of no use: the map tools tell what is asked. What a database could add shows in the words: a goal to head for,
a street corner, an order by size, a total, a direction, a distance, a count, or a word that the reading does
not explain. Where there is none of these the database is not needed, however its own reading would be.
"""

import re

from modules.offline.intents import HOURS_RANKS, Intent, NearbyIntent, RouteIntent, TripIntent
from modules.offline.spatial_intent import SIZES
from modules.offline.spatial_journeys import heads_for_goal
from modules.offline.spatial_ranges import find_reach
from modules.offline.spatial_sides import find_sides, winds_offered
from modules.offline.spatial_words import Words, pattern
from modules.offline.tokens import tidy, tokenise

FAR_M = 20_000.0
"""A search further than this around a place is one over the whole map."""
SAME_REACH = 0.01
"""Distances that differ by no more than this share are the same."""
BY_DATABASE = SIZES | {"farthest"}
"""Orders that no map tool knows."""
SUMS = frozenset({"area", "length", "kinds"})
"""What only a database adds up."""
MEASURED = SUMS | {"count", "distance", "direction"}

_BY_TOOLS = frozenset({"rating", "rating_count", "price_level", "duration"}) | HOURS_RANKS
_FIRST = frozenset({"first", "is", "the"})
_NAME = re.compile(r"\bnames?\b", re.IGNORECASE)
_BEYOND = (
    "lead.corner",
    "after.toward",
    *(f"pick.{size}" for size in sorted(BY_DATABASE)),
    *(f"ask.{total}" for total in sorted(SUMS)),
)
"""Phrases for what no map tool tells."""


def is_settled(words: Words, other: Intent) -> bool:
    """True if the reading for the map tools tells all that is asked; False if that has to be looked at."""
    if isinstance(other, RouteIntent | TripIntent) and not _searches(words):
        return True
    if words.of(*_BEYOND) or heads_for_goal(words):
        return False
    if any(pattern(name).search(words.text) for name in ("corner", "kinds")):
        return False
    if not isinstance(other, NearbyIntent) or _needs_map_tools(other):
        return True
    return bool(other.what.categories) and _asks_the_same(words, other) and _explains_all(words, other)


def asks_for_name(text: str, other: NearbyIntent) -> bool:
    """True if a name is wanted where the reading only tells whether there is one."""
    return other.ask == "exists" and _NAME.search(text) is not None


def same_reach(metres: float | None, other: NearbyIntent) -> bool:
    """True if both search equally far."""
    if metres is None or other.radius_m is None:
        return metres is None and other.radius_m is None
    return abs(metres - other.radius_m) <= SAME_REACH * metres


def _searches(words: Words) -> bool:
    """True if something is searched for: within a distance, the nearest, the largest.

    The first street of a way is not the nearest one.
    """
    picks = (range(cue.first, cue.last) for cue in words.of("pick"))
    return bool(find_reach(words)) or any(
        not _FIRST.issuperset(words.norm(index) for index in pick) for pick in picks
    )


def _needs_map_tools(other: NearbyIntent) -> bool:
    """True if the reading heeds what no table of a database holds: times of day, ratings, travel."""
    filters = other.filters
    timed = filters.open_at or filters.closed_at or other.rank_by in _BY_TOOLS
    return bool(timed) or other.max_duration_s is not None


def _asks_the_same(words: Words, other: NearbyIntent) -> bool:
    """True if count, distance, direction and reach are those of the reading."""
    asked = {cue.key for cue in words.of("ask")} & MEASURED
    if asked - {other.ask, *other.also} or asks_for_name(words.text, other):
        return False
    if other.filters.direction is None and (find_sides(words) or winds_offered(words) is not None):
        return False
    reach = find_reach(words)
    if not reach:
        return other.radius_m is None and not words.of("lead.beside")
    return all(not one.least and one.metres <= FAR_M and same_reach(one.metres, other) for one in reach)


def _explains_all(words: Words, other: NearbyIntent) -> bool:
    """True if each word with a meaning is the reading's name or kind, part of a distance, or of a phrase."""
    told = {token.norm for text in (*other.anchors, other.what.text) for token in tokenise(tidy(text))}
    used = [(cue.first, cue.last) for cue in words.of("ask", "pick", "lead", "filler")]
    left = words.unread([*used, *(one.stretch for one in find_reach(words))])
    return told.issuperset(words.norm(index) for index in left)
