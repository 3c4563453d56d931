"""What a label's colour suggests about its kind."""

import colorsys
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from map_tools.vision.boxes import Rgb


@dataclass(frozen=True, slots=True)
class Group:
    """Labels of a colour: hues from `first` to `last` degrees, at least so saturated, are of these kinds."""

    name: str
    first: float
    last: float
    saturation: float
    categories: tuple[str, ...]

    def holds(self, hue: float, saturation: float) -> bool:
        """True for a colour of this group."""
        within = (
            self.first <= hue <= self.last
            if self.first <= self.last
            else hue >= self.first or hue <= self.last
        )
        return within and saturation >= self.saturation


def suggested(color: Rgb | None) -> tuple[str, ...]:
    """The category ids that a colour suggests, the widest first; none for black, grey and other colours."""
    if color is None:
        return ()
    hue, saturation, _ = colorsys.rgb_to_hsv(*(part / 255 for part in color))
    return next((group.categories for group in _groups() if group.holds(360 * hue, saturation)), ())


@lru_cache(maxsize=1)
def _groups() -> tuple[Group, ...]:
    values = tomllib.loads((files("modules.visual_place_recognizer") / "colors.toml").read_text("utf-8"))
    return tuple(
        Group(
            name=str(entry["name"]),
            first=float(entry["hue"][0]),
            last=float(entry["hue"][1]),
            saturation=float(entry["saturation"]),
            categories=tuple(entry["categories"]),
        )
        for entry in values["group"]
    )
