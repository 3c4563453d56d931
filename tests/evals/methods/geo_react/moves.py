"""Steps of a loop as a model writes them, and a toolkit for them."""

import json

from map_tools.spatial_db.duckdb_db import DuckDBDatabase
from map_tools.spatial_db.port import Schema
from mapagent.core.ports import RequestContext
from mapagent.llm.chat import ChatModel
from modules.spatial_database.database import SqlSetting, TracedDatabase
from modules.spatial_database.tools.base import Toolkit
from modules.spatial_database.tools.parse_question import ParseQuestion
from modules.spatial_database.tools.run_sql import GenerateSQL

HOTEL = (
    "SELECT b.poi_name, b.geometry, ST_Distance(a.geometry, b.geometry) AS distance_m FROM pois a, pois b "
    "WHERE a.poi_name = 'North Cafe' AND b.tourism = 'hotel' ORDER BY 3 LIMIT 1"
)


def move(tool: str, thought: str = "so", **arguments: str) -> str:
    """One step."""
    pairs = [{"name": name, "value": value} for name, value in arguments.items()]
    return json.dumps({"thought": thought, "tool": tool, "arguments": pairs})


def sql(query: str) -> str:
    """A step that runs a query."""
    return move("GenerateSQL", sql=query)


def finish(answer: str) -> str:
    """The last step."""
    return move("Finish", answer=answer)


def as_written(query: str, _: Schema) -> tuple[str, tuple[str, ...]]:
    """Mends nothing."""
    return query, ()


def toolkit(database: DuckDBDatabase, model: ChatModel, request_context: RequestContext) -> Toolkit:
    """Two of the tools: what a loop needs of a toolkit is the same for all."""
    traced = TracedDatabase(database, request_context.trace)
    return Toolkit((ParseQuestion(model, request_context), GenerateSQL(traced, as_written, SqlSetting())))
