"""The tools of one question: the eight of Geo-ReAct's Table 1, and an encyclopedia where one is set.

CalculateMetric is called by a model in words, which the grounding tools make values of.

The paper's tool takes a region by name (Geo-ReAct, table 1); here everything may be given by its name, or by
what an earlier observation said. What a grounding tool cannot tell is an observation, never a guess. A tool
that the agent does not have is not used here either, so that ablations take it away for good.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from evals.methods.geo_react.answer import point_in
from map_tools.compute.geodesy import bearing_deg, wind, wind_words
from map_tools.compute.measures import parse_distance_m
from map_tools.errors import ToolError, UnsupportedError
from map_tools.knowledge import KnowledgeSource
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.port import SpatialDatabase
from map_tools.spatial_db.search import FeatureId, FeatureInfo
from map_tools.types import Frozen, LatLng
from mapagent.core.ports import RequestContext
from mapagent.core.rendering import clean
from mapagent.llm.chat import ChatModel
from modules.spatial_database.database import SqlSetting, TracedDatabase
from modules.spatial_database.tools.base import Arguments, Concept, Result, Role, SpatialTool, Toolkit
from modules.spatial_database.tools.calculate_metric import (
    CalculateMetric,
    Metric,
    MetricArguments,
    MetricResult,
)
from modules.spatial_database.tools.grounding import (
    FilterArguments,
    GetPoiFilter,
    GetRegionGeometry,
    InspectSchema,
    LocationArguments,
    RegionArguments,
    ResolveLocation,
)
from modules.spatial_database.tools.look_up_knowledge import LookUpKnowledge
from modules.spatial_database.tools.parse_question import ParseQuestion
from modules.spatial_database.tools.run_sql import GenerateSQL, RefineSQL, prepared

MOST_TOLD = 20
"""Features told of in words, the first ones; the typed result has all."""
_OPERATIONS = {"area": "area", "largest": "area", "smallest": "area"} | dict.fromkeys(
    ("length", "longest", "shortest"), "line"
)


@dataclass(frozen=True, slots=True)
class Grounding:
    """The tools that make values of words; None where the agent does not have one."""

    location: ResolveLocation | None = None
    region: GetRegionGeometry | None = None
    kind: GetPoiFilter | None = None


class WordArguments(Arguments):
    """What is to be worked out."""

    metric: Metric
    feature: str = Field(default="", description="kind of feature in words, such as 'Thai restaurant'")
    origin: str = Field(
        default="", description="place measured from: its name with city and state, or 'lat, lng'"
    )
    target: str = Field(default="", description="for distance: the second place, likewise")
    toward: str = Field(default="", description="place in whose direction the feature must lie")
    direction: str = Field(default="", description="north, northeast, ... as seen from the origin")
    region: str = Field(default="", description="name of the region that is searched")
    radius: str = Field(default="", description="greatest distance with its unit, such as '25 km'")
    k: int = Field(default=1, ge=1, le=50, description="which of the order, or how many for nearest")


class Found(Frozen):
    """A feature as it is told of; `azimuth_deg` is its direction from the origin, clockwise from north."""

    name: str
    address: str = ""
    lat: float
    lng: float
    distance_m: float | None = None
    azimuth_deg: float | None = None
    wind: str = ""
    size: float | None = None


class WordResult(Result):
    """What came out: a number with its unit, or features in their order, `total` of them in all."""

    value: float | None = None
    unit: str = ""
    azimuth_deg: float | None = None
    features: tuple[Found, ...] = ()
    total: int = 0
    note: str = ""

    def text(self) -> str:
        """The number, or the features one a line."""
        return "\n".join(map(clean, self._lines())) or "Nothing was found."

    def _lines(self) -> Iterator[str]:
        if self.value is not None:
            direction = "" if self.azimuth_deg is None else f", at {self.azimuth_deg:.1f}° from north"
            yield f"{self.value:.10g} {self.unit}{direction}"
        else:
            for number, one in enumerate(self.features[:MOST_TOLD], start=1):
                yield f"{number}. {_told(one)}"
            if self.total > MOST_TOLD:
                yield f"({self.total} in all)"
        if self.note:
            yield f"Note: {self.note}"


class MetricInWords(SpatialTool[WordArguments, WordResult]):
    """Grounds the words and asks CalculateMetric.

    Args:
        metric: The tool that computes.
        grounding: The tools that read words.
    """

    name: ClassVar[str] = CalculateMetric.name
    description: ClassVar[str] = CalculateMetric.description
    role: ClassVar[Role] = CalculateMetric.role
    concepts: ClassVar[tuple[Concept, ...]] = CalculateMetric.concepts
    arguments: ClassVar[type[Arguments]] = WordArguments

    def __init__(self, metric: CalculateMetric, grounding: Grounding) -> None:
        self._metric = metric
        self._grounding = grounding

    async def run(self, arguments: WordArguments) -> WordResult:
        """Works it out.

        Raises:
            PlaceNotFoundError: A place or region is not there.
            UnsupportedError: Words cannot be read, or several places are called so.
        """
        notes: list[str] = []
        origin, but = await self._point(arguments.origin)
        target, _ = await self._point(arguments.target)
        toward, _ = await self._point(arguments.toward)
        wanted = MetricArguments(
            metric=arguments.metric,
            origin=origin,
            target=target,
            toward=toward,
            direction=_wind(arguments.direction),
            radius_m=_metres(arguments.radius),
            but=but,
            k=arguments.k,
        )
        if arguments.metric != "distance":
            wanted = await self._with_kind(wanted, arguments)
        if arguments.region:
            wanted = await self._with_region(wanted, arguments.region, notes)
        found = await self._metric.run(wanted)
        return _result(found, wanted, " ".join(notes))

    async def _with_kind(self, wanted: MetricArguments, arguments: WordArguments) -> MetricArguments:
        tool = _had(self._grounding.kind, "kinds of features", "write SQL")
        if not arguments.feature:
            raise UnsupportedError("The metric needs the argument 'feature'.", "Give the kind in words.")
        operation = _OPERATIONS.get(arguments.metric, "point")
        kind = await tool.run(
            FilterArguments.model_validate({"poi_type": arguments.feature, "query_type": operation})
        )
        return wanted.model_copy(update={"table": kind.table, "alternatives": kind.alternatives})

    async def _with_region(self, wanted: MetricArguments, region: str, notes: list[str]) -> MetricArguments:
        tool = _had(self._grounding.region, "regions", "write SQL")
        name, _, state = region.partition(",")
        found = await tool.run(RegionArguments(region=name.strip(), state=state.strip(), near=wanted.origin))
        if found.note:
            notes.append(found.note)
        if found.mode != "polygon":
            return wanted.model_copy(update={"origin": found.center, "radius_m": found.radius_m})
        if len(found.features) > 1:
            notes.append(f"{len(found.features)} regions are called so; this is the first.")
        return wanted.model_copy(update={"region": _identity(found.features[0])})

    async def _point(self, words: str) -> tuple[LatLng | None, tuple[FeatureId, ...]]:
        """A position, and the feature it stands for if it was given by name."""
        if not words:
            return None, ()
        stated = point_in(words)
        if stated is not None:
            return stated, ()
        tool = _had(self._grounding.location, "places by name", "give 'lat, lng'")
        found = await tool.run(LocationArguments(location=words))
        if len(found.places) > 1:
            where = "; ".join(one.address or f"{one.lat:.5f}, {one.lng:.5f}" for one in found.places[:5])
            raise UnsupportedError(
                f"{len(found.places)} places are called '{words}': {where}.",
                "Give city and state, or the position of the one that is meant.",
            )
        return found.places[0].location, (_identity(found.places[0]),)


def _had[T](tool: T | None, what: str, instead: str) -> T:
    if tool is None:
        raise ToolError(f"There is no tool here that finds {what}.", f"Rather {instead}.")
    return tool


def _wind(words: str) -> str | None:
    if not words:
        return None
    found = wind_words(words)
    if found is None:
        raise UnsupportedError(f"'{words}' is none of the eight winds.", "Write north, northeast, east, ...")
    return found


def _metres(words: str) -> float | None:
    if not words:
        return None
    metres = parse_distance_m(words) or parse_distance_m(f"{words} m")
    if metres is None:
        raise UnsupportedError(f"'{words}' is no distance.", "Write it as '25 km' or '800 m'.")
    return metres


def _identity(info: FeatureInfo) -> FeatureId:
    return FeatureId(table=info.table, id=info.id)


def _result(found: MetricResult, wanted: MetricArguments, note: str) -> WordResult:
    ends = (wanted.origin, wanted.target)
    between = None if None in ends or wanted.metric != "distance" else bearing_deg(*ends)  # type: ignore[arg-type]
    return WordResult(
        value=found.value,
        unit=found.unit,
        azimuth_deg=between,
        features=tuple(_found(info, wanted.origin) for info in found.features),
        total=found.total,
        note=note,
    )


def _found(info: FeatureInfo, origin: LatLng | None) -> Found:
    azimuth = None if origin is None else bearing_deg(origin, info.location)
    return Found(
        name=info.name,
        address=info.address,
        lat=info.lat,
        lng=info.lng,
        distance_m=info.distance_m,
        azimuth_deg=azimuth,
        wind="" if azimuth is None else wind(azimuth),
        size=info.size,
    )


def _told(one: Found) -> str:
    parts = [one.name or "(unnamed)", one.address, f"at {one.lat:.6f}, {one.lng:.6f}"]
    if one.distance_m is not None:
        parts.append(f"{one.distance_m:.1f} m")
    if one.azimuth_deg is not None:
        parts.append(f"{one.azimuth_deg:.1f}° ({one.wind})")
    if one.size is not None:
        parts.append(f"size {one.size:.10g}")
    return "; ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Workshop:
    """What the tools work on.

    Attributes:
        engine: The map's features in memory.
        database: The same in SQL.
        setting: How queries are run.
        knowledge: The encyclopedia, None if there is none.
    """

    engine: MemoryEngine
    database: SpatialDatabase
    setting: SqlSetting
    knowledge: KnowledgeSource | None = None


def loop_toolkit(
    workshop: Workshop,
    model: ChatModel,
    request_context: RequestContext,
    *,
    prompts: Path | None = None,
    without: Collection[str] = (),
) -> Toolkit:
    """The tools for one question, in the order of Table 1.

    Args:
        workshop: What they work on.
        model: Who takes questions apart.
        request_context: What their work is charged to; its trace tells of every query.
        prompts: The user's own prompts; None for the built-in ones.
        without: Names of tools that are left out.
    """
    engine = workshop.engine
    database = TracedDatabase(workshop.database, request_context.trace)
    location, region, kind = ResolveLocation(engine), GetRegionGeometry(engine), GetPoiFilter(engine)
    grounding = Grounding(
        location=None if location.name in without else location,
        region=None if region.name in without else region,
        kind=None if kind.name in without else kind,
    )
    tools: list[SpatialTool[Any, Any]] = [
        ParseQuestion(model, request_context, prompts),
        location,
        region,
        kind,
        MetricInWords(CalculateMetric(engine), grounding),
        GenerateSQL(database, prepared, workshop.setting),
        RefineSQL(database, prepared, workshop.setting),
        InspectSchema(engine),
    ]
    if workshop.knowledge is not None:
        tools.append(LookUpKnowledge(workshop.knowledge))
    return Toolkit(tool for tool in tools if tool.name not in without)
