"""What all route questions share: the intent, the view, the names and the mode, and how a solution is put."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from map_tools.facts import RoutesFact
from map_tools.types import Route, TravelMode
from mapagent.answer import Solution, Text, Value
from mapagent.evidence import Evidence
from modules.offline.intents import UNSAID, RouteIntent
from modules.names import same_name
from modules.needs import RoutesNeed
from modules.solvers.common import Trail
from modules.solvers.route_facts import MODE_WORDS, default_mode, find_routes, summands
from modules.solvers.route_names import NameBook
from modules.solvers.route_select import chosen_route, clean_via, feature_counts, runs_along
from modules.view import CannotTellError, View


@dataclass(frozen=True, slots=True)
class RouteCase:
    """One route question and the facts it is answered from. Make it with `of`."""

    intent: RouteIntent
    view: View
    book: NameBook
    mode: TravelMode
    trail: Trail = field(default_factory=Trail)

    @classmethod
    def of(cls, intent: RouteIntent, view: View) -> "RouteCase":
        """The case of this question: names translated, the mode settled."""
        intent = _with_ends(intent, view)
        book = NameBook(view, (intent.origin, intent.destination, *intent.via, *intent.others))
        ends = (book.of(intent.origin), book.of(intent.destination))
        intent = _told_by_street(intent, view, ends)
        case = cls(intent, view, book, intent.mode or default_mode(view, *ends))
        for warning in book.warnings:
            case.trail.warn(warning)
        if intent.pace is not None:
            case.trail.warn(
                f"No speed is known for '{intent.pace}'; this is the way {MODE_WORDS[case.mode]}."
            )
        if intent.mode is None and not intent.modes and case.mode is not TravelMode.DRIVING:
            case.trail.warn(f"The question names no mode of travel; only {case.mode.value} is at hand.")
        return case

    def routes(self, *, alternatives: bool = False) -> tuple[Evidence, RoutesFact] | None:
        """The routes asked about; None while they are being fetched.

        Raises:
            CannotTellError: There are none.
        """
        need = RoutesNeed(
            origin=self.intent.origin,
            destination=self.intent.destination,
            mode=self.mode,
            waypoints=self.intent.via,
            alternatives=alternatives,
        )
        found = find_routes(self.view, self.book, need)
        if found is not None and not found[1].routes:
            raise CannotTellError(f"There is no way from {need.origin} to {need.destination}.")
        return found if found is None else (found[0], self._without(found[1]))

    def _without(self, fact: RoutesFact) -> RoutesFact:
        """The routes that are known to have none of the features that the question rules out.

        Raises:
            CannotTellError: There is none.
        """
        ruled_out = self.intent.without
        if not ruled_out:
            return fact
        detailed = [route for route in fact.routes if route.steps]
        counts = [feature_counts(detailed, feature, None) for feature in ruled_out]
        kept = tuple(route for route, *found in zip(detailed, *counts, strict=True) if not any(found))
        if not kept:
            way = f"from {fact.origin} to {fact.destination}"
            raise CannotTellError(f"No route {way} is known to be without {' or '.join(ruled_out)}.")
        return fact.model_copy(update={"routes": kept})

    def known_routes(self) -> tuple[Evidence, RoutesFact] | None:
        """The routes asked about if they are at hand already."""
        ends = (self.book.of(self.intent.origin), self.book.of(self.intent.destination), self.mode)
        for item, fact in self.view.facts(RoutesFact):
            if (fact.origin, fact.destination, fact.mode) == ends and fact.routes and not fact.waypoints:
                return item, fact
        return None

    def chosen(self) -> tuple[Evidence, RoutesFact, Route] | None:
        """The one route the question is about, with the list it comes from; None while it is fetched."""
        choice = self.intent.select != "fastest" or self.intent.along is not None
        found = self.routes(alternatives=choice)
        return None if found is None else (*found, chosen_route(found[1], self.intent))

    def name_of(self, fact: RoutesFact, route: Route) -> str:
        """What a route is called: its streets, or its place in the list."""
        name = clean_via(route.summary)
        return name or f"route {fact.routes.index(route) + 1}"

    def via(self, fact: RoutesFact, route: Route) -> Text:
        """A route as an answer."""
        return Text(text=self.name_of(fact, route), topic="via")

    def claim_measure(self, item: Evidence, fact: RoutesFact, route: Route, unit: str) -> None:
        """Claims the time or length of a route: as stated, or as the sum of its stated parts."""
        values = summands(route, unit)
        stated = route.distance_m if unit == "m" else route.duration_s
        if stated is None:
            self.trail.claim("sum", (item.id,), sum(values), values=values, unit=unit)
            return
        self.trail.claim(
            "travel",
            (item.id,),
            stated,
            origin=fact.origin,
            destination=fact.destination,
            mode=fact.mode.value,
            route=self.name_of(fact, route),
            unit=unit,
        )

    def claim_measures(self, item: Evidence, fact: RoutesFact, routes: Sequence[Route], unit: str) -> str:
        """Claims what several routes measure; returns the unit under which they may be compared.

        Sums of steps are stated nowhere as such, so they are compared as "s (summed)" or "m (summed)".
        """
        for route in routes:
            self.claim_measure(item, fact, route, unit)
        return f"{unit} (summed)" if any(len(summands(route, unit)) > 1 for route in routes) else unit

    def claim_best(
        self, item: Evidence, fact: RoutesFact, measured: Sequence[tuple[Route, float]], unit: str, rule: str
    ) -> None:
        """Claims that the first of these measured routes has the least or the greatest measure."""
        values: dict[str, float] = {}
        for route, value in measured:
            values.setdefault(self.name_of(fact, route), value)
        if unit in {"s", "m"}:
            unit = self.claim_measures(item, fact, [route for route, _ in measured], unit)
        self.trail.claim(rule, (item.id,), next(iter(values)), values=values, unit=unit, k=1)

    def answered(self, value: Value, explanation: str, ranking: Iterable[Value] = ()) -> Solution:
        """The solution; values equal to an earlier one are left out of the ranking."""
        others: list[Value] = []
        for other in ranking:
            if other != value and other not in others:
                others.append(other)
        return self.trail.answered(value, explanation, others)


def _with_ends(intent: RouteIntent, view: View) -> RouteIntent:
    """The ends of a way that only a street tells: those of the routes at hand that run along it.

    Raises:
        CannotTellError: No route at hand runs along it, or several with different ends do.
    """
    if intent.destination != UNSAID:
        return intent
    street = intent.along or " and ".join(intent.via)
    facts = [
        fact
        for _, fact in view.facts(RoutesFact)
        if intent.mode in {None, fact.mode} and not fact.waypoints and runs_along(fact, street)
    ]
    ends = {(fact.origin, fact.destination) for fact in facts}
    if len(ends) != 1:
        raise CannotTellError("The question does not say where the way begins and ends.")
    fact = facts[0]
    known = {"origin": fact.origin, "destination": fact.destination, "mode": fact.mode}
    return intent.model_copy(update={**known, "along": street, "via": (), "select": "along"})


def _told_by_street(intent: RouteIntent, view: View, ends: tuple[str, str]) -> RouteIntent:
    """A "via" that is the name of one of the routes at hand tells that route and is no stop."""
    if not intent.via:
        return intent
    words = " and ".join(intent.via)
    for _, fact in view.facts(RoutesFact):
        between = (fact.origin, fact.destination) == ends and not fact.waypoints
        if between and any(same_name(clean_via(route.summary), words) for route in fact.routes):
            return intent.model_copy(update={"via": (), "along": words, "select": "along"})
    return intent
