"""What follows from single pieces of evidence without knowing the question: small, safe derivations."""

from collections.abc import Iterator

from map_tools.facts import ComputedFact, NearbyFact, RoutesFact
from map_tools.types import NearbyPlace, Route
from mapagent.evidence import Evidence


def derive(item: Evidence) -> Iterator[ComputedFact]:
    """The facts that follow from one piece of evidence."""
    fact = item.value
    if isinstance(fact, RoutesFact):
        yield from _compare_routes(fact)
    elif isinstance(fact, NearbyFact):
        yield from _summarise_list(fact)


def _compare_routes(fact: RoutesFact) -> Iterator[ComputedFact]:
    way = f"from {fact.origin} to {fact.destination} ({fact.mode.value})"
    timed = [route for route in fact.routes if route.duration_s is not None]
    measured = [route for route in fact.routes if route.distance_m is not None]
    if len(timed) > 1:
        best = min(timed, key=lambda route: route.duration_s or 0.0)
        yield ComputedFact(
            label=f"fastest route {way}",
            value=best.summary,
            formula=" < ".join(f"{route.duration_s:g} s" for route in _by_time(timed)),
        )
    if len(measured) > 1:
        shortest = min(measured, key=lambda route: route.distance_m or 0.0)
        yield ComputedFact(
            label=f"shortest route {way}",
            value=shortest.summary,
            formula=" < ".join(f"{route.distance_m:g} m" for route in _by_distance(measured)),
        )


def _by_time(routes: list[Route]) -> list[Route]:
    return sorted(routes, key=lambda route: route.duration_s or 0.0)


def _by_distance(routes: list[Route]) -> list[Route]:
    return sorted(routes, key=lambda route: route.distance_m or 0.0)


def _summarise_list(fact: NearbyFact) -> Iterator[ComputedFact]:
    around = f"{fact.what} {'in' if fact.inside else 'around'} {fact.anchor}"
    if fact.complete:
        yield ComputedFact(label=f"number of {around}", value=str(len(fact.items)))
    measured = [item for item in fact.items if item.distance_m is not None]
    if measured:
        nearest = min(measured, key=_distance_m)
        yield ComputedFact(
            label=f"nearest {around}",
            value=nearest.place.name or "(unnamed)",
            formula=f"{_distance_m(nearest):.0f} m",
        )


def _distance_m(item: NearbyPlace) -> float:
    return item.distance_m if item.distance_m is not None else float("inf")
