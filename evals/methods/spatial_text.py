"""Spatial-text ("ST"): likeness of question and description, and distance, averaged.

A baseline of Spatial-RAG (arXiv 2502.18470, section 5.1), which encodes the location "as a distance score"
and does not say how; the paper's own 1 / (1 + kilometres) of equation 5 is taken.
"""

from evals.methods.place_corpus import Floats
from evals.methods.ranking import M_PER_KM, Asked, RankingMethod


class SpatialText(RankingMethod):
    """The method `spatial-text`."""

    name = "spatial-text"

    async def scores(self, asked: Asked) -> Floats | None:
        """The average of both; the likeness alone where nothing is measured from."""
        likeness = await asked.likeness(asked.question.text)
        distances_m = asked.distances_m()
        return likeness if distances_m is None else (likeness + 1.0 / (1.0 + distances_m / M_PER_KM)) / 2
