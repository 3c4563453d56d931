"""The tools of the server, one file each; ten at most, for each one costs every conversation tokens."""

from mapagent.core.agent import MapAgent
from mapagent.interfaces.mcp.tools.ask_map import AskMap
from mapagent.interfaces.mcp.tools.base import ServerTool
from mapagent.interfaces.mcp.tools.find_nearby import FindNearby
from mapagent.interfaces.mcp.tools.locate_map_image import LocateMapImage
from mapagent.interfaces.mcp.tools.place_info import PlaceInfo
from mapagent.interfaces.mcp.tools.query_map_data import QueryMapData
from mapagent.interfaces.mcp.tools.recommend_places import RecommendPlaces
from mapagent.interfaces.mcp.tools.resolve_place import ResolvePlace
from mapagent.interfaces.mcp.tools.route import Route
from mapagent.interfaces.mcp.tools.run_query import EXAMPLES, RunQuery
from mapagent.interfaces.mcp.tools.trip import Trip


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
