"""The Recommender module: Spatial-RAG over the map tools."""

from collections.abc import Sequence

from pydantic import ValidationError

from map_tools.embed.index import VectorIndex
from map_tools.embed.port import Embedder
from map_tools.errors import PlanError
from map_tools.facts import ComputedFact
from map_tools.providers.base import Provider
from mapagent.answer import Solution, Status
from mapagent.evidence import Evidence, Source
from mapagent.plan import Step
from mapagent.ports import NameHints, Run, StepResult
from modules.recommender.conditions import answerable, judge, loosened
from modules.recommender.explain import Explainer, nothing_left, nothing_there, reach_words
from modules.recommender.rank import Ranking, rank
from modules.recommender.retrieve import Candidate, Retrieval, Retriever, widened
from modules.recommender.setting import RecommenderSetting
from modules.recommender.surroundings import Surroundings, wanted_kinds
from modules.recommender.understand import understand
from modules.recommender.vectors import HasBuild, kept_vectors
from modules.recommender.wish import Wish
from modules.solvers.conditions import excluded
from modules.view import CannotTellError, View

WIDER = 2.0
"""How much wider is looked where nothing was found, to say what loosening would give."""


class Recommender:
    """Recommends places that lie and are as somebody wishes."""

    name = "recommender"
    description = (
        "Recommends places for a wish with matters of taste (cosy, romantic, quiet, not a chain) near a "
        "point, along a route or in a region, weighing where a place lies against what it is like."
    )

    async def run(self, step: Step, run: Run) -> StepResult:
        """Recommends; the wish comes with the step, or else is read from the question.

        Raises:
            ConfigError: The module's settings are wrong.
            PlanError: The step's wish is not one.
        """
        if run.provider is None:
            return StepResult(solution=_unanswerable("There is no map to recommend places from."))
        setting = RecommenderSetting.read(run.extras.get(self.name, {}))
        wish = _wish(step, run)
        if wish is None:
            reason = "The question says of no kind of place where it should be and what it should be like."
            return StepResult(solution=Solution(status=Status.NOT_UNDERSTOOD, reason=reason))
        work = _Work(step, run, run.provider, setting)
        try:
            solution = await work.solution(wish)
        except CannotTellError as error:
            solution = Solution(status=error.status, reason=error.reason)
        return StepResult(evidence=(*work.evidence, *work.computed), solution=solution)


class _Work:
    """One wish at work."""

    def __init__(self, step: Step, run: Run, provider: Provider, setting: RecommenderSetting) -> None:
        self._step = step
        self._run = run
        self._provider = provider
        self._setting = setting
        self._retriever = Retriever(step, run)
        self.computed: tuple[Evidence, ...] = ()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the tools brought."""
        return self._retriever.evidence

    async def solution(self, wish: Wish) -> Solution:
        wish, notes = answerable(wish, self._provider.capabilities.facts)
        retrieval = await self._retriever.candidates(wish)
        found = _named(retrieval.candidates, wish)
        if not found:
            return nothing_there(wish, await self._wider(wish))
        view = self._view()
        places = [candidate.place for candidate in found]
        sifted = judge(wish, view, places)
        if not sifted.kept:
            costs = loosened(sifted, len(places))
            return nothing_left(wish, places, sifted, costs, await self._wider(wish))
        kept = [found[index] for index in sifted.kept]
        ranking = await self._ranking(wish, kept, await self._around(wish, retrieval, kept))
        self.computed = self._scores_as_evidence(ranking)
        explainer = Explainer(wish, view, self._setting.places)
        return explainer.solution(ranking, found, sifted, (*retrieval.warnings, *notes, *_notes_on(wish)))

    def _view(self) -> View:
        now = self._run.understanding.now
        return View((*self._run.evidence, *self.evidence), self._run.question, closed=True, now=now)

    async def _around(
        self, wish: Wish, retrieval: Retrieval, kept: Sequence[Candidate]
    ) -> list[tuple[str, ...]]:
        """What lies around each candidate, as far as the wish asks for any of it."""
        categories, reach_m = wanted_kinds(wish.spatial_words)
        if not categories:
            return [()] * len(kept)
        others = await self._retriever.surroundings(retrieval, categories, reach_m)
        surroundings = Surroundings(others)
        return [surroundings.of(candidate.place) for candidate in kept]

    async def _ranking(
        self, wish: Wish, kept: Sequence[Candidate], around: Sequence[tuple[str, ...]]
    ) -> Ranking:
        embedder = self._setting.embedder()
        try:
            return await rank(wish, kept, around, embedder, self._vectors(embedder))
        finally:
            await embedder.close()

    def _vectors(self, embedder: Embedder) -> VectorIndex | None:
        """The vectors kept of the provider's map, if it is one of this machine."""
        if not isinstance(self._provider, HasBuild):
            return None
        return kept_vectors(self._setting.vectors_folder(), self._provider.build, embedder)

    async def _wider(self, wish: Wish) -> str:
        """What a wider search would give, in a sentence; empty if it gives nothing or there is none."""
        if wish.distance_m is None:
            return ""
        wide = widened(wish, WIDER)
        found = _named((await self._retriever.candidates(wide)).candidates, wide)
        places = [candidate.place for candidate in found]
        count = len(judge(wide, self._view(), places).kept)
        return f"There would be {count} {reach_words(wide)}." if count else ""

    def _scores_as_evidence(self, ranking: Ranking) -> tuple[Evidence, ...]:
        weights = ranking.weights
        return tuple(
            self._run.evidence_of(
                self._step,
                ComputedFact(
                    label=f"score of {one.candidate.place.name}",
                    value=f"{one.total:.3f}",
                    formula=(
                        f"{weights.sparse:.2f} · {one.sparse:.3f} (distance) + {weights.dense:.2f} · "
                        f"{one.dense:.3f} (surroundings) + {weights.semantic:.2f} · {one.semantic:.3f} (kind)"
                    ),
                ),
                Source(tool="compute"),
                derived_from=(one.candidate.evidence_id,),
            )
            for one in ranking.ranked[: self._setting.places]
        )


def _wish(step: Step, run: Run) -> Wish | None:
    given = step.inputs.get("wish")
    if given is None:
        names = run.provider if isinstance(run.provider, NameHints) else None
        return understand(run.question, names)
    try:
        return Wish.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise PlanError(f"The wish of step '{step.id}' is wrong at '{where}': {first['msg']}.") from error


def _named(candidates: Sequence[Candidate], wish: Wish) -> list[Candidate]:
    """The candidates one can name, without those the question rules out."""
    return [one for one in candidates if one.place.name and not excluded(one.place, wish.filters)]


def _notes_on(wish: Wish) -> tuple[str, ...]:
    """What has to be said of any answer to this wish."""
    notes = []
    if wish.semantic_words:
        words = ", ".join(wish.semantic_words)
        notes.append(f"The likeness of descriptions tells how {words} a place is; the map does not state it.")
    if wish.contradictory:
        notes.append("The wish stresses both closeness and quality, so neither counts more than the other.")
    return tuple(notes)


def _unanswerable(reason: str) -> Solution:
    return Solution(status=Status.UNANSWERABLE, reason=reason)
