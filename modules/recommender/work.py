"""One wish at work: what lies as wished, then what of it to choose, with evidence for both and the reasons in words.

Every number in the reasons stands in the evidence.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from map_tools.compute.measures import format_distance
from map_tools.embed.embedders import Embedder
from map_tools.facts import ComputedFact, FailureFact, NearbyFact
from map_tools.providers.base import HasBuild, Provider
from map_tools.types import NearbyPlace, Place
from mapagent.core.answer import Evidence, Step
from mapagent.core.ports import Run
from modules.query.operators.recommend import REASONS, reach_words
from modules.recommender.describe import Surroundings, wanted_kinds
from modules.recommender.model import WishModel
from modules.recommender.retrieve import Candidate, Geometry, Reach, Retrieval, Retriever, Searching
from modules.recommender.score import Around, Ranked, Ranking, rank, scores_of, weights_for
from modules.recommender.setting import RecommenderSetting
from modules.recommender.understand import RecommendationQuery
from modules.recommender.vectors import MapVectors, kept_vectors

_CUT = "The map service cut its list, so places may be missing."

NOTABLE = 0.02
"""Scores closer than this are called alike: half precision and a static model tell no finer."""


class Work:
    """Works out what to recommend for one wish.

    Args:
        step: The step it is done for.
        run: The question's run.
        provider: The map.
        setting: What can be set.
        wish: What is wanted.
        reach: Where it should lie.
        bound: The program binds conditions of its own; else those of the wish are told of.
        model: Puts the best in order; None leaves them in that of their scores.
    """

    def __init__(
        self,
        step: Step,
        run: Run,
        provider: Provider,
        setting: RecommenderSetting,
        wish: RecommendationQuery,
        *,
        reach: Reach,
        bound: bool = False,
        model: WishModel | None = None,
    ) -> None:
        self._run = run
        self._provider = provider
        self._setting = setting
        self._model = model
        self._wish = wish
        self._reach = reach.everywhere() if "sparse" in setting.without else reach
        self._notes = _notes_on(wish, bound=bound)
        self._searching = Searching(step, run)
        self._retriever = Retriever(self._searching, wish)
        self._retrieval: tuple[Retrieval, str] | None = None

    async def lying(self, factor: float = 1.0) -> tuple[Evidence, ...]:
        """What lies as wished, the list last.

        Args:
            factor: How much wider than wished is looked.

        Raises:
            CannotTellError: The map does not know the area, or a search failed.
        """
        reach = self._reach.widened(factor)
        found = await self._retriever.candidates(reach)
        origins = (one.evidence_id for one in found.candidates)
        listed = self._list(reach, found.candidates, origins, () if found.complete else (_CUT,))
        if factor == 1.0:
            self._retrieval = found, listed.id
        return self._searching.handed_over()

    async def ranked(self, kept: Sequence[str]) -> tuple[Evidence, ...]:
        """The best of what lies as wished, the ranked list last.

        Args:
            kept: The ids of the places to choose from.

        Raises:
            CannotTellError: As for `lying`.
            ConfigError: The embedding or the language model cannot be used.
            ProviderError: A service that computes vectors failed.
        """
        retrieval, listed_id = await self._begun()
        wanted = frozenset(kept)
        candidates = [one for one in retrieval.candidates if one.place.id in wanted]
        ranking = await self._ranking(retrieval, candidates)
        notes = list(self._notes)
        if self._model is not None and len(ranking.ranked) > 1:
            ranking, note = await self._model.reranked(
                self._wish.text, ranking, self._setting.shortlist, self._run.request_context
            )
            notes.append(note)
        self._record(ranking, listed_id)
        best = [one.candidate for one in ranking.ranked]
        self._list(self._reach, best, (listed_id,), notes, of=ranking.considered)
        return self._searching.handed_over()

    async def _begun(self) -> tuple[Retrieval, str]:
        """What lies as wished, and the id of the evidence that lists it."""
        if self._retrieval is None:
            await self.lying()
        if self._retrieval is None:
            raise RuntimeError("nothing was retrieved")
        return self._retrieval

    def failed(self, failure: FailureFact) -> tuple[Evidence, ...]:
        """What was found until something was not, and why."""
        self._searching.derived(failure, ())
        return self._searching.handed_over()

    def _list(
        self,
        reach: Reach,
        candidates: Sequence[Candidate],
        origins: Iterable[str],
        warnings: Iterable[str],
        *,
        of: int | None = None,
    ) -> Evidence:
        """Puts a list of places down as evidence; with `of`, the best of so many, in their order."""
        fact = NearbyFact(
            anchor=reach.name,
            what=self._wish.what,
            categories=self._wish.categories,
            radius_m=reach.distance_m,
            inside=reach.geometry is Geometry.REGION,
            items=tuple(NearbyPlace(place=one.place, distance_m=one.distance_m) for one in candidates),
            sorted_by_distance=of is None,
            complete=of is None or len(candidates) == of,
        )
        return self._searching.derived(fact, origins, warnings)

    async def _ranking(self, retrieval: Retrieval, kept: Sequence[Candidate]) -> Ranking:
        embedder = self._setting.embedder()
        try:
            vectors = self._vectors(embedder)
            around = await self._around(retrieval, kept, vectors)
            scores = await scores_of(self._wish, kept, around, embedder, vectors)
        finally:
            await embedder.close()
        without = self._setting.without
        weights = weights_for(self._wish, without)
        return rank(kept, around, scores, weights, pareto="pareto" not in without)

    def _vectors(self, embedder: Embedder) -> MapVectors | None:
        """The vectors kept of the provider's map, if it is one of this machine."""
        if not isinstance(self._provider, HasBuild):
            return None
        return kept_vectors(self._setting.vectors, self._provider.build, embedder, self._setting.precision)

    async def _around(
        self, retrieval: Retrieval, kept: Sequence[Candidate], vectors: MapVectors | None
    ) -> list[Around]:
        """What lies around each candidate, as far as the wish asks for any of it."""
        categories, reach_m = wanted_kinds(self._wish.spatial_words)
        if not categories:
            return [()] * len(kept)
        if vectors is not None and all(candidate.place.id in vectors.spatial for candidate in kept):
            return [vectors.around_of(candidate.place.id) for candidate in kept]
        surroundings = Surroundings(await self._retriever.surroundings(retrieval, categories, reach_m))
        return [surroundings.of(candidate.place) for candidate in kept]

    def _record(self, ranking: Ranking, listed_id: str) -> None:
        """Puts scores, the surroundings that were wished for, and the reasons down as evidence."""
        weights, count = ranking.weights, self._setting.places
        names = labels([one.candidate.place for one in ranking.ranked])
        for one, name in zip(ranking.ranked[:count], names, strict=False):
            origins = (one.candidate.evidence_id,)
            formula = (
                f"{weights.sparse:.2f} · {one.sparse:.3f} (distance) + {weights.dense:.2f} · "
                f"{one.dense:.3f} (surroundings) + {weights.semantic:.2f} · {one.semantic:.3f} (kind)"
            )
            score = ComputedFact(label=f"score of {name}", value=f"{one.total:.3f}", formula=formula)
            self._searching.derived(score, origins)
            wished = wished_around(one.around, self._wish)
            if wished:
                around = ComputedFact(label=f"surroundings of {name}", value=", ".join(wished))
                self._searching.derived(around, origins)
        told = reasons(self._wish, self._reach, ranking, count)
        self._searching.derived(ComputedFact(label=REASONS, value=told), (listed_id,))


def _notes_on(wish: RecommendationQuery, *, bound: bool) -> tuple[str, ...]:
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
    if not bound and wish.conditions:
        said = ", ".join(wish.conditions)
        notes.append(f"These words of the wish only rank: {said}. Written as where= they bind.")
    return tuple(notes)


def reasons(wish: RecommendationQuery, reach: Reach, ranking: Ranking, count: int) -> str:
    """Why places were chosen.

    Args:
        wish: What was wanted.
        reach: Where it should lie.
        ranking: Of the places that fulfil all conditions.
        count: How many places to tell of.
    """
    names = labels([one.candidate.place for one in ranking.ranked])
    shown = zip(ranking.ranked[:count], names, strict=False)
    where = reach_words(reach.distance_m, reach.name)
    summary = (
        f"{ranking.considered} to choose from: {wish.what} {where}. Pareto-optimal, none other being as "
        f"good both in where it lies and in what it is: {ranking.front_size}."
    )
    lines = [f"({number}) {_line(one, name, wish, reach)}" for number, (one, name) in enumerate(shown, 1)]
    trade_off = _trade_off(ranking, dict(zip(map(_key, ranking.ranked), names, strict=True)))
    return " ".join(filter(None, (summary, *lines, trade_off)))


def labels(places: Sequence[Place]) -> tuple[str, ...]:
    """What places are called; those of one name with their address."""
    names = Counter(place.name for place in places)
    return tuple(
        f"{place.name} ({place.address})" if names[place.name] > 1 and place.address else place.name
        for place in places
    )


def wished_around(around: Sequence[str], wish: RecommendationQuery) -> tuple[str, ...]:
    """What lies around a place of what is wished for."""
    return tuple(key for key in around if key in wish.spatial_words)


def _line(one: Ranked, name: str, wish: RecommendationQuery, reach: Reach) -> str:
    away = "in" if reach.distance_m is None else f"{_away(one.candidate)} from"
    around = wished_around(one.around, wish)
    cuisine = one.candidate.place.attributes.get("cuisine", "")
    told = [f"{away} {one.candidate.anchor}"]
    told += [cuisine.replace(";", ", ").replace("_", " ")] if cuisine else []
    told += [f"around it: {', '.join(around)}"] if around else []
    told += [f"a language model quotes “{one.said}”"] if one.said else []
    return f"{name}: {'; '.join(told)}; score {one.total:.3g}."


def _trade_off(ranking: Ranking, names: Mapping[str, str]) -> str:
    """What the best one gives up against the two ends of the front; empty if that is nothing."""
    best, nearest, fitting = ranking.ranked[0], ranking.nearest, ranking.best_fit
    said = []
    if ranking.by_model and ranking.best is not best:
        said.append(f"By the scores it would be {_name(ranking.best, names)}.")
    if nearest.sparse - best.sparse > NOTABLE:
        near = _away(nearest.candidate)
        said.append(f"{_name(nearest, names)} is nearer ({near}), but its description fits the wish less.")
    if fitting.semantic - best.semantic > NOTABLE:
        away = f", but it is {_away(fitting.candidate)} away" if fitting.sparse < best.sparse else ""
        said.append(f"The description of {_name(fitting, names)} fits best{away}.")
    if not said and not ranking.by_model:
        return ""
    judge = (
        "A language model puts {} first." if ranking.by_model else "{} is best by the weights of this wish."
    )
    return " ".join((judge.format(names[_key(best)]), *said))


def _away(candidate: Candidate) -> str:
    return format_distance(candidate.distance_m)


def _key(one: Ranked) -> str:
    return one.candidate.place.id


def _name(one: Ranked, names: Mapping[str, str]) -> str:
    return names.get(_key(one), one.candidate.place.name)
