"""Reads a wish for a recommendation, without a model.

The paper has a model split the question into a spatial and a semantic sentence (appendices F.1 and F.2); here
vocabularies mark the words of taste, and the grammar of map questions reads what remains.
"""

from dataclasses import fields
from typing import Any

from mapagent.ports import NameHints
from mapagent.question import Question
from modules.offline.analyser import analyse
from modules.offline.analysis import Analysis
from modules.offline.tokens import tidy
from modules.recommender.semantic_reading import (
    SemanticReading,
    is_soft,
    read_semantics,
    sentence_of,
    target_of,
    untold,
    without,
)
from modules.recommender.spatial_reading import SpatialReading, blocks_in, placed, read_space
from modules.recommender.vocabulary import TASTES, keys_in, may_wish, phrases
from modules.recommender.wish import Emphasis, Geometry, Wish

_OTHER_ASKS = (
    "sup.nearest", "sup.farthest", "sup.best", "sup.most_reviewed", "comp", "ask.how_many", "ask.how_far",
    "ask.how_long", "ask.which_way", "ask.pair", "ask.what_time",
)  # fmt: skip
"""What other readings answer: an order by one measure, a number, a moment."""
FARTHEST_M = 25_000.0
"""Who looks farther than across a city does not weigh where a place lies against what it is like."""
ANYTHING = "attraction"
"""The type of place for kinds that are no place to eat or to stay at."""


def understand(question: Question, names: NameHints | None = None) -> Wish | None:
    """The wish a question expresses.

    Args:
        question: As it came in; one with options or supplied text asks for something else.
        names: Tells names from other words where a look-up costs nothing.

    Returns:
        None if it is no wish: no advice is asked for and nothing is said of what the place should be like, no
        type of place is looked for, or nothing is measured from.
    """
    text = tidy(question.text)
    if not _is_open(question) or not may_wish(text):
        return None
    analysis = plain_analysis(text, names)
    target = target_of(without(analysis.text, analysis.places))
    space = read_space(analysis, text)
    if target is None or space is None or analysis.has(*_OTHER_ASKS):
        return None
    if (space.distance_m or 0.0) > FARTHEST_M:
        return None
    wish = _wish(text, analysis, target, space)
    return wish if wish.binding or _tastes_of(wish) or wish.geometry is Geometry.ROUTE else None


def read_wish(text: str, names: NameHints | None, *, near: str = "", inside: str = "") -> Wish | None:
    """The wish that some words express which are known to be one.

    Args:
        text: The words.
        names: As for `understand`.
        near: What the place lies near of, where the words need not say it.
        inside: What it lies in, likewise.

    Returns:
        None if they name no kind of place, or nothing is measured from.
    """
    text = tidy(text)
    analysis = plain_analysis(text, names)
    kinds = bool(analysis.kinds)
    target = target_of(without(analysis.text, analysis.places)) or (ANYTHING if kinds else None)
    if near or inside:
        space: SpatialReading | None = placed(analysis, text, near=near, inside=inside)
    else:
        space = read_space(analysis, text)
    return None if target is None or space is None else _wish(text, analysis, target, space)


def _is_open(question: Question) -> bool:
    """False for a question with options, supplied text or a picture: it asks for something else."""
    return not (question.options or question.context is not None or question.image is not None)


def plain_analysis(text: str, names: NameHints | None) -> Analysis:
    """The analysis of a text without its words of taste and scale, so that names are names of places."""
    said = [found for section in (*TASTES, "scale", "part", "hearsay") for found in phrases(section, text)]
    return analyse(without(text, (*said, *blocks_in(text))), names)


def _wish(text: str, analysis: Analysis, target: str, space: SpatialReading) -> Wish:
    spatial = phrases("spatial", text)
    spatial_words = tuple(sorted({found.value for found in spatial}))
    semantics = read_semantics(analysis, text, target)
    stressed = keys_in("weights", text)
    wish = Wish(
        **_fields_of(space),
        **_fields_of(semantics),
        text=text,
        target=target,
        spatial_words=spatial_words,
        spatial_text=sentence_of(text, spatial),
        emphasis=Emphasis(*stressed) if len(stressed) == 1 else Emphasis.BALANCED,
        contradictory=len(stressed) > 1,
        untold=untold(analysis),
    )
    binding = _binds(wish, analysis, keys_in("frame", text))
    return wish.model_copy(update={"binding": binding})


def _binds(wish: Wish, analysis: Analysis, frames: frozenset[str]) -> bool:
    """Whether something is a wish beyond doubt: advice is asked for, with tastes that nothing else heeds."""
    tastes = _tastes_of(wish) + (wish.meal is not None)
    if tastes > 1 or (tastes and wish.geometry is Geometry.ROUTE):
        return True
    return bool(frames) and bool(tastes or wish.untold or is_soft(analysis))


def _tastes_of(wish: Wish) -> int:
    """How many wishes the vocabularies recognise."""
    return len((*wish.spatial_words, *wish.semantic_words, *wish.unwanted_words)) + wish.no_chain


def _fields_of(reading: SpatialReading | SemanticReading) -> dict[str, Any]:
    """A reading's fields, which a wish has under the same names."""
    return {field.name: getattr(reading, field.name) for field in fields(reading)}
