"""A wish: what somebody wants recommended, as its words say it; where it should be is said by the program."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from map_tools.types import Frozen


class Emphasis(StrEnum):
    """What the wording stresses."""

    BALANCED = "balanced"
    DISTANCE = "distance"
    QUALITY = "quality"


type Share = Annotated[float, Field(ge=0, le=10)]
"""How much something counts, beside others."""


class RecommendationQuery(Frozen):
    """A recommendation that is wanted.

    Attributes:
        text: The words that were read.
        what: The kinds of places in words, and `categories` their ids.
        conditions: What its words say of cuisines, services and chains: programs bind these by where=.
        scales: How near is near, by keys of the vocabulary's section "scale".
        spatial_words, semantic_words: The tastes recognised, by their keys ("waterfront", "cosy").
        unwanted_words: Those that it says it does not want ("not looking for fine dining").
        spatial_text, semantic_text: The spatial and the semantic sentence, masked as in sections 4.3.2 and A.
        emphasis: What the wording stresses.
        shares: How much where a place lies and what it is like count, if a language model has weighed them;
            they come before `emphasis`.
        contradictory: It stresses opposite things, so that none counts more.
        untold: Words of it that no kind, condition or vocabulary explains.
    """

    text: str = ""
    what: str
    categories: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    scales: frozenset[str] = frozenset()
    spatial_words: tuple[str, ...] = ()
    semantic_words: tuple[str, ...] = ()
    unwanted_words: tuple[str, ...] = ()
    spatial_text: str = ""
    semantic_text: str = ""
    emphasis: Emphasis = Emphasis.BALANCED
    shares: tuple[Share, Share] | None = None
    contradictory: bool = False
    untold: tuple[str, ...] = ()
