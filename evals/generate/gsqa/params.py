"""What fills a template: ids and numbers only, so that a question can be solved again on another map."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

type Relation = Literal["agree", "contains", "intersects"]


class UnfitError(Exception):
    """These parameters make no good question; the message says why, in words that can be counted."""


@dataclass(frozen=True, slots=True)
class Options:
    """What kinds of questions are let in beside the published ones (GS-QA, sections 3.2 and 3.4).

    Attributes:
        ambiguous_anchors: Anchors whose name others have too.
        same_category: Anchors of the category that is asked for.
        empty: Questions without an answer: an empty set of places, or the count 0.
        relation: What "in" a region means. "agree" takes only questions where containment and intersection
            have the same answer; the others say in the question which of them is meant.
    """

    ambiguous_anchors: bool = False
    same_category: bool = False
    empty: bool = False
    relation: Relation = "agree"


@dataclass(frozen=True, slots=True)
class Params:
    """The slots of a template; empty where it has none.

    Attributes:
        tag, narrowed: The kind asked for (`Kind.tag`, `Kind.narrowed`).
        anchor, target, region: OpenStreetMap ids.
        direction: A wind.
        fact: The key of the fact of T7 and T8.
    """

    template: str
    tag: str
    narrowed: str = ""
    radius_m: float = 0.0
    direction: str = ""
    anchor: str = ""
    target: str = ""
    region: str = ""
    fact: str = ""

    def record(self) -> dict[str, Any]:
        """For the file; `Params(**record)` reads it back."""
        return asdict(self)
