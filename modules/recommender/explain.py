"""A recommendation in words: why each place, and what was traded for what.

Every number in it stands in the evidence.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from map_tools.compute.measures import format_distance
from map_tools.types import Place
from modules.query.operators.recommend import reach_words
from modules.recommender.reach import Reach
from modules.recommender.recommendation_query import RecommendationQuery
from modules.recommender.retrieve import Candidate
from modules.recommender.score import Ranked, Ranking

NOTABLE = 0.02
"""Scores closer than this are called alike: half precision and a static model tell no finer."""


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
