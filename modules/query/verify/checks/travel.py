"""Checks of ways, of what the words of their steps say, and of what is reached within a time."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from map_tools.compute import route_steps
from map_tools.facts import ReachFact, ReachSample, RoutesFact
from map_tools.types import Route, RouteLeg, TravelMode
from modules.query.values.amount import Amount
from modules.query.values.things import Items, Step, Thing, Way
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import measuring
from modules.query.verify.cited import Asked, Check, Fault, Unchecked, best_route, routes_of

_AVOIDED = {
    **dict.fromkeys(("ferry", "ferries"), "ferries"),
    **dict.fromkeys(("toll", "tolls"), "tolls"),
    **dict.fromkeys(("motorway", "motorways"), "motorways"),
    **dict.fromkeys(("stairs", "steps"), "stairs"),
    **{one: one for one in ("barriers", "busy roads")},
}
FEWEST, FEWEST_OF_A_SIDE = 4, 3
"""Fewest places for a check: in all, and inside or outside of the area."""
AGREEING, AGREEING_OF_A_SIDE = 1 / 2, 1 / 4
"""Shares that must agree, in all and of a side. Not all do: a place over a tunnel is assigned the tunnel's way."""
FARTHEST_M = 5_000.0
"""Greatest distance to the road on which one starts."""
SLACK, SLACK_S = 0.25, 60.0
"""How far a time may exceed the limit, as a share of it and in seconds: areas are computed on a grid."""


def _way(asked: Asked) -> Any:
    """The way over its stops; one of the alternatives where via= names roads that it runs along."""
    along = _along(asked)
    if along is not None and along.items:
        return along.items[0]
    return _over(asked, asked.things(asked["via"] or ()))


def _over(asked: Asked, stops: list[Any]) -> Any:
    lost = next((one for one in stops if isinstance(one, Unknown)), None)
    avoid: list[str] = []
    for one in asked["avoid"] or ():
        feature = _AVOIDED.get(one.casefold())
        if feature is None and not asked.cited.situation.text:
            street = asked.by.look_up("line", one, {}, asked.at, asked.line)
            lost = street if isinstance(street, Unknown) else lost
        avoid.append(feature or one)
    way = Way(
        asked["a"],
        asked["b"],
        TravelMode(asked["mode"] or "walking"),
        tuple(stops),
        tuple(dict.fromkeys(avoid)),
        asked["depart"],
        asked["arrive"],
    )
    return way if lost is None else lost


def _along(asked: Asked) -> Items | None:
    """The alternatives that run along the roads that via= names; None where it names places."""
    roads = asked["via"] or ()
    if not roads or not all(isinstance(one, str) for one in roads):
        return None
    found = _alternatives(asked, _over(asked, []))
    if not isinstance(found, Items):
        return None
    kept = [one for one in found if all(route_steps.along_streets(one.route, road) for road in roads)]
    called = " and ".join(roads)
    return found.like(sorted(kept, key=lambda one: route_steps.likeness(one.route, called), reverse=True))


def _routes(asked: Asked) -> Any:
    along = _along(asked)
    if along is not None and along.items:
        return along
    return _alternatives(asked, _over(asked, asked.things(asked["via"] or ())))


def _alternatives(asked: Asked, way: Any) -> Any:
    found = routes_of(way, asked.cited, alternatives=True) if isinstance(way, Way) else way
    if not isinstance(found, RoutesFact):
        return found
    ways = [replace(way, route=route, number=number) for number, route in enumerate(found.routes)]
    return Items(tuple(ways), searched=True, complete=found.complete and len(ways) > 1)


def _with_route(read: Callable[[Route, Asked], Any]) -> Check:
    """A check of what the words of a route's steps say; reading them is the text readers' business."""

    def check(asked: Asked) -> Any:
        of = asked["of"]
        if isinstance(of, Step):
            leg = RouteLeg(distance_m=None, duration_s=None, steps=(of.step,))
            return read(Route(summary="", distance_m=None, duration_s=None, legs=(leg,)), asked)
        route = best_route(of, asked.cited)
        return read(route, asked) if isinstance(route, Route) else route

    return check


def _uses(route: Route, asked: Asked) -> Any:
    if isinstance(asked["of"], Step):
        return route_steps.on_street(asked["of"].step, asked["street"])
    return route_steps.along_streets(route, asked["street"])


def _features(route: Route, asked: Asked) -> Any:
    if not route.steps:
        return Unknown(Why.NOT_STATED, "The steps of the way are not stated.")
    return Amount.of(route_steps.feature_count(route, asked["feature"], asked["on"]))


def reachable(asked: Asked) -> object:
    """The area that is cited, if places in it are reached in time, and others are not."""
    start, within_s = asked["start"], asked["within"].low
    mode = TravelMode(asked["mode"] or "walking")
    for item, fact in asked.cited.of(ReachFact):
        if (fact.origin, fact.within_s, fact.mode) == (start.reference, within_s, mode):
            asked.cited.using(item)
            return _judged(asked.claimed, fact)
    return asked.cited.lost(start.reference)


def _judged(claimed: object, fact: ReachFact) -> object:
    if (
        not isinstance(claimed, Thing)
        or claimed.shape != fact.shape.wkt
        or not claimed.id.startswith("made:")
    ):
        return Fault("another area")
    start = fact.origin_place.location if fact.origin_place is not None else None
    if start is None or measuring.away_m(start, fact.shape) > FARTHEST_M:
        return Fault("another area: it lies elsewhere")
    if len(fact.samples) < FEWEST:
        return Unchecked("the area that is reached within a time")
    judged = [_judged_sample(fact, one) for one in fact.samples]
    sides = [[agrees for inside, agrees in judged if inside is side] for side in (True, False)]
    told = sum(agrees for _, agrees in judged) >= AGREEING * len(judged) and all(
        len(side) < FEWEST_OF_A_SIDE or sum(side) >= AGREEING_OF_A_SIDE * len(side) for side in sides
    )
    return claimed if told else Fault("another area: the travel times of places contradict it")


def _judged_sample(fact: ReachFact, sample: ReachSample) -> tuple[bool, bool]:
    """Whether a place lies in the area, and whether its own travel time agrees."""
    at, duration_s = sample.place.location, sample.duration_s
    slack_s = SLACK * fact.within_s + SLACK_S
    inside = at is not None and measuring.holds(fact.shape, at)
    if inside:
        return inside, duration_s is not None and duration_s <= fact.within_s + slack_s
    return inside, duration_s is None or duration_s >= fact.within_s - slack_s


CHECKS: Mapping[str, Check] = {
    "travel": _way,
    "routes": _routes,
    "uses": _with_route(_uses),
    "features": _with_route(_features),
    "reachable": reachable,
}
