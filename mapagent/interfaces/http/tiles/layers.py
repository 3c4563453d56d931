"""Which features of a map go to which layer of a tile; the table is `layers.toml`."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from map_tools.maps.feature import SHAPES, Shape


@dataclass(frozen=True, slots=True)
class TileLayer:
    """A layer: its name, the shape it draws (a code of `SHAPES`) and the first zoom level it is drawn at."""

    name: str
    shape: int
    zoom: int
    categories: frozenset[str]


@lru_cache(maxsize=1)
def layers() -> tuple[TileLayer, ...]:
    """All layers of lines and areas."""
    text = files("mapagent.interfaces.http.tiles").joinpath("layers.toml").read_text("utf-8")
    return tuple(
        TileLayer(
            name=entry["name"],
            shape=SHAPES.index(Shape(entry["shape"])),
            zoom=entry["zoom"],
            categories=frozenset(entry["categories"]),
        )
        for entry in tomllib.loads(text)["layers"]
    )


def layer_of(categories: Iterable[str], shape: int) -> int | None:
    """Number of the layer a feature belongs to, None if it is not drawn."""
    for number, layer in enumerate(layers()):
        if layer.shape == shape and not layer.categories.isdisjoint(categories):
            return number
    return None
