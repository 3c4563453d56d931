"""GetRegionGeometry: from words for a region to a predicate: an outline, a circle, or a street corner."""

from typing import Any, ClassVar, Literal

import numpy as np

from map_tools.compute.geodesy import distance_m
from map_tools.errors import PlaceNotFoundError
from map_tools.maps.names import canonical
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.types import LatLng
from modules.spatial_database.features import FeatureInfo, Features
from modules.spatial_database.places import PlaceFinder
from modules.spatial_database.road_numbers import road_spellings
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool

DEFAULT_RADIUS_M = 5_000.0
"""The circle that stands in for a region without an outline, where none is asked for."""
MAX_GAP_M = 100.0
"""Two streets that come no nearer to each other have no corner."""
SAME_REGION_M = 200_000.0
"""Of several regions of a name the one within this distance of a given point is meant."""


class RegionArguments(Arguments):
    """What is wanted.

    Attributes:
        region: The region's name, perhaps with its state behind a comma.
        state: The state.
        near: A point the region must be close to, if several have its name.
        radius_m: The circle to take where the region has no outline.
        streets: Two streets, whose crossing is wanted instead of a region.
    """

    region: str = ""
    state: str = ""
    near: LatLng | None = None
    radius_m: float | None = None
    streets: tuple[str, str] | None = None


class RegionResult(Result):
    """A region.

    Attributes:
        mode: "polygon": `features` are the regions of this name; "buffer": a circle around `center`;
            "intersection": `center` is where two streets meet.
        predicate: For SQL's WHERE clause.
        note: What a reader should know.
    """

    mode: Literal["polygon", "buffer", "intersection"]
    features: tuple[FeatureInfo, ...] = ()
    center: LatLng | None = None
    radius_m: float | None = None
    predicate: str = ""
    note: str = ""


class GetRegionGeometry(SpatialTool[RegionArguments, RegionResult]):
    """Finds regions, circles and corners (Geo-ReAct, section 4.1.2).

    Args:
        engine: The data.
    """

    name: ClassVar[str] = "GetRegionGeometry"
    description: ClassVar[str] = (
        "Finds the outline of an administrative region or, where there is none, a circle around the "
        "place; or the point where two streets meet. Gives a predicate for SQL."
    )
    role: ClassVar[Role] = Role.GROUNDING
    concepts: ClassVar[tuple[Concept, ...]] = (Concept.LOCATION, Concept.NEIGHBORHOOD)
    arguments: ClassVar[type[Arguments]] = RegionArguments

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine
        self._features = Features(engine)
        self._finder = PlaceFinder(engine)

    async def run(self, arguments: RegionArguments) -> RegionResult:
        """Finds the region.

        Raises:
            PlaceNotFoundError: There is no such region, place or street corner.
        """
        if arguments.streets is not None:
            return self._corner(*arguments.streets)
        words = ", ".join(part for part in (arguments.region, arguments.state) if part)
        found = self._finder.find(words, "region")
        refs = self._near(found.refs, arguments.near)
        outlines = [ref for ref in refs if self._is_area(ref)]
        if outlines:
            infos = tuple(map(self._features.info, outlines))
            return RegionResult(mode="polygon", features=infos, predicate=_inside(infos[0]), note=found.note)
        return self._circle(refs[0], arguments.radius_m or DEFAULT_RADIUS_M, found.note)

    def _near(self, refs: tuple[FeatureRef, ...], near: LatLng | None) -> tuple[FeatureRef, ...]:
        if near is None or len(refs) == 1:
            return refs
        ranked = sorted(refs, key=lambda ref: distance_m(near, self._engine.position(ref)))
        closest = distance_m(near, self._engine.position(ranked[0]))
        return (ranked[0],) if closest <= SAME_REGION_M else refs

    def _is_area(self, ref: FeatureRef) -> bool:
        shapes = self._engine.table(ref).shapes
        return shapes is not None and bool(shapes.areas_m2[ref.row] > 0)

    def _circle(self, ref: FeatureRef, radius_m: float, note: str) -> RegionResult:
        center = self._engine.position(ref)
        reason = f"'{self._engine.name(ref)}' has no outline: a circle of {radius_m:g} m stands in for it."
        return RegionResult(
            mode="buffer",
            features=(self._features.info(ref),),
            center=center,
            radius_m=radius_m,
            predicate=f"ST_DWithin(geometry, 'POINT({center.lng} {center.lat})'::geography, {radius_m:g})",
            note=f"{note} {reason}".strip(),
        )

    def _corner(self, first: str, second: str) -> RegionResult:
        """Where two streets cross; else the middle of the closest pair of their points.

        Raises:
            PlaceNotFoundError: They do not meet, or they meet in places far from each other.
        """
        import shapely

        a, b = (shapely.union_all(self._street(name)) for name in (first, second))
        crossing = shapely.intersection(a, b)
        line = shapely.shortest_line(a, b)
        (lng1, lat1), (lng2, lat2) = line.coords
        gap_m = distance_m(LatLng(lat=lat1, lng=lng1), LatLng(lat=lat2, lng=lng2))
        if crossing.is_empty and gap_m > MAX_GAP_M:
            raise PlaceNotFoundError(
                f"'{first}' and '{second}' come no nearer to each other than {gap_m:.0f} m.",
                "Name two streets that meet.",
            )
        if not crossing.is_empty and _extent_m(crossing.bounds) > MAX_GAP_M:
            raise PlaceNotFoundError(
                f"'{first}' and '{second}' meet in places up to {_extent_m(crossing.bounds):.0f} m apart.",
                "Name something near the corner that is meant.",
            )
        point = shapely.centroid(crossing) if not crossing.is_empty else shapely.centroid(line)
        center = LatLng(lat=point.y, lng=point.x)
        note = (
            ""
            if gap_m == 0
            else f"The streets do not touch; this is between their nearest points, {gap_m:.0f} m apart."
        )
        return RegionResult(mode="intersection", center=center, note=note)

    def _street(self, name: str) -> Any:
        """All pieces of a street.

        Raises:
            PlaceNotFoundError: There is no such street.
        """
        written = (self._engine.find_name(spelling, fuzzy=False) for spelling in road_spellings(name))
        hits = [hit.ref for hits in written for hit in hits if hit.ref.table == "roads"]
        if not hits:
            wanted = canonical(name)
            found = [hit for hit in self._engine.find_name(name) if hit.ref.table == "roads"]
            hits = [hit.ref for hit in found if hit.score >= 0.9 and wanted]
        shapes = self._engine.tables["roads"].shapes if "roads" in self._engine.tables else None
        if not hits or shapes is None:
            raise PlaceNotFoundError(f"There is no street '{name}' here.", "Check the spelling.")
        return shapes.geometries(np.array([ref.row for ref in hits]))


def _extent_m(bounds: tuple[float, float, float, float]) -> float:
    """The diagonal of a box given as west, south, east, north."""
    west, south, east, north = bounds
    return distance_m(LatLng(lat=south, lng=west), LatLng(lat=north, lng=east))


def _inside(info: FeatureInfo) -> str:
    return f"ST_Intersects(geometry, (SELECT geometry FROM {info.table} WHERE id = {info.id}))"  # noqa: S608
