"""Travel facts as the route and trip solvers need them: legs, routes, their measures, the mode meant."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from map_tools.compute.quantities import format_duration
from map_tools.facts import RoutesFact, TravelFact
from map_tools.types import Route, RouteLeg, RouteStep, TravelMode
from mapagent.evidence import Evidence
from modules.offline.intents import HERE
from modules.needs import RoutesNeed
from modules.solvers.common import Trail
from modules.solvers.measures import measure_words
from modules.solvers.route_names import NameBook
from modules.view import CannotTellError, View

MODE_WORDS = {
    TravelMode.DRIVING: "by car",
    TravelMode.WALKING: "on foot",
    TravelMode.BICYCLING: "by bicycle",
    TravelMode.TRANSIT: "by public transport",
}


@dataclass(frozen=True, slots=True)
class Leg:
    """Travel between two places, named as the facts name them.

    `turned` is True if only the opposite direction was at hand and is used in its place; `route` names the
    one of several routes that the question wants.
    """

    origin: str
    destination: str
    mode: TravelMode
    duration_s: float
    distance_m: float | None
    evidence_id: str
    turned: bool = False
    route: str | None = None

    @property
    def words(self) -> str:
        """The leg for a derivation: "A → B 14 min"."""
        return f"{self.origin} → {self.destination} {format_duration(self.duration_s)}"

    def measure(self, unit: str) -> float | None:
        """Its length in metres ("m"), None if that is not known, or its time in seconds ("s")."""
        return self.distance_m if unit == "m" else self.duration_s


def summands(route: Route, unit: str) -> list[float]:
    """What the time ("s") or length ("m") of a route is the sum of: its total, or else its legs or its steps.

    Empty if any part is unknown.
    """
    levels: tuple[Sequence[Route | RouteLeg | RouteStep], ...] = ((route,), route.legs, route.steps)
    for parts in levels:
        values = [part.distance_m if unit == "m" else part.duration_s for part in parts]
        known = [value for value in values if value is not None]
        if known and len(known) == len(values):
            return known
    return []


def route_measure(route: Route, unit: str) -> float | None:
    """Time ("s") or length ("m") of a route; None if the source gives neither a total nor all parts."""
    values = summands(route, unit)
    return sum(values) if values else None


def default_mode(view: View, origin: str | None = None, destination: str | None = None) -> TravelMode:
    """The mode meant where a question names none: driving, unless only other modes are at hand.

    Of the modes at hand those between the two places count, if there are any.
    """
    modes = Counter(mode for a, b, mode in _pairs(view) if (a, b) == (origin, destination))
    modes = modes or Counter(mode for _, _, mode in _pairs(view))
    if not modes or TravelMode.DRIVING in modes:
        return TravelMode.DRIVING
    return modes.most_common(1)[0][0]


def default_modes(view: View) -> tuple[TravelMode, ...]:
    """The modes to compare where a question names none: those at hand, or else one's own means of travel."""
    at_hand = tuple(dict.fromkeys(mode for _, _, mode in _pairs(view)))
    return at_hand if len(at_hand) > 1 else (TravelMode.DRIVING, TravelMode.BICYCLING, TravelMode.WALKING)


def _pairs(view: View) -> Iterable[tuple[str, str, TravelMode]]:
    for _, travel in view.facts(TravelFact):
        yield travel.origin, travel.destination, travel.mode
    for _, routes in view.facts(RoutesFact):
        yield routes.origin, routes.destination, routes.mode


def find_leg(view: View, book: NameBook, origin: str, destination: str, mode: TravelMode) -> Leg | None:
    """The travel between two places; None while it is being fetched.

    If nothing more can be fetched and only the way back is at hand, that is taken (`turned`): the directions
    differ, so the user is told.

    Raises:
        CannotTellError: There is no way, or none is at hand.
    """
    exact = known_leg(view, book, origin, destination, mode)
    if exact is not None:
        return exact
    a, b = book.of(origin), book.of(destination)
    try:
        found = view.travel(a, b, mode)
    except CannotTellError:
        back = _exact(view, b, a, mode) if view.closed else None
        if back is None:
            raise
        return Leg(a, b, mode, back.duration_s, back.distance_m, back.evidence_id, turned=True)
    if found is None:
        return None
    return Leg(a, b, mode, found.duration_s, found.distance_m, found.evidence_id)


def known_leg(view: View, book: NameBook, origin: str, destination: str, mode: TravelMode) -> Leg | None:
    """The travel between two places if it is at hand under their very names."""
    return _exact(view, book.of(origin), book.of(destination), mode)


def _exact(view: View, a: str, b: str, mode: TravelMode) -> Leg | None:
    for item, travel in view.facts(TravelFact):
        if (travel.origin, travel.destination, travel.mode) == (a, b, mode) and travel.duration_s is not None:
            return Leg(a, b, mode, travel.duration_s, travel.distance_m, item.id)
    for item, fact in view.facts(RoutesFact):
        if (fact.origin, fact.destination, fact.mode) == (a, b, mode) and not fact.waypoints:
            timed = [
                (seconds, route)
                for route in fact.routes
                if (seconds := route_measure(route, "s")) is not None
            ]
            if timed:
                seconds, best = min(timed, key=lambda pair: pair[0])
                return Leg(a, b, mode, seconds, route_measure(best, "m"), item.id)
    return None


def find_routes(view: View, book: NameBook, need: RoutesNeed) -> tuple[Evidence, RoutesFact] | None:
    """The routes that answer a need; None while they are being fetched.

    A need from the user's position is also served by the only routes that lead to the destination, where
    supplied text leaves the start to be understood.
    """
    named = need.model_copy(
        update={
            "origin": book.of(need.origin),
            "destination": book.of(need.destination),
            "waypoints": tuple(map(book.of, need.waypoints)),
        }
    )
    wanted = (named.origin, named.destination, named.mode, named.waypoints)
    for item, fact in view.facts(RoutesFact):
        enough = fact.complete or not need.alternatives or view.closed
        if (fact.origin, fact.destination, fact.mode, fact.waypoints) == wanted and fact.routes and enough:
            return item, fact
    if named.origin == HERE and view.question.near is None:
        only = [
            (item, fact)
            for item, fact in view.facts(RoutesFact)
            if fact.destination == named.destination and fact.mode is named.mode and fact.routes
        ]
        if len(only) == 1:
            return only[0]
    return view.routes(named)


def known_measure(leg: Leg, unit: str) -> float:
    """The length ("m") or the time ("s") of a leg.

    Raises:
        CannotTellError: Its length is not known.
    """
    value = leg.measure(unit)
    if value is None:
        raise CannotTellError(f"The length of the way from {leg.origin} to {leg.destination} is not known.")
    return value


def claim_sum(
    trail: Trail, legs: Sequence[Leg], unit: str, stays_s: Sequence[float] = ()
) -> tuple[float, str]:
    """Adds up legs (and stays), claiming each leg and the sum; returns the total and its derivation in words.

    Raises:
        CannotTellError: The length of a leg is wanted and not known.
    """
    values: list[float] = []
    for leg in legs:
        value = known_measure(leg, unit)
        claim_leg(trail, leg, value, unit)
        values.append(value)
    values += stays_s
    total = sum(values)
    if len(values) == 1:
        return total, measure_words(total, unit)
    trail.claim("sum", [leg.evidence_id for leg in legs], total, values=values, unit=unit)
    shown = " + ".join(measure_words(value, unit) for value in values)
    note = " (each rounded)" if unit == "s" and any(value % 60 for value in values) else ""
    return total, f"{shown} = {measure_words(total, unit)}{note}"


def claim_leg(trail: Trail, leg: Leg, value: float, unit: str) -> None:
    """Claims one leg as its evidence states it, and tells the user if the way back stands for it."""
    ends = (leg.destination, leg.origin) if leg.turned else (leg.origin, leg.destination)
    named = {} if leg.route is None else {"route": leg.route}
    trail.claim(
        "travel",
        (leg.evidence_id,),
        value,
        origin=ends[0],
        destination=ends[1],
        mode=leg.mode.value,
        unit=unit,
        **named,
    )
    if leg.turned:
        trail.warn(f"Only the way from {ends[0]} to {ends[1]} is at hand; its figures were used.")
