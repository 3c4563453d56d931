"""The four map tools of the MapAgent paper, over any provider: Trip, Route, Nearby, PlaceInfo."""

from collections.abc import Mapping
from types import MappingProxyType

from map_tools.tools.base import MapTool
from map_tools.tools.inner import Departures, Reach, ResolveLocation, SearchFeatures, Shapes
from map_tools.tools.nearby import Nearby
from map_tools.tools.place_info import PlaceInfo
from map_tools.tools.route import Route, Trip

__all__ = ["INNER_TOOLS", "TOOLS", "MapTool", "Nearby", "PlaceInfo", "Route", "Trip"]

_ALL: tuple[MapTool, ...] = (Nearby(), PlaceInfo(), Route(), Trip())
TOOLS: Mapping[str, MapTool] = MappingProxyType({tool.name: tool for tool in _ALL})
"""The tools by the names the paper gives them."""

_INNER: tuple[MapTool, ...] = (Departures(), Reach(), ResolveLocation(), SearchFeatures(), Shapes())
INNER_TOOLS: Mapping[str, MapTool] = MappingProxyType({tool.name: tool for tool in _INNER})
"""Tools that programs call beside them and models are not shown."""
