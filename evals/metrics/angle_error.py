"""How far a direction is off, and which of the eight winds it is."""

from collections.abc import Iterable

WINDS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
"""The sectors of GS-QA's figure 2, clockwise, each 45 degrees wide and centred on its wind."""
SECTOR_DEG = 45.0


def angle_error(reply_deg: float, gold_deg: float) -> float:
    """Degrees between two azimuths by 180: 0 is equal, 1 is opposite (GS-QA, equation 1)."""
    apart = abs(reply_deg - gold_deg) % 360
    return min(apart, 360 - apart) / 180


def best_angle_error(replies: Iterable[float], golds: Iterable[float]) -> float | None:
    """The least error of all pairs; None without any."""
    right = tuple(golds)
    return min((angle_error(reply, gold) for reply in replies for gold in right), default=None)


def wind_of(azimuth_deg: float) -> str:
    """The name of the sector an azimuth lies in; a border belongs to the next sector clockwise."""
    return WINDS[int((azimuth_deg % 360 + SECTOR_DEG / 2) // SECTOR_DEG) % len(WINDS)]


def azimuth_of(wind: str) -> float:
    """The middle of a wind's sector in degrees.

    Raises:
        ValueError: There is no such wind.
    """
    return WINDS.index(wind) * SECTOR_DEG
