"""How the pictures of one benchmark differ: style, zoom, size, turn, cut edges, noise, compression."""

import random
from dataclasses import dataclass
from io import BytesIO
from typing import Any

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
