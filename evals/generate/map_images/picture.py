"""Finds places of a map worth a picture, and paints them.

Areas, water, streets, icons and labels are painted twice as large and then halved for smooth edges.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from evals.generate.map_images.labelling import Label, Placement, line_height, lines_of
from evals.generate.map_images.scene import Drawn, Frame, Scene
from evals.generate.map_images.style import Look, Style, Variety, first_fit, font, load_style

FINE = 2
"""Pixels of the canvas for one of the picture."""
BASE_ZOOM = 17
SMALLEST_PX = 1.0


def paint(frame: Frame, style: Style, features: Sequence[Drawn], labels: Iterable[Label]) -> Any:
    """The picture, as a Pillow image in RGB."""
    from PIL import Image

    size = (frame.width_px, frame.height_px)
    canvas = Image.new("RGB", (size[0] * FINE, size[1] * FINE), style.background)
    painter = _Painter(canvas, frame, style)
    painter.areas(features)
    painter.lines(features)
    image = canvas.resize(size, Image.Resampling.LANCZOS)
    _letter(image, style, labels)
    return image


class _Painter:
    """Areas and lines on the large canvas."""

    def __init__(self, canvas: Any, frame: Frame, style: Style) -> None:
        from PIL import ImageDraw

        self._draw = ImageDraw.Draw(canvas)
        self._frame = frame
        self._style = style

    def areas(self, features: Sequence[Drawn]) -> None:
        """All areas, in the style's order."""
        looks = self._style.areas
        for item, look in _in_order(looks, (one for one in features if _is_area(one))):
            for part in _parts(item.shape):
                self._draw.polygon(
                    self._points(part.exterior), fill=look.fill, outline=look.edge or look.fill
                )

    def lines(self, features: Sequence[Drawn]) -> None:
        """All lines, in the style's order: the edges of a kind first, so that crossings stay open."""
        looks = self._style.lines
        ordered = _in_order(looks, (one for one in features if one.shape is not None and not _is_area(one)))
        shrink = 2.0 ** (self._frame.zoom - BASE_ZOOM)
        for look in looks:
            lines = [line for item, its in ordered if its is look for line in lines_of(item.shape)]
            for colour, extra_px in ((look.edge, 2.0), (look.fill, 0.0)):
                if colour:
                    width_px = max(SMALLEST_PX, look.width_px * shrink) + extra_px
                    for line in lines:
                        self._stroke(self._points(line), colour, width_px)

    def _stroke(self, points: list[tuple[float, float]], colour: str, width_px: float) -> None:
        width = max(1, round(width_px * FINE))
        self._draw.line(points, fill=colour, width=width, joint="curve")
        half = width / 2
        for x, y in (points[0], points[-1]):
            self._draw.ellipse((x - half, y - half, x + half, y + half), fill=colour)

    def _points(self, line: Any) -> list[tuple[float, float]]:
        return [(x * FINE, y * FINE) for x, y in (self._frame.to_px(lat, lng) for lng, lat in line.coords)]


def _in_order(looks: Sequence[Look], features: Iterable[Drawn]) -> list[tuple[Drawn, Look]]:
    found = [(first_fit(looks, item.tags), item) for item in features]
    chosen = [(index, item) for index, item in found if index is not None]
    return [(item, looks[index]) for index, item in sorted(chosen, key=lambda entry: entry[0])]


def _is_area(item: Drawn) -> bool:
    return item.shape is not None and item.shape.geom_type in ("Polygon", "MultiPolygon")


def _parts(shape: Any) -> Sequence[Any]:
    return tuple(shape.geoms) if shape.geom_type == "MultiPolygon" else (shape,)


def _letter(image: Any, style: Style, labels: Iterable[Label]) -> None:
    """Icons and words."""
    from PIL import ImageDraw

    draw = ImageDraw.Draw(image)
    for label in labels:
        if label.kind == "poi" and label.look is not None:
            _marker(draw, style, label)
    for label in labels:
        if label.angle_deg:
            _turned_text(image, style, label)
        else:
            _text(draw, style, label)


def _marker(draw: Any, style: Style, label: Label) -> None:
    """A disc on the place, or a drop with a dot in its head that points at it."""
    (x, place_y), r = label.anchor, style.icon_px
    y, fill = place_y - style.lift_px, label.look.fill if label.look else style.label_text
    if style.marker == "disc":
        draw.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=style.halo, width=2)
        return
    draw.polygon([(x - 0.8 * r, y + 0.6 * r), (x + 0.8 * r, y + 0.6 * r), (x, place_y)], fill=fill)
    draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)
    draw.ellipse((x - 0.4 * r, y - 0.4 * r, x + 0.4 * r, y + 0.4 * r), fill="#ffffff")


def _text(draw: Any, style: Style, label: Label) -> None:
    size_px = {"district": style.district_font_px, "street": style.street_font_px}.get(
        label.kind, style.font_px
    )
    left, top, right, _ = label.rect
    own = label.look.text if label.look else ""
    colour = style.street_text if label.kind == "street" else own or style.label_text
    for number, line in enumerate(label.text):
        y = top + number * line_height(size_px)
        draw.text(
            ((left + right) / 2, y),
            line,
            fill=colour,
            font=font(size_px),
            anchor="ma",
            stroke_width=style.halo_px,
            stroke_fill=style.halo,
        )


def _turned_text(image: Any, style: Style, label: Label) -> None:
    """A street's name along the street."""
    from PIL import Image, ImageDraw

    face = font(style.street_font_px)
    width, height = round(face.getlength(label.text[0])) + 8, style.street_font_px + 10
    strip = Image.new("RGBA", (width * FINE, height * FINE), (255, 255, 255, 0))
    ImageDraw.Draw(strip).text(
        (width * FINE / 2, height * FINE / 2),
        label.text[0],
        fill=style.street_text,
        font=font(style.street_font_px * FINE),
        anchor="mm",
        stroke_width=style.halo_px * FINE,
        stroke_fill=style.halo,
    )
    turned = strip.rotate(label.angle_deg, Image.Resampling.BICUBIC, expand=True)
    small = turned.resize(
        (max(1, turned.width // FINE), max(1, turned.height // FINE)), Image.Resampling.LANCZOS
    )
    x, y = label.anchor
    image.paste(small, (round(x - small.width / 2), round(y - small.height / 2)), small)


LEAST_LABELS = 12
LEAST_PLACES = 6
ATTEMPTS = 80


@dataclass(frozen=True)
class Shown:
    """A picture's content.

    Attributes:
        frame: What is shown.
        labels: The labels that stand in it whole.
        features: What may be painted.
        style: The look.
        sheet: What is painted before the edges are cut.
        painted: The labels of the sheet.
    """

    frame: Frame
    labels: tuple[Label, ...]
    features: tuple[Drawn, ...]
    style: Style
    sheet: Frame
    painted: tuple[Label, ...]

    @property
    def places(self) -> tuple[Label, ...]:
        """The labels with an icon whose name occurs once in the picture."""
        pois = [label for label in self.labels if label.kind == "poi"]
        names = [label.feature.name for label in self.labels]
        return tuple(label for label in pois if names.count(label.feature.name) == 1)

    def paint(self) -> Any:
        """The sheet, as a Pillow image; its edges are still to be cut."""
        return paint(self.sheet, self.style, self.features, self.painted)

    def record(self) -> dict[str, Any]:
        """Frame and labels for `frames.jsonl`."""
        return {
            **self.frame.record(),
            "labels": [
                {
                    "text": " ".join(label.text),
                    "kind": label.kind,
                    "osm": label.feature.osm,
                    "point": {"lat": label.feature.point[0], "lng": label.feature.point[1]},
                    "anchor_px": [round(value, 1) for value in label.anchor],
                    "rect_px": [round(value, 1) for value in label.rect],
                }
                for label in self.labels
            ],
        }


def show(scene: Scene, dice: random.Random, variety: Variety) -> Shown | None:
    """A picture around some named place; None if no place has enough around it.

    Raises:
        UsageError: There is no style of a name.
    """
    styles = [load_style(name) for name in variety.styles]
    named = [item for item in scene.features if item.name and item.shape is None]
    if not named:
        return None
    for _ in range(ATTEMPTS):
        width_px, height_px = dice.choice(variety.sizes_px)
        lat, lng = dice.choice(named).point
        frame = Frame(lat, lng, dice.choice(variety.zooms), width_px, height_px)
        # The middle of a picture is rarely a place's own position.
        moved = frame.to_latlng(width_px * dice.uniform(0.3, 0.7), height_px * dice.uniform(0.3, 0.7))
        turn_deg = dice.uniform(-variety.turn_deg, variety.turn_deg) if variety.turn_deg else 0.0
        turned = Frame(*moved, frame.zoom, width_px, height_px, turn_deg)
        shown = look(scene, turned, dice.choice(styles), variety.cut_px)
        if len(shown.labels) >= LEAST_LABELS and len(shown.places) >= LEAST_PLACES:
            return shown
    return None


def look(scene: Scene, frame: Frame, style: Style, cut_px: int = 0) -> Shown:
    """What a frame shows; with `cut_px` it is cut out of a sheet that is wider by as much on every side."""
    sheet = frame.wider(cut_px)
    features = scene.within(sheet.bbox)
    placement = Placement(sheet, style)
    placement.place(features)
    painted = tuple(placement.labels)
    moved = (_moved(label, -cut_px) for label in painted)
    labels = tuple(label for label in moved if _is_whole(label, frame))
    return Shown(frame, labels, features, style, sheet, painted)


def _moved(label: Label, by_px: int) -> Label:
    """The label, so far to the right and down."""
    (x, y), (left, top, right, bottom) = label.anchor, label.rect
    rect = (left + by_px, top + by_px, right + by_px, bottom + by_px)
    return replace(label, anchor=(x + by_px, y + by_px), rect=rect)


def _is_whole(label: Label, frame: Frame) -> bool:
    """True for a label that stands in the picture with its icon."""
    (x, y), (left, top, right, bottom) = label.anchor, label.rect
    return (
        min(x, left) >= 0 and max(x, right) <= frame.width_px
        and min(y, top) >= 0 and max(y, bottom) <= frame.height_px
    )  # fmt: skip
