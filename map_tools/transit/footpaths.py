"""Where one can change on foot, and how long that takes."""

from collections.abc import Mapping

import numpy as np

from map_tools.errors import LimitError
from map_tools.transit.timetable import Floats, Ints
from map_tools.types import LatLng

REACH_M = 500.0
"""Stops farther from each other than this, in a straight line, are not changed between."""
WALK_MPS = 1.3
"""4.7 km/h, an unhurried walk (Bohannon 1997 measured 1.3 to 1.5 m/s)."""
DETOUR = 1.3
"""A way through streets by its straight line: about the mean of towns (Ballou, Rahardja and Sakai 2002)."""
CHANGE_S = 60
"""What a change takes at least, at the same stop too."""
MOST_PAIRS = 20_000_000
METRES_A_DEGREE = 111_195.0

type Pair = tuple[int, int]


def metres_to(lats: Floats, lngs: Floats, place: LatLng) -> Floats:
    """How far positions are from a place, as the crow flies; good for some kilometres."""
    east = (lngs - place.lng + 180) % 360 - 180
    degrees: Floats = np.hypot(lats - place.lat, east * np.cos(np.radians(place.lat)))
    return degrees * METRES_A_DEGREE


def footpaths(lats: Floats, lngs: Floats, given: Mapping[Pair, int | None]) -> tuple[Ints, Ints, Ints]:
    """All changes on foot, as `Timetable.foot_first`, `.foot_to` and `.foot_s`.

    Args:
        lats: The stops' latitudes.
        lngs: Their longitudes.
        given: Seconds that the feed itself gives for a change; None: it cannot be made.

    Raises:
        LimitError: More than `MOST_PAIRS` stops are near each other.
    """
    own: dict[int, dict[int, int | None]] = {}
    for (start, end), seconds in given.items():
        own.setdefault(start, {})[end] = seconds
    order = np.argsort(lats, kind="stable")
    sorted_lats = lats[order]
    reach_deg = REACH_M / METRES_A_DEGREE
    firsts = np.searchsorted(sorted_lats, lats - reach_deg)
    pasts = np.searchsorted(sorted_lats, lats + reach_deg, side="right")
    ends: list[Ints] = []
    times: list[Ints] = []
    total = 0
    for stop in range(len(lats)):
        near = order[firsts[stop] : pasts[stop]]
        metres = metres_to(lats[near], lngs[near], LatLng(lat=float(lats[stop]), lng=float(lngs[stop])))
        kept = metres <= REACH_M
        lasts = np.maximum(np.ceil(metres[kept] * DETOUR / WALK_MPS), CHANGE_S)
        to, took = near[kept].astype(np.int32), lasts.astype(np.int32)
        if stop in own:
            to, took = _with_given(to, took, own[stop])
        total += len(near)
        if total > MOST_PAIRS:
            raise LimitError("The feed has too many stops beside each other.", "Give a feed of one region.")
        ends.append(to)
        times.append(took)
    counts = np.array([len(one) for one in ends], dtype=np.int32)
    first = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    empty = np.zeros(0, dtype=np.int32)
    return first, np.concatenate([*ends, empty]), np.concatenate([*times, empty])


def _with_given(to: Ints, took: Ints, own: Mapping[int, int | None]) -> tuple[Ints, Ints]:
    """What the feed says of changes goes before what is estimated."""
    table: dict[int, int | None] = {**dict(zip(to.tolist(), took.tolist(), strict=True)), **own}
    kept = {end: seconds for end, seconds in table.items() if seconds is not None}
    return np.array(list(kept), dtype=np.int32), np.array(list(kept.values()), dtype=np.int32)
