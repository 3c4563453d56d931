"""How far a place that was named lies from the right one, as GS-QA counts it."""

from collections.abc import Iterable

from map_tools.types import LatLng

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
