"""The regions of a database: which of them a place can lie in, and the ways within each.

Each region has the routing tiles that were built of its own extract. Tiles of two builds do not fit together, so
that a way leads through one region. Load an extract of the whole where ways should lead across.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from map_tools.errors import MapAgentError, UnsupportedError
from map_tools.maps.geodesic import lat_margin_deg
from map_tools.maps.home import MapHome, Pin
from map_tools.maps.info import TILES_FOLDER, MapInfo, check_sizes, read_info
from map_tools.maps.routing import Router
from map_tools.types import Avoid, Box, LatLng, MatrixCell, Route, Shape, TravelMode


@dataclass(frozen=True, slots=True)
class Region:
    """One extract in the database.

    Attributes:
        number: Its number, which no other load of an extract ever gets.
        info: Its description.
        kinds: All category ids of its features.
        box: The box of the points of all its features.
    """

    number: int
    info: MapInfo
    kinds: frozenset[str]
    box: Box


def near_circle(regions: Iterable[Region], center: LatLng, radius_m: float) -> list[int]:
    """The numbers of the regions that can have points in a circle."""
    return [region.number for region in regions if _may_reach(region.box, center, radius_m)]


def _may_reach(box: Box, center: LatLng, radius_m: float) -> bool:
    margin = lat_margin_deg(radius_m)
    if not box.south - margin <= center.lat <= box.north + margin:
        return False
    widest = min(abs(center.lat) + margin, 90.0)
    width = margin / max(math.cos(math.radians(widest)), 1e-9)
    return (center.lng - box.west + width) % 360.0 <= (box.east - box.west) % 360.0 + 2 * width


def box_around(boxes: Iterable[Box]) -> Box:
    """One box around several; around the whole Earth where they lie on both sides of the antimeridian."""
    given = list(boxes)
    south, north = min(box.south for box in given), max(box.north for box in given)
    if len(given) > 1 and any(box.west > box.east for box in given):
        return Box(south=south, west=-180.0, north=north, east=180.0)
    west, east = min(box.west for box in given), max(box.east for box in given)
    return Box(south=south, west=west, north=north, east=east)


def holding(regions: Sequence[Region], positions: Sequence[LatLng]) -> list[Region]:
    """The regions whose extracts cover all of some positions, the largest first.

    A position that no extract covers counts for nothing.
    """
    covered = [at for at in positions if any(region.info.bbox.contains(at) for region in regions)]
    found = [region for region in regions if all(region.info.bbox.contains(at) for at in covered)]
    return sorted(found, key=lambda region: -_extent(region.info.bbox))


def _extent(box: Box) -> float:
    return (box.north - box.south) * ((box.east - box.west) % 360.0)


@dataclass(frozen=True, slots=True)
class Tiles:
    """The routing tiles of a region on this machine, which stay as long as they are open."""

    pin: Pin
    router: Router

    @classmethod
    def open(cls, home: MapHome, region: Region) -> "Tiles | None":
        """The tiles of a region; None if there are none here that were built of the same extract."""
        try:
            pin = Pin(home.path(region.info.name))
        except MapAgentError:
            return None
        try:
            info = read_info(pin.folder)
            check_sizes(pin.folder, info)
        except MapAgentError:
            pin.close()
            return None
        if not info.routable or info.source_sha256 != region.info.source_sha256:
            pin.close()
            return None
        return cls(pin, Router(pin.folder / TILES_FOLDER))


class RegionRoads:
    """Routes and travel times, each within one region.

    Args:
        regions: The regions when the provider was opened.
        home: Where their tiles are on this machine; None: nowhere.
    """

    def __init__(self, regions: Sequence[Region], home: MapHome | None) -> None:
        self._regions = tuple(regions)
        opened = {region.number: Tiles.open(home, region) for region in regions} if home else {}
        self._tiles = {number: tiles for number, tiles in opened.items() if tiles is not None}

    def __bool__(self) -> bool:
        """Whether any region has roads on this machine."""
        return bool(self._tiles)

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
        """See `map_tools.maps.routing.Router.routes`.

        Raises:
            UnsupportedError: The stops lie in several regions, or their region has no roads on this machine.
        """
        router = self._router((origin, *waypoints, destination))
        return await router.routes(
            origin, destination, mode, waypoints, alternatives=alternatives, avoid=avoid
        )

    async def matrix(
        self, origins: Sequence[LatLng], destinations: Sequence[LatLng], mode: TravelMode
    ) -> tuple[tuple[MatrixCell, ...], ...]:
        """See `map_tools.maps.routing.Router.matrix`; raises as `routes`."""
        return await self._router((*origins, *destinations)).matrix(origins, destinations, mode)

    async def reach(self, origin: LatLng, within_s: float, mode: TravelMode) -> Shape:
        """See `map_tools.maps.routing.Router.reach`; raises as `routes`."""
        return await self._router((origin,)).reach(origin, within_s, mode)

    async def close(self) -> None:
        """Ends the routers and lets the tiles go."""
        for tiles in self._tiles.values():
            await tiles.router.close()
            tiles.pin.close()

    def _router(self, stops: Sequence[LatLng]) -> Router:
        """The router of the largest region that holds all stops."""
        regions = holding(self._regions, stops)
        if not regions:
            raise UnsupportedError(
                "No region of the map database holds all of these places; ways do not lead across regions.",
                "Add one extract that covers them all.",
            )
        found = next((tiles for each in regions if (tiles := self._tiles.get(each.number))), None)
        if found is None:
            raise UnsupportedError(
                f"The region '{regions[0].info.name}' has no roads on this machine.",
                "Run `mapagent map add FILE.osm.pbf --to DSN` here, or copy its tiles from where it was run.",
            )
        return found.router
