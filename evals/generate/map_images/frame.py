"""The frame of a picture: which pixel shows which place on earth.

Web Mercator as all web maps draw it, EPSG:3857 (https://epsg.io/3857; the tile scheme:
https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames). Written apart from `map_tools.vision`, for
whose results it is the truth.
"""

from cmath import rect
from dataclasses import dataclass, replace
from math import atan, cos, degrees, hypot, log, pi, radians, sinh, tan
from typing import Any

TILE_PX = 256
EQUATOR_M = 40_075_016.686
"""Length of the equator of WGS84 (NIMA TR8350.2)."""


@dataclass(frozen=True)
class Frame:
    """A picture's place on earth.

    Attributes:
        lat, lng: What is shown in the middle of the picture, in degrees.
        zoom: Of the tile scheme; the whole world is 256 * 2**zoom pixels wide.
        width_px, height_px: Size of the picture.
        turn_deg: Clockwise angle from the top of the picture to north.
    """

    lat: float
    lng: float
    zoom: float
    width_px: int
    height_px: int
    turn_deg: float = 0.0

    def to_px(self, lat: float, lng: float) -> tuple[float, float]:
        """The pixel (x to the right, y down) that shows a position."""
        x0, y0 = self._world_px(self.lat, self.lng)
        x, y = self._world_px(lat, lng)
        shown = complex(x - x0, y - y0) * self._turn
        return shown.real + self.width_px / 2, shown.imag + self.height_px / 2

    def to_latlng(self, x: float, y: float) -> tuple[float, float]:
        """The position (latitude, longitude) that a pixel shows."""
        x0, y0 = self._world_px(self.lat, self.lng)
        size = self._size_px
        straight = complex(x - self.width_px / 2, y - self.height_px / 2) / self._turn
        wx, wy = x0 + straight.real, y0 + straight.imag
        return degrees(atan(sinh(pi * (1 - 2 * wy / size)))), wx / size * 360 - 180

    @property
    def metres_per_px(self) -> float:
        """Length on the ground of a pixel in the middle of the picture."""
        return EQUATOR_M * cos(radians(self.lat)) / self._size_px

    @property
    def radius_m(self) -> float:
        """From the middle to a corner."""
        return hypot(self.width_px, self.height_px) / 2 * self.metres_per_px

    @property
    def bbox(self) -> tuple[float, float, float, float]:
        """West, south, east and north of the corners in degrees."""
        corners = [self.to_latlng(x, y) for x in (0, self.width_px) for y in (0, self.height_px)]
        lats, lngs = zip(*corners, strict=True)
        return min(lngs), min(lats), max(lngs), max(lats)

    def wider(self, by_px: int) -> "Frame":
        """The frame with so many pixels more on every side."""
        return replace(self, width_px=self.width_px + 2 * by_px, height_px=self.height_px + 2 * by_px)

    def record(self) -> dict[str, Any]:
        """The frame for `frames.jsonl`."""
        west, south, east, north = self.bbox
        return {
            "center": {"lat": self.lat, "lng": self.lng},
            "zoom": self.zoom,
            "width_px": self.width_px,
            "height_px": self.height_px,
            "turn_deg": self.turn_deg,
            "metres_per_px": self.metres_per_px,
            "radius_m": self.radius_m,
            "bbox": {"west": west, "south": south, "east": east, "north": north},
        }

    @property
    def _turn(self) -> complex:
        return rect(1.0, radians(self.turn_deg))

    @property
    def _size_px(self) -> float:
        return float(TILE_PX * 2**self.zoom)

    def _world_px(self, lat: float, lng: float) -> tuple[float, float]:
        rad = radians(lat)
        mercator = log(tan(rad) + 1 / cos(rad))
        return (lng + 180) / 360 * self._size_px, (1 - mercator / pi) / 2 * self._size_px
