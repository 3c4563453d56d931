"""What providers over maps of our own have in common: places from a map, ways from its tiles.

OpenStreetMap has no ratings, no reviews, no price levels and no timetables, and such a provider claims none; a map that
was added with a GTFS feed has that timetable.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Concatenate, Protocol

from map_tools.errors import PlaceNotFoundError, UnsupportedError
from map_tools.kinds.concepts import is_ground
from map_tools.maps.reading import MapReading, ReadableMap
from map_tools.providers.base import Capabilities, Spot, Terms, position_of
from map_tools.providers.likeness import can_mean
from map_tools.together import Threads
from map_tools.types import (
    ADDRESS,
    Avoid,
    Candidate,
    LatLng,
    Matrix,
    MatrixCell,
    NearbyPlace,
    Place,
    RankBy,
    Ride,
    Route,
    Shape,
    TravelMode,
)

if TYPE_CHECKING:
    from map_tools.testing.contract.checking import ContractSample

TERMS = Terms(
    attribution="© OpenStreetMap contributors",
    attribution_url="https://www.openstreetmap.org/copyright",
)
"""The Open Database Licence asks for the credit and lets results be kept and drawn on any map
(https://osmfoundation.org/wiki/Licence/Attribution_Guidelines)."""

CAPABILITIES = Capabilities(
    modes=frozenset({TravelMode.DRIVING, TravelMode.WALKING, TravelMode.BICYCLING}),
    facts=frozenset(
        {"location", "categories", "address", "phone", "website", "email", "hours", "services", "timezone"}
        | {"attributes"}
    ),
    areas=True,
    cheap_names=True,
    full_candidates=True,
    narrow_names=True,
    avoids=frozenset(Avoid),
)

MIN_SCORE = 0.7
"""A name less alike than this is not what was asked for."""


class Roads(Protocol):
    """Ways over the roads of a map; see `map_tools.maps.routing.Router`."""

    async def routes(
        self,
        origin: LatLng,
        destination: LatLng,
        mode: TravelMode,
        waypoints: Sequence[LatLng] = (),
        *,
        alternatives: bool = False,
        avoid: Sequence[Avoid] = (),
    ) -> tuple[Route, ...]:
        """Routes from origin to destination, fastest first."""
        ...

    async def matrix(
        self, origins: Sequence[LatLng], destinations: Sequence[LatLng], mode: TravelMode
    ) -> tuple[tuple[MatrixCell, ...], ...]:
        """Travel from each origin (row) to each destination (column)."""
        ...

    async def reach(self, origin: LatLng, within_s: float, mode: TravelMode) -> Shape:
        """The area that one reaches within a time."""
        ...

    async def close(self) -> None:
        """Frees what they hold."""
        ...


class Rides(Protocol):
    """Ways by public transport; see `map_tools.transit.journeys.Journeys`."""

    async def routes(
        self,
        origin: LatLng,
        destination: LatLng,
        *,
        depart_at: datetime | None = None,
        arrive_by: datetime | None = None,
        alternatives: bool = False,
    ) -> tuple[Route, ...]:
        """Ways by the timetable, best first."""
        ...

    async def matrix(
        self,
        origins: Sequence[LatLng],
        destinations: Sequence[LatLng],
        *,
        depart_at: datetime | None = None,
        arrive_by: datetime | None = None,
    ) -> tuple[tuple[MatrixCell, ...], ...]:
        """The best way of each pair."""
        ...

    async def departures(
        self, place: LatLng, name: str, at: datetime | None = None
    ) -> tuple[tuple[Ride, ...], bool]:
        """What leaves from a stop, and whether that is all within a day."""
        ...

    async def close(self) -> None:
        """Frees what they hold."""
        ...


class MapProvider:
    """Answers from a map, its roads and its timetable.

    Args:
        places: The map.
        roads: Ways over its roads; None for a map without.
        name: The provider's name.
        map_name: The map's name.
        terms: Whose data it is.
        facts: Attributes of `Place` that the map has beyond OpenStreetMap's.
        workers: Threads that search the map.
        rides: Ways by its timetable; None for a map without.
    """

    def __init__(
        self,
        places: ReadableMap,
        roads: Roads | None,
        *,
        name: str,
        map_name: str,
        terms: Terms,
        facts: Sequence[str],
        workers: int,
        rides: Rides | None = None,
    ) -> None:
        self.name = name
        self.map_name: str | None = map_name
        self.terms = terms
        self.capabilities = CAPABILITIES.model_copy(
            update={
                "facts": CAPABILITIES.facts.union(facts),
                "modes": (CAPABILITIES.modes if roads else frozenset())
                | ({TravelMode.TRANSIT} if rides else frozenset()),
                "timetables": rides is not None,
            }
        )
        self._places = places
        self._roads = roads
        self._rides = rides
        self._threads = Threads("map", workers)

    def score(self, text: str) -> float:
        """0 to 1: how well the best place fits these words."""
        with self._places.reading() as reading:
            return reading.name_score(text)

    def exact(self, text: str) -> bool:
        """Whether a place is called exactly this (the port `mapagent.core.ports.NameHints`)."""
        with self._places.reading() as reading:
            return reading.has_name(text)

    async def find_place(
        self,
        text: str,
        *,
        near: LatLng | None = None,
        limit: int = 5,
        kind: tuple[str, ...] = (),
        inside: str | None = None,
    ) -> tuple[Candidate, ...]:
        """Places by name, alias or address; see `MapStore.find` for the ranking.

        `kind` and `inside` are those of `map_tools.providers.base.NarrowsNames`.
        """
        return await self._read(self._find, text, near, limit, kind=kind, inside=inside)

    async def place_details(self, place_id: str) -> Place:
        """Everything the map says of a place; `PlaceNotFoundError` if it has none of this id."""
        return await self._read(self._details, place_id)

    async def nearby(
        self,
        center: Spot,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,  # noqa: ARG002 (OpenStreetMap knows no prominence)
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """Places of a kind, nearest first; lines and areas count by the point that stands for them.

        Around a place that one is in or along (`concepts.is_ground`) distances are from its shape.
        """
        return await self._read(
            self._nearby, center, radius_m, categories=categories, keyword=keyword, limit=limit
        )

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """Places within the outline of an area; `UnsupportedError` if the place has no outline."""
        return await self._read(self._inside, area_id, categories, keyword)

    async def everywhere(
        self, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """All places of a kind on the map (`map_tools.providers.base.Bounded`)."""
        return await self._read(
            lambda reading: tuple(reading.places(reading.everywhere(categories, keyword)))
        )

    async def shape(self, place_id: str) -> Shape | None:
        """Outline or whole line of a place (`map_tools.providers.base.HasShapes`)."""
        return await self._read(lambda reading: reading.shape(self._row(reading, place_id)))

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,
        depart_at: datetime | None = None,
        avoid: tuple[Avoid, ...] = (),
        arrive_by: datetime | None = None,
    ) -> tuple[Route, ...]:
        """Routes, fastest first, without traffic; times count for public transport alone."""
        if mode is TravelMode.TRANSIT and self._rides is not None:
            if waypoints or avoid:
                raise UnsupportedError(
                    "Ways by public transport have no stops on the way and nothing to avoid here.",
                    "Ask for each part by itself.",
                )
            return await self._rides.routes(
                position_of(origin),
                position_of(destination),
                depart_at=depart_at,
                arrive_by=arrive_by,
                alternatives=alternatives,
            )
        return await self._ways(mode).routes(
            position_of(origin),
            position_of(destination),
            mode,
            tuple(map(position_of, waypoints)),
            alternatives=alternatives,
            avoid=avoid,
        )

    async def matrix(
        self,
        origins: tuple[Spot, ...],
        destinations: tuple[Spot, ...],
        *,
        mode: TravelMode,
        depart_at: datetime | None = None,
        arrive_by: datetime | None = None,
    ) -> Matrix:
        """Travel times and distances, without traffic; times count for public transport alone."""
        starts, ends = tuple(map(position_of, origins)), tuple(map(position_of, destinations))
        if mode is TravelMode.TRANSIT and self._rides is not None:
            rows = await self._rides.matrix(starts, ends, depart_at=depart_at, arrive_by=arrive_by)
            return Matrix(mode=mode, rows=rows)
        return Matrix(mode=mode, rows=await self._ways(mode).matrix(starts, ends, mode))

    async def reach(self, origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        """What is reached within a time, without traffic (`map_tools.providers.base.TellsReach`)."""
        if mode is TravelMode.TRANSIT and self._rides is not None:
            raise UnsupportedError(
                "What is reached by public transport within a time is not worked out here.",
                "Ask for the way to each place.",
            )
        return await self._ways(mode).reach(position_of(origin), within_s, mode)

    async def departures(self, stop: Spot, *, at: datetime | None = None) -> tuple[tuple[Ride, ...], bool]:
        """What leaves from a stop next (`map_tools.providers.base.TellsDepartures`)."""
        if self._rides is None:
            raise UnsupportedError(
                f"The map '{self.map_name}' has no timetable.",
                "Add it with one: `mapagent map add FILE.osm.pbf --gtfs FEED.zip`.",
            )
        return await self._rides.departures(
            position_of(stop), "" if isinstance(stop, LatLng) else stop.name, at
        )

    async def contract_sample(self) -> "ContractSample":
        """A sample of the map for the provider contract: its best-known places.

        Raises:
            UnsupportedError: The map is too small.
        """
        from map_tools.testing.contract.own_samples import sample_of_map

        with self._places.reading() as reading:
            return await sample_of_map(self, reading)

    async def close(self) -> None:
        """Ends the routing threads and closes the map."""
        if self._rides is not None:
            await self._rides.close()
        if self._roads is not None:
            await self._roads.close()
        await self._threads.close()
        self._places.close()

    async def _read[**P, T](
        self, work: Callable[Concatenate[MapReading, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Does some work with the map in a thread."""

        def call() -> T:
            with self._places.reading() as reading:
                return work(reading, *args, **kwargs)

        return await self._threads.run(call)

    def _ways(self, mode: TravelMode) -> Roads:
        if self._roads is None:
            raise UnsupportedError(
                f"The map '{self.map_name}' has no roads for {mode.value}.",
                "Add a map from an .osm.pbf extract.",
            )
        return self._roads

    def _find(
        self,
        reading: MapReading,
        text: str,
        near: LatLng | None,
        limit: int,
        *,
        kind: tuple[str, ...],
        inside: str | None,
    ) -> tuple[Candidate, ...]:
        from map_tools.compute.geodesy import away_m

        area = None if inside is None else self._outlined(reading, inside)
        ranked = reading.find(text, near=near, limit=limit, kind=kind, inside=area)
        found = []
        for (row, score), place in zip(ranked, reading.places([row for row, _ in ranked]), strict=True):
            if score < MIN_SCORE or not can_mean(text, place, score):
                continue
            outlined = reading.has_outline(row) and ADDRESS not in place.categories
            found.append(
                Candidate(
                    place=place, score=min(score, 1.0), distance_m=away_m(near, place), outlined=outlined
                )
            )
        return tuple(found)

    def _details(self, reading: MapReading, place_id: str) -> Place:
        return reading.places([self._row(reading, place_id)])[0]

    def _nearby(
        self,
        reading: MapReading,
        center: Spot,
        radius_m: float,
        *,
        categories: tuple[str, ...],
        keyword: str | None,
        limit: int | None,
    ) -> tuple[NearbyPlace, ...]:
        position, ground = position_of(center), _ground(reading, center)
        if ground is None:
            rows = reading.nearby(position, radius_m, categories=categories, keyword=keyword, limit=limit)
        else:
            rows = reading.nearby_shape(
                ground, position, radius_m, categories=categories, keyword=keyword, limit=limit
            )
        places = reading.places([row for row, _ in rows])
        return tuple(
            NearbyPlace(place=place, distance_m=away) for place, (_, away) in zip(places, rows, strict=True)
        )

    def _inside(
        self, reading: MapReading, area_id: str, categories: tuple[str, ...], keyword: str | None
    ) -> tuple[Place, ...]:
        row = self._outlined(reading, area_id)
        return tuple(reading.places(reading.inside(row, categories=categories, keyword=keyword)))

    def _outlined(self, reading: MapReading, area_id: str) -> int:
        row = self._row(reading, area_id)
        if reading.outline(row) is None:
            name = reading.places([row])[0].name or area_id
            raise UnsupportedError(f"'{name}' has no outline on this map.", "Search within a radius instead.")
        return row

    def _row(self, reading: MapReading, place_id: str) -> int:
        row = reading.row_of(place_id)
        if row is None:
            raise PlaceNotFoundError(
                f"The map '{self.map_name}' has no place with the id '{place_id}'.", "Look it up by its name."
            )
        return row


def _ground(reading: MapReading, center: Spot) -> Shape | None:
    """The shape that distances from a place are measured from; None: they are from its point."""
    if isinstance(center, LatLng) or not is_ground(center.categories):
        return None
    row = reading.row_of(center.id)
    return None if row is None else reading.shape(row)
