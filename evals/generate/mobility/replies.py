"""What a map replied when queries were made, kept as a recorded world (`docs/recorded-world.md`).

A way that a query is about is kept with its steps; between all places of a query the times of every mode are, so
that whoever asks for another way than the gold one is told about it too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, cast

from map_tools.errors import NoRouteError
from map_tools.providers.base import AvoidsRoads, Provider, Terms
from map_tools.providers.world_file import FORMAT_NAME, FORMAT_VERSION
from map_tools.types import Avoid, MatrixCell, NearbyPlace, Place, Route, RouteLeg, TravelMode

MODES = (TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING)


@dataclass
class Replies:
    """Entries of a recorded world, each once, by what was asked."""

    places: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    nearby: dict[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    routes: dict[tuple[object, ...], Mapping[str, Any]] = field(default_factory=dict)
    times: dict[tuple[str, str, str], Mapping[str, Any]] = field(default_factory=dict)

    def add(self, other: "Replies") -> None:
        """Takes over what another query has brought; where both have routes of a way, all of them are kept."""
        self.places |= other.places
        self.nearby |= other.nearby
        self.times |= other.times
        for key, entry in other.routes.items():
            known = self.routes.get(key, {"routes": []})["routes"]
            more = [route for route in entry["routes"] if route not in known]
            self.routes[key] = {**entry, "routes": [*known, *more]}

    def world(self, name: str, terms: Terms) -> dict[str, Any]:
        """The file of the world."""
        return {
            "format": FORMAT_NAME,
            "version": FORMAT_VERSION,
            "name": name,
            "attribution": terms.attribution,
            "attribution_url": terms.attribution_url,
            "places": list(self.places.values()),
            "nearby": list(self.nearby.values()),
            "routes": list(self.routes.values()),
            "travel_times": list(self.times.values()),
        }


class Asked:
    """Asks a map and keeps what it replies; one for each query.

    Args:
        provider: The map.
    """

    def __init__(self, provider: Provider) -> None:
        self.replies = Replies()
        self._provider = provider

    async def ways(
        self,
        stops: Sequence[Place],
        mode: TravelMode,
        avoid: tuple[Avoid, ...] = (),
    ) -> Route | None:
        """The best way over the stops; None if there is none."""
        origin, *via, destination = stops
        avoiding = cast("AvoidsRoads", self._provider)
        try:
            found = await avoiding.directions(
                origin, destination, mode=mode, waypoints=tuple(via), avoid=avoid
            )
        except NoRouteError:
            return None
        kept = Replies(
            routes={
                (*(stop.id for stop in stops), mode): {
                    "origin": origin.id,
                    "destination": destination.id,
                    "mode": mode.value,
                    "waypoints": [stop.id for stop in via],
                    "routes": [_route(found[0])],
                }
            }
        )
        self._note(stops)
        self.replies.add(kept)
        return found[0]

    async def times(self, places: Sequence[Place], mode: TravelMode) -> dict[tuple[str, str], MatrixCell]:
        """Travel between every two places that are connected, by their ids; every mode's is kept."""
        self._note(places)
        found: dict[tuple[str, str], MatrixCell] = {}
        for each in MODES:
            matrix = await self._provider.matrix(tuple(places), tuple(places), mode=each)
            for (row, a), (column, b) in permutations(enumerate(places), 2):
                cell = matrix.rows[row][column]
                if cell.duration_s is None:
                    continue
                self.replies.times[a.id, b.id, each] = {
                    "origin": a.id,
                    "destination": b.id,
                    "mode": each.value,
                    "duration": cell.duration_s,
                    "distance": cell.distance_m,
                }
                if each is mode:
                    found[a.id, b.id] = cell
        return found

    async def around(
        self, center: Place, kind: str, what: str, radius_m: float, limit: int
    ) -> tuple[NearbyPlace, ...]:
        """Places of a kind around another one, nearest first, without that one."""
        found = await self._provider.nearby(center, radius_m=radius_m, categories=(kind,), limit=limit)
        named = tuple(one for one in found if one.place.id != center.id)
        self._note([center, *(one.place for one in named if one.place.name)])
        self.replies.nearby[center.id, kind] = {
            "anchor": center.id,
            "what": what,
            "categories": [kind],
            "ordered": True,
            "items": [{**_place(one.place), "distance": one.distance_m} for one in named if one.place.name],
        }
        return named

    def _note(self, places: Sequence[Place]) -> None:
        self.replies.places |= {place.id: _place(place) for place in places}


def _place(place: Place) -> Mapping[str, Any]:
    told = {"id", "name", "location", "categories", "address", "timezone"}
    return place.model_dump(mode="json", include=told, exclude_defaults=True)


def _route(route: Route) -> Mapping[str, Any]:
    legs = [_leg(leg) for leg in route.legs]
    told = {
        "summary": route.summary,
        "distance": route.distance_m,
        "duration": route.duration_s,
        "warnings": list(route.warnings),
    }
    return {**told, "legs": legs} if len(legs) > 1 else {**told, "steps": legs[0]["steps"]}


def _leg(leg: RouteLeg) -> Mapping[str, Any]:
    steps = [
        step.model_dump(mode="json", exclude_defaults=True, exclude={"location", "ride"})
        for step in leg.steps
    ]
    return {"distance": leg.distance_m, "duration": leg.duration_s, "steps": steps}
