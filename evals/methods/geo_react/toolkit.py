"""The tools of one question: the eight of Geo-ReAct's Table 1, and an encyclopedia where one is set."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.methods.geo_react.metric import Grounding, MetricInWords
from map_tools.knowledge.port import KnowledgeSource
from map_tools.spatial_db.memory.engine import MemoryEngine
from map_tools.spatial_db.port import SpatialDatabase
from mapagent.llm.chat import ChatModel
from mapagent.ports import Account
from modules.spatial_database.sql_preparing import prepared
from modules.spatial_database.sql_setting import SqlSetting
from modules.spatial_database.tools.base import SpatialTool, Toolkit
from modules.spatial_database.tools.calculate_metric import CalculateMetric
from modules.spatial_database.tools.generate_sql import GenerateSQL
from modules.spatial_database.tools.get_poi_filter import GetPoiFilter
from modules.spatial_database.tools.get_region_geometry import GetRegionGeometry
from modules.spatial_database.tools.inspect_schema import InspectSchema
from modules.spatial_database.tools.look_up_knowledge import LookUpKnowledge
from modules.spatial_database.tools.parse_question import ParseQuestion
from modules.spatial_database.tools.refine_sql import RefineSQL
from modules.spatial_database.tools.resolve_location import ResolveLocation
from modules.spatial_database.traced import TracedDatabase


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
    account: Account,
    *,
    prompts: Path | None = None,
    without: Collection[str] = (),
) -> Toolkit:
    """The tools for one question, in the order of Table 1.

    Args:
        workshop: What they work on.
        model: Who takes questions apart.
        account: What their work is charged to; its trace tells of every query.
        prompts: The user's own prompts; None for the built-in ones.
        without: Names of tools that are left out.
    """
    engine = workshop.engine
    database = TracedDatabase(workshop.database, account.trace)
    location, region, kind = ResolveLocation(engine), GetRegionGeometry(engine), GetPoiFilter(engine)
    grounding = Grounding(
        location=None if location.name in without else location,
        region=None if region.name in without else region,
        kind=None if kind.name in without else kind,
    )
    tools: list[SpatialTool[Any, Any]] = [
        ParseQuestion(model, account, prompts),
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
