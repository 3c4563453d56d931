"""Were the distances measured from the place the question asks about, and not from another?"""

from collections.abc import Iterable, Iterator
from typing import Any

from map_tools.facts import NearbyFact, PlaceFact
from map_tools.types import Place
from mapagent.answer import Claim, Solution
from modules.answer_generator.verify.facts import Facts
from modules.answer_generator.verify.lambert import lambert_distance_m
from modules.answer_generator.verify.objection import Objection
from modules.offline.intents import BetweenIntent, CloserIntent, DirectionPickIntent, NearbyIntent, WithinIntent
from modules.names import normalise, same_name

SAME_SPOT_M = 100.0
"""Two names resolved this close to each other are one anchor (a museum and its entrance)."""

MIN_SHARED_WORDS = 2
SHARED_WORDS = 0.6
"""Two names that share so much of the shorter one may be the same place: a warning, no rejection."""


def check_anchor(intent: Any, solution: Solution, facts: Facts) -> Iterator[Objection]:
    """An answer about what is around X must rest on lists around X and distances from X."""
    anchors = anchors_of(intent)
    if not anchors:
        return
    cited = {one for claim in solution.claims for one in claim.inputs} | set(solution.evidence_ids)
    lists = [fact for fact in facts.of(cited) if isinstance(fact, NearbyFact)]
    if lists and not any(is_anchor(fact, anchors, facts) for fact in lists):
        measured = " and ".join(sorted({fact.anchor for fact in lists}))
        doubtful = any(may_be_same(fact.anchor, anchor) for fact in lists for anchor in anchors)
        yield Objection(
            code="wrong_anchor",
            message=f"The distances were measured from {measured}, not from {' and '.join(anchors)}.",
            severity="warn" if doubtful else "reject",
        )
    distances = [claim for claim in solution.claims if claim.rule == "distance"]
    if distances and not any(_rests_on(claim, anchors, facts) for claim in distances):
        yield Objection(
            code="wrong_anchor",
            message=f"No distance was measured from {' or '.join(anchors)}, which is asked about.",
        )


def anchors_of(intent: Any) -> tuple[str, ...]:
    """The places an intent measures from; empty if it measures from none."""
    if isinstance(intent, NearbyIntent):
        return intent.anchors
    if isinstance(intent, CloserIntent | DirectionPickIntent | WithinIntent):
        return (intent.anchor,)
    if isinstance(intent, BetweenIntent):
        return (intent.a, intent.b)
    return ()


def is_anchor(fact: NearbyFact, anchors: Iterable[str], facts: Facts) -> bool:
    """True if the list was made around one of these anchors, by name or by being the same place."""
    return any(
        fact.anchor == anchor
        or same_name(fact.anchor, anchor)
        or any(_same_spot(fact.anchor_place, place) for place in _resolved(anchor, facts))
        for anchor in anchors
    )


def may_be_same(a: str, b: str) -> bool:
    """True if two names may be one place in other words ("Santa Rosa Basilica", "Iglesia de Santa Rosa").

    Most words of the shorter name, and two at least, must be in the other: a common town is not enough.
    """
    words_a, words_b = (set(normalise(name.partition(",")[0]).split()) for name in (a, b))
    shared = len(words_a & words_b)
    return shared >= MIN_SHARED_WORDS and shared >= SHARED_WORDS * min(len(words_a), len(words_b))


def _resolved(anchor: str, facts: Facts) -> Iterator[Place]:
    for item in facts.observed:
        if isinstance(item.value, PlaceFact) and same_name(item.value.query, anchor):
            yield item.value.place


def _same_spot(a: Place | None, b: Place) -> bool:
    if a is None:
        return False
    if a.id == b.id:
        return True
    if a.location is None or b.location is None:
        return bool(a.name) and same_name(a.name, b.name)
    return lambert_distance_m(a.location, b.location) <= SAME_SPOT_M


def _rests_on(claim: Claim, anchors: Iterable[str], facts: Facts) -> bool:
    ends = [str(claim.arguments.get(side, "")) for side in ("a", "b")]
    for anchor in anchors:
        names = [
            anchor,
            *(place.name for place in facts.named(anchor)),
            *(p.name for p in _resolved(anchor, facts)),
        ]
        if any(same_name(end, name) or end == name for end in ends for name in names if name):
            return True
    return False
