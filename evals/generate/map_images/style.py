"""The look of a generated map, read from `style.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources


@dataclass(frozen=True)
class Look:
    """How features with one of some tags are painted.

    Attributes:
        tags: (key, value); the value "*" agrees with any.
        fill, edge, text: Colours; empty: not painted.
        width_px: Of a line at zoom 17.
        rank: Order in which labels get their place, 1 first.
    """

    tags: tuple[tuple[str, str], ...]
    fill: str = ""
    edge: str = ""
    text: str = ""
    width_px: float = 1.0
    rank: int = 9

    def fits(self, tags: Mapping[str, str]) -> bool:
        """True for a feature with these tags."""
        return any(key in tags and value in ("*", tags[key]) for key, value in self.tags)


@dataclass(frozen=True)
class Style:
    """The whole look; areas and lines are painted in their order."""

    areas: tuple[Look, ...]
    lines: tuple[Look, ...]
    pois: tuple[Look, ...]
    background: str
    font_px: int
    district_font_px: int
    street_font_px: int
    halo_px: int
    icon_px: int


def first_fit(looks: Sequence[Look], tags: Mapping[str, str]) -> int | None:
    """Position of the first look that fits; None if none does."""
    return next((index for index, look in enumerate(looks) if look.fits(tags)), None)


@lru_cache(maxsize=1)
def load_style() -> Style:
    """The style of the package."""
    text = resources.files("evals.generate.map_images").joinpath("style.toml").read_text("utf-8")
    values = tomllib.loads(text)
    groups = {kind: tuple(map(_look, values.pop(kind))) for kind in ("area", "line", "poi")}
    return Style(areas=groups["area"], lines=groups["line"], pois=groups["poi"], **values)


def _look(entry: Mapping[str, object]) -> Look:
    tags = entry["tags"]
    assert isinstance(tags, list)  # noqa: S101  (our own file)
    pairs = tuple(tuple(tag.split("=", 1)) for tag in tags)
    return Look(
        tags=pairs,
        fill=str(entry.get("fill", entry.get("icon", ""))),
        edge=str(entry.get("edge", "")),
        text=str(entry.get("text", "")),
        width_px=float(str(entry.get("width", 1))),
        rank=int(str(entry.get("rank", 9))),
    )
