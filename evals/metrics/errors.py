"""How far a number, a direction or a place is off (GS-QA, Geo-ReAct), and accuracy as the tolerance changes."""

from collections.abc import Iterable, Sequence

from map_tools.types import LatLng

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


CAP_M = 500_000.0
"""GS-QA, section 5.1: the distance is divided by 500 km, and no error exceeds 1."""


def distance_error(reply: LatLng, gold: LatLng) -> float:
    """Geodesic metres between the two by `CAP_M`, at most 1."""
    from geographiclib.geodesic import Geodesic

    metres = float(Geodesic.WGS84.Inverse(reply.lat, reply.lng, gold.lat, gold.lng)["s12"])
    return min(1.0, metres / CAP_M)


def best_distance_error(replies: Iterable[LatLng], golds: Iterable[LatLng]) -> float | None:
    """The least error of all pairs; None without any (GS-QA: not attempted)."""
    right = tuple(golds)
    return min((distance_error(reply, gold) for reply in replies for gold in right), default=None)


TAU_NUMBER = 0.10
"""Geo-ReAct, section 6.2: τ_num, the largest relative error of a right number."""
CAP = 1.0
"""GS-QA, section 5.2: no relative error counts for more."""


def relative_error(reply: float, gold: float) -> float:
    """|reply - gold| / |gold|, not capped (GS-QA, equation 2). 0 for 0 against 0, else infinite against 0."""
    if gold == 0:
        return 0.0 if reply == 0 else float("inf")
    return abs(reply - gold) / abs(gold)


def best_relative_error(replies: Iterable[float], golds: Iterable[float]) -> float | None:
    """The least error of all pairs; None without any."""
    right = tuple(golds)
    return min((relative_error(reply, gold) for reply in replies for gold in right), default=None)


def capped(error: float) -> float:
    """An error as it enters a mean."""
    return min(CAP, error)


ENTITY_TAUS = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Tolerances of figure 4 for names: the least similarity that counts as right."""
NUMBER_TAUS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.5)
"""For numbers: the largest relative error that counts as right."""
_SLACK = 1e-9


def by_similarity(similarities: Sequence[float]) -> dict[str, float]:
    """Share of questions right at each τ of names; empty without questions."""
    return {
        f"{tau:g}": sum(value >= tau - _SLACK for value in similarities) / len(similarities)
        for tau in ENTITY_TAUS
        if similarities
    }


def by_error(errors: Sequence[float]) -> dict[str, float]:
    """Share of questions right at each τ of numbers; infinite errors are wrong at any. Empty without any."""
    return {
        f"{tau:g}": sum(value <= tau + _SLACK for value in errors) / len(errors)
        for tau in NUMBER_TAUS
        if errors
    }
