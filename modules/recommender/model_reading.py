"""Reads a wish with a language model (appendix F.2): what kind of place, and what it should be like.

The model names a kind and writes two sentences; categories are made of its words by the same code that reads
wishes without a model. Where the place should be is said by the program, and never asked.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from mapagent.core.ports import RequestContext
from modules.recommender.model import WishModel, data
from modules.recommender.recommendation_query import RecommendationQuery
from modules.recommender.understand import all_of, kinds_of, read_wish
from modules.recommender.vocabulary import keys_in

WHAT = "what"


class What(BaseModel):
    """What a place should be, and what it should be like."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["restaurant", "hotel", "attraction"]
    kind: str = ""
    spatial: str = ""
    semantic: str = ""
    where_counts: int = Field(default=5, ge=0, le=10)
    what_counts: int = Field(default=5, ge=0, le=10)


async def read_with(model: WishModel, text: str, request_context: RequestContext) -> RecommendationQuery:
    """The wish that some words express, as a model reads them.

    Args:
        model: The model; the call counts among those of the question.
        text: The words.
        request_context: What the call is charged to.

    Raises:
        LimitError: A budget is spent.
        ModelError: The server cannot be reached or refuses, or the reply fits no form.
    """
    said = await model.ask(WHAT, {"question": data(text)}, What, request_context)
    categories, what = kinds_of(said.kind) or all_of(said.type)
    plain = read_wish(text) or RecommendationQuery(text=text, what=what, categories=categories)
    return plain.model_copy(
        update={
            "what": what,
            "categories": categories,
            "spatial_words": tuple(sorted(keys_in("spatial", said.spatial))),
            "semantic_words": tuple(sorted(keys_in("semantic", said.semantic))),
            "spatial_text": said.spatial.strip(),
            "semantic_text": said.semantic.strip(),
            "shares": (float(said.where_counts), float(said.what_counts)),
        }
    )
