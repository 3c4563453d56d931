"""What Spatial-RAG's baselines share: the reading of a question, its candidates, an answer of the best few.

The paper has a language model read what a question is measured from and which kind of place it wants. Here
all baselines get the reading that `mapagent` itself works from, so none is held back by its language; they
differ in how they choose, and in that alone.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evals.methods.loop import Attempt, run_agent
from evals.methods.place_corpus import Floats, PlaceCorpus
from evals.methods.tools import MapTools
from evals.ports import Desk, Task
from map_tools.facts import PlaceFact
from map_tools.maps.geodesic import geodesic_m
from map_tools.types import Place
from mapagent.answer import Answer, NameSet, Status
from mapagent.evidence import Evidence
from mapagent.ports import Account, NameHints, ToolCall
from mapagent.question import Question
from modules.offline.analyser import analyse
from modules.recommender.semantic_reading import target_of
from modules.recommender.understand import understand
from modules.recommender.vocabulary import category_of

NAMED = 10
"""So many places are named where the task does not say how many."""
M_PER_KM = 1000.0


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question says of where and what.

    Attributes:
        anchors: The places it names, in its words.
        categories: The category ids it asks for; empty if it says no kind.
    """

    anchors: tuple[str, ...]
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the candidates for its answer.

    Attributes:
        anchors: The reference objects, as far as the map knows them.
        candidates: Numbers in the corpus: the places of the kind asked for, without the anchors.
    """

    question: Question
    reading: Reading
    anchors: tuple[Place, ...]
    corpus: PlaceCorpus
    candidates: Sequence[int]

    @property
    def places(self) -> list[Place]:
        """The candidates."""
        return [self.corpus.places[number] for number in self.candidates]

    def distances_m(self) -> Floats | None:
        """How far each candidate is from the nearest reference object; None without one."""
        spots = [place.location for place in self.anchors if place.location is not None]
        locations = [place.location for place in self.places]
        if not spots:
            return None
        lats = np.array([location.lat for location in locations if location is not None], np.float64)
        lngs = np.array([location.lng for location in locations if location is not None], np.float64)
        lengths_m = np.array([geodesic_m(spot.lat, spot.lng, lats, lngs) for spot in spots], np.float64)
        return np.asarray(lengths_m.min(axis=0), np.float64)

    async def likeness(self, text: str) -> Floats:
        """How alike a text and the description of each candidate are."""
        return await self.corpus.cosines(text, self.candidates)


def read_question(question: Question, names: NameHints | None) -> Reading:
    """Reads anchors and kind: as a wish if it is one, else as any question about a map."""
    wish = understand(question, names)
    if wish is not None:
        return Reading(wish.anchors, wish.categories)
    analysis = analyse(question.text, names)
    kinds = tuple(dict.fromkeys(one for mark in analysis.kinds for one in mark.value.ids))
    target = target_of(analysis.text)
    anchors = dict.fromkeys(part.place for mention in analysis.places for part in mention.split())
    return Reading(tuple(anchors), kinds or ((category_of(target),) if target else ()))


class CorpusHolder:
    """Opens the corpus of a run's map once, however many questions are under way."""

    def __init__(self) -> None:
        self._held: tuple[Desk, PlaceCorpus] | None = None
        self._opening = asyncio.Lock()

    async def corpus(self, desk: Desk) -> PlaceCorpus:
        """The corpus of the desk's map."""
        async with self._opening:
            if self._held is None or self._held[0] is not desk:
                await self.close()
                self._held = (desk, await PlaceCorpus.of(desk))
            return self._held[1]

    async def close(self) -> None:
        """Frees the corpus."""
        if self._held is not None:
            await self._held[1].close()
            self._held = None


async def read_task(task: Task, desk: Desk, corpus: PlaceCorpus, tools: MapTools) -> Asked:
    """Reads a question, looks its anchors up on the map, and takes the places of its kind as candidates."""
    names = desk.provider if isinstance(desk.provider, NameHints) else None
    reading = read_question(task.question, names)
    calls = [ToolCall(tool="PlaceInfo", arguments={"location_address": one}) for one in reading.anchors]
    fetched = await tools.fetch_all(calls)
    anchors = tuple(fact.place for one in fetched for fact in one.facts if isinstance(fact, PlaceFact))
    return Asked(task.question, reading, anchors, corpus, corpus.of_kind(reading.categories, anchors))


class RankingMethod(ABC):
    """A baseline that gives every candidate a score and names the best; it asks no language model."""

    name: str

    def __init__(self) -> None:
        self._holder = CorpusHolder()

    @abstractmethod
    async def scores(self, asked: Asked) -> Floats | None:
        """The score of each candidate, the best the highest; None if it cannot be told."""

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """The best candidates, best first.

        Raises:
            UnsupportedError: The map does not lie on this machine.
        """
        corpus = await self._holder.corpus(desk)
        tools = MapTools(self.name, task, desk, account)
        asked = await read_task(task, desk, corpus, tools)
        scores = await self.scores(asked) if asked.candidates else None
        names = [] if scores is None else best_names(asked.places, scores, task.ranked or NAMED)
        return named(names, tools.evidence)

    async def close(self) -> None:
        """Frees the corpus."""
        await self._holder.close()


class AskingMethod(ABC):
    """A baseline that puts places of the map before a language model and asks it once."""

    name: str

    def __init__(self) -> None:
        self._holder = CorpusHolder()

    @abstractmethod
    async def context(self, attempt: Attempt, task: Task, desk: Desk, corpus: PlaceCorpus) -> Sequence[str]:
        """What stands before the model beside the question, in paragraphs."""

    async def answer(self, task: Task, desk: Desk, account: Account) -> Answer:
        """The places the model names.

        Raises:
            UsageError: There is no language model to ask.
            UnsupportedError: The map does not lie on this machine.
            ModelError: The model server cannot be reached or refuses.
        """
        corpus = await self._holder.corpus(desk)

        async def agent(attempt: Attempt) -> str:
            for paragraph in await self.context(attempt, task, desk, corpus):
                attempt.note(paragraph)
            return await attempt.conclude()

        return await run_agent(agent, method=self.name, task=task, desk=desk, account=account, fixed={})

    async def close(self) -> None:
        """Frees the corpus."""
        await self._holder.close()


def best_names(places: Sequence[Place], scores: Floats, count: int) -> list[str]:
    """The names of the best places, best first, equal ones by name; a name that several bear once."""
    ordered = sorted(zip(-scores, (place.name for place in places), strict=True))
    return list(dict.fromkeys(name for _, name in ordered))[:count]


def named(names: Sequence[str], evidence: tuple[Evidence, ...]) -> Answer:
    """The answer that names some places."""
    if not names:
        reason = "Nothing on the map that the question is measured from, or of its kind, was found."
        return Answer(status=Status.NOT_UNDERSTOOD, text="", reason=reason, evidence=evidence)
    value = NameSet(names=tuple(names))
    return Answer(status=Status.ANSWERED, text="; ".join(names), value=value, evidence=evidence)
