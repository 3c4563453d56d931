"""Reads a wish with a language model (appendices F.1 and F.2): first where, then what.

The model copies words and chooses among a few; metres and categories are made of them by the same code that
reads wishes without a model. A place that the wish does not name is never searched around.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from map_tools.tools.base import HERE_WORDS
from map_tools.types import TravelMode
from mapagent.ports import Account, NameHints
from modules.offline.analyser import analyse
from modules.offline.analysis import Analysis
from modules.offline.intents import HERE
from modules.offline.tokens import tidy
from modules.recommender.model import WishModel, data, is_quoted
from modules.recommender.semantic_reading import kind_of, read_semantics
from modules.recommender.spatial_reading import (
    FUNCTIONS,
    Corner,
    SpatialReading,
    corners_in,
    default_reach_m,
    placed,
    stated_reach_m,
    wind_of,
    with_corners,
)
from modules.recommender.understand import plain_analysis
from modules.recommender.vocabulary import keys_in
from modules.recommender.wish import Geometry, SpatialFunction, Wish

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
    spatial: str = ""
    semantic: str = ""
    where_counts: int = Field(default=5, ge=0, le=10)
    what_counts: int = Field(default=5, ge=0, le=10)


async def read_with(
    model: WishModel,
    text: str,
    names: NameHints | None,
    account: Account,
    *,
    near: str = "",
    inside: str = "",
) -> Wish | None:
    """The wish that some words express, as a model reads them.

    Args:
        model: The model; the calls count among those of the question.
        text: The words.
        names: Tells names from other words where a look-up costs nothing.
        account: What the calls are charged to.
        near: What the place lies near of, where that is settled: the model is then not asked where.
        inside: What it lies in, likewise.

    Returns:
        None if the model names no place that the words have (the trace says so).

    Raises:
        LimitError: A budget is spent.
        ModelError: The server cannot be reached or refuses, or the replies fit no form.
    """
    plain = tidy(text)
    values = {"question": data(text)}
    analysis = plain_analysis(plain, names)
    if near or inside:
        space: SpatialReading | None = placed(analysis, plain, near=near, inside=inside)
    else:
        where = await model.ask(WHERE, values, Where, account)
        space = _space(where, text, analysis)
        if space is None:
            account.trace.event("wish.refused", reason=f"No place of the question among {where.places}.")
    if space is None:
        return None
    what = await model.ask(WHAT, values, What, account)
    return _wish(plain, analysis, what, space)


def _space(where: Where, text: str, analysis: Analysis) -> SpatialReading | None:
    """Geometry, function and parameter: steps 1 to 3, of the words that the model has marked."""
    corners = corners_in(analysis)
    found = _geometry(where, text, corners)
    if found is None:
        return None
    geometry, anchors = found
    function, mode = FUNCTIONS[geometry], TravelMode(where.travel)
    stated_m = _stated_m(where, text, function)
    return SpatialReading(
        geometry=geometry,
        anchors=anchors,
        wind=wind_of(geometry, analysis, tidy(text)),
        mode=mode,
        function=function,
        distance_m=stated_m or default_reach_m(function, _scales(where), mode),
        stated_distance=stated_m is not None,
        corners={corner.words: corner.streets for corner in corners if corner.words in anchors},
    )


def _geometry(where: Where, text: str, corners: Sequence[Corner]) -> tuple[Geometry, tuple[str, ...]] | None:
    """Step 1, with the rules of F.1: a way has two ends, and what is no way and no region is a point."""
    named = [one for one in where.places if one.casefold() in HERE_WORDS or is_quoted(one, text)]
    places = (HERE if one.casefold() in HERE_WORDS else one.strip() for one in named)
    anchors = with_corners(places, corners)
    if not anchors:
        return None
    if where.query_type == "route" and len(anchors) == 2:
        return Geometry.ROUTE, anchors
    if where.query_type == "region" and len(anchors) == 1 and anchors != (HERE,):
        return Geometry.REGION, anchors
    return Geometry.POINT, anchors


def _wish(text: str, analysis: Analysis, what: What, space: SpatialReading) -> Wish:
    """The wish: the model's words on taste, conditions as the exact grammar reads them."""
    categories, kind = kind_of(analyse(what.kind), what.type)
    semantics = asdict(read_semantics(analysis, text, what.type)) | {
        "what": kind,
        "categories": categories,
        "semantic_words": tuple(sorted(keys_in("semantic", what.semantic))),
        "semantic_text": what.semantic.strip(),
    }
    return Wish(
        **asdict(space),
        **semantics,
        text=text,
        target=what.type,
        spatial_words=tuple(sorted(keys_in("spatial", what.spatial))),
        spatial_text=what.spatial.strip(),
        shares=(float(what.where_counts), float(what.what_counts)),
    )


def _stated_m(where: Where, text: str, function: SpatialFunction) -> float | None:
    """The distance that the wish states, if the words are its own."""
    if function is SpatialFunction.CONTAINED or not is_quoted(where.distance, text):
        return None
    return stated_reach_m(analyse(where.distance), where.distance)


def _scales(where: Where) -> frozenset[str]:
    said = {_SCALES[where.closeness]} - {""} | ({"scenic"} if where.scenic else set())
    return frozenset(said)
