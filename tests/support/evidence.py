"""Builders of hand-written evidence: facts in one line each, numbered e1, e2, ... in the order given."""

from collections.abc import Iterable
from typing import Any

from map_tools.facts import Fact, FailureFact, NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.types import Hours, LatLng, NearbyPlace, Place, Route, RouteLeg, RouteStep, TravelMode
from mapagent.core.answer import Evidence, Source


def hours(spec: str) -> Hours:
    """Opening hours from a text of the OpenStreetMap grammar."""
    return Hours(spec=spec, text=spec)


def place(name: str, lat: float | None = None, lng: float | None = None, **fields: Any) -> Place:
    """A place; its id is made from the name unless given, its hours may be a text."""
    location = LatLng(lat=lat, lng=lng) if lat is not None and lng is not None else None
    if isinstance(fields.get("hours"), str):
        fields["hours"] = hours(fields["hours"])
    fields.setdefault("id", "test:" + name.casefold().replace(" ", "-"))
    return Place(name=name, location=location, **fields)


def place_fact(found: Place, query: str | None = None, rivals: Iterable[Place] = ()) -> PlaceFact:
    """`found` as the answer to looking up `query` (its own name unless given)."""
    return PlaceFact(query=found.name if query is None else query, place=found, rivals=tuple(rivals))


def nearby_fact(
    anchor: str, what: str, items: Iterable[Place | tuple[Place, float | None]], **fields: Any
) -> NearbyFact:
    """A nearby list; an item is a place, or a place and its distance in metres."""
    pairs = (item if isinstance(item, tuple) else (item, None) for item in items)
    found = tuple(NearbyPlace(place=entry, distance_m=distance_m) for entry, distance_m in pairs)
    return NearbyFact(anchor=anchor, what=what, items=found, **fields)


def travel_fact(
    origin: str,
    destination: str,
    minutes: float | None,
    metres: float | None = None,
    mode: TravelMode = TravelMode.DRIVING,
    **fields: Any,
) -> TravelFact:
    """Travel from one place to another."""
    seconds = None if minutes is None else minutes * 60
    return TravelFact(
        origin=origin, destination=destination, mode=mode, duration_s=seconds, distance_m=metres, **fields
    )


def route(
    summary: str, minutes: float, metres: float | None = None, steps: Iterable[RouteStep | str] = ()
) -> Route:
    """A route of one leg; a step may be a bare instruction."""
    walked = tuple(RouteStep(instruction=step) if isinstance(step, str) else step for step in steps)
    leg = RouteLeg(distance_m=metres, duration_s=minutes * 60, steps=walked)
    return Route(summary=summary, distance_m=metres, duration_s=minutes * 60, legs=(leg,))


def routes_fact(
    origin: str,
    destination: str,
    routes: Iterable[Route],
    mode: TravelMode = TravelMode.DRIVING,
    **fields: Any,
) -> RoutesFact:
    """The routes from one place to another, in the source's order."""
    return RoutesFact(origin=origin, destination=destination, mode=mode, routes=tuple(routes), **fields)


def failure_fact(subject: str, message: str, code: str = "place_not_found", remedy: str = "") -> FailureFact:
    """Something that was looked for and not found."""
    return FailureFact(code=code, message=message, remedy=remedy, subject=subject)


def evidence(*facts: Fact, tool: str = "PlaceInfo", provider: str = "test") -> tuple[Evidence, ...]:
    """The facts as evidence e1, e2, ...; `tool="context"` stands for supplied text."""
    source = Source(tool=tool, provider=provider)
    return tuple(
        Evidence(id=f"e{number}", step_id="s1", value=fact, source=source)
        for number, fact in enumerate(facts, start=1)
    )
