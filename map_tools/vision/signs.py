"""What the signs of markers stand for (`signs.toml`), and when two signs are the same."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from map_tools.vision.boxes import Marker

SAME_SIGN = 0.82
"""Correlation of two signs of one picture from which on they are the same."""
KNOWN_SIGN = 0.70
"""... of a sign with one of the vocabulary: pictures are larger or smaller."""
ANY_KIND = ("red", "grey")
"""Colours of what was searched for, and of what is closed, whatever their kinds."""


@dataclass(frozen=True, slots=True)
class Sign:
    """An entry of the vocabulary.

    Attributes:
        name: What it shows.
        categories: Category ids, the surest first.
        colors: Colours of the markers it is seen on.
        bitmaps: How it looks, a byte a pixel; none for what any sign on markers of its colours means.
    """

    name: str
    categories: tuple[str, ...]
    colors: tuple[str, ...]
    bitmaps: tuple[bytes, ...]


def known_sign(marker: Marker) -> Sign | None:
    """The sign of a marker; None if it has none, or one that the vocabulary does not have."""
    if not marker.sign:
        return None
    signs = [sign for sign in known_signs() if marker.hue in sign.colors or marker.hue in ANY_KIND]
    scored = [
        (max(likeness(marker.sign, bitmap) for bitmap in sign.bitmaps), -at)
        for at, sign in enumerate(signs)
        if sign.bitmaps
    ]
    score, at = max(scored, default=(0.0, 0))
    if score >= KNOWN_SIGN:
        return signs[-at]
    return next((sign for sign in signs if not sign.bitmaps and marker.hue in sign.colors), None)


def same_sign(a: Marker, b: Marker) -> bool:
    """True if two markers of one picture have the same sign."""
    return bool(a.sign and b.sign) and a.hue == b.hue and likeness(a.sign, b.sign) >= SAME_SIGN


def likeness(a: bytes, b: bytes) -> float:
    """-1 to 1: the correlation of two bitmaps; 1 for equal ones, 0 where one is blank."""
    import numpy as np

    x = np.frombuffer(a, dtype=np.uint8).astype(np.float64)
    y = np.frombuffer(b, dtype=np.uint8).astype(np.float64)
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / size if size else 0.0


@lru_cache(maxsize=1)
def known_signs() -> tuple[Sign, ...]:
    """The vocabulary, read once."""
    values = tomllib.loads((files("map_tools.vision") / "signs.toml").read_text("utf-8"))
    return tuple(
        Sign(
            name=entry["name"],
            categories=tuple(entry["categories"]),
            colors=tuple(entry["colors"]),
            bitmaps=tuple(_bitmap(bits) for bits in entry["bits"]),
        )
        for entry in values["sign"]
    )


def _bitmap(bits: str) -> bytes:
    """A byte a pixel of a bitmap in hexadecimal."""
    return bytes(int(bit) for bit in f"{int(bits, 16):0{4 * len(bits)}b}")
