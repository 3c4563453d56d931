"""Paints a map: areas, water, streets, icons and labels, twice as large and then halved for smooth edges."""

from collections.abc import Iterable, Sequence
from typing import Any

from evals.generate.map_images.fonts import font
from evals.generate.map_images.frame import Frame
from evals.generate.map_images.labelling import Label, line_height, lines_of
from evals.generate.map_images.scene import Drawn
from evals.generate.map_images.style import Look, Style, first_fit

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
