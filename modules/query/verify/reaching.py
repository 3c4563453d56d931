"""What is reached within a time, checked by travel times that were worked out for single places."""

from map_tools.facts import ReachFact, ReachSample
from map_tools.types import TravelMode
from modules.query.values.things import Thing
from modules.query.verify import measuring
from modules.query.verify.cited import Asked, Fault, Unchecked

FEWEST, FEWEST_OF_A_SIDE = 4, 3
"""By fewer places nothing is checked, or nothing of the places in the area, or of those outside."""
AGREEING, AGREEING_OF_A_SIDE = 1 / 2, 1 / 4
"""So many must agree. Not all do: a place over a tunnel is reached by the street, and its own way is the tunnel's."""
FARTHEST_M = 5_000.0
"""No road on which one starts is farther off."""
SLACK, SLACK_S = 0.25, 60.0
"""A time may be this much beyond the limit, as a part of it and in seconds: areas are worked out on a grid."""


def reachable(asked: Asked) -> object:
    """The area that is cited, if places in it are reached in time, and others are not."""
    start, within_s = asked["start"], asked["within"].low
    mode = TravelMode(asked["mode"] or "walking")
    for item, fact in asked.cited.of(ReachFact):
        if (fact.origin, fact.within_s, fact.mode) == (start.reference, within_s, mode):
            asked.cited.using(item)
            return _judged(asked.claimed, fact)
    return asked.cited.lost(start.reference)


def _judged(claimed: object, fact: ReachFact) -> object:
    if (
        not isinstance(claimed, Thing)
        or claimed.shape != fact.shape.wkt
        or not claimed.id.startswith("made:")
    ):
        return Fault("another area")
    start = fact.origin_place.location if fact.origin_place is not None else None
    if start is None or measuring.away_m(start, fact.shape) > FARTHEST_M:
        return Fault("another area: it lies elsewhere")
    if len(fact.samples) < FEWEST:
        return Unchecked("the area that is reached within a time")
    judged = [_judged_sample(fact, one) for one in fact.samples]
    sides = [[agrees for inside, agrees in judged if inside is side] for side in (True, False)]
    told = sum(agrees for _, agrees in judged) >= AGREEING * len(judged) and all(
        len(side) < FEWEST_OF_A_SIDE or sum(side) >= AGREEING_OF_A_SIDE * len(side) for side in sides
    )
    return claimed if told else Fault("another area: the travel times of places contradict it")


def _judged_sample(fact: ReachFact, sample: ReachSample) -> tuple[bool, bool]:
    """Whether a place lies in the area, and whether its own travel time agrees."""
    at, duration_s = sample.place.location, sample.duration_s
    slack_s = SLACK * fact.within_s + SLACK_S
    inside = at is not None and measuring.holds(fact.shape, at)
    if inside:
        return inside, duration_s is not None and duration_s <= fact.within_s + slack_s
    return inside, duration_s is None or duration_s >= fact.within_s - slack_s
