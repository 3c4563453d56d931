"""The look of a generated map: `style.toml`, changed by a style of `styles.toml`; and how pictures differ.

The pictures of one benchmark differ in style, zoom, size, turn, cut edges, noise, compression.

The type face is Roboto (Apache-2.0), from the package `font-roboto`: Pillow's own font has no letters beyond
ASCII, and pictures of a benchmark have to be the same everywhere.
"""

import colorsys
import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from io import BytesIO
from typing import Any, Literal

from map_tools.errors import ConfigError, UsageError
from mapagent.interfaces.takeaway.lettering import has, roboto

LIFT = 1.6
"""The head of a drop is so many of its radii above the place it points at."""
DARKEST, LIGHTEST = 0.10, 0.85
"""Lightness of white and black in a mirrored style."""


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
    """The whole look; areas and lines are painted in their order.

    Attributes:
        marker: "disc" on its place, or "drop" that points at it.
        icon_px: Radius of a marker's head.
        label_text, street_text, halo: Colours of letters and of the rim around them.
    """

    areas: tuple[Look, ...]
    lines: tuple[Look, ...]
    pois: tuple[Look, ...]
    background: str
    font_px: int
    district_font_px: int
    street_font_px: int
    halo_px: int
    icon_px: int
    label_text: str = "#4a4a4a"
    street_text: str = "#6a6558"
    halo: str = "#ffffff"
    marker: Literal["disc", "drop"] = "disc"

    @property
    def lift_px(self) -> float:
        """How far the middle of a marker's head is above its place."""
        return LIFT * self.icon_px if self.marker == "drop" else 0.0


def first_fit(looks: Sequence[Look], tags: Mapping[str, str]) -> int | None:
    """Position of the first look that fits; None if none does."""
    return next((index for index, look in enumerate(looks) if look.fits(tags)), None)


def style_names() -> tuple[str, ...]:
    """The styles there are."""
    return tuple(_read("styles.toml"))


@lru_cache(maxsize=8)
def load_style(name: str) -> Style:
    """A style by its name.

    Raises:
        UsageError: There is none of this name.
    """
    styles = _read("styles.toml")
    if name not in styles:
        raise UsageError(f"There is no style '{name}' of map pictures.", f"Known: {', '.join(styles)}.")
    changes = dict(styles[name])
    shade = _Shade(changes.pop("lightness", "") == "mirrored", float(changes.pop("saturation", 1.0)))
    values = _read("style.toml")
    looks = {kind: tuple(map(_look, values.pop(kind))) for kind in ("area", "line", "poi")}
    values["background"] = shade.of(values["background"])
    return Style(
        areas=tuple(map(shade.ground, looks["area"])),
        lines=tuple(map(shade.ground, looks["line"])),
        pois=tuple(map(shade.letters, looks["poi"])),
        **(values | changes),
    )


@dataclass(frozen=True)
class _Shade:
    """How a style changes colours."""

    mirrored: bool
    saturation: float

    def ground(self, look: Look) -> Look:
        """An area or a line in the style's colours."""
        return self.letters(replace(look, fill=self.of(look.fill), edge=self.of(look.edge)))

    def letters(self, look: Look) -> Look:
        """Letters that stand out from the style's ground; markers keep their colours."""
        return replace(look, text=self.of(look.text, scale=1.0)) if self.mirrored else look

    def of(self, color: str, scale: float | None = None) -> str:
        """A colour in this style; "" stays."""
        if not color:
            return ""
        red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
        hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
        if self.mirrored:
            light = DARKEST + (1 - light) * (LIGHTEST - DARKEST)
        changed = colorsys.hls_to_rgb(hue, light, strength * (self.saturation if scale is None else scale))
        return "#" + "".join(f"{round(255 * part):02x}" for part in changed)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("evals.generate.map_images").joinpath(name).read_text("utf-8"))


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


STYLES = ("day",)
ZOOMS = (16.0, 17.0)
"""About 2.4 and 1.2 metres a pixel at the equator."""
SIZES_PX = ((1100, 760), (960, 640), (1280, 800), (840, 900))


@dataclass(frozen=True)
class Variety:
    """What a picture's dice may choose from, and what is done to all pictures.

    Attributes:
        styles: Names of `styles.toml`.
        zooms: Of the tile scheme; fractions are allowed.
        sizes_px: (width, height).
        turn_deg: North is turned from the top by at most so much, to either side.
        cut_px: So much is cut off every edge after painting, through labels if need be.
        noise: Standard deviation of the noise added to red, green and blue (0 to 255).
        jpeg: Quality of a JPEG that the picture is saved as in between; None: none.
    """

    styles: tuple[str, ...] = STYLES
    zooms: tuple[float, ...] = ZOOMS
    sizes_px: tuple[tuple[int, int], ...] = SIZES_PX
    turn_deg: float = 0.0
    cut_px: int = 0
    noise: float = 0.0
    jpeg: int | None = None

    def worn(self, image: Any, dice: random.Random) -> Any:
        """A painted picture (Pillow, RGB) with edges cut, noise and compression."""
        if self.cut_px:
            cut = self.cut_px
            image = image.crop((cut, cut, image.width - cut, image.height - cut))
        if self.noise:
            image = _noisy(image, self.noise, dice)
        return _compressed(image, self.jpeg) if self.jpeg is not None else image


PLAIN = Variety()


def _noisy(image: Any, deviation: float, dice: random.Random) -> Any:
    import numpy as np
    from PIL import Image

    values = np.asarray(image, dtype=np.float64)
    grain = np.random.default_rng(dice.getrandbits(32)).normal(0.0, deviation, values.shape)
    return Image.fromarray(np.clip(np.round(values + grain), 0, 255).astype(np.uint8))


def _compressed(image: Any, quality: int) -> Any:
    from PIL import Image

    stream = BytesIO()
    image.save(stream, format="JPEG", quality=quality)
    with Image.open(stream) as packed:
        return packed.convert("RGB")


def font(size_px: int, weight: str = "Medium") -> Any:
    """A Pillow font.

    Raises:
        ConfigError: The package is not installed.
    """
    found = roboto(size_px, weight)
    if found is None:
        raise ConfigError(
            "The package font-roboto, whose letters the pictures are drawn with, is not installed.",
            "Install it with: pip install 'mapagent[vision]'.",
        )
    return found


@lru_cache(maxsize=4096)
def drawable(char: str) -> bool:
    """True if the font has a picture of this letter."""
    return has(font(16), char)
