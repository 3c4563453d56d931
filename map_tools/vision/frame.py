"""Where a picture is: the frame that turns its pixels into positions."""

import cmath
from dataclasses import dataclass
from math import degrees, hypot

from map_tools.types import LatLng
from map_tools.vision.mercator import ground_scale, to_latlng, to_plane


@dataclass(frozen=True, slots=True)
class Frame:
    """A similarity from pixels to Web Mercator's plane.

    Attributes:
        scale: Plane per pixel; its argument is the turn of the picture, 0 with north up.
        origin: What the pixel (0, 0) shows.
        width_px, height_px: Size of the picture.
    """

    scale: complex
    origin: complex
    width_px: int
    height_px: int

    def at(self, x: float, y: float) -> LatLng:
        """The position a pixel shows."""
        return to_latlng(self.origin + self.scale * complex(x, y))

    def pixel(self, at: LatLng) -> tuple[float, float]:
        """The pixel that shows a position."""
        point = (to_plane(at) - self.origin) / self.scale
        return point.real, point.imag

    @property
    def center(self) -> LatLng:
        """What is shown in the middle."""
        return self.at(self.width_px / 2, self.height_px / 2)

    @property
    def metres_per_px(self) -> float:
        """Length on the ground of a pixel in the middle."""
        return abs(self.scale) * ground_scale(self.center)

    @property
    def radius_m(self) -> float:
        """From the middle to a corner."""
        return hypot(self.width_px, self.height_px) / 2 * self.metres_per_px

    @property
    def rotation_deg(self) -> float:
        """Clockwise angle from the top of the picture to north; 0 with north up."""
        return -degrees(cmath.phase(self.scale)) + 0.0

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """South, west, north and east of the corners, in degrees."""
        corners = [self.at(x, y) for x in (0, self.width_px) for y in (0, self.height_px)]
        lats, lngs = [one.lat for one in corners], [one.lng for one in corners]
        return min(lats), min(lngs), max(lats), max(lngs)
