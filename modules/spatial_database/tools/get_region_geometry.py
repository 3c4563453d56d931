"""GetRegionGeometry: from words for a region to a predicate: an outline, a circle, or a street corner."""

from typing import ClassVar, Literal

from map_tools.compute.geodesy import distance_m
from map_tools.spatial_db.features import FeatureInfo, Features
from map_tools.spatial_db.grounding.places import PlaceFinder
from map_tools.spatial_db.grounding.roads import corner_of
from map_tools.spatial_db.memory.engine import FeatureRef, MemoryEngine
from map_tools.types import LatLng
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool

DEFAULT_RADIUS_M = 5_000.0
"""The circle that stands in for a region without an outline, where none is asked for."""
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
        corner = corner_of(self._engine, first, second)
        note = (
            ""
            if corner.gap_m == 0
            else f"The streets do not touch; this is between their nearest points, {corner.gap_m:.0f} m apart."
        )
        return RegionResult(mode="intersection", center=corner.at, note=note)


def _inside(info: FeatureInfo) -> str:
    return f"ST_Intersects(geometry, (SELECT geometry FROM {info.table} WHERE id = {info.id}))"  # noqa: S608
