"""CalculateMetric: counts, areas, lengths, distances, and the nearest or largest of a kind."""

from typing import Any, ClassVar, Literal

import numpy as np

from map_tools.compute.geodesy import OCTANT_DEG, WINDS, bearing_deg, distance_m
from map_tools.errors import UnsupportedError
from map_tools.maps.geodesic import geodesic_m
from map_tools.maps.search.names import canonical
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.spatial_db.memory.points import HalfPlane, Sector, Side
from map_tools.spatial_db.memory.table import Conditions
from map_tools.spatial_db.memory.texts import Rows
from map_tools.spatial_db.port import DIRECTIONS, HALVES
from map_tools.spatial_db.search import FeatureId, FeatureInfo, Features
from map_tools.types import LatLng
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool

Metric = Literal[
    "count",
    "area",
    "length",
    "distance",
    "nearest",
    "farthest",
    "largest",
    "smallest",
    "longest",
    "shortest",
    "list",
]

MOST_LISTED = 200
"""Features shown of a list, the nearest first."""
_UNITS: dict[str, str] = {"count": "count", "area": "m2", "length": "m", "distance": "m"}


class MetricArguments(Arguments):
    """What is to be worked out.

    Attributes:
        metric: "count", "area" and "length" are totals; "distance" is from `origin` to `target`; "nearest",
            "farthest" (from `origin`), "largest", "smallest" (by area), "longest", "shortest" (by length) and
            "list" give features.
        table, alternatives: Which features: those that GetPOIFilter gives.
        region: A feature whose outline bounds the search; `whole`: only what lies in it with all of its
            outline, else all that meets it, with its full size.
        origin: The point distances and directions are measured from.
        radius_m, beyond_m: Greatest and least distance from the origin.
        direction: One of the eight winds ("N", "NE", ...) as seen from the origin.
        toward: A point that gives the direction instead.
        target: The other end of a distance.
        but: Features that do not count, such as the one the origin stands for.
        k: Which of the order; for "nearest": how many.
    """

    metric: Metric
    table: str = ""
    alternatives: tuple[Conditions, ...] = ((),)
    region: FeatureId | None = None
    whole: bool = False
    origin: LatLng | None = None
    radius_m: float | None = None
    beyond_m: float | None = None
    direction: str | None = None
    toward: LatLng | None = None
    target: LatLng | None = None
    but: tuple[FeatureId, ...] = ()
    k: int = 1


class MetricResult(Result):
    """What came out.

    Attributes:
        value: The number, in `unit` ("count", "m2", "m", "deg").
        features: The features, in their order.
        total: How many features there are in all.
        parts: The sizes that a total area or length adds up, largest first.
    """

    value: float | None = None
    unit: str = ""
    features: tuple[FeatureInfo, ...] = ()
    total: int = 0
    parts: tuple[float, ...] = ()

    def text(self) -> str:
        """As JSON, with the sizes left out."""
        return self.model_dump_json(exclude_none=True, exclude_defaults=True, exclude={"parts"})


class CalculateMetric(SpatialTool[MetricArguments, MetricResult]):
    """Works out spatial measures (Geo-ReAct, section 4.1.2).

    Args:
        engine: The data.
    """

    name: ClassVar[str] = "CalculateMetric"
    description: ClassVar[str] = (
        "Counts features, adds up their areas or lengths, measures distances, finds the nearest in a "
        "direction or the largest; in a region, within a radius, or towards a point."
    )
    role: ClassVar[Role] = Role.COMPUTATION
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.OBJECT, Concept.FIELD)
    arguments: ClassVar[type[Arguments]] = MetricArguments

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine
        self._features = Features(engine)

    async def run(self, arguments: MetricArguments) -> MetricResult:
        """Works it out.

        Raises:
            UnsupportedError: What the metric needs is missing: an origin, a table, a region's outline.
        """
        if arguments.metric == "distance":
            origin, target = _needed(arguments.origin, "origin"), _needed(arguments.target, "target")
            return MetricResult(value=distance_m(origin, target), unit="m")
        if arguments.table not in self._engine.tables:
            known = ", ".join(self._engine.tables)
            raise UnsupportedError(f"There is no table '{arguments.table}'.", f"Tables: {known}.")
        if arguments.metric == "nearest" and _is_plain(arguments):
            return self._nearest(arguments)
        rows = self._rows(arguments)
        if arguments.metric in _UNITS:
            return self._total(arguments, rows)
        if arguments.metric in {"list", "nearest", "farthest"}:
            return self._by_distance(arguments, rows)
        return self._by_size(arguments, rows)

    def _nearest(self, arguments: MetricArguments) -> MetricResult:
        """The nearest features, without working out how far all the others are."""
        origin = _needed(arguments.origin, "origin")
        hits = [
            hit
            for conditions in arguments.alternatives
            for hit in self._engine.nearest(
                arguments.table, conditions, origin, k=arguments.k, sector=self._side(arguments),
                but=self._left_out(arguments),
            )
        ]  # fmt: skip
        hits.sort(key=lambda hit: hit.distance_m)
        infos = [self._features.info(hit.ref, distance_m=hit.distance_m) for hit in hits[: arguments.k]]
        return MetricResult(features=tuple(infos), total=len(infos))

    def _rows(self, arguments: MetricArguments) -> Rows:
        """The rows that fulfil everything, ascending."""
        found = [self._rows_of(arguments, conditions) for conditions in arguments.alternatives]
        rows = np.unique(np.concatenate(found)) if found else np.empty(0, np.int64)
        left_out = [ref.row for ref in self._left_out(arguments) if ref.table == arguments.table]
        rows = rows[~np.isin(rows, left_out)]
        if arguments.beyond_m is not None:
            rows = rows[self._distances(arguments, rows) >= arguments.beyond_m]
        return rows

    def _rows_of(self, arguments: MetricArguments, conditions: Conditions) -> Rows:
        engine, side = self._engine, self._side(arguments)
        if arguments.region is None and arguments.origin is None:
            return engine.tables[arguments.table].rows_where(conditions)
        rows: Rows | None = None
        if arguments.region is not None:
            ref = self._features.ref(arguments.region)
            if ref is None:
                raise UnsupportedError(
                    f"There is no feature {arguments.region.id} in {arguments.region.table}."
                )
            rows = engine.inside(arguments.table, conditions, engine.geometry(ref), whole=arguments.whole)
            if arguments.table == ref.table:
                rows = rows[rows != ref.row]
        if arguments.origin is not None and (
            arguments.radius_m is not None or side is not None or rows is None
        ):
            radius = arguments.radius_m if arguments.radius_m is not None else np.inf
            near = engine.within(arguments.table, conditions, arguments.origin, radius, sector=side)
            rows = near if rows is None else np.intersect1d(rows, near)
        return rows if rows is not None else np.empty(0, np.int64)

    def _side(self, arguments: MetricArguments) -> Side | None:
        if arguments.toward is not None:
            origin = _needed(arguments.origin, "origin")
            return Sector(bearing_deg(origin, arguments.toward), OCTANT_DEG / 2)
        if arguments.direction is None:
            return None
        if arguments.direction not in WINDS:
            raise UnsupportedError(f"'{arguments.direction}' is no direction.", f"One of {', '.join(WINDS)}.")
        if self._engine.note.get(DIRECTIONS) == HALVES:
            return HalfPlane(arguments.direction)
        return Sector(WINDS.index(arguments.direction) * OCTANT_DEG, OCTANT_DEG / 2)

    def _left_out(self, arguments: MetricArguments) -> frozenset[FeatureRef]:
        refs = map(self._features.ref, arguments.but)
        return frozenset(ref for ref in refs if ref is not None)

    def _total(self, arguments: MetricArguments, rows: Rows) -> MetricResult:
        unit = _UNITS[arguments.metric]
        if arguments.metric == "count":
            return MetricResult(
                value=float(len(rows)), unit=unit, total=len(rows), features=self._shown(arguments, rows)
            )
        measure: Literal["area", "length"] = "area" if arguments.metric == "area" else "length"
        sizes = self._engine.sizes(arguments.table, rows, measure)
        parts = tuple(sorted((float(size) for size in sizes if size > 0), reverse=True))
        return MetricResult(value=float(sum(parts)), unit=unit, total=len(parts), parts=parts)

    def _shown(self, arguments: MetricArguments, rows: Rows) -> tuple[FeatureInfo, ...]:
        """The features counted, if they are few."""
        if len(rows) > MOST_LISTED:
            return ()
        return tuple(self._features.info(FeatureRef(arguments.table, row)) for row in rows.tolist())

    def _by_distance(self, arguments: MetricArguments, rows: Rows) -> MetricResult:
        distances = self._distances(arguments, rows) if arguments.origin is not None else np.zeros(len(rows))
        order = np.argsort(distances, kind="stable")
        if arguments.metric == "farthest":
            order = order[::-1]
        most = arguments.k if arguments.metric != "list" else MOST_LISTED
        infos = [
            self._features.info(
                FeatureRef(arguments.table, int(rows[index])),
                distance_m=float(distances[index]) if arguments.origin is not None else None,
            )
            for index in order[:most]
        ]
        return MetricResult(features=tuple(infos), total=len(rows))

    def _by_size(self, arguments: MetricArguments, rows: Rows) -> MetricResult:
        """By area; or by length, where the pieces of one name are one road."""
        measure: Literal["area", "length"] = (
            "area" if arguments.metric in {"largest", "smallest"} else "length"
        )
        sizes = self._engine.sizes(arguments.table, rows, measure)
        groups = self._groups(arguments.table, rows, sizes, joined=measure == "length")
        down = arguments.metric in {"largest", "longest"}
        groups.sort(key=lambda group: (-group[1] if down else group[1], group[0]))
        infos = [
            self._features.info(FeatureRef(arguments.table, row), size=size)
            for row, size in groups[: arguments.k + 1]
        ]
        return MetricResult(features=tuple(infos), total=len(groups))

    def _groups(
        self, table: str, rows: Rows, sizes: np.ndarray[Any, Any], *, joined: bool
    ) -> list[tuple[int, float]]:
        """The longest piece of each road with the length of all its pieces; unjoined: each row by itself."""
        groups: dict[str, list[tuple[float, int]]] = {}
        for row, size in zip(rows.tolist(), sizes.tolist(), strict=True):
            name = canonical(self._engine.name(FeatureRef(table, row))) if joined else ""
            if size > 0:
                groups.setdefault(name or f"#{row}", []).append((size, row))
        return [(max(pieces)[1], sum(size for size, _ in pieces)) for pieces in groups.values()]

    def _distances(self, arguments: MetricArguments, rows: Rows) -> Any:
        origin, table = _needed(arguments.origin, "origin"), self._engine.tables[arguments.table]
        return geodesic_m(origin.lat, origin.lng, table.lats[rows], table.lngs[rows])


def _is_plain(arguments: MetricArguments) -> bool:
    """True if nothing but direction and kind bounds the search for the nearest."""
    return arguments.region is None and arguments.radius_m is None and arguments.beyond_m is None


def _needed(point: LatLng | None, what: str) -> LatLng:
    if point is None:
        raise UnsupportedError(
            f"The metric needs the argument '{what}'.", "Give it as latitude and longitude."
        )
    return point
