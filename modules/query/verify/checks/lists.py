"""Checks of lists and verdicts, of recommendations and labels, and of the answer itself."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from map_tools.facts import NearbyFact, PictureFact
from map_tools.types import Route
from modules.query.values.things import Finished, Items, Thing, Way
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import bounds, computing, measuring
from modules.query.verify.cited import Asked, Check, Cited, Fault, best_route, measured


def _judge(asked: Asked) -> Any:
    options = asked.cited.situation.options
    verdicts = [computing.truth(one) for one in asked["tests"]]
    holding = [option for option, verdict in zip(options, verdicts, strict=False) if verdict is True]
    if len(holding) == 1:
        return holding[0]
    open_ = next((one for one in verdicts if isinstance(one, Unknown)), None)
    if holding or open_ is None:
        return Unknown(Why.AMBIGUOUS if holding else Why.NONE, "Not one option holds.")
    return open_


def _any(asked: Asked, *, decisive: bool) -> Any:
    xs = asked["xs"]
    if isinstance(xs, Unknown):
        return xs
    found = computing.kleene(xs.items, decisive=decisive)
    open_ = found is not decisive and not isinstance(found, Unknown) and (xs.unstated or not xs.complete)
    return Unknown(Why.NOT_STATED, "It is not stated of all of them.") if open_ else found


def _recommend(asked: Asked) -> Any:
    """The order is the recommender's; the members are among what lies as asked, and fulfil the condition."""
    near, along, within = asked["near"], asked["along"], asked["within"]
    if (near is not None and along is not None) or (within is not None and near is None and along is None):
        return Unknown(Why.UNSUPPORTED, "It is not said of what it is to be within a distance.")
    lists = [(item, fact) for item, fact in asked.cited.of(NearbyFact) if item.source.tool != "Nearby"]
    if not lists:
        return asked.cited.lost()
    for item, _ in lists:
        asked.cited.using(item)
    (_, lying), (_, ranked) = lists[0], lists[-1]
    found = Items(tuple(Thing(one.place) for one in lying.items), searched=True, complete=lying.complete)
    if _strays(asked, lying):
        return Fault("a recommendation of what lies elsewhere")
    if asked["where"] is not None:
        kept, unstated = asked.by.filtered(asked["where"], found.items)
        found = found.like(kept, unstated=tuple(unstated))
    if not found.items:
        why = Why.NOT_STATED if found.unstated else Why.NONE if lying.complete else Why.LIMIT
        return Unknown(why, "Nothing is left.")
    best = {one.place.id: number for number, one in enumerate(ranked.items)}
    chosen = sorted((one for one in found if one.id in best), key=lambda one: best[one.id])
    if len(chosen) < len(best):
        return Fault("a recommendation of what does not fulfil the condition, or lies elsewhere")
    return found.like(chosen, complete=ranked.complete and lying.complete)


def _strays(asked: Asked, lying: NearbyFact) -> bool:
    """Whether something that is listed lies farther off what is measured from than the list says."""
    near, along = asked["near"], asked["along"]
    if near is None and along is None:
        return False
    course = None if along is None else asked.cited.shape(along)
    if along is not None and course is None:
        return True
    reach_m = lying.radius_m or 0.0
    for one in lying.items:
        if course is None:
            off_m = bounds.listed_m(asked.cited, near, one)
        else:
            off_m = measuring.away_m(course, one.place.location) if one.place.location else None
        if off_m is None or (off_m > reach_m and not measuring.close(off_m, reach_m)):
            return True
    return False


def _mark(asked: Asked) -> Any:
    """A label that stands in the picture."""
    texts = [
        label.text
        for item in asked.cited.evidence.values()
        if isinstance(item.value, PictureFact)
        for label in item.value.labels
    ]
    if isinstance(asked.claimed, Thing):
        return asked.claimed if asked.claimed.name in texts else Fault("no such label")
    return Fault("that label") if asked["label"] in texts else Unknown(Why.NOT_FOUND, "")


def _answer(asked: Asked) -> Any:
    """The values below, ways told with their course or their measures; nothing further may be cited."""
    parts = tuple(
        (name, _told(value, asked.cited)) for name, value in asked.arguments.items() if name != "value"
    )
    return Finished(_told(asked["value"], asked.cited), parts)


def _told(value: Any, cited: Cited) -> Any:
    if isinstance(value, Finished):
        return value.value
    if isinstance(value, Way) and value.route is None:
        route = best_route(value, cited)
        return replace(value, route=route) if isinstance(route, Route) else _measured(value, cited)
    if isinstance(value, Items) and any(isinstance(one, Way) for one in value):
        return value.like(_measured(one, cited) for one in value)
    return value


def _measured(way: Any, cited: Cited) -> Any:
    """A way with its time and length, as they are told."""
    if not isinstance(way, Way) or way.route is not None:
        return way
    found = measured(way, cited)
    return found if isinstance(found, Unknown | Fault) else way.measured(found)


CHECKS: Mapping[str, Check] = {
    "recommend": _recommend,
    "count": lambda asked: computing.count(asked["xs"]),
    "sum": lambda asked: computing.total(asked["xs"].items, asked.cited.situation.now),
    "mean": lambda asked: computing.mean(asked["xs"]),
    "min": lambda asked: computing.extreme(asked["xs"], asked.keys(asked["xs"]), greatest=False),
    "max": lambda asked: computing.extreme(asked["xs"], asked.keys(asked["xs"]), greatest=True),
    "sort": lambda asked: computing.sort(
        asked["xs"], asked.keys(asked["xs"]), falling=asked["reverse"] is True
    ),
    "any": lambda asked: _any(asked, decisive=True),
    "all": lambda asked: _any(asked, decisive=False),
    "group": lambda asked: computing.group(asked["xs"], asked.keys(asked["xs"], "by")),
    "both": lambda asked: computing.both(asked["words"], asked.claimed),
    "pairs": lambda asked: computing.pairs(asked["xs"], asked["others"]),
    "after": lambda asked: computing.beyond(asked["xs"], asked["x"], asked.cited.situation.now, behind=True),
    "before": lambda asked: computing.beyond(
        asked["xs"], asked["x"], asked.cited.situation.now, behind=False
    ),
    "abs": lambda asked: computing.absolute(asked["x"]),
    "known": lambda asked: not isinstance(asked["x"], Unknown),
    "judge": _judge,
    "mark": _mark,
    "answer": _answer,
    "unanswerable": lambda asked: Finished(Unknown(Why.UNSUPPORTED, asked["reason"]), (), asked["reason"]),
}
