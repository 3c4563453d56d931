"""`mapagent recommend`: a recommendation, with GeoJSON and a picture over the map it comes from.

The picture is an SVG map with what was searched, what was found and what is recommended. SVG needs no fonts or
libraries here, any browser shows it, and its names can be read by programs.
"""

import asyncio
import json
import math
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import numpy.typing as npt

from map_tools.errors import InputFileError, UsageError
from map_tools.maps.store import MapStore
from map_tools.providers.base import ANY_BASE_MAP
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.core.rendering import clean
from mapagent.interfaces.cli.command import BUILT_IN, Command, add_settings, moment, position, settings_from
from mapagent.interfaces.cli.show import as_text
from mapagent.runtime.config import Settings
from mapagent.runtime.opening import map_home
from modules.recommender.describe import metres_per_degree
from modules.recommender.geojson import (
    ANCHOR,
    AREA,
    CANDIDATE,
    RECOMMENDED,
    ROUTE,
    Feature,
    Outline,
    feature_collection,
    recommends,
)

WIDTH_PX, HEIGHT_PX, LEGEND_LINE_PX = 900, 640, 22
MARGIN = 0.08
"""Free space around what is drawn, as a share of its size."""
LEAST_M = 200.0
"""So much is shown at least, lest a single point fill the picture."""
_SVG = "http://www.w3.org/2000/svg"
_STEPS = (1, 2, 5)
_STYLES: Mapping[str, Mapping[str, str]] = {
    "green": {"fill": "#d3e8c8"},
    "water": {"fill": "#b5d6ea", "stroke": "#b5d6ea", "stroke-width": "3"},
    "street": {"fill": "none", "stroke": "#ffffff", "stroke-width": "4"},
    "path": {"fill": "none", "stroke": "#fbf9f4", "stroke-width": "1.5"},
    AREA: {"fill": "#4a6fd0", "fill-opacity": "0.08", "stroke": "#4a6fd0", "stroke-dasharray": "6 4"},
    ROUTE: {"fill": "none", "stroke": "#2f55b8", "stroke-width": "4", "stroke-linejoin": "round"},
}
_ORDER = ("green", "water", "path", "street")
_KINDS = {
    "water": ("water", "lake", "river", "riverbank", "canal", "bay", "stream", "marina"),
    "green": ("park", "garden", "forest", "wood", "cemetery", "grass", "playground"),
    "street": ("street",),
    "path": ("path",),
}
"""Category ids by how they are drawn."""
MOST_SHAPES = 4000
"""Beyond that a picture takes seconds and shows no more."""

type Points = npt.NDArray[np.float64]
type Bbox = tuple[float, float, float, float]
"""West, south, east, north, in degrees."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A line or an area.

    Attributes:
        kind: How it is drawn.
        parts: Lines, or rings of an area, each of shape (n, 2): longitude and latitude.
        closed: It is an area.
    """

    kind: str
    parts: tuple[Points, ...]
    closed: bool


type Backdrop = Callable[[Bbox], Iterator[Shape]]
"""What lies around a recommendation on the map: water, green, streets."""


def draw(collection: Feature, backdrop: Backdrop | None = None) -> str:
    """The picture of a recommendation.

    Args:
        collection: What `geojson.feature_collection` gives.
        backdrop: What lies around it on the map, where that may be drawn.

    Returns:
        An SVG document.
    """
    features = collection["features"]
    frame = Frame.around(np.concatenate([_points(one) for one in features] or [np.zeros((1, 2))]))
    listed = [one for one in features if one["properties"]["role"] == RECOMMENDED]
    height_px = HEIGHT_PX + LEGEND_LINE_PX * (len(listed) + 2)
    root = ET.Element(
        "svg",
        {
            "xmlns": _SVG,
            "viewBox": f"0 0 {WIDTH_PX} {height_px}",
            "font-family": "sans-serif",
            "font-size": "14",
            "role": "img",
        },
    )
    _title(root, f"Recommended: {', '.join(one['properties']['name'] for one in listed)}")
    clip = ET.SubElement(ET.SubElement(root, "defs"), "clipPath", {"id": "map"})
    ET.SubElement(clip, "rect", {"width": str(WIDTH_PX), "height": str(HEIGHT_PX)})
    ET.SubElement(root, "rect", {"width": str(WIDTH_PX), "height": str(HEIGHT_PX), "fill": "#f1eee6"})
    drawn = ET.SubElement(root, "g", {"clip-path": "url(#map)"})
    for shape in sorted(backdrop(frame.bbox) if backdrop else (), key=lambda one: _ORDER.index(one.kind)):
        _path(drawn, frame, shape)
    for feature in sorted(features, key=_layer):
        _draw_feature(drawn, frame, feature)
    _scale_bar(root, frame)
    _legend(root, listed, str(collection.get("attribution", "")))
    return ET.tostring(root, encoding="unicode")


def backdrop_of(store: MapStore) -> Backdrop:
    """The backdrop that a map gives: shapes that touch a box, at most `MOST_SHAPES`."""

    def shapes(bbox: Bbox) -> Iterator[Shape]:
        import shapely

        left = MOST_SHAPES
        for kind, categories in _KINDS.items():
            for row in np.unique(store.spatial.members(categories)).tolist():
                wkb = store.geometry(row)
                geometry = None if wkb is None else shapely.clip_by_rect(shapely.from_wkb(wkb), *bbox)
                if geometry is None or geometry.is_empty:
                    continue
                yield _shape(kind, geometry)
                left -= 1
                if not left:
                    return

    return shapes


def _shape(kind: str, geometry: Any) -> Shape:
    import shapely

    parts = shapely.get_parts(geometry)
    areas = [part for part in parts if part.geom_type == "Polygon"]
    rings = [ring for area in areas for ring in (area.exterior, *area.interiors)]
    lines = rings or [part for part in parts if part.geom_type == "LineString"]
    return Shape(kind, tuple(np.array(line.coords, np.float64)[:, :2] for line in lines), closed=bool(areas))


@dataclass(frozen=True, slots=True)
class Frame:
    """What the picture shows: metres are even across it.

    Attributes:
        west, north: Of its upper left corner, in degrees.
        scale: Pixels for a degree of longitude and of latitude.
        metres_per_px: On the ground.
    """

    west: float
    north: float
    scale: tuple[float, float]
    metres_per_px: float

    @classmethod
    def around(cls, points: Points) -> "Frame":
        """The frame that holds some positions, shape (n, 2): longitude and latitude."""
        low, high = points.min(axis=0), points.max(axis=0)
        middle = (low + high) / 2
        per_degree = np.array(metres_per_degree(float(middle[1])))
        size_m = np.maximum((high - low) * per_degree, LEAST_M) * (1 + 2 * MARGIN)
        metres_per_px = float(max(size_m[0] / WIDTH_PX, size_m[1] / HEIGHT_PX))
        scale = per_degree / metres_per_px
        west, north = middle[0] - WIDTH_PX / 2 / scale[0], middle[1] + HEIGHT_PX / 2 / scale[1]
        return cls(float(west), float(north), (float(scale[0]), float(scale[1])), metres_per_px)

    @property
    def bbox(self) -> Bbox:
        """West, south, east, north."""
        return (
            self.west,
            self.north - HEIGHT_PX / self.scale[1],
            self.west + WIDTH_PX / self.scale[0],
            self.north,
        )

    def px(self, points: Points) -> Points:
        """Positions as pixels, x to the right and y down."""
        return np.column_stack(
            ((points[:, 0] - self.west) * self.scale[0], (self.north - points[:, 1]) * self.scale[1])
        )


def _points(feature: Feature) -> Points:
    coordinates = feature["geometry"]["coordinates"]
    flat = {"Point": [coordinates], "LineString": coordinates}.get(feature["geometry"]["type"])
    return np.array(flat if flat is not None else coordinates[0], np.float64)


def _layer(feature: Feature) -> int:
    return (AREA, ROUTE, CANDIDATE, ANCHOR, RECOMMENDED).index(feature["properties"]["role"])


def _draw_feature(parent: ET.Element, frame: Frame, feature: Feature) -> None:
    role, name = feature["properties"]["role"], feature["properties"]["name"]
    if role in _STYLES:
        _path(parent, frame, Shape(role, (_points(feature),), closed=role == AREA))
        return
    (x, y) = frame.px(_points(feature))[0]
    group = ET.SubElement(parent, "g", {"transform": f"translate({x:.1f} {y:.1f})"})
    _title(group, name)
    if role == CANDIDATE:
        ET.SubElement(group, "circle", {"r": "3.5", "fill": "#8d8778"})
    elif role == ANCHOR:
        ET.SubElement(group, "path", {"d": "M-7 0H7M0 -7V7", "stroke": "#1d1d1d", "stroke-width": "3"})
        _label(group, name, "10", "-8")
    else:
        ET.SubElement(group, "circle", {"r": "12", "fill": "#c4372c", "stroke": "#ffffff"})
        number = {"text-anchor": "middle", "y": "5", "fill": "#ffffff", "font-weight": "bold"}
        ET.SubElement(group, "text", number).text = str(feature["properties"]["rank"])


def _path(parent: ET.Element, frame: Frame, shape: Shape) -> None:
    """A line or an area with holes; parts of fewer than two points have no extent."""
    end = "Z" if shape.closed else ""
    parts = (
        "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in frame.px(part)) + end
        for part in shape.parts
        if len(part) > 1
    )
    style = dict(_STYLES[shape.kind])
    if not shape.closed:
        style["fill"] = "none"
    ET.SubElement(parent, "path", {"d": "".join(parts), "fill-rule": "evenodd", **style})


def _label(parent: ET.Element, text: str, x: str, y: str) -> None:
    """Words over their own pale edge, so that they can be read over anything."""
    edge = {"stroke": "#ffffff", "stroke-width": "4", "stroke-linejoin": "round", "aria-hidden": "true"}
    for style in (edge, {"fill": "#1d1d1d"}):
        ET.SubElement(parent, "text", {"x": x, "y": y, **style}).text = clean(text)


def _scale_bar(parent: ET.Element, frame: Frame) -> None:
    """A bar of a round length, at most a fifth of the picture's width."""
    length_m = _round_length(frame.metres_per_px * WIDTH_PX / 5)
    end = 20 + length_m / frame.metres_per_px
    y = HEIGHT_PX - 16
    ET.SubElement(
        parent, "path", {"d": f"M20 {y - 6}V{y}H{end:.1f}V{y - 6}", "fill": "none", "stroke": "#1d1d1d"}
    )
    _label(parent, f"{length_m:g} m" if length_m < 1000 else f"{length_m / 1000:g} km", "24", f"{y - 8}")


def _round_length(most_m: float) -> float:
    """The greatest of 1, 2 or 5 times a power of ten that is no more than this."""
    power = 10.0 ** math.floor(math.log10(most_m))
    return max(step * power for step in _STEPS if step * power <= most_m)


def _legend(parent: ET.Element, listed: Sequence[Feature], attribution: str) -> None:
    for y, words in enumerate(_legend_lines(listed, attribution), 1):
        place = {"x": "16", "y": str(HEIGHT_PX + LEGEND_LINE_PX * y)}
        ET.SubElement(parent, "text", place).text = clean(words)


def _legend_lines(listed: Iterable[Feature], attribution: str) -> Iterator[str]:
    for feature in listed:
        said = feature["properties"]
        note = f" ({said['note']})" if said["note"] else ""
        yield f"{said['rank']}. {said['name']}{note}"
    yield attribution


def _title(parent: ET.Element, words: str) -> None:
    ET.SubElement(parent, "title").text = clean(words)


def configure(parser: ArgumentParser) -> None:
    """Declares the arguments."""
    parser.add_argument("question", metavar="QUESTION")
    parser.add_argument("--near", type=position, metavar="LAT,LON", help="where you are")
    parser.add_argument("--at", type=moment, metavar="ISO", help="the moment that 'now' stands for")
    parser.add_argument("--geojson", type=Path, metavar="FILE", help="write what was found as GeoJSON")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw what was found, as SVG")
    add_settings(parser)


def run(given: Namespace) -> int:
    """Asks as `mapagent ask` does, and writes the files; exit code 0 for every honest outcome."""
    return asyncio.run(_ask(given))


async def _ask(given: Namespace) -> int:
    settings = settings_from(given).settings
    question = Question(text=given.question, near=given.near, at=given.at)
    async with MapAgent(settings) as agent:
        answer = await agent.ask(question)
    sys.stdout.write(f"{as_text(answer)}\n")
    if answer.status is Status.ANSWERED:
        write_files(answer, settings, geojson=given.geojson, picture=given.picture)
    return 1 if answer.status is Status.ERROR else 0


def write_files(answer: Answer, settings: Settings, *, geojson: Path | None, picture: Path | None) -> None:
    """Writes what is wanted of an answered recommendation.

    Args:
        answer: The answer.
        settings: Where the map is that it comes from.
        geojson: A file for the GeoJSON.
        picture: A file for the SVG.

    Raises:
        UsageError: The question was no wish, or the terms of the map allow no drawing of one's own.
        InputFileError: A file cannot be written.
    """
    if geojson is None and picture is None:
        return

    if not recommends(answer):
        raise UsageError("The question asks for no recommendation, so there is nothing to draw.")
    if picture is not None and answer.base_map != ANY_BASE_MAP:
        raise UsageError(
            f"The data may be drawn over {answer.base_map} maps only.", "Ask with another provider."
        )
    with _map_of(answer, settings) as store:
        collection = feature_collection(answer, None if store is None else _outlines(store))
        if geojson is not None:
            _write(geojson, json.dumps(collection, ensure_ascii=False, indent=1))
        if picture is not None:
            _write(picture, draw(collection, None if store is None else backdrop_of(store)))


@contextmanager
def _map_of(answer: Answer, settings: Settings) -> "Iterator[MapStore | None]":
    """The map on this machine that an answer comes from; None if it comes from elsewhere."""
    if answer.map is None or answer.provider != "osm":
        yield None
        return

    store = MapStore.open(map_home(settings).path(answer.map))
    try:
        yield store
    finally:
        store.close()


def _outlines(store: "MapStore") -> Outline:
    def outline(place_id: str) -> bytes | None:
        row = store.row_of(place_id)
        return None if row is None else store.outline(row)

    return outline


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputFileError(
            f"The file {path} cannot be written: {error.strerror}.",
            "Name a file in a folder you may write to.",
        ) from error


COMMAND = Command(help=BUILT_IN["recommend"], configure=configure, run=run)
