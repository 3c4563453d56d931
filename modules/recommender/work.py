"""One wish at work: retrieval, conditions, scores, choice, explanation."""

from collections.abc import Sequence

from map_tools.embed.port import Embedder
from map_tools.facts import ComputedFact, PlaceFact
from map_tools.providers.base import HasBuild, Provider
from mapagent.answer import Solution
from mapagent.evidence import Evidence
from mapagent.plan import Step
from mapagent.ports import Run
from modules.recommender.conditions import answerable, judge, loosened
from modules.recommender.corners import corner_at
from modules.recommender.explain import (
    Explainer,
    names_of,
    nothing_left,
    nothing_there,
    reach_words,
    wished_around,
)
from modules.recommender.rank import Ranking, rank, weights_for
from modules.recommender.reranking import Reranker
from modules.recommender.retrieve import Candidate, Retrieval, Retriever, everywhere, widened
from modules.recommender.scoring import Around, scores_of
from modules.recommender.searching import Searching
from modules.recommender.setting import RecommenderSetting
from modules.recommender.surroundings import Surroundings, wanted_kinds
from modules.recommender.vectors import MapVectors, kept_vectors
from modules.recommender.wish import Wish
from modules.solvers.conditions import excluded
from modules.view import View

WIDER = 2.0
"""How much wider is looked where nothing was found, to say what loosening would give."""


class Work:
    """Works out what to recommend for one wish.

    Args:
        step: The step it is done for.
        run: The question's run.
        provider: The map.
        setting: What can be set.
        reranker: Puts the best candidates in order; None leaves them in that of their scores.
    """

    def __init__(
        self,
        step: Step,
        run: Run,
        provider: Provider,
        setting: RecommenderSetting,
        reranker: Reranker | None = None,
    ) -> None:
        self._run = run
        self._provider = provider
        self._setting = setting
        self._reranker = reranker
        self._searching = Searching(step, run)
        self._retriever = Retriever(self._searching)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the tools brought and what was computed from it."""
        return tuple(self._searching.evidence)

    async def solution(self, wish: Wish) -> Solution:
        """The recommendation, or why there is none.

        Raises:
            CannotTellError: A place is not on the map or ambiguous, or there is no way between two.
            ConfigError: The embedding model is not installed.
            ProviderError: A service that computes vectors failed.
        """
        wish, notes = answerable(wish, self._provider.capabilities.facts)
        notes = (*notes, *await self._pin_corners(wish))
        unbounded = "sparse" in self._setting.without
        retrieval = await self._retriever.candidates(everywhere(wish) if unbounded else wish)
        found = _named(retrieval.candidates, wish)
        if not found:
            return nothing_there(wish, await self._wider(wish))
        view = self._view()
        places = [candidate.place for candidate in found]
        sifted = judge(wish, view, places)
        if not sifted.kept:
            costs = loosened(sifted, len(places))
            return nothing_left(wish, places, sifted, costs, await self._wider(wish))
        ranking = await self._ranking(wish, retrieval, [found[index] for index in sifted.kept])
        ranking, order_note = await self._chosen(ranking)
        self._record(wish, ranking)
        warnings = (*retrieval.warnings, *notes, *_notes_on(wish), order_note)
        return Explainer(wish, view, self._setting.places).solution(ranking, found, sifted, warnings)

    async def _pin_corners(self, wish: Wish) -> list[str]:
        """Finds out where the corners are that are measured from; what has to be said of them."""
        notes = []
        for words, streets in wish.corners.items():
            found = await corner_at(streets, self._provider, self._setting.databases)
            if found is not None:
                spot, note = found
                self._searching.pin(words, spot, f"where {' and '.join(streets)} meet")
                notes += [note] if note else []
        return notes

    def _view(self) -> View:
        now = self._run.understanding.now
        return View((*self._run.evidence, *self.evidence), self._run.question, closed=True, now=now)

    async def _ranking(self, wish: Wish, retrieval: Retrieval, kept: Sequence[Candidate]) -> Ranking:
        embedder = self._setting.embedder()
        try:
            vectors = self._vectors(embedder)
            around = await self._around(wish, retrieval, kept, vectors)
            scores = await scores_of(wish, kept, around, embedder, vectors)
        finally:
            await embedder.close()
        without = self._setting.without
        return rank(kept, around, scores, weights_for(wish, without), pareto="pareto" not in without)

    def _vectors(self, embedder: Embedder) -> MapVectors | None:
        """The vectors kept of the provider's map, if it is one of this machine."""
        if not isinstance(self._provider, HasBuild):
            return None
        return kept_vectors(self._setting.vectors, self._provider.build, embedder, self._setting.precision)

    async def _around(
        self, wish: Wish, retrieval: Retrieval, kept: Sequence[Candidate], vectors: MapVectors | None
    ) -> list[Around]:
        """What lies around each candidate, as far as the wish asks for any of it."""
        categories, reach_m = wanted_kinds(wish.spatial_words)
        if not categories:
            return [()] * len(kept)
        if vectors is not None and all(candidate.place.id in vectors.spatial for candidate in kept):
            return [vectors.around_of(candidate.place.id) for candidate in kept]
        surroundings = Surroundings(await self._retriever.surroundings(retrieval, categories, reach_m))
        return [surroundings.of(candidate.place) for candidate in kept]

    async def _chosen(self, ranking: Ranking) -> tuple[Ranking, str]:
        """The ranking in a model's order, if there is one, with a note on what was wrong with that."""
        if self._reranker is None or len(ranking.ranked) < 2:
            return ranking, ""
        return await self._reranker.reranked(self._run.question, ranking, self._run.account)

    async def _wider(self, wish: Wish) -> str:
        """What a wider search would give, in a sentence; empty if it gives nothing or there is none."""
        if wish.distance_m is None:
            return ""
        wide = widened(wish, WIDER)
        found = _named((await self._retriever.candidates(wide)).candidates, wide)
        places = [candidate.place for candidate in found]
        count = len(judge(wide, self._view(), places).kept)
        return f"There would be {count} {reach_words(wide)}." if count else ""

    def _record(self, wish: Wish, ranking: Ranking) -> None:
        """Puts the places with their scores, and the surroundings that were wished for, down as evidence."""
        weights = ranking.weights
        shown = ranking.ranked[: self._setting.places]
        for one, name in zip(shown, names_of(ranking), strict=False):
            origins = (one.candidate.evidence_id,)
            self._searching.derived(PlaceFact(query=name, place=one.candidate.place), origins)
            formula = (
                f"{weights.sparse:.2f} · {one.sparse:.3f} (distance) + {weights.dense:.2f} · "
                f"{one.dense:.3f} (surroundings) + {weights.semantic:.2f} · {one.semantic:.3f} (kind)"
            )
            score = ComputedFact(label=f"score of {name}", value=f"{one.total:.3f}", formula=formula)
            self._searching.derived(score, origins)
            wished = wished_around(one.around, wish)
            if wished:
                surroundings = ComputedFact(label=f"surroundings of {name}", value=", ".join(wished))
                self._searching.derived(surroundings, origins)


def _named(candidates: Sequence[Candidate], wish: Wish) -> list[Candidate]:
    """The candidates one can name, without those the question rules out."""
    return [one for one in candidates if one.place.name and not excluded(one.place, wish.filters)]


def _notes_on(wish: Wish) -> tuple[str, ...]:
    """What has to be said of any answer to this wish."""
    notes = []
    if wish.semantic_words:
        words = ", ".join(wish.semantic_words)
        notes.append(f"The likeness of descriptions tells how {words} a place is; the map does not state it.")
    if wish.unwanted_words:
        words = ", ".join(wish.unwanted_words)
        notes.append(f"The map does not state which places are {words}, so that could not be ruled out.")
    if wish.contradictory:
        notes.append("The wish stresses both closeness and quality, so neither counts more than the other.")
    return tuple(notes)
