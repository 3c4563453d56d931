"""Facts as a model sees them: `mapagent.facttext`, plus what a list or a route holds, as far as it fits."""

from collections.abc import Iterable, Iterator

from map_tools.facts import Fact, NearbyFact, NoteFact, RoutesFact
from map_tools.types import Route
from mapagent.facttext import clean, fact_text, place_text
from mapagent.llm.room import LineRoom


class ObservationRoom(LineRoom):
    """The room that is left for the observations of one question."""

    def show(self, facts: Iterable[Fact]) -> str:
        """The facts, as far as they fit."""
        return self.show_lines(line for fact in facts for line in fact_lines(fact))


def fact_lines(fact: Fact) -> Iterator[str]:
    """A fact in lines: the places of a list with what is known of them, a route with its steps."""
    if isinstance(fact, NearbyFact):
        yield from _nearby(fact)
    elif isinstance(fact, RoutesFact):
        yield fact_text(fact)
        for route in fact.routes:
            yield from _steps(route)
    elif isinstance(fact, NoteFact):
        yield from map(clean, fact.text.splitlines())
    else:
        yield fact_text(fact)


def _nearby(fact: NearbyFact) -> Iterator[str]:
    where = f"in {fact.anchor}" if fact.inside else f"around {fact.anchor}"
    radius = "" if fact.inside or fact.radius_m is None else f" within {fact.radius_m:.0f} m"
    order = ", nearest first" if fact.sorted_by_distance else ""
    cut = "" if fact.complete else " (there are more)"
    yield clean(f"{len(fact.items)} × {fact.what} {where}{radius}{order}{cut}:")
    for number, item in enumerate(fact.items, start=1):
        distance = "" if item.distance_m is None else f", {item.distance_m:.0f} m away"
        yield clean(f"{number}. {place_text(item.place)}{distance}")


def _steps(route: Route) -> Iterator[str]:
    if route.steps:
        yield clean(f"Steps via {route.summary or '(unnamed road)'}:")
    for number, step in enumerate(route.steps, start=1):
        amounts = [] if step.distance_m is None else [f"{step.distance_m:.0f} m"]
        amounts += [] if step.duration_s is None else [f"{step.duration_s / 60:.1f} min"]
        told = "; ".join((step.instruction, *step.notes))
        yield clean(f"{number}. {told}" + (f" ({', '.join(amounts)})" if amounts else ""))
