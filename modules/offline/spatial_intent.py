"""What a question over all features of a map asks: the form the module `spatial_database` answers.

No solver carries it out, so it is not one of `modules.offline.intents.Intent`.
"""

from typing import Literal

from map_tools.types import Frozen

Ask = Literal[
    "name",
    "names",
    "location",
    "direction",
    "distance",
    "count",
    "area",
    "length",
    "kind",
    "kinds",
    "fact",
]
"""What is wanted of a feature. "kind": what kind of place it is; "kinds": which kinds there are."""
Pick = Literal["any", "nearest", "farthest", "largest", "smallest", "longest", "shortest"]
"""Which of several features is meant."""
SIZES: frozenset[Pick] = frozenset({"largest", "smallest", "longest", "shortest"})
"""Superlatives of what a feature is by itself, and not of how far it is."""
TOTALS: frozenset[Ask] = frozenset({"count", "area", "length"})
"""What is asked of all the features together."""
BESIDE_M = 50.0
"""What "next to" means where no distance is said: MapQA's (Li et al., 2025) queries take 50 m."""


class SpatialIntent(Frozen):
    """A question over all features of a map: ranges, directions, regions, totals.

    Attributes:
        what: The words for the kind asked about ("Korean restaurant with outdoor seating"); empty where none
            is named: the distance between two places, the kind of a place.
        anchor: The place measured from.
        described: The anchor is not named but told by a fact ("the university that opened in 1969").
        other: For the distance or the direction between two places: the second one.
        toward: The target must lie in the direction of this place as seen from the anchor.
        direction: ... or in this one of the eight winds.
        corner: The two streets whose crossing is measured from.
        region: The area that is searched.
        within_m, beyond_m: Greatest and least distance from the anchor.
        whole: True if what lies in the region only in part does not count.
        pick: Which of those found: the nearest or farthest, the largest or smallest by area, the longest or
            shortest by length, or any; `k`: the k-th of that order, `n`: how many are wanted.
        ask: What is asked about it. "kind": what kind of place the anchor is; "kinds": which kinds there are.
        fact: For `ask` "fact": what is asked, in the question's words.
    """

    kind: Literal["spatial"] = "spatial"
    what: str = ""
    anchor: str | None = None
    described: bool = False
    other: str | None = None
    toward: str | None = None
    direction: str | None = None
    corner: tuple[str, str] | None = None
    region: str | None = None
    within_m: float | None = None
    beyond_m: float | None = None
    whole: bool = False
    pick: Pick = "any"
    k: int = 1
    n: int | None = None
    ask: Ask = "name"
    fact: str = ""
