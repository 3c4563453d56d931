"""The tools of the server: ten at most, for each one costs every conversation tokens."""

from mapagent.core.agent import MapAgent
from mapagent.interfaces.mcp.tools.answers import EXAMPLES, AskMap, RunQuery
from mapagent.interfaces.mcp.tools.base import ServerTool
from mapagent.interfaces.mcp.tools.locate_map_image import LocateMapImage
from mapagent.interfaces.mcp.tools.places import PlaceInfo, ResolvePlace
from mapagent.interfaces.mcp.tools.query_map_data import QueryMapData
from mapagent.interfaces.mcp.tools.search import FindNearby, RecommendPlaces
from mapagent.interfaces.mcp.tools.travel import Route, Trip


def tools_of(agent: MapAgent) -> tuple[ServerTool, ...]:
    """The tools over an agent, in the order in which a client shows them.

    Raises:
        ConfigError: The agent's modules cannot be put together.
    """
    return (
        AskMap(),
        RunQuery(agent.describe(examples=EXAMPLES)),
        FindNearby(),
        PlaceInfo(),
        ResolvePlace(),
        Route(),
        Trip(),
        RecommendPlaces(),
        QueryMapData(),
        LocateMapImage(),
    )
