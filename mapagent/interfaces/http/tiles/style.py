"""The MapLibre style of a map (https://maplibre.org/maplibre-style-spec/); its layers are `style.json`.

It names no other host: tiles come from this server, there are no sprites, and as it names no glyphs MapLibre
draws letters with the browser's own fonts.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import Any, Literal

from map_tools.maps.info import MapInfo
from mapagent.interfaces.http.tiles.grid import MAX_ZOOM

SOURCE = "map"

type Theme = Literal["light", "dark"]


def style(info: MapInfo, build: str, theme: Theme) -> dict[str, Any]:
    """The style of a map in light or dark colours.

    Args:
        info: The map.
        build: Name of its build, part of the tiles' address: another build has other addresses, so tiles may
            be kept by browsers for ever.
        theme: Which colours.
    """
    box = info.bbox
    return {
        "version": 8,
        "name": info.name,
        "center": [info.bbox.center.lng, info.bbox.center.lat],
        "sources": {
            SOURCE: {
                "type": "vector",
                "tiles": [f"/tiles/{info.name}/{{z}}/{{x}}/{{y}}.mvt?build={build}"],
                "minzoom": 0,
                "maxzoom": MAX_ZOOM,
                "bounds": [box.west, box.south, box.east, box.north],
                "attribution": _credit(info),
            }
        },
        "layers": _layers(theme),
    }


def _credit(info: MapInfo) -> str:
    """The credit as MapLibre wants it: a piece of HTML."""
    text = escape(info.attribution)
    if not info.attribution_url.startswith("https://"):
        return text
    return f'<a href="{escape(info.attribution_url)}">{text}</a>'


def colours(theme: Theme) -> Mapping[str, str]:
    """The colours of a theme by their names in `style.json`."""
    found: Mapping[str, str] = _data()["colours"][theme]
    return found


@lru_cache(maxsize=2)
def _layers(theme: Theme) -> Any:
    return _coloured(_data()["layers"], colours(theme))


@lru_cache(maxsize=1)
def _data() -> Any:
    return json.loads(files("mapagent.interfaces.http.tiles").joinpath("style.json").read_text("utf-8"))


def _coloured(value: Any, colours: Mapping[str, str]) -> Any:
    """The value with each "@name" replaced by that colour."""
    if isinstance(value, dict):
        return {key: _coloured(item, colours) for key, item in value.items()}
    if isinstance(value, list):
        return [_coloured(item, colours) for item in value]
    if isinstance(value, str) and value.startswith("@"):
        return colours[value[1:]]
    return value
