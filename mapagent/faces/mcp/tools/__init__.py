"""The tools of the server, one file each; eight at most, for each one costs every conversation tokens."""

from mapagent.faces.mcp.tools.ask_map import AskMap
from mapagent.faces.mcp.tools.base import ServerTool
from mapagent.faces.mcp.tools.find_nearby import FindNearby
from mapagent.faces.mcp.tools.locate_map_image import LocateMapImage
from mapagent.faces.mcp.tools.place_info import PlaceInfo
from mapagent.faces.mcp.tools.query_map_data import QueryMapData
from mapagent.faces.mcp.tools.recommend_places import RecommendPlaces
from mapagent.faces.mcp.tools.route import Route
from mapagent.faces.mcp.tools.trip import Trip

TOOLS: tuple[ServerTool, ...] = (
    AskMap(),
    FindNearby(),
    PlaceInfo(),
    Route(),
    Trip(),
    RecommendPlaces(),
    QueryMapData(),
    LocateMapImage(),
)
"""In the order in which a client shows them."""
