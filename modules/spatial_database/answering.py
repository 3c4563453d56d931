"""From a `SpatialIntent` to a solution, by the concept tools and without a model."""

from dataclasses import dataclass
from typing import Literal

from map_tools.errors import PlaceNotFoundError, UnsupportedError
from map_tools.maps.names import canonical
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.types import LatLng
from mapagent.answer import Solution, Status
from modules.spatial_database.features import FeatureId, FeatureInfo, Features
from modules.spatial_database.findings import Findings
from modules.spatial_database.map_names import MapNames
from modules.spatial_database.outcome import Outcome, Scene
from modules.spatial_database.outcomes import outcome_of
from modules.spatial_database.places import SAME_SPOT_M
from modules.spatial_database.several import combined
from modules.spatial_database.tools.calculate_metric import (
    CalculateMetric,
    Metric,
    MetricArguments,
    MetricResult,
)
from modules.spatial_database.tools.get_poi_filter import FilterArguments, FilterResult, GetPoiFilter
from modules.spatial_database.tools.get_region_geometry import GetRegionGeometry, RegionArguments
from modules.spatial_database.tools.resolve_location import LocationArguments, ResolveLocation
from modules.offline.spatial_intent import SpatialIntent

MOST_ALTERNATIVES = 100
"""Places of one name that are looked around; more of them are a chain, and the question says too little."""
SPARE = 8
"""How many more than asked for are found, for the nearest may have no name."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The places of a question once they are found; one for each way to understand its names."""

    anchor: FeatureInfo | None = None
    origin: LatLng | None = None
    toward: LatLng | None = None
    region: FeatureInfo | None = None
    radius_m: float | None = None
    other: FeatureInfo | None = None


class Answerer:
    """Answers questions over one database.

    Args:
        engine: The data.
        findings: Takes down the evidence.
        names: Finds places that the database has in no table.
    """

    def __init__(self, engine: MemoryEngine, findings: Findings, names: MapNames | None = None) -> None:
        self._engine = engine
        self._features = Features(engine)
        self._findings = findings
        self._resolve = ResolveLocation(engine, names)
        self._regions = GetRegionGeometry(engine)
        self._filter = GetPoiFilter(engine)
        self._metric = CalculateMetric(engine)
        self._notes: list[str] = []
        self._meant: dict[str, tuple[str, ...]] = {}

    async def solution(self, intent: SpatialIntent) -> Solution:
        """The solution; where a name or a kind is not known, the reason why there is none."""
        if intent.described:
            reason = f"'{intent.anchor}' is told by a fact that is in no table: needs an external source."
            return Solution(status=Status.UNANSWERABLE, reason=reason)
        try:
            kind = await self._kind(intent)
            settings = await self._settings(intent)
            outcomes = [await self._outcome(intent, kind, setting) for setting in settings]
        except (PlaceNotFoundError, UnsupportedError) as error:
            return Solution(status=Status.UNANSWERABLE, reason=str(error))
        return combined(intent, outcomes, tuple(dict.fromkeys(self._notes)), self._meant)

    async def _kind(self, intent: SpatialIntent) -> FilterResult | None:
        if not intent.what:
            return None
        return await self._filter.run(FilterArguments(poi_type=intent.what, query_type=_operation(intent)))

    async def _settings(self, intent: SpatialIntent) -> list[Setting]:
        """All ways to understand the places."""
        if intent.corner is not None:
            corner = await self._regions.run(RegionArguments(streets=intent.corner))
            self._note(corner.note)
            return [Setting(origin=corner.center)]
        if intent.region is not None and intent.anchor is None:
            areas = await self._region_settings(intent.region)
            self._meant[intent.region] = tuple(area.region.told for area in areas if area.region)
            return areas
        if intent.anchor is None:
            raise UnsupportedError("The question names no place and no region.", "Name one.")
        anchors = await self._places(intent.anchor)
        others = await self._places(intent.other) if intent.other else (None,)
        region = await self._outline(intent.region) if intent.region else None
        return [
            Setting(anchor, anchor.location, await self._toward(intent, anchor), region, None, other)
            for anchor in anchors
            for other in others
        ]

    async def _places(self, words: str) -> tuple[FeatureInfo, ...]:
        arguments = LocationArguments(location=words)
        found = await self._resolve.run(arguments)
        self._note(found.note)
        self._meant[words] = tuple(place.told for place in found.places)
        if len(found.places) > MOST_ALTERNATIVES:
            raise UnsupportedError(
                f"There are {len(found.places)} places called '{words}'.", "Name its city."
            )
        for place in found.places:
            others = [other for other in found.places if other is not place]
            self._findings.place(words, place, arguments, rivals=others)
        return found.places

    async def _toward(self, intent: SpatialIntent, anchor: FeatureInfo) -> LatLng | None:
        """Where the direction leads; of several places of a name to the nearest one, which is said."""
        if intent.toward is None:
            return None
        from map_tools.compute.geodesy import distance_m

        found = (await self._resolve.run(LocationArguments(location=intent.toward))).places
        nearest = min(found, key=lambda place: distance_m(anchor.location, place.location))
        if len(found) > 1:
            self._note(
                f"'{intent.toward}' may be any of {len(found)} places; the nearest gives the direction."
            )
        return nearest.location

    async def _outline(self, words: str) -> FeatureInfo:
        """The region that confines a search around a place; a circle in its stead would be a second one.

        Raises:
            UnsupportedError: It has no outline.
        """
        region = (await self._region_settings(words))[0].region
        if region is None:
            raise UnsupportedError(f"'{words}' has no outline to search in.", "Name an area, or none.")
        return region

    async def _region_settings(self, words: str) -> list[Setting]:
        found = await self._regions.run(RegionArguments(region=words))
        self._note(found.note)
        if found.mode == "polygon":
            return [Setting(region=info) for info in found.features]
        return [Setting(anchor=found.features[0], origin=found.center, radius_m=found.radius_m)]

    async def _outcome(self, intent: SpatialIntent, kind: FilterResult | None, setting: Setting) -> Outcome:
        """What comes out for one way to understand the places."""
        if intent.other is not None or intent.ask == "kind":
            return outcome_of(
                intent, Scene(self._findings, setting.anchor, setting.other), MetricResult(), None
            )
        arguments = self._arguments(intent, kind, setting)
        result = await self._metric.run(arguments)
        scene = Scene(self._findings, setting.anchor, setting.region, setting.toward)
        return outcome_of(intent, scene, result, arguments)

    def _arguments(
        self, intent: SpatialIntent, kind: FilterResult | None, setting: Setting
    ) -> MetricArguments:
        table = kind.table if kind is not None else _places_table(self._engine)
        region = setting.region
        return MetricArguments(
            metric=_metric(intent),
            table=table,
            alternatives=kind.alternatives if kind is not None else ((),),
            region=FeatureId(table=region.table, id=region.id) if region is not None else None,
            whole=intent.whole,
            origin=setting.origin,
            radius_m=intent.within_m if intent.within_m is not None else setting.radius_m,
            beyond_m=intent.beyond_m,
            direction=intent.direction,
            toward=setting.toward,
            but=self._left_out(setting.anchor),
            k=intent.k + (intent.n or 0) + SPARE,
        )

    def _left_out(self, anchor: FeatureInfo | None) -> tuple[FeatureId, ...]:
        """The anchor itself, and what bears its name at the same spot."""
        if anchor is None:
            return ()
        from map_tools.compute.geodesy import distance_m

        same = (
            [hit.ref for hit in self._engine.find_name(anchor.name, fuzzy=False)]
            if canonical(anchor.name)
            else []
        )
        here = [ref for ref in same if distance_m(self._engine.position(ref), anchor.location) <= SAME_SPOT_M]
        ids = (FeatureId(table=ref.table, id=self._features.id_of(ref)) for ref in here)
        return (FeatureId(table=anchor.table, id=anchor.id), *ids)

    def _note(self, text: str) -> None:
        if text:
            self._notes.append(text)


def _operation(intent: SpatialIntent) -> Literal["point", "area", "line"]:
    """What is done with the features: which table has the right geometries depends on it."""
    if intent.ask == "area" or intent.pick in {"largest", "smallest"}:
        return "area"
    return "line" if intent.ask == "length" or intent.pick in {"longest", "shortest"} else "point"


def _metric(intent: SpatialIntent) -> Metric:
    if intent.ask in {"count", "area", "length"}:
        return intent.ask
    if intent.pick != "any":
        return intent.pick
    return "list"


def _places_table(engine: MemoryEngine) -> str:
    """The table of places, whatever it is called."""
    return "pois" if "pois" in engine.tables else next(iter(engine.tables))
