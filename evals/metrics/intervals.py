"""Confidence intervals and quantiles."""

import math
from collections.abc import Sequence

Z_95 = 1.959963984540054
"""97.5 % quantile of the standard normal distribution."""


def wilson(right: int, n: int, z: float = Z_95) -> tuple[float, float] | None:
    """Wilson's score interval of a share; None for n = 0.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    """
    if n == 0:
        return None
    share, square = right / n, z * z
    centre = share + square / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    scale = 1 + square / n
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def quantile(values: Sequence[float], share: float) -> float | None:
    """The quantile by linear interpolation between order statistics; None without values.

    Type 7 of Hyndman and Fan, "Sample quantiles in statistical packages", Am. Stat. 50 (1996).
    """
    if not values:
        return None
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean; None without values."""
    return sum(values) / len(values) if values else None
