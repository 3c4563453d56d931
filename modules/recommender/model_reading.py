"""Reads a wish with a language model (appendices F.1 and F.2): first where, then what.

The model copies words and chooses among a few; metres, categories and conditions are made of them by the same
code that reads wishes without a model. A place that the question does not name is never searched around.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from map_tools.tools.base import HERE_WORDS
from map_tools.types import TravelMode
from mapagent.ports import Account, NameHints
from mapagent.question import Question
from modules.offline.analyser import analyse
from modules.offline.analysis import Analysis
from modules.offline.intents import HERE
from modules.offline.tokens import tidy
from modules.planner.conversation import Conversation
from modules.planner.quoting import data, is_quoted
from modules.recommender.corners import Corner, corners_in, with_corners
from modules.recommender.semantic_reading import cuisines_of, filters_of, kind_of, meal_day
from modules.recommender.spatial_reading import FUNCTIONS, default_reach_m, stated_reach_m, wind_of
from modules.recommender.understand import plain_analysis
from modules.recommender.vocabulary import keys_in
from modules.recommender.wish import Geometry, SpatialFunction, Wish

PACKAGE = "modules.recommender"
WHERE, WHAT = "where", "what"
MAX_ANCHORS = 4
_SCALES: Mapping[str, str] = {"nearby": "", "walking distance": "walkable", "not too far": "far"}
"""The model's words for how near is near, as keys of the vocabulary."""


class Where(BaseModel):
    """Where a place should be."""

    model_config = ConfigDict(extra="forbid")

    query_type: Literal["point", "route", "region"]
    places: list[str] = Field(max_length=MAX_ANCHORS)
    closeness: Literal["nearby", "walking distance", "not too far"] = "nearby"
    distance: str = ""
    travel: Literal["walking", "bicycling", "driving"] = "walking"
    scenic: bool = False


class What(BaseModel):
    """What a place should be, and what it should be like."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["restaurant", "hotel", "attraction"]
    kind: str = ""
    cuisines: list[str] = Field(default_factory=list)
    meal: Literal["breakfast", "brunch", "lunch", "dinner", "late", "none"] = "none"
    no_chain: bool = False
    avoid: list[str] = Field(default_factory=list)
    spatial: str = ""
    semantic: str = ""
    where_counts: int = Field(default=5, ge=0, le=10)
    what_counts: int = Field(default=5, ge=0, le=10)


class WishReader:
    """Asks a model what somebody wants recommended.

    Args:
        conversation: The model; the calls count among those of the question.
    """

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation.within(PACKAGE)

    async def read(self, question: Question, names: NameHints | None, account: Account) -> Wish | None:
        """The wish of a question; None if the model names no place that the question has (the trace says so).

        Raises:
            LimitError: A budget is spent.
            ModelReplyError: The model's replies fit no form.
            ModelError: The server cannot be reached or refuses.
        """
        values = {"question": data(question.text)}
        where = await self._conversation.ask(WHERE, values, Where, account=account)
        analysis = plain_analysis(tidy(question.text), names)
        corners = corners_in(analysis)
        footprint = _geometry(where, question, corners)
        if footprint is None:
            account.trace.event("wish.refused", reason=f"No place of the question among {where.places}.")
            return None
        what = await self._conversation.ask(WHAT, values, What, account=account)
        wish = _wish(question, analysis, where, what, footprint)
        met = {corner.words: corner.streets for corner in corners if corner.words in wish.anchors}
        return wish.model_copy(update={"corners": met})


def _geometry(
    where: Where, question: Question, corners: Sequence[Corner]
) -> tuple[Geometry, tuple[str, ...]] | None:
    """Step 1, with the rules of F.1: a way has two ends, and what is no way and no region is a point."""
    named = [one for one in where.places if one.casefold() in HERE_WORDS or is_quoted(one, question.text)]
    places = (HERE if one.casefold() in HERE_WORDS else one.strip() for one in named)
    anchors = with_corners(places, corners)
    if not anchors:
        return None
    if where.query_type == "route" and len(anchors) == 2:
        return Geometry.ROUTE, anchors
    if where.query_type == "region" and len(anchors) == 1 and anchors != (HERE,):
        return Geometry.REGION, anchors
    return Geometry.POINT, anchors


def _wish(
    question: Question,
    analysis: Analysis,
    where: Where,
    what: What,
    footprint: tuple[Geometry, tuple[str, ...]],
) -> Wish:
    """The wish: steps 2 and 3 and the conditions, worked out from the words that the model has marked."""
    geometry, anchors = footprint
    function, mode = FUNCTIONS[geometry], TravelMode(where.travel)
    stated_m = _stated_m(where, question, function)
    meal = None if what.meal == "none" else what.meal
    filters = filters_of(analysis)
    avoided = (one for one in what.avoid if is_quoted(one, question.text))
    categories, kind = kind_of(analyse(what.kind), what.type)
    quoted = " ".join(one for one in what.cuisines if is_quoted(one, question.text))
    return Wish(
        geometry=geometry,
        anchors=anchors,
        wind=wind_of(geometry, analysis, tidy(question.text)),
        mode=mode,
        function=function,
        distance_m=stated_m or default_reach_m(function, _scales(where), mode),
        stated_distance=stated_m is not None,
        target=what.type,
        what=kind,
        categories=categories,
        filters=filters.model_copy(update={"exclude": tuple(dict.fromkeys((*filters.exclude, *avoided)))}),
        cuisines=cuisines_of(analyse(quoted)),
        no_chain=what.no_chain,
        meal=meal,
        meal_on=meal_day(meal, analysis),
        spatial_words=tuple(sorted(keys_in("spatial", what.spatial))),
        semantic_words=tuple(sorted(keys_in("semantic", what.semantic))),
        spatial_text=what.spatial.strip(),
        semantic_text=what.semantic.strip(),
        shares=(float(what.where_counts), float(what.what_counts)),
    )


def _stated_m(where: Where, question: Question, function: SpatialFunction) -> float | None:
    """The distance that the question states, if the words are its own."""
    if function is SpatialFunction.CONTAINED or not is_quoted(where.distance, question.text):
        return None
    return stated_reach_m(analyse(where.distance), where.distance)


def _scales(where: Where) -> frozenset[str]:
    said = {_SCALES[where.closeness]} - {""} | ({"scenic"} if where.scenic else set())
    return frozenset(said)
