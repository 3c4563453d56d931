"""Text embedding ("TE"): the places whose descriptions are most like that of the reference object.

T. Cakaloglu et al., "Text embeddings for retrieval from a large knowledge base", RCIS 2020, as a baseline of
Spatial-RAG (arXiv 2502.18470, section 5.1): greedy, by the distance of the vectors of the two descriptions.
The candidates are the places of the kind; of several reference objects the most alike counts.
"""

import numpy as np

from evals.methods.place_corpus import Floats
from evals.methods.ranking import Asked, RankingMethod
from modules.recommender.describe import semantic_description


class TextEmbedding(RankingMethod):
    """The method `text-embedding`."""

    name = "text-embedding"

    async def scores(self, asked: Asked) -> Floats | None:
        """More alike is better; without a reference object there is no order."""
        if not asked.anchors:
            return None
        likeness = [await asked.likeness(semantic_description(anchor)) for anchor in asked.anchors]
        return np.asarray(np.max(likeness, axis=0), np.float64)
