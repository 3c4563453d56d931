"""Naive RAG: the places whose descriptions are most like the question, ranked by a language model.

P. Lewis et al., "Retrieval-augmented generation for knowledge-intensive NLP tasks", NeurIPS 2020, as a
baseline of Spatial-RAG (arXiv 2502.18470, section 5.1): the descriptions of all places stand in one vector
store, the most relevant are retrieved by likeness alone, and the model answers from them.

`naive-rag:retrieval` names them in the order of retrieval: what the model has to work with, without a model.
"""

from evals.methods.loop import Attempt
from evals.methods.place_corpus import PlaceCorpus
from evals.methods.ranking import NAMED, AskingMethod, CorpusHolder, named
from evals.ports import Desk, Method, Task
from map_tools.errors import UnknownNameError
from map_tools.types import Place
from mapagent.answer import Answer
from mapagent.facttext import clean
from mapagent.ports import Account
from modules.recommender.describe import semantic_description

RETRIEVED = 20
"""Places put before the model: as many as Spatial-RAG itself re-ranks (appendix G)."""
SHOWN_CHARS = 300
"""Of each description: twenty of them fit the context of a small model."""
RETRIEVAL = "retrieval"


class NaiveRag(AskingMethod):
    """The method `naive-rag`."""

    name = "naive-rag"

    def variant(self, variant: str) -> Method:
        """`retrieval`, the order without a model.

        Raises:
            UnknownNameError: Another one is asked for.
        """
        if variant != RETRIEVAL:
            raise UnknownNameError(f"There is no variant 'naive-rag:{variant}'.", f"Known: {RETRIEVAL}.")
        return RetrievalOnly()

    async def context(self, attempt: Attempt, task: Task, desk: Desk, corpus: PlaceCorpus) -> list[str]:  # noqa: ARG002
        """The places most like the question."""
        found = await _best(corpus, task, RETRIEVED)
        lines = (_line(number, place) for number, place in enumerate(found, 1))
        return ["\n".join(("Places found:", *lines))]


class RetrievalOnly:
    """The variant `naive-rag:retrieval`: likeness to the question alone, whatever the kind of place."""

    name = f"naive-rag:{RETRIEVAL}"

    def __init__(self) -> None:
        self._holder = CorpusHolder()

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:  # noqa: ARG002 (free of charge)
        """The places most like the question.

        Raises:
            UnsupportedError: The map does not lie on this machine.
        """
        places = await _best(await self._holder.corpus(desk), task, task.ranked or NAMED)
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
