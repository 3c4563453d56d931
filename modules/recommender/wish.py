"""A wish: what somebody wants recommended, in the order the paper reads it (section 4.2, appendix F.1).

Geometry first (a point, a route, a region), then the spatial function, then its parameter; beside them the
semantic part: the type of place, hard conditions, and the rest in words.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from map_tools.compute.geodesy import wind_name
from map_tools.types import Frozen, TravelMode
from modules.offline.intents import Filters, When

NEARBY_M = 1000.0
WALKABLE_M = 2000.0
NOT_TOO_FAR_M = 3000.0
"""Radii for "nearby" or "close", "walking distance" and "not too far": appendix F.1, "Point-based"."""

WALKING_BUFFER_M = 1000.0
ROUTE_BUFFER_M = 2000.0
SCENIC_BUFFER_M = 3000.0
"""Buffers of walking, general and scenic routes: appendix F.1, "Route-based"."""

SHORT_M = 500.0
"""Buffer where only what is right by the way will do: the 500 m of cases 7 and 8 (appendix G)."""

BLOCK_M = 150.0
"""A block: case 3 (appendix G.3) reads "8-10 blocks" as a radius of 1.5 km."""

WALK_M_PER_MIN = 80.0
"""Pace of a walk given in minutes, 4.8 km/h; taken as the crow flies, so that nothing in reach is lost."""


class Geometry(StrEnum):
    """What the wish is measured from."""

    POINT = "point"
    ROUTE = "route"
    REGION = "region"
    BETWEEN = "between"
    """The area between two places: a temporary geometry that no map holds (appendix B.1)."""


class SpatialFunction(StrEnum):
    """How a place must lie to that (F_s of equation 3)."""

    WITHIN_DISTANCE = "within_distance"
    """At most `distance_m` from one of the points."""
    WITHIN_BUFFER = "within_buffer"
    """At most `distance_m` from the route."""
    CONTAINED = "contained"
    """Inside the region, or the area between two places."""


class Emphasis(StrEnum):
    """What the wording stresses."""

    BALANCED = "balanced"
    DISTANCE = "distance"
    QUALITY = "quality"


type Wind = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

type Share = Annotated[float, Field(ge=0, le=10)]
"""How much something counts, beside others."""


class Wish(Frozen):
    """A recommendation that is wanted.

    Attributes:
        text: The words that were read.
        geometry: What is measured from, and `anchors` the places it is made of: the points (one is enough),
            the two ends of the route, the region, or the two places between which it lies.
        corners: The two streets of each anchor that is a corner.
        wind: One of the eight winds: the side of the point on which a place must lie ("north of the
            station"), or the part of the region.
        mode: How the route is travelled.
        function: How a place must lie to the geometry.
        distance_m: Its parameter; None for a region.
        stated_distance: The question gives the parameter itself ("8-10 blocks"), it is not a default.
        target: "restaurant", "hotel" or "attraction" (appendix F.2), and `categories` the category ids.
        what: The kind of place in the question's words.
        filters: Hard conditions. These, `cuisines`, `no_chain` and `meal` bind in the program that is written
            of the wish; the recommender itself only ranks.
        cuisines: Kinds of food, one of which is wanted.
        no_chain: Chains are ruled out.
        meal: "breakfast", "brunch", "lunch", "dinner" or "late", and `meal_on` its day (None: today).
        spatial_words, semantic_words: The wishes recognised, by their keys ("waterfront", "cosy").
        unwanted_words: Those that the question says it does not want ("not looking for fine dining").
        spatial_text, semantic_text: The spatial and the semantic sentence, masked as in sections 4.3.2 and A.
        emphasis: What the wording stresses.
        shares: How much where a place lies and what it is like count, if a language model has weighed them;
            they come before `emphasis`.
        contradictory: It stresses opposite things, so that none counts more.
        untold: Words of the question that no place, kind, condition or vocabulary explains.
        binding: It is a wish beyond doubt: advice is asked for, with wishes that no other reading heeds.
    """

    text: str = ""
    geometry: Geometry
    anchors: tuple[str, ...]
    corners: Mapping[str, tuple[str, str]] = Field(default_factory=dict)
    wind: Wind | None = None
    mode: TravelMode = TravelMode.WALKING
    function: SpatialFunction
    distance_m: float | None = None
    stated_distance: bool = False
    target: str = "restaurant"
    what: str
    categories: tuple[str, ...]
    filters: Filters = Filters()
    cuisines: tuple[str, ...] = ()
    no_chain: bool = False
    meal: str | None = None
    meal_on: When | None = None
    spatial_words: tuple[str, ...] = ()
    semantic_words: tuple[str, ...] = ()
    unwanted_words: tuple[str, ...] = ()
    spatial_text: str = ""
    semantic_text: str = ""
    emphasis: Emphasis = Emphasis.BALANCED
    shares: tuple[Share, Share] | None = None
    contradictory: bool = False
    untold: tuple[str, ...] = ()
    binding: bool = False

    @property
    def conditions(self) -> tuple[str, ...]:
        """What the words of the wish say a place must fulfil, in short; it binds in programs only."""
        said = list(self.cuisines)
        said += ["not a chain"] if self.no_chain else []
        stated = self.filters.model_dump(
            exclude_defaults=True, exclude={"price_levels", "services", "exclude"}
        )
        said += [name.replace("_", " ") for name in stated]
        said += [service.replace("_", " ") for service in self.filters.services]
        return (*said, *(f"not {name}" for name in self.filters.exclude))

    def with_cuisines(self) -> "Wish":
        """The wish with its kinds of food as matters of taste, where no condition asks for them."""
        text = " ".join((*self.cuisines, self.semantic_text)).strip()
        return self.model_copy(update={"semantic_text": text})

    @property
    def measured_from(self) -> str:
        """The geometry in words."""
        if self.geometry is Geometry.ROUTE:
            start, end = self.anchors
            return f"the {self.mode.value} way from {start} to {end}"
        if self.geometry is Geometry.BETWEEN:
            return f"the area between {' and '.join(self.anchors)}"
        if self.geometry is Geometry.REGION and self.wind is not None:
            return f"the part of {self.anchors[0]} in the {wind_name(self.wind)}"
        side = "" if self.wind is None else f", to the {wind_name(self.wind)}"
        return " or ".join(self.anchors) + side


BINDING, OTHER = 0.8, 0.5
"""How sure it is that a wish was understood: with every word explained, and otherwise. Of 3,737 questions of
MapQA, GS-QA and MapEval-Textual, which ask for other things, 5 are taken for a binding one; 2 of these do ask
for advice. How good a recommendation is to anybody's taste is measured on made-up wishes only."""


def confidence_in(wish: Wish) -> float:
    """0 to 1: how sure the reading of a question as this wish is."""
    return BINDING if wish.binding and not wish.untold else OTHER
