"""What can be set of Geo-ReAct's loop: `[modules.spatial_database]` of a configuration file."""

from typing import Annotated, Literal

from pydantic import Field

from evals.methods.geo_react.loop import MAX_STEPS
from map_tools.knowledge.port import WIKIPEDIA
from map_tools.types import Frozen
from mapagent.config import Settings
from mapagent.sections import read_section
from modules.spatial_database.sql_setting import MODULE, SqlSetting

ToolName = Literal[
    "ParseQuestion",
    "ResolveLocation",
    "GetRegionGeometry",
    "GetPOIFilter",
    "CalculateMetric",
    "GenerateSQL",
    "RefineSQL",
    "InspectSchema",
]


class KnowledgeSetting(Frozen):
    """The encyclopedia; `api_url` is the address of a wiki's api.php."""

    api_url: str = Field(default=WIKIPEDIA, pattern="^https?://")


class LoopSetting(Frozen):
    """What can be set.

    Attributes:
        max_steps: K of the loop.
        without: Tools that are taken away, for ablations.
        sql: How queries are run.
        knowledge: The encyclopedia for facts that no map has; None: there is none.
    """

    max_steps: Annotated[int, Field(ge=1, le=50)] = MAX_STEPS
    without: tuple[ToolName, ...] = ()
    sql: SqlSetting = SqlSetting()
    knowledge: KnowledgeSetting | None = None

    @classmethod
    def of(cls, settings: Settings) -> "LoopSetting":
        """What the settings say.

        Raises:
            ConfigError: A value is unknown or wrong.
        """
        return read_section(cls, settings, MODULE, see="docs/geo-react.md")
