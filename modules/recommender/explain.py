"""A recommendation as a solution: the places, each with its reasons, and what was traded for what.

Every number of the text stands in the evidence or in a claim, so that verification can recompute it.
"""

from collections.abc import Mapping, Sequence

from map_tools.compute.quantities import format_distance
from map_tools.types import Place
from mapagent.answer import NameSet, Solution, Status
from modules.recommender.conditions import Loosened
from modules.recommender.rank import Ranked, Ranking
from modules.recommender.retrieve import Candidate
from modules.recommender.wish import Geometry, SpatialFunction, Wish
from modules.solvers.common import Trail, labels
from modules.solvers.conditions import Sifted, claim_arguments
from modules.solvers.offers import service_key
from modules.solvers.opening_verdict import cite_opening, verdict
from modules.view import View

NOTABLE = 0.02
"""Scores closer than this are called alike: half precision and a static model tell no finer."""


class Explainer:
    """Puts one recommendation in words.

    Args:
        wish: What was wanted.
        view: The evidence, for moments.
        count: How many places to name.
    """

    def __init__(self, wish: Wish, view: View, count: int) -> None:
        self._wish = wish
        self._view = view
        self._count = count
        self._trail = Trail()

    def solution(
        self, ranking: Ranking, found: Sequence[Candidate], sifted: Sifted, warnings: Sequence[str]
    ) -> Solution:
        """The answered wish.

        Args:
            ranking: Of the candidates that fulfil all conditions.
            found: All candidates that lie as wanted.
            sifted: What the conditions made of those.
            warnings: What was assumed on the way.
        """
        places = [candidate.place for candidate in found]
        for outcome in sifted.outcomes:
            self._trail.claim("filter", _ids(found), None, **claim_arguments(places, outcome))
        shown = ranking.ranked[: self._count]
        names = names_of(ranking)
        self._judged(ranking, names)
        kept = [found[index].place.name for index in sifted.kept]
        self._trail.claim("count", _ids(found), len(kept), labels=kept)
        lines = [self._summary(ranking, sifted)]
        lines += [
            f"({number}) {self._line(one, name)}"
            for number, (one, name) in enumerate(zip(shown, names, strict=False), 1)
        ]
        lines.append(self._trade_off(ranking, dict(zip(map(_key, ranking.ranked), names, strict=True))))
        for text in (*warnings, *sifted.warnings()):
            self._trail.warn(text)
        return self._trail.answered(NameSet(names=names[: len(shown)]), " ".join(filter(None, lines)))

    def _judged(self, ranking: Ranking, names: Sequence[str]) -> None:
        """Claims which one is the best by its score, with the parts of each score."""
        by_name = list(zip(names, ranking.ranked, strict=True))
        self._trail.claim(
            "max",
            _ids([one.candidate for one in ranking.ranked]),
            names[ranking.ranked.index(ranking.best)],
            values={name: _rounded(one.total) for name, one in by_name},
            where={name: _rounded(one.sparse) for name, one in by_name},
            surroundings={name: _rounded(one.dense) for name, one in by_name},
            what={name: _rounded(one.semantic) for name, one in by_name},
            weights=[ranking.weights.sparse, ranking.weights.dense, ranking.weights.semantic],
            optimal=ranking.front_size,
        )

    def _summary(self, ranking: Ranking, sifted: Sifted) -> str:
        words = ", ".join(outcome.condition.words for outcome in sifted.outcomes)
        fulfilling = f" (with: {words})" if words else ""
        return (
            f"{ranking.considered} to choose from: {self._wish.what} {reach_words(self._wish)}{fulfilling}. "
            f"Pareto-optimal, none other being as good both in where it lies and in what it is: "
            f"{ranking.front_size}."
        )

    def _line(self, one: Ranked, name: str) -> str:
        reasons = [self._distance(one), *self._reasons(one.candidate)]
        around = wished_around(one.around, self._wish)
        reasons += [f"around it: {', '.join(around)}"] if around else []
        return f"{name}: {'; '.join(filter(None, reasons))}; score {_rounded(one.total):g}."

    def _distance(self, one: Ranked) -> str:
        candidate = one.candidate
        if self._wish.function is SpatialFunction.CONTAINED:
            return f"in {candidate.anchor}"
        if self._wish.geometry is Geometry.POINT:
            self._trail.claim(
                "distance",
                (candidate.evidence_id,),
                candidate.distance_m,
                a=candidate.anchor,
                b=candidate.place.name,
            )
        return f"{format_distance(candidate.distance_m)} from {candidate.anchor}"

    def _reasons(self, candidate: Candidate) -> list[str]:
        """What the map states that the wish asks for, each with its claim."""
        place, wish = candidate.place, self._wish
        reasons = []
        cuisine = place.attributes.get("cuisine")
        if cuisine and (wish.cuisines or wish.target == "restaurant"):
            self._look_up(candidate, "attributes.cuisine", cuisine)
            reasons.append(cuisine.replace(";", ", ").replace("_", " "))
        for service in wish.filters.services:
            key = service_key(place.services, service)
            if key is not None:
                self._look_up(candidate, f"services.{key}", place.services[key])
                reasons.append(key.replace("_", " "))
        reasons.append(self._opening(candidate))
        return reasons

    def _opening(self, candidate: Candidate) -> str:
        when, place = self._wish.filters.open_at, candidate.place
        if when is None or place.hours is None:
            return self._stated_hours(candidate)
        found = verdict(self._view, place, when)
        cite_opening(self._trail, (candidate.evidence_id,), place, found)
        self._trail.warn(found.note)
        return f"open on {found.moment}"

    def _stated_hours(self, candidate: Candidate) -> str:
        hours = candidate.place.hours
        if hours is None or self._wish.meal is None:
            return ""
        self._look_up(candidate, "hours", hours.text)
        return f"hours {hours.text}"

    def _look_up(self, candidate: Candidate, field: str, stated: object) -> None:
        self._trail.claim("lookup", (candidate.evidence_id,), stated, place=candidate.place.name, field=field)

    def _trade_off(self, ranking: Ranking, names: Mapping[str, str]) -> str:
        """What the best one gives up against the two ends of the front; empty if that is nothing."""
        best, nearest, fitting = ranking.ranked[0], ranking.nearest, ranking.best_fit
        said = []
        if ranking.by_model and ranking.best is not best:
            said.append(f"By the scores it would be {_name(ranking.best, names)}.")
        if nearest.sparse - best.sparse > NOTABLE:
            near = format_distance(nearest.candidate.distance_m)
            said.append(
                f"{_name(nearest, names)} is nearer ({near}), but its description fits the wish less."
            )
        if fitting.semantic - best.semantic > NOTABLE:
            away = f", but it is {format_distance(fitting.candidate.distance_m)} away"
            farther = fitting.sparse < best.sparse
            said.append(f"The description of {_name(fitting, names)} fits best{away if farther else ''}.")
        judge = (
            "A language model puts {} first."
            if ranking.by_model
            else "{} is best by the weights of this wish."
        )
        return " ".join((judge.format(names[_key(best)]), *said)) if said or ranking.by_model else ""


def names_of(ranking: Ranking) -> tuple[str, ...]:
    """What the candidates of a final choice are called, all of them differently."""
    return labels([one.candidate.place for one in ranking.ranked])


def wished_around(around: Sequence[str], wish: Wish) -> tuple[str, ...]:
    """What lies around a place of what is wished for."""
    return tuple(key for key in around if key in wish.spatial_words)


def reach_words(wish: Wish) -> str:
    """Where was searched: "within 500 m of the walking way from A to B", "in X"."""
    if wish.distance_m is None:
        return f"in {wish.measured_from}"
    return f"within {format_distance(wish.distance_m)} of {wish.measured_from}"


def nothing_there(wish: Wish, wider: str) -> Solution:
    """The solution where nothing of the kind lies as wanted."""
    reason = f"There is no {wish.what} {reach_words(wish)}."
    return Solution(status=Status.UNANSWERABLE, reason=" ".join(filter(None, (reason, wider))))


def nothing_left(
    wish: Wish, found: Sequence[Place], sifted: Sifted, costs: Sequence[Loosened], wider: str
) -> Solution:
    """The solution where conditions left nothing: which ones did, and what loosening each would give."""
    words = "; ".join(outcome.condition.words for outcome in sifted.outcomes)
    unstated = sifted.unstated()
    missing = f"The map states the {unstated} of none of them." if unstated else ""
    gains = [f"Without '{cost.words}' {cost.count} would be left." for cost in costs if cost.count]
    gain = " ".join(gains) or "No single condition is at fault."
    reason = f"None of the {len(found)} ({wish.what}) {reach_words(wish)} fulfils: {words}."
    return Solution(status=Status.UNANSWERABLE, reason=" ".join(filter(None, (reason, missing, gain, wider))))


def _ids(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(candidate.evidence_id for candidate in candidates))


def _key(one: Ranked) -> str:
    return one.candidate.place.id


def _name(one: Ranked, names: Mapping[str, str]) -> str:
    return names.get(_key(one), one.candidate.place.name)


def _rounded(score: float) -> float:
    return round(score, 3)
