"""What Spatial-RAG's baselines share: the reading of a question, its candidates, an answer of the best few.

They see all places of a map, each described and embedded.

The paper has a language model read what a question is measured from and which kind of place it wants. Here
all baselines get the same reading: that of the embedded reader, off the program it writes. They differ in how
they choose, and in that alone.

Descriptions and embedding model are those of the recommender, so that what differs is how places are chosen.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evals.methods.loop import Episode, run_agent
from evals.methods.tools import MapTools
from evals.ports import EvalContext, Task
from map_tools.embed.embedders import Embedder, Vectors
from map_tools.errors import UnsupportedError
from map_tools.facts import PlaceFact
from map_tools.maps.geodesic import geodesic_m
from map_tools.maps.store import MapStore
from map_tools.providers.base import HasBuild
from map_tools.types import Place
from mapagent.core.answer import Answer, Evidence, NameSet, Status
from mapagent.core.ports import RequestContext, ToolCall
from mapagent.core.question import Question
from modules.nlu.reader import Over, Reader, reader
from modules.nlu.rows import MAP
from modules.query.inventory import built_in
from modules.query.language.parser import parse
from modules.query.language.syntax import Argument, Call, Listing, Name, String, walk
from modules.query.language.types import AREA, LINE, PLACE
from modules.query.operators.base import Parameter
from modules.query.values.things import HERE_ID
from modules.recommender.describe import semantic_description
from modules.recommender.setting import RecommenderSetting
from modules.recommender.understand import kinds_of

type Floats = npt.NDArray[np.float64]


class PlaceCorpus:
    """All places of a map that have a name and a kind (use `PlaceCorpus.of`)."""

    def __init__(self, places: Sequence[Place], vectors: Vectors, embedder: Embedder) -> None:
        self.places = tuple(places)
        self._vectors = vectors
        self._embedder = embedder

    @classmethod
    async def of(cls, context: EvalContext) -> "PlaceCorpus":
        """Reads the places of the desk's map and embeds their descriptions.

        Raises:
            UnsupportedError: The map does not lie on this machine.
            ProviderError: The service that computes vectors failed.
        """
        if not isinstance(context.provider, HasBuild):
            raise UnsupportedError(
                "This method ranks all places of a map, and this map cannot be read as a whole.",
                "Use a map on this machine (--provider osm).",
            )
        store = MapStore.open(context.provider.build)
        try:
            places = [place for place in map(store.place, store.rows()) if _counts(place)]
        finally:
            store.close()
        embedder = RecommenderSetting.of(context.settings).embedder()
        vectors = await embedder.embed([semantic_description(place) for place in places])
        return cls(places, vectors, embedder)

    def of_kind(self, categories: Sequence[str], besides: Sequence[Place] = ()) -> list[int]:
        """The numbers of the places of some kinds (of all if there are none), but for some of them."""
        wanted, ids = frozenset(categories), {place.id for place in besides}
        return [
            number
            for number, place in enumerate(self.places)
            if (not wanted or not wanted.isdisjoint(place.categories)) and place.id not in ids
        ]

    async def cosines(self, text: str, numbers: Sequence[int]) -> Floats:
        """The likeness of a text to the description of each of some places."""
        (vector,) = await self._embedder.embed([text])
        return np.asarray(self._vectors[list(numbers)] @ vector, np.float64)

    async def close(self) -> None:
        """Frees the embedder."""
        await self._embedder.close()


def _counts(place: Place) -> bool:
    return bool(place.name and place.categories and place.location is not None)


NAMED = 10
"""So many places are named where the task does not say how many."""
M_PER_KM = 1000.0
_SEARCHES = frozenset({"recommend", "places", "nearest", "count"})
"""Operators whose first argument may say a kind."""
_LOOK_UPS = frozenset({"place", "area", "line"})
_PLACES = (PLACE, AREA, LINE)
_STOPS = frozenset({"via", "visits"})
"""Parameters for lists of places."""


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


class QuestionReader:
    """Reads anchors and kind off the program that the embedded reader writes of a question.

    Args:
        reader: Left out: the one of this version, loaded when it is needed.
    """

    def __init__(self, reader: Reader | None = None) -> None:
        self._reader = reader

    def read(self, question: Question) -> Reading:
        """What the likeliest program is measured from, and the kind it searches for; empty without a program."""
        found = (self._reader or reader()).readings(question.text, (), Over.MAP)
        program = parse(found[0].program) if found else None
        calls = [
            node
            for statement in (program.statements if program is not None else ())
            for node in walk(statement.expr)
            if isinstance(node, Call)
        ]
        kinds = (kinds_of(words) for call in calls if call.operator in _SEARCHES for words in _kinds(call))
        categories = next((ids for ids, _ in filter(None, kinds)), ())
        anchors = dict.fromkeys(name for call in calls for name in _places(call))
        return Reading(tuple(anchors), categories)


def _arguments(call: Call) -> Iterator[tuple[Parameter, Argument]]:
    """The arguments of a call with their parameters."""
    operator = built_in()[call.operator]
    yield from zip(operator.plain, call.positional, strict=False)
    for name, value in call.keywords:
        if (parameter := operator.parameter(name)) is not None:
            yield parameter, value


def _kinds(call: Call) -> Iterator[str]:
    """The words for a kind in a search: its first argument."""
    first = call.positional[0] if call.positional else None
    if isinstance(first, String):
        yield first.text


def _places(call: Call) -> Iterator[str]:
    """The places that a call names: those it looks up, and words where a place, area or line is wanted."""
    for parameter, value in _arguments(call):
        looked_up = call.operator in _LOOK_UPS and parameter.name == "name"
        if looked_up or parameter.type in _PLACES or parameter.name in _STOPS:
            for one in value.items if isinstance(value, Listing) else (value,):
                if isinstance(one, String) and one.text != MAP:
                    yield one.text
                elif isinstance(one, Name) and one.name == HERE_ID:
                    yield one.name


class CorpusHolder:
    """Opens the corpus of a run's map once, however many questions are under way."""

    def __init__(self) -> None:
        self._held: tuple[EvalContext, PlaceCorpus] | None = None
        self._opening = asyncio.Lock()

    async def corpus(self, context: EvalContext) -> PlaceCorpus:
        """The corpus of the desk's map."""
        async with self._opening:
            if self._held is None or self._held[0] is not context:
                await self.close()
                self._held = (context, await PlaceCorpus.of(context))
            return self._held[1]

    async def close(self) -> None:
        """Frees the corpus."""
        if self._held is not None:
            await self._held[1].close()
            self._held = None


async def read_task(task: Task, reader: QuestionReader, corpus: PlaceCorpus, tools: MapTools) -> Asked:
    """Reads a question, looks its anchors up on the map, and takes the places of its kind as candidates."""
    reading = reader.read(task.question)
    calls = [ToolCall(tool="PlaceInfo", arguments={"location_address": one}) for one in reading.anchors]
    fetched = await tools.fetch_all(calls)
    anchors = tuple(fact.place for one in fetched for fact in one.facts if isinstance(fact, PlaceFact))
    return Asked(task.question, reading, anchors, corpus, corpus.of_kind(reading.categories, anchors))


class RankingMethod(ABC):
    """A baseline that gives every candidate a score and names the best; it asks no language model."""

    name: str

    def __init__(self, reader: QuestionReader | None = None) -> None:
        self._reader = reader or QuestionReader()
        self._holder = CorpusHolder()

    @abstractmethod
    async def scores(self, asked: Asked) -> Floats | None:
        """The score of each candidate, the best the highest; None if it cannot be told."""

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """The best candidates, best first.

        Raises:
            UnsupportedError: The map does not lie on this machine.
        """
        corpus = await self._holder.corpus(context)
        tools = MapTools(self.name, task, context, request_context)
        asked = await read_task(task, self._reader, corpus, tools)
        scores = await self.scores(asked) if asked.candidates else None
        names = [] if scores is None else best_names(asked.places, scores, task.ranked or NAMED)
        return named(names, tools.evidence)

    async def close(self) -> None:
        """Frees the corpus."""
        await self._holder.close()


class AskingMethod(ABC):
    """A baseline that puts places of the map before a language model and asks it once."""

    name: str

    def __init__(self, reader: QuestionReader | None = None) -> None:
        self.reader = reader or QuestionReader()
        self._holder = CorpusHolder()

    @abstractmethod
    async def context(
        self, episode: Episode, task: Task, context: EvalContext, corpus: PlaceCorpus
    ) -> Sequence[str]:
        """What stands before the model beside the question, in paragraphs."""

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:
        """The places the model names.

        Raises:
            UsageError: There is no language model to ask.
            UnsupportedError: The map does not lie on this machine.
            ModelError: The model server cannot be reached or refuses.
        """
        corpus = await self._holder.corpus(context)

        async def agent(episode: Episode) -> str:
            for paragraph in await self.context(episode, task, context, corpus):
                episode.note(paragraph)
            return await episode.conclude()

        return await run_agent(
            agent, method=self.name, task=task, context=context, request_context=request_context, fixed={}
        )

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
