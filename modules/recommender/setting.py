"""The settings of the recommender: the section `[modules.recommender]` of a configuration file."""

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from map_tools.embed.embedders import REMOTE, Embedder, EmbedSetting, open_embedder
from map_tools.embed.index import Precision
from map_tools.types import Frozen
from mapagent.runtime.config import Settings, default_data_home, read_section

SECTION = "recommender"
RERANKED = 20
"""At most so many candidates reach the final choice, as in the paper's case studies (appendix G)."""

type Part = Literal["sparse", "dense_spatial", "dense_semantic", "pareto", "rerank"]
"""A part that can be left out, as in the paper's Table 4."""


FOLDER = "vectors"
"""Where, below the data home, vectors are kept."""


class RecommenderSetting(Frozen):
    """What can be set.

    Attributes:
        embed: The embedding model of descriptions and wishes.
        places: Of how many places scores and reasons are told.
        vectors: Where vectors of maps are kept; by default the folder `vectors` of the data home.
        precision: How vectors of maps are kept: "float16", or "int8" in half the room.
        model: The language model that re-ranks; empty: the settings' model.
        shortlist: How many of the best it puts in order; each takes it some forty tokens to read.
        reading: Who understands wishes where a language model is at hand: "auto" asks it only for what the
            vocabularies leave open, "model" always.
        without: Parts that are left out, to measure what they are worth.
    """

    embed: EmbedSetting = EmbedSetting()
    places: Annotated[int, Field(ge=1, le=20)] = 3
    vectors: Path = Field(default_factory=lambda: default_data_home(os.environ) / FOLDER)
    precision: Precision = "float16"
    model: str = ""
    shortlist: Annotated[int, Field(ge=2, le=RERANKED)] = RERANKED
    reading: Literal["auto", "model"] = "auto"
    without: frozenset[Part] = frozenset()

    @classmethod
    def of(cls, settings: Settings) -> "RecommenderSetting":
        """The section of some settings; what it leaves out is as for language models and maps.

        Raises:
            ConfigError: Something in it is unknown or wrong.
        """
        own = read_section(cls, settings, SECTION, see="docs/recommender.md")
        embed = own.embed
        if embed.model.startswith(REMOTE) and not embed.api_key.get_secret_value() and settings.api_key:
            embed = embed.model_copy(update={"api_key": settings.api_key})
        vectors = own.vectors if "vectors" in own.model_fields_set else settings.data_home / FOLDER
        return own.model_copy(update={"embed": embed, "vectors": vectors})

    def embedder(self) -> Embedder:
        """The embedder that is set.

        Raises:
            ConfigError: There is no such embedder, or it is not installed.
        """
        return open_embedder(self.embed)
