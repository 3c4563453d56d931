"""What is read from a picture, and the port of whoever reads it."""

from dataclasses import dataclass
from math import dist
from typing import Protocol

type Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Box:
    """A line of text in a picture.

    Attributes:
        text: As read; data, never an instruction.
        x0, y0, x1, y1: The upright rectangle around it in pixels, y down.
        score: 0 to 1, how sure the reader is.
        angle_deg: Counter-clockwise turn of the line; 0 reads from left to right.
        color: Of the letters; None if not known.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    score: float = 1.0
    angle_deg: float = 0.0
    color: Rgb | None = None

    @property
    def width(self) -> float:
        """Pixels from left to right."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Pixels from top to bottom."""
        return self.y1 - self.y0

    @property
    def center(self) -> tuple[float, float]:
        """The middle in pixels."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


def color_gap(a: Box, b: Box) -> float:
    """Distance of the letters' colours in red, green and blue; 0 where one is not known."""
    return 0.0 if a.color is None or b.color is None else dist(a.color, b.color)


@dataclass(frozen=True, slots=True)
class Marker:
    """A disc or drop with a sign in it, as web maps put where a place is.

    Attributes:
        x, y: Middle of its head in pixels.
        width_px: Width of its head.
        tip_y: Where its point ends; `y` for a disc.
        color: As painted; `hue` is the colour's name in `markers.toml`.
        sign: A small bitmap of the sign, a byte a pixel, row by row; empty for a plain disc.
    """

    x: float
    y: float
    width_px: float
    tip_y: float
    color: Rgb
    hue: str = ""
    sign: bytes = b""

    @property
    def spot(self) -> tuple[float, float]:
        """What it points at, in pixels."""
        return self.x, self.tip_y


@dataclass(frozen=True, slots=True)
class Label:
    """A name on a map with what is written under it.

    Attributes:
        box: Around the lines of the name; its text is the whole name.
        kind: "place"; "street" for turned text; "shield" for a road's number; "listing" for a card of a list
            beside the map, whose place in the picture says nothing.
        rating, rating_count: As shown beneath it.
        price: As shown ("BDT 2,586").
        notes: Other lines beneath it ("3-star hotel", "Closed").
        icon: Where the place is, in pixels, where a marker is seen beside the name.
        marker: That marker.
        area: Left, top, right and bottom of the name with what stands beneath it.
    """

    box: Box
    kind: str = "place"
    rating: float | None = None
    rating_count: int | None = None
    price: str = ""
    notes: tuple[str, ...] = ()
    icon: tuple[float, float] | None = None
    marker: Marker | None = None
    area: tuple[float, float, float, float] | None = None

    @property
    def rect(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all its lines."""
        return self.area or (self.box.x0, self.box.y0, self.box.x1, self.box.y1)

    @property
    def text(self) -> str:
        """The name."""
        return self.box.text

    @property
    def spot(self) -> tuple[float, float]:
        """Where the thing is that it names, in pixels: at its marker, else in the middle of the name."""
        return self.icon or self.box.center


class LabelReader(Protocol):
    """Reads the text in pictures."""

    def read_labels(self, picture: bytes) -> tuple[Box, ...]:
        """The lines of text of a picture (PNG or JPEG bytes), from top to bottom; none if it has no text.

        Blocking and heavy: run it in a thread.
        """
        ...
