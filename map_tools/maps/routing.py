"""Routing in process with Valhalla over the tiles of one map.

Two threads that share an `Actor` crash the process, so each thread of a small fixed pool makes its own; only
the tile files are shared. A call under way cannot be cancelled: its size is limited up front instead.
"""

import asyncio
import json
import math
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import batched, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from map_tools.compute.route_replies import uses
from map_tools.compute.route_steps import has
from map_tools.errors import LimitError, MapStoreError, NoRouteError
from map_tools.maps.valhalla_reply import read_grade, read_isochrone, read_matrix, read_routes
from map_tools.maps.valhalla_request import (
    COSTING,
    EASY_PATH,
    FULL_SEARCH,
    LEADING_ON,
    MAX_SNAP_M,
    MOUNTAIN_GRADE,
    NEAR_SEARCH,
    NO_STEPS,
    REACH_FORM,
    WIDE_SEARCH,
    costed,
    locations,
    without,
)
from map_tools.together import Threads
from map_tools.types import NO_WAY, Avoid, LatLng, MatrixCell, Route, Shape, TravelMode

if TYPE_CHECKING:
    from valhalla import Actor

MAX_STOPS = 20
"""Stops of one route: Valhalla's own `service_limits.auto.max_locations`."""
MAX_MATRIX_PAIRS = 2_500
"""Pairs of one matrix: Valhalla's own `service_limits.max_matrix_location_pairs`."""
MATRIX_SIDE = 50
"""Origins or destinations of one request: in a row of 1,000 each place takes Valhalla four times as long."""
FERRY_SIDE = 12
"""Of so many origins and destinations, the places of a trip, all ways are worked out without ferries too, to tell which
ones a ferry is part of; of more, only those that are too fast for somebody on foot."""
GRADED_PAIRS = 16
"""Of a walking matrix of so many pairs at most it is told where a mountain path is part of a way: in the mountains each
pair is routed and traced for it, which takes up to 50 ms."""
FASTEST_WALK_MPS = 2.0
"""Valhalla's walkers make 5.1 km/h, and a little more where a short way is rounded."""
ALTERNATIVES = 2
"""Routes besides the best one: Valhalla's own `service_limits.max_alternates`."""
MAX_MATRIX_DISTANCE_M = 1_000_000
"""Valhalla's default of 400 km (200 km on foot) is less than a country."""
LONGEST_REACH_S = 7_200.0
"""Valhalla's own `service_limits.isochrone.max_time_contour`."""
MATRIX_ALGORITHM = "costmatrix"
"""The other one, which Valhalla takes for short bicycle and walking matrices, goes against one-way streets
where the route itself does not."""
CACHE_BYTES = 64 * 2**20
"""Tiles held in memory by each thread (Valhalla's default is 1 GB)."""

type Stops = tuple[LatLng, ...]
type Cells = tuple[tuple[MatrixCell, ...], ...]

_config_lock = threading.Lock()  # valhalla.get_config writes into a dict all callers share


class Router:
    """Routes and travel times over one folder of tiles.

    Args:
        tiles: Folder that `valhalla_build_tiles` filled.
        workers: Threads, and with them routers at work at once.
    """

    def __init__(self, tiles: Path, workers: int = 2) -> None:
        self._tiles = tiles
        self._threads = Threads("router", workers)
        self._local = threading.local()

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
        """Routes from origin to destination, fastest first, one leg between each two stops.

        Valhalla knows alternatives only between two stops; with waypoints the best route stands alone.

        Raises:
            UnsupportedError: The mode is not served, or not without what is to be avoided.
            NoRouteError: The stops are not connected for this mode.
            LimitError: Too many stops.
        """
        stops = (origin, *waypoints, destination)
        if len(stops) > MAX_STOPS:
            raise LimitError(
                f"A route over {len(stops)} stops is too long.", f"Give at most {MAX_STOPS - 2} waypoints."
            )
        more = {"alternates": ALTERNATIVES} if alternatives and not waypoints else {}
        options = without(mode, avoid)
        found = await self._threads.run(
            lambda: self._routes({**costed(mode, **options), **more}, stops, mode)
        )
        if (
            mode is TravelMode.WALKING
            and Avoid.STAIRS in avoid
            and all(has(route, "stairs") for route in found)
        ):
            return await self._threads.run(
                lambda: self._routes({**costed(mode, **{**options, **NO_STEPS}), **more}, stops, mode)
            )
        return found

    async def matrix(
        self, origins: Sequence[LatLng], destinations: Sequence[LatLng], mode: TravelMode
    ) -> Cells:
        """Travel from each origin (row) to each destination (column); a cell is empty where there is no way.

        Raises:
            UnsupportedError: The mode is not served.
            LimitError: More than `MAX_MATRIX_PAIRS` pairs.
        """
        if len(origins) * len(destinations) > MAX_MATRIX_PAIRS:
            raise LimitError(
                f"A matrix of {len(origins)} by {len(destinations)} places is too large.",
                f"Ask for at most {MAX_MATRIX_PAIRS} pairs.",
            )
        if not origins or not destinations:
            return tuple(() for _ in origins)
        every = max(len(origins), len(destinations)) <= FERRY_SIDE
        graded = mode is TravelMode.WALKING and len(origins) * len(destinations) <= GRADED_PAIRS
        rows: list[tuple[MatrixCell, ...]] = []
        for starts in batched(origins, MATRIX_SIDE):
            blocks = await asyncio.gather(
                *(
                    self._threads.run(partial(self._told, starts, ends, mode, every=every, graded=graded))
                    for ends in batched(destinations, MATRIX_SIDE)
                )
            )
            rows += (tuple(chain(*parts)) for parts in zip(*blocks, strict=True))
        return tuple(rows)

    async def reach(self, origin: LatLng, within_s: float, mode: TravelMode) -> Shape:
        """The area that one reaches within a time.

        Valhalla works it out on a grid: at its edge the area is right to about a minute.

        Raises:
            UnsupportedError: The mode is not served.
            NoRouteError: No road for this mode begins near the origin.
            LimitError: The time is longer than `LONGEST_REACH_S`.
        """
        if within_s > LONGEST_REACH_S:
            raise LimitError(
                f"What is reached within {within_s / 60:.0f} min is not worked out.",
                f"Ask for at most {LONGEST_REACH_S / 60:.0f} min.",
            )
        return await self._threads.run(lambda: self._reach(origin, within_s, mode))

    async def road_tile(self, z: int, x: int, y: int) -> bytes:
        """All roads of a tile of the web map grid, as a Mapbox Vector Tile of Valhalla's own making.

        Its layer "edges" has a number `road_class` from 0 (motorway) to 7 (service road, path), in the order
        of https://valhalla.github.io/valhalla/api/locate/api-reference/, and a number `use`, which is 41 for ferries
        and 42 for those that carry trains (`enum class Use` in
        https://github.com/valhalla/valhalla/blob/master/valhalla/baldr/graphconstants.h); zoom levels go up to 14.
        """
        attributes = {"action": "include", "attributes": ["edge.road_class", "edge.use"]}
        request = json.dumps({"tile": {"z": z, "x": x, "y": y}, "filters": attributes})
        return await self._threads.run(lambda: self._actor().tile(request))

    async def close(self) -> None:
        """Ends the threads, and with them their routers; a call under way is waited for."""
        await self._threads.close()

    def _routes(
        self, request: dict[str, Any], stops: Sequence[LatLng], mode: TravelMode
    ) -> tuple[Route, ...]:
        from valhalla import ValhallaError

        actor = self._actor()
        for search in (NEAR_SEARCH, FULL_SEARCH, WIDE_SEARCH):
            request["locations"] = locations(stops, search, request["costing"])
            try:
                reply = actor.route(json.dumps(request))
            except ValhallaError as error:
                reason = str(error).rstrip(".")
                continue
            routes = read_routes(json.loads(reply), stops)
            return tuple(map(self._graded, routes)) if mode is TravelMode.WALKING else routes
        raise NoRouteError(
            f"There is no {mode.value} route from {stops[0]} to {stops[-1]} on this map ({reason}).",
            "Try another mode of travel.",
        )

    def _graded(self, route: Route) -> Route:
        """A route on foot with the grade of its hardest path, if that is a mountain path."""
        from valhalla import ValhallaError

        traced = {
            "shape": [{"lat": point.lat, "lon": point.lng} for point in route.geometry],
            "shape_match": "walk_or_snap",
            "filters": {"action": "include", "attributes": ["edge.sac_scale"]},
            **costed(TravelMode.WALKING),
        }
        try:
            grade = read_grade(json.loads(self._actor().trace_attributes(json.dumps(traced))))
        except ValhallaError:  # longer than 200 km, Valhalla's own `service_limits.trace.max_distance`
            return route
        if grade < MOUNTAIN_GRADE:
            return route
        warnings = (*route.warnings, *uses(path_grade=grade))
        return route.model_copy(update={"path_grade": grade, "warnings": warnings})

    def _told(
        self, origins: Stops, destinations: Stops, mode: TravelMode, *, every: bool, graded: bool
    ) -> Cells:
        """A matrix that tells of its cells whether a ferry or a mountain path is part of them."""
        cells = self._matrix(origins, destinations, costed(mode))
        told = self._with_ferries(cells, origins, destinations, mode, every=every)
        if not graded:
            return told

        easy = self._matrix(origins, destinations, costed(mode, **EASY_PATH))
        return tuple(
            tuple(
                one if cell == other else self._with_grade(one, start, end)
                for one, cell, other, end in zip(*rows, destinations, strict=True)
            )
            for *rows, start in zip(told, cells, easy, origins, strict=True)
        )

    def _with_grade(self, cell: MatrixCell, start: LatLng, end: LatLng) -> MatrixCell:
        """A cell with the grade of its route; as it is where that is not found as the matrix was."""
        try:
            (route, *_) = self._routes(costed(TravelMode.WALKING), (start, end), TravelMode.WALKING)
        except NoRouteError:
            return cell
        return cell.model_copy(update={"path_grade": route.path_grade})

    def _with_ferries(
        self, cells: Cells, origins: Stops, destinations: Stops, mode: TravelMode, *, every: bool
    ) -> Cells:
        """A matrix that tells of its cells, all or those in question, whether a ferry is part of them.

        Valhalla's matrix does not say so; it is part of what becomes another way where ferries are left out.
        """
        on_foot = mode is TravelMode.WALKING
        asked = [
            number
            for number in range(len(destinations))
            if every or (on_foot and any(_is_hasty(row[number]) for row in cells))
        ]
        if not asked:
            return cells
        ends = tuple(destinations[number] for number in asked)
        dry = self._matrix(origins, ends, costed(mode, exclude_ferries=True))
        others = [dict(zip(asked, row, strict=True)) for row in dry]
        return tuple(
            tuple(
                cell if other.get(number, cell) == cell else cell.model_copy(update={"ferry": True})
                for number, cell in enumerate(row)
            )
            for row, other in zip(cells, others, strict=True)
        )

    def _matrix(self, origins: Stops, destinations: Stops, manner: Mapping[str, Any]) -> Cells:
        cells = self._request(origins, destinations, manner, NEAR_SEARCH)
        if cells is None or any(cell == NO_WAY for row in cells for cell in row):
            cells = self._cells(origins, destinations, manner, FULL_SEARCH)
        if all(cell != NO_WAY for row in cells for cell in row):
            return cells
        wide = self._cells(origins, destinations, manner, WIDE_SEARCH)
        return tuple(
            tuple(second if first == NO_WAY else first for first, second in zip(*rows, strict=True))
            for rows in zip(cells, wide, strict=True)
        )

    def _cells(
        self, origins: Stops, destinations: Stops, manner: Mapping[str, Any], search: Mapping[str, int]
    ) -> Cells:
        """One request for all cells; where a place without roads spoils it, the halves on their own."""
        cells = self._request(origins, destinations, manner, search)
        if cells is not None:
            return cells
        if len(origins) > 1:
            half = len(origins) // 2
            upper = self._cells(origins[:half], destinations, manner, search)
            return upper + self._cells(origins[half:], destinations, manner, search)
        if len(destinations) > 1:
            half = len(destinations) // 2
            left = self._cells(origins, destinations[:half], manner, search)
            right = self._cells(origins, destinations[half:], manner, search)
            return (left[0] + right[0],)
        return ((NO_WAY,),)

    def _request(
        self, origins: Stops, destinations: Stops, manner: Mapping[str, Any], search: Mapping[str, int]
    ) -> Cells | None:
        """All cells by one request; None if Valhalla refuses it for the sake of one place."""
        from valhalla import ValhallaError

        request = {
            "sources": locations(origins, search, manner["costing"]),
            "targets": locations(destinations, search, manner["costing"]),
            **manner,
        }
        try:
            return read_matrix(json.loads(self._actor().matrix(json.dumps(request))))
        except ValhallaError:
            return None

    def _reach(self, origin: LatLng, within_s: float, mode: TravelMode) -> Shape:
        from valhalla import ValhallaError

        actor = self._actor()
        reason = "no road is near"
        for search in ({**NEAR_SEARCH, **LEADING_ON}, LEADING_ON):
            request = costed(mode)
            request["locations"] = locations((origin,), search, request["costing"])
            # Where no road is found Valhalla's isochrone is a small circle, and no error.
            if not json.loads(actor.locate(json.dumps(request)))[0]["edges"]:
                continue
            request |= {"contours": [{"time": within_s / 60}], **REACH_FORM}
            try:
                shape = read_isochrone(json.loads(actor.isochrone(json.dumps(request))))
            except ValhallaError as error:
                reason = str(error).rstrip(".")
                continue
            if shape is not None:
                return shape
        raise NoRouteError(
            f"There is no {mode.value} route from {origin} on this map ({reason}).",
            "Try another mode of travel.",
        )

    def _actor(self) -> "Actor":
        """The router of the calling thread, made on first use."""
        actor: Actor | None = getattr(self._local, "actor", None)
        if actor is None:
            actor = self._local.actor = make_actor(self._tiles)
        return actor


def make_actor(tiles: Path) -> "Actor":
    """A router of one's own over a folder of tiles; only one thread may use it.

    Raises:
        MapStoreError: There are no tiles.
    """
    if not tiles.is_dir():
        raise MapStoreError(
            f"The map has no routing tiles at {tiles}.", "Build it again with `mapagent map add`."
        )
    import valhalla

    with _config_lock:
        config = json.loads(json.dumps(valhalla.get_config(tile_extract="", tile_dir=str(tiles))))
    config["mjolnir"]["max_cache_size"] = CACHE_BYTES
    config["loki"]["service_defaults"]["search_cutoff"] = MAX_SNAP_M
    config["thor"]["source_to_target_algorithm"] = MATRIX_ALGORITHM
    for costing in COSTING.values():
        config["service_limits"][costing]["max_matrix_distance"] = MAX_MATRIX_DISTANCE_M
    # From a dict the package would leave a temporary file behind for every router.
    with tempfile.TemporaryDirectory(prefix="mapagent-router-") as folder:
        path = Path(folder) / "config.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        return valhalla.Actor(path)


def _is_hasty(cell: MatrixCell) -> bool:
    """Whether nobody walks so fast."""
    return (cell.distance_m or 0.0) > (cell.duration_s or math.inf) * FASTEST_WALK_MPS
