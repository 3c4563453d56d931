"""Sort-by-distance ("SD"): the places of the kind, nearest to the reference object first.

D. Contractor et al., "Joint spatio-textual reasoning for answering tourism questions", WWW 2021, as a
baseline of Spatial-RAG (arXiv 2502.18470, section 5.1). Of several reference objects the nearest counts.
"""

from evals.methods.place_corpus import Floats
from evals.methods.ranking import Asked, RankingMethod


class SortByDistance(RankingMethod):
    """The method `sort-by-distance`."""

    name = "sort-by-distance"

    async def scores(self, asked: Asked) -> Floats | None:
        """Nearer is better; without a reference object there is no order."""
        distances_m = asked.distances_m()
        return None if distances_m is None else -distances_m
