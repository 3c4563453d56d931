"""What a label's colour suggests about its kind."""

import colorsys
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from map_tools.vision.boxes import Rgb

SELECTED = "selected"
"""Name in `colors.toml` of the colour of what is selected."""


@dataclass(frozen=True, slots=True)
class Group:
    """Labels of a colour: hues from `first` to `last` degrees, so saturated, so dark, are of these kinds."""

    name: str
    first: float
    last: float
    saturation: float
    categories: tuple[str, ...]
    most_value: float = 1.0

    def holds(self, hue: float, saturation: float, value: float) -> bool:
        """True for a colour of this group."""
        within = (
            self.first <= hue <= self.last
            if self.first <= self.last
            else hue >= self.first or hue <= self.last
        )
        return within and saturation >= self.saturation and value <= self.most_value


def suggested(color: Rgb | None) -> tuple[str, ...]:
    """The category ids that a colour suggests, the widest first; none for black, grey and other colours."""
    if color is None:
        return ()
    group = _group_of(color)
    return group.categories if group else ()


def is_selected(color: Rgb | None) -> bool:
    """True for the letters of the place that is selected: it alone has them in dark red."""
    group = _group_of(color) if color is not None else None
    return group is not None and group.name == SELECTED


def _group_of(color: Rgb) -> Group | None:
    """The first group that has a colour."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(part / 255 for part in color))
    return next((group for group in _groups() if group.holds(360 * hue, saturation, value)), None)


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
            most_value=float(entry.get("most_value", 1.0)),
        )
        for entry in values["group"]
    )
