"""The provider `recorded:PATH`: answers from a recorded world and from nothing else.

What the world does not hold is not made up: a way that is not recorded is no route, a straight line is never
a travel time, and another mode's time is never given.
"""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from map_tools.compute.route_replies import quickest
from map_tools.errors import ConfigError, NoRouteError, PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Capabilities, ProviderSetting, Spot, Terms
from map_tools.providers.world import World, build_world
from map_tools.providers.world_file import read_world
from map_tools.providers.world_search import (
    Kind,
    NameIndex,
    WorldSearch,
    distance_between,
    is_of_kind,
    or_last,
)
from map_tools.types import (
    Box,
    Candidate,
    LatLng,
    Matrix,
    MatrixCell,
    NearbyPlace,
    Place,
    RankBy,
    Route,
    RouteLeg,
    Shape,
    TravelMode,
)

if TYPE_CHECKING:
    from map_tools.testing.contract.checking import ContractSample

UNKNOWN = MatrixCell(distance_m=None, duration_s=None)
AT_HOME = MatrixCell(distance_m=0, duration_s=0)


class RecordedProvider:
    """Serves a recorded world (`docs/recorded-world.md`).

    Args:
        world: What is known.
        map_name: How the world is called in answers.
    """

    name: str = "recorded"

    def __init__(self, world: World, *, map_name: str | None = None) -> None:
        self.map_name = map_name or world.name or None
        self.capabilities = _capabilities(world)
        self.terms = Terms(attribution=world.attribution, attribution_url=world.attribution_url)
        self._world = world
        self._names = NameIndex(world.places.values())
        self._search = WorldSearch(world)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Reads a world from a file or a folder.

        Raises:
            InputFileError: The file is missing or not a recorded world; the message names line or field.
        """
        world = build_world(read_world(path))
        return cls(world, map_name=world.name or path.stem)

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens "recorded:PATH".

        Raises:
            ConfigError: No path is given.
            InputFileError: There is no recorded world at the path.
        """
        if not setting.argument:
            raise ConfigError(
                f"The provider '{setting.name}' needs a path.", f"Write --provider {setting.name}:PATH."
            )
        return cls.open(Path(setting.argument).expanduser())

    def score(self, text: str) -> float:
        """0 to 1: how well the best place fits these words."""
        found = self._names.find(text, strict=True)
        return found[0][1] if found else 0.0

    def exact(self, text: str) -> bool:
        """Whether a place is called exactly this, case and punctuation aside."""
        return self._names.has(text)

    async def find_place(
        self,
        text: str,
        *,
        near: LatLng | None = None,
        limit: int = 5,
        kind: tuple[str, ...] = (),
        inside: str | None = None,
    ) -> tuple[Candidate, ...]:
        """Places whose name, alias or address fits; equally good ones by their distance from `near`.

        `kind` and `inside` are those of `map_tools.providers.base.NarrowsNames`.
        """
        within = () if inside is None else await self.inside(inside, categories=kind)
        among = None if inside is None else {place.id for place in within}
        found = [
            Candidate(
                place=place,
                score=score,
                distance_m=distance_between(near, place),
                outlined=self._is_outlined(place),
            )
            for place, score in self._names.find(text)
            if (among is None or place.id in among) and (not kind or is_of_kind(place, kind))
        ]
        if near is not None:
            found.sort(key=lambda item: (-item.score, or_last(item.distance_m)))
        return tuple(found[:limit])

    async def place_details(self, place_id: str) -> Place:
        """The place with this id; `PlaceNotFoundError` if the world has none."""
        place = self._world.places.get(place_id)
        if place is None:
            raise self._unknown(place_id)
        return place

    async def nearby(
        self,
        center: Spot,
        *,
        radius_m: float,
        categories: tuple[str, ...] = (),
        keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE,
        limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:
        """A recorded list for this centre and kind, else what the recorded positions give."""
        kind = Kind(categories, keyword)
        found = self._search.listed(center, radius_m, kind)
        if found is None:
            found = self._search.around(center, radius_m, kind)
        if rank is RankBy.PROMINENCE:
            found.sort(key=lambda item: -(item.place.rating_count or 0))
        return tuple(found if limit is None else found[:limit])

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """A recorded list of what lies in the area, else the places within its recorded shape."""
        area = await self.place_details(area_id)
        places = self._search.inside(area, Kind(categories, keyword))
        if places is None:
            raise UnsupportedError(
                f"The recorded world does not say what lies inside {area.name}.",
                "Search within a radius instead.",
            )
        return places

    @property
    def extent(self) -> Box | None:
        """The box around all recorded positions; None if there are none."""
        at = [place.location for place in self._world.places.values() if place.location is not None]
        if not at:
            return None
        lats, lngs = [each.lat for each in at], [each.lng for each in at]
        return Box(south=min(lats), west=min(lngs), north=max(lats), east=max(lngs))

    async def everywhere(
        self, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        """All recorded places of the kind (`map_tools.providers.base.Bounded`)."""
        return tuple(self._search.everywhere(Kind(categories, keyword)))

    async def shape(self, place_id: str) -> Shape | None:
        """The recorded shape of a place (`map_tools.providers.base.HasShapes`)."""
        if place_id not in self._world.places:
            raise self._unknown(place_id)
        return self._world.shapes.get(place_id)

    async def directions(
        self,
        origin: Spot,
        destination: Spot,
        *,
        mode: TravelMode,
        waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False,
        depart_at: datetime | None = None,  # noqa: ARG002 (recorded routes are of one time)
    ) -> tuple[Route, ...]:
        """The recorded routes; where only a travel time is recorded, a route of that time without steps."""
        self._check(mode)
        start, end = self._search.id_of(origin), self._search.id_of(destination)
        stops = tuple(map(self._search.id_of, waypoints))
        if start is not None and end is not None and None not in stops:
            key = (start, end, mode, tuple(stop for stop in stops if stop is not None))
            routes = self._world.routes.get(key, ())
            if routes:
                return routes if alternatives else (quickest(routes),)
            cell = self._world.travel.get((start, end, mode))
            if cell is not None and cell.duration_s is not None and not stops:
                return (_bare_route(cell),)
        raise NoRouteError(
            f"No {mode.value} route from {_called(origin)} to {_called(destination)} is recorded."
        )

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        """The recorded times, else those of the best recorded route; empty cells for what is not recorded."""
        self._check(mode)
        starts, ends = tuple(map(self._search.id_of, origins)), tuple(map(self._search.id_of, destinations))
        rows = tuple(tuple(self._cell(start, end, mode) for end in ends) for start in starts)
        return Matrix(mode=mode, rows=rows)

    async def contract_sample(self) -> "ContractSample":
        """A sample of the world for the provider contract.

        Raises:
            UnsupportedError: The world is too small.
        """
        from map_tools.testing.contract.own_samples import sample_of_world

        return sample_of_world(self._world)

    async def close(self) -> None:
        """Nothing is held open."""

    def _unknown(self, place_id: str) -> PlaceNotFoundError:
        return PlaceNotFoundError(
            f"The recorded world has no place with the id '{place_id}'.", "Look it up by its name."
        )

    def _is_outlined(self, place: Place) -> bool:
        shape = self._world.shapes.get(place.id)
        return shape is not None and shape.kind == "area"

    def _check(self, mode: TravelMode) -> None:
        if mode not in self.capabilities.modes:
            served = ", ".join(sorted(self.capabilities.modes)) or "no mode of travel"
            raise UnsupportedError(
                f"The recorded world holds nothing about {mode.value}.", f"It serves {served}."
            )

    def _cell(self, start: str | None, end: str | None, mode: TravelMode) -> MatrixCell:
        if start is None or end is None:
            return UNKNOWN
        if start == end:
            return AT_HOME
        known = self._world.travel.get((start, end, mode))
        if known is not None:
            return known
        routes = self._world.routes.get((start, end, mode, ()), ())
        if not routes:
            return UNKNOWN
        best = quickest(routes)
        return MatrixCell(distance_m=best.distance_m, duration_s=best.duration_s)


def _capabilities(world: World) -> Capabilities:
    """Declares what the world really holds."""
    facts = {
        key
        for place in world.places.values()
        for key, value in dict(place).items()
        if key not in {"id", "name", "aliases"} and value not in (None, (), {})
    }
    return Capabilities(
        modes=world.modes(),
        facts=frozenset(facts),
        areas=any(each.inside for each in world.lists)
        or any(shape.kind == "area" for shape in world.shapes.values()),
        cheap_names=True,
        full_candidates=True,
        narrow_names=True,
    )


def _bare_route(cell: MatrixCell) -> Route:
    leg = RouteLeg(distance_m=cell.distance_m, duration_s=cell.duration_s)
    return Route(summary="", distance_m=cell.distance_m, duration_s=cell.duration_s, legs=(leg,))


def _called(spot: Spot) -> str:
    return str(spot) if isinstance(spot, LatLng) else spot.name
