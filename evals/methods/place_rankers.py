"""Spatial-RAG's baselines: by distance, by likeness, by both, naive RAG, GeoLLM.

Sort-by-distance ("SD") puts the nearest places of the kind first; text embedding ("TE") those whose descriptions are
most like that of the reference object; spatial-text ("ST") averages likeness and distance. Naive RAG lets a language
model rank the places most like the question. GeoLLM asks for the model's own knowledge, with the reference object's
coordinates, address and neighbours.
"""

from collections.abc import Iterator

import numpy as np

from evals.methods.loop import Episode
from evals.methods.ranking import (
    M_PER_KM,
    NAMED,
    Asked,
    AskingMethod,
    CorpusHolder,
    Floats,
    PlaceCorpus,
    RankingMethod,
    named,
    read_task,
)
from evals.ports import EvalContext, Method, Task
from map_tools.compute.geodesy import bearing_deg, distance_m, wind, wind_name
from map_tools.errors import UnknownNameError
from map_tools.types import Place
from mapagent.core.answer import Answer
from mapagent.core.ports import RequestContext
from mapagent.core.rendering import clean
from modules.recommender.describe import semantic_description


class SortByDistance(RankingMethod):
    """The method `sort-by-distance`.

    D. Contractor et al., "Joint spatio-textual reasoning for answering tourism questions", WWW 2021, as a
    baseline of Spatial-RAG (arXiv 2502.18470, section 5.1). Of several reference objects the nearest counts.
    """

    name = "sort-by-distance"

    async def scores(self, asked: Asked) -> Floats | None:
        """Nearer is better; without a reference object there is no order."""
        distances_m = asked.distances_m()
        return None if distances_m is None else -distances_m


class TextEmbedding(RankingMethod):
    """The method `text-embedding`.

    T. Cakaloglu et al., "Text embeddings for retrieval from a large knowledge base", RCIS 2020, as a baseline
    of Spatial-RAG (arXiv 2502.18470, section 5.1): greedy, by the distance of the vectors of the two
    descriptions. The candidates are the places of the kind; of several reference objects the most alike
    counts.
    """

    name = "text-embedding"

    async def scores(self, asked: Asked) -> Floats | None:
        """More alike is better; without a reference object there is no order."""
        if not asked.anchors:
            return None
        likeness = [await asked.likeness(semantic_description(anchor)) for anchor in asked.anchors]
        return np.asarray(np.max(likeness, axis=0), np.float64)


class SpatialText(RankingMethod):
    """The method `spatial-text`.

    A baseline of Spatial-RAG (arXiv 2502.18470, section 5.1), which encodes the location "as a distance
    score" and does not say how; the paper's own 1 / (1 + kilometres) of equation 5 is taken.
    """

    name = "spatial-text"

    async def scores(self, asked: Asked) -> Floats | None:
        """The average of both; the likeness alone where nothing is measured from."""
        likeness = await asked.likeness(asked.question.text)
        distances_m = asked.distances_m()
        return likeness if distances_m is None else (likeness + 1.0 / (1.0 + distances_m / M_PER_KM)) / 2


RETRIEVED = 20
"""Places put before the model: as many as Spatial-RAG itself re-ranks (appendix G)."""
SHOWN_CHARS = 300
"""Of each description: twenty of them fit the context of a small model."""
RETRIEVAL = "retrieval"


class NaiveRag(AskingMethod):
    """The method `naive-rag`.

    P. Lewis et al., "Retrieval-augmented generation for knowledge-intensive NLP tasks", NeurIPS 2020, as a
    baseline of Spatial-RAG (arXiv 2502.18470, section 5.1): the descriptions of all places stand in one
    vector store, the most relevant are retrieved by likeness alone, and the model answers from them.

    `naive-rag:retrieval` names them in the order of retrieval: what the model has to work with, without a
    model.
    """

    name = "naive-rag"

    def variant(self, variant: str) -> Method:
        """`retrieval`, the order without a model.

        Raises:
            UnknownNameError: Another one is asked for.
        """
        if variant != RETRIEVAL:
            raise UnknownNameError(f"There is no variant 'naive-rag:{variant}'.", f"Known: {RETRIEVAL}.")
        return RetrievalOnly()

    async def context(
        self,
        episode: Episode,  # noqa: ARG002
        task: Task,
        context: EvalContext,  # noqa: ARG002
        corpus: PlaceCorpus,
    ) -> list[str]:
        """The places most like the question."""
        found = await _best(corpus, task, RETRIEVED)
        lines = (_line(number, place) for number, place in enumerate(found, 1))
        return ["\n".join(("Places found:", *lines))]


class RetrievalOnly:
    """The variant `naive-rag:retrieval`: likeness to the question alone, whatever the kind of place."""

    name = f"naive-rag:{RETRIEVAL}"

    def __init__(self) -> None:
        self._holder = CorpusHolder()

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:  # noqa: ARG002 (free of charge)
        """The places most like the question.

        Raises:
            UnsupportedError: The map does not lie on this machine.
        """
        places = await _best(await self._holder.corpus(context), task, task.ranked or NAMED)
        return named(list(dict.fromkeys(place.name for place in places)), ())

    async def close(self) -> None:
        """Frees the corpus."""
        await self._holder.close()


async def _best(corpus: PlaceCorpus, task: Task, count: int) -> list[Place]:
    numbers = range(len(corpus.places))
    likeness = await corpus.cosines(task.question.text, numbers)
    return [corpus.places[number] for number in (-likeness).argsort(kind="stable")[:count]]


def _line(number: int, place: Place) -> str:
    address = f", {place.address}" if place.address else ""
    told = semantic_description(place)[:SHOWN_CHARS]
    return clean(f"{number}. {place.name} (at {place.location}{address}): {told}")


NEIGHBOURS = 40
"""Nearby places in the prompt."""


class GeoLlm(AskingMethod):
    """The method `geollm`.

    R. Manvi et al., "GeoLLM: Extracting geospatial knowledge from large language models", ICLR 2024
    (https://arxiv.org/abs/2310.06213): a prompt of coordinates, address and a list "Nearby Places" with
    distance and direction of each, as a baseline of Spatial-RAG (arXiv 2502.18470, section 5.1).

    Necessarily changed: the paper lists the ten nearest places of any kind and predicts a number; here they
    are of the kind asked for, more of them, and the model recommends among them.
    """

    name = "geollm"

    async def context(
        self,
        episode: Episode,
        task: Task,
        context: EvalContext,  # noqa: ARG002
        corpus: PlaceCorpus,
    ) -> list[str]:
        """The surroundings of each reference object."""
        asked = await read_task(task, self.reader, corpus, episode.tools)
        return ["\n".join(_surroundings(anchor, asked)) for anchor in asked.anchors]


def _surroundings(anchor: Place, asked: Asked) -> Iterator[str]:
    """The prompt of the paper: coordinates, address, nearby places with distance and direction."""
    yield clean(f"{anchor.name}. Coordinates: ({anchor.location}). Address: {anchor.address or 'unknown'}.")
    yield "Nearby places:"
    measured = _measured(anchor, asked)
    for length_m, toward, place in sorted(measured, key=lambda entry: (entry[0], entry[2].name))[:NEIGHBOURS]:
        yield clean(f"{length_m / M_PER_KM:.1f} km {toward}: {place.name}")


def _measured(anchor: Place, asked: Asked) -> Iterator[tuple[float, str, Place]]:
    """(distance in metres, direction, place) of each candidate, as seen from a reference object."""
    for place in asked.places:
        if anchor.location is not None and place.location is not None:
            toward = wind_name(wind(bearing_deg(anchor.location, place.location)))
            yield distance_m(anchor.location, place.location), toward, place
