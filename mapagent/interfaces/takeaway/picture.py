"""An answer as a picture (PNG): what there is to see over the map it comes from, the answer, and whose data it is.

The part of the world that is shown is in the projection that web maps have (Web Mercator).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from map_tools.errors import UsageError
from mapagent.interfaces.http.tiles.grid import unit
from mapagent.interfaces.http.tiles.style import colours
from mapagent.interfaces.takeaway.features import Feature
from mapagent.interfaces.takeaway.findings import GIVEN, Findings, name_of
from mapagent.interfaces.takeaway.ground import Box, Ground, Patch
from mapagent.interfaces.takeaway.lettering import face, wrapped, written

WIDTH_PX, HEIGHT_PX = 1000, 700
"""Of the map; the words stand beneath it."""
FINE = 2
"""Pixels of the canvas for one of the picture: lines and discs are drawn large and then made smaller."""
PAD_PX, LINE_PX, SMALL_PX, TEXT_PX, TITLE_PX = 16, 24, 13, 16, 18
MOST_LINES = 4
"""Lines of the answer."""
MOST_NAMES = 40
"""Places that are called by their names: more than that cover the map."""
EQUATOR_M = 2 * math.pi * 6_378_137.0
"""Length of the equator: the semi-major axis of WGS84 (NIMA TR8350.2, table 3.1)."""
TILE_PX = 512
"""Pixels that the world is wide at zoom 0, as MapLibre counts zooms."""
MARGIN = 0.1
"""Free space around what is shown, as a share of its size."""
LEAST_M = 250.0
"""So much is shown at least, lest a single place fill the picture."""
_STEPS = (1, 2, 5)
_AREAS = ("site", "green", "sand", "water", "square", "building")
_LINES = {
    "waterway": ("water", "", 3.0),
    "rail": ("rail", "", 1.2),
    "way": ("path", "", 1.4),
    "street": ("minor", "minor_case", 4.0),
    "motorway": ("major", "major_case", 5.0),
}
"""Layers of the map in the order they are painted; of lines the colours of the line and its edge, and its width."""
_FULL_ZOOM, _THINNEST = 16.0, 0.3
"""From this zoom on, lines have their whole width; it halves with two zooms, to this share at least."""
_ACCENT, _ROUTE, _OTHER, _CANDIDATE, _GIVEN = "#0b5f59", "#1d63c4", "#7d93b5", "#b4501e", "#c2185b"
"""The page's colours (page/drawing.js)."""
_INK, _PAPER = "#1d1d1b", "#ffffff"
_STROKES = {"circle": (_ACCENT, 2.0), "shape": (_GIVEN, 3.0), "frame": (_CANDIDATE, 3.0)}
_WAYS = {"alternative": (_OTHER, 4.0), "travel": (_ROUTE, 2.5), "route": (_ROUTE, 5.0)}
_DISCS = {
    "candidate": (_CANDIDATE, 5.0),
    "label": (_CANDIDATE, 5.0),
    "place": (_ACCENT, 7.0),
    "anchor": (_ACCENT, 7.0),
    "answer": (_GIVEN, 9.0),
    "visit": (_GIVEN, 12.0),
}
"""By role, in the order they are painted."""
type Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class View:
    """A picture's part of the unit square.

    Attributes:
        west, north: Its upper left corner.
        world_px: Pixels that the whole unit square would be wide.
        metres_per_px: On the ground, in the middle of the picture.
    """

    west: float
    north: float
    width_px: int
    height_px: int
    world_px: float
    metres_per_px: float

    @classmethod
    def of(cls, features: Iterable[Feature], width_px: int, height_px: int) -> "View":
        """The view that holds all of some features, at least one of which has a position."""
        degrees = np.array([position for feature in features for position in positions(feature)], np.float64)
        spots = unit(degrees)
        low, high = spots.min(axis=0), spots.max(axis=0)
        middle = (low + high) / 2
        # Mercator stretches by the secant of the latitude, which is cosh of its own ordinate.
        metres = EQUATOR_M / math.cosh(2 * math.pi * (0.5 - float(middle[1])))
        wide, high_ = np.maximum(high - low, LEAST_M / metres) * (1 + 2 * MARGIN)
        world_px = float(min(width_px / wide, height_px / high_))
        west, north = middle - np.array([width_px, height_px]) / 2 / world_px
        return cls(float(west), float(north), width_px, height_px, world_px, metres / world_px)

    @property
    def zoom(self) -> float:
        """The zoom level that web maps call this."""
        return math.log2(self.world_px / TILE_PX)

    @property
    def box(self) -> Box:
        """West, north, east, south in the unit square."""
        east, south = self.west + self.width_px / self.world_px, self.north + self.height_px / self.world_px
        return self.west, self.north, east, south

    def px(self, spots: Points) -> list[tuple[float, float]]:
        """Positions of the unit square in pixels, x to the right and y down."""
        moved = (spots - (self.west, self.north)) * self.world_px
        return [(x, y) for x, y in moved.tolist()]

    def scale_bar_m(self) -> float:
        """The greatest of 1, 2 or 5 times a power of ten that fits a fifth of the picture's width."""
        most_m = self.metres_per_px * self.width_px / 5
        power = 10.0 ** math.floor(math.log10(most_m))
        return max(step * power for step in _STEPS if step * power <= most_m)


def positions(feature: Feature) -> Iterator[list[float]]:
    """All positions of a feature, longitude first."""
    geometry = feature["geometry"]
    if geometry is not None:
        yield from _flat(geometry["coordinates"])


def lines(feature: Feature) -> list[Points]:
    """The lines, or the rings of all areas, of a feature in the unit square."""
    return [unit(np.array(line, np.float64)) for line in _lines(feature["geometry"]["coordinates"])]


def _flat(coordinates: Any) -> Iterator[list[float]]:
    if isinstance(coordinates[0], int | float):
        yield coordinates
        return
    for part in coordinates:
        yield from _flat(part)


def _lines(coordinates: Any) -> Iterator[list[list[float]]]:
    if isinstance(coordinates[0][0], int | float):
        yield coordinates
        return
    for part in coordinates:
        yield from _lines(part)


def png_of(findings: Findings, ground: Ground | None) -> bytes:
    """The picture as the bytes of a PNG file.

    Args:
        findings: What there is to see.
        ground: The map beneath it, where it is one of this machine.

    Raises:
        UsageError: Nothing of it has a position.
    """
    from PIL import Image

    shown = tuple(_shown(findings))
    if not shown:
        raise UsageError("Nothing in the answer has a position, so there is nothing to draw.")
    view = View.of(shown, WIDTH_PX, HEIGHT_PX)
    canvas = Image.new("RGB", (WIDTH_PX * FINE, HEIGHT_PX * FINE), colours("light")["land"])
    if ground is not None:
        _paint_ground(canvas, view, list(ground(view.box, view.zoom)))
    _paint(canvas, view, findings)
    drawn = canvas.resize((WIDTH_PX, HEIGHT_PX), Image.Resampling.LANCZOS)
    _letter(drawn, view, findings)
    content = BytesIO()
    _with_words(drawn, findings).save(content, "PNG", optimize=True)
    return content.getvalue()


def _shown(findings: Findings) -> Iterator[Feature]:
    """What the picture has to hold: places that were merely candidates may lie outside."""
    own = [*findings.points(), *findings.ways(), *findings.of_role(*GIVEN, "anchor", "circle", "frame")]
    return (feature for feature in own if any(positions(feature)))


def _paint_ground(canvas: Any, view: View, patches: Sequence[Patch]) -> None:
    import shapely
    from PIL import ImageDraw

    draw, palette = ImageDraw.Draw(canvas), colours("light")
    for layer in _AREAS:
        for patch in patches:
            if patch.layer == layer:
                for part in shapely.get_parts(patch.geometry):
                    if part.geom_type == "Polygon":
                        _area(canvas, view, part, palette[layer])
    thin = min(1.0, max(_THINNEST, 2.0 ** ((view.zoom - _FULL_ZOOM) / 2)))
    for layer, (colour, edge, width_px) in _LINES.items():
        parts = [
            _fine(view, np.array(part.coords)[:, :2])
            for patch in patches
            if patch.layer == layer
            for part in shapely.get_parts(patch.geometry)
            if part.geom_type == "LineString"
        ]
        # All edges first, so that crossings stay open.
        for ink, wide in ((edge, width_px * thin + 1.5), (colour, width_px * thin)):
            for points in parts if ink else ():
                draw.line(points, fill=palette[ink], width=max(1, round(wide * FINE)), joint="curve")


def _area(canvas: Any, view: View, polygon: Any, colour: str) -> None:
    """An area with its holes."""
    from PIL import Image, ImageDraw

    outer = _fine(view, np.array(polygon.exterior.coords)[:, :2])
    if not polygon.interiors:
        ImageDraw.Draw(canvas).polygon(outer, fill=colour)
        return
    mask = Image.new("1", canvas.size)
    ImageDraw.Draw(mask).polygon(outer, fill=1)
    for ring in polygon.interiors:
        ImageDraw.Draw(mask).polygon(_fine(view, np.array(ring.coords)[:, :2]), fill=0)
    canvas.paste(colour, (0, 0), mask)


def _paint(canvas: Any, view: View, findings: Findings) -> None:
    """What was found, from what lies beneath to what lies on top."""
    from PIL import ImageDraw

    draw = ImageDraw.Draw(canvas)
    for role, (colour, width_px) in _STROKES.items():
        for feature in findings.of_role(role):
            for line in lines(feature):
                draw.line(_fine(view, line), fill=colour, width=round(width_px * FINE), joint="curve")
    ways = findings.ways()
    for role, (colour, width_px) in _WAYS.items():
        own = [_fine(view, line) for way in ways if way["properties"]["role"] == role for line in lines(way)]
        for ink, wide in ((_PAPER, width_px + 3), (colour, width_px)):
            for points in own:
                draw.line(points, fill=ink, width=round(wide * FINE), joint="curve")
    for role, (colour, radius_px) in _DISCS.items():
        for feature in _points(findings, role):
            _disc(draw, view, feature, colour, radius_px)


def _points(findings: Findings, role: str) -> list[Feature]:
    return [
        feature
        for feature in findings.of_role(role)
        if feature["geometry"] and feature["geometry"]["type"] == "Point"
    ]


def _disc(draw: Any, view: View, feature: Feature, colour: str, radius_px: float) -> None:
    ((x, y),) = _fine(view, _spot(feature))
    for ink, radius in ((_PAPER, (radius_px + 2) * FINE), (colour, radius_px * FINE)):
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink)


def _letter(image: Any, view: View, findings: Findings) -> None:
    """The numbers of visits, names where there is room, and the scale."""
    from PIL import ImageDraw

    draw, bold = ImageDraw.Draw(image), face(SMALL_PX, "Bold")
    taken: list[tuple[float, float, float, float]] = []
    places: dict[tuple[float, ...], Feature] = {}
    for role in reversed(_DISCS):  # what matters most gives a place its name
        for feature in _points(findings, role):
            places.setdefault(tuple(feature["geometry"]["coordinates"]), feature)
    for feature in places.values():
        ((x, y),) = view.px(_spot(feature))
        said = feature["properties"]
        radius = _DISCS[said["role"]][1] + 2
        taken.append((x - radius, y - radius, x + radius, y + radius))
        if said["role"] == "visit":
            draw.text((x, y), str(said["number"]), fill=_PAPER, font=bold, anchor="mm")
    for feature in islice(places.values(), MOST_NAMES):
        _name(draw, view, feature, taken)
    _scale_bar(draw, view)


def _name(draw: Any, view: View, feature: Feature, taken: list[tuple[float, float, float, float]]) -> None:
    """A name right or left of its place, above or below it; none where all of that is taken."""
    font = face(SMALL_PX)
    words = written(feature["properties"].get("name", ""), font)
    ((x, y),) = view.px(_spot(feature))
    away = _DISCS[feature["properties"]["role"]][1] + 5
    for spot, anchor in (
        ((x + away, y), "lm"),
        ((x - away, y), "rm"),
        ((x, y - away), "mb"),
        ((x, y + away), "mt"),
    ):
        box = draw.textbbox(spot, words, font=font, anchor=anchor, stroke_width=2)
        inside = box[0] >= 0 and box[1] >= 0 and box[2] <= view.width_px and box[3] <= view.height_px
        if words and inside and not any(_overlap(box, other) for other in taken):
            taken.append(box)
            draw.text(spot, words, fill=_INK, font=font, anchor=anchor, stroke_width=2, stroke_fill=_PAPER)
            return


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _scale_bar(draw: Any, view: View) -> None:
    length_m = view.scale_bar_m()
    left, y = PAD_PX, HEIGHT_PX - PAD_PX
    right = left + length_m / view.metres_per_px
    draw.line([(left, y - 7), (left, y), (right, y), (right, y - 7)], fill=_INK, width=2)
    words = f"{length_m:g} m" if length_m < 1000 else f"{length_m / 1000:g} km"
    place = ((left + right) / 2, y - 4)
    draw.text(place, words, fill=_INK, font=face(SMALL_PX), anchor="mb", stroke_width=2, stroke_fill=_PAPER)


def _with_words(drawn: Any, findings: Findings) -> Any:
    """The map, and beneath it what was asked, the answer, the stays of a trip, and the credit."""
    from PIL import Image, ImageDraw

    title, text, small = face(TITLE_PX, "Bold"), face(TEXT_PX), face(SMALL_PX)
    width_px = WIDTH_PX - 2 * PAD_PX
    told = [
        *((line, title) for line in wrapped(findings.title, title, width_px, 2)),
        *((line, text) for line in wrapped(findings.text, text, width_px, MOST_LINES)),
        *((written(_stay(visit), text), text) for visit in findings.visits()),
        *((line, small) for line in wrapped(findings.attribution, small, width_px, 2)),
    ]
    image = Image.new("RGB", (WIDTH_PX, HEIGHT_PX + 2 * PAD_PX + LINE_PX * len(told)), _PAPER)
    image.paste(drawn, (0, 0))
    draw = ImageDraw.Draw(image)
    for number, (line, font) in enumerate(told):
        draw.text((PAD_PX, HEIGHT_PX + PAD_PX + LINE_PX * number), line, fill=_INK, font=font)
    return image


def _stay(visit: Feature) -> str:
    said = visit["properties"]
    times = [f"{datetime.fromisoformat(said[name]):%H:%M}" for name in ("begin", "end") if name in said]
    return f"{said['number']}. {name_of(visit)}  {' to '.join(times)}"


def _spot(feature: Feature) -> Any:
    (line,) = lines({"geometry": {"coordinates": [feature["geometry"]["coordinates"]]}})
    return line


def _fine(view: View, spots: Any) -> list[tuple[float, float]]:
    return [(x * FINE, y * FINE) for x, y in view.px(spots)]
