"""Travel times and distances by Valhalla's own interface, apart from the router under test."""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

COSTING = {"walking": "pedestrian", "driving": "auto", "bicycling": "bicycle"}
"""Modes and Valhalla's costing models
(https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#costing-models)."""


ROAD_M = 1000
"""A place farther than this from every road (a summit, an island) is asked nothing about ways."""
AGREED = 0.03
"""Two ways of asking for one time may differ by this share."""


@dataclass(frozen=True)
class Way:
    """Travel from one point to another; `course` is its line of (latitude, longitude)."""

    duration_s: float
    distance_m: float
    course: tuple[tuple[float, float], ...]


class Travel:
    """Ways over the routing tiles of a map.

    Args:
        tiles: The map's folder of tiles.
    """

    def __init__(self, tiles: Path) -> None:
        import valhalla

        settings = valhalla.get_config(tile_extract="", tile_dir=str(tiles))
        with tempfile.TemporaryDirectory(prefix="generator-") as folder:
            path = Path(folder) / "config.json"
            path.write_text(json.dumps(settings), "utf-8")
            self._actor = valhalla.Actor(path)
        self._known: dict[tuple[object, ...], Way | None] = {}

    def way(self, a: tuple[float, float], b: tuple[float, float], mode: str) -> Way | None:
        """The fastest way from `a` to `b`, both (latitude, longitude).

        None if there is none, it takes a ferry (that goes by a timetable), or Valhalla's matrix and its
        route do not agree: then which of the two times is right is a matter of opinion.
        """
        key = (a, b, mode)
        if key not in self._known:
            self._known[key] = self._ask(a, b, mode)
        return self._known[key]

    def _ask(self, a: tuple[float, float], b: tuple[float, float], mode: str) -> Way | None:
        import valhalla
        from valhalla.midgard.utils import decode_polyline

        request = {
            "costing": COSTING[mode],
            "locations": [{"lat": lat, "lon": lng, "search_cutoff": ROAD_M} for lat, lng in (a, b)],
            "units": "kilometers",
            "directions_type": "none",
        }
        try:
            reply = json.loads(self._actor.route(json.dumps(request)))
        except valhalla.ValhallaError:
            return None
        summary = reply["trip"]["summary"]
        shapes = (leg["shape"] for leg in reply["trip"]["legs"])
        course = tuple(point for shape in shapes for point in decode_polyline(shape, 6, "latlng"))
        way = Way(float(summary["time"]), float(summary["length"]) * 1000, course)
        return None if summary["has_ferry"] or not self._agrees(a, b, mode, way) else way

    def _agrees(self, a: tuple[float, float], b: tuple[float, float], mode: str, way: Way) -> bool:
        """True if Valhalla's matrix tells the same time as the route.

        See https://valhalla.github.io/valhalla/api/matrix/api-reference/.
        """
        import valhalla

        start, end = ({"lat": lat, "lon": lng, "search_cutoff": ROAD_M} for lat, lng in (a, b))
        request = {"costing": COSTING[mode], "sources": [start], "targets": [end]}
        try:
            cell = json.loads(self._actor.matrix(json.dumps(request)))["sources_to_targets"][0][0]
        except valhalla.ValhallaError:
            return False
        return cell["time"] is not None and abs(cell["time"] - way.duration_s) <= AGREED * way.duration_s
