"""Encoded polylines (https://developers.google.com/maps/documentation/utilities/polylinealgorithm)."""

from collections.abc import Iterable

from map_tools.types import LatLng

_SCALE = 1e5
"""Five decimal places, as the format has them."""


def encode(points: Iterable[LatLng]) -> str:
    """The points as text; each coordinate is the difference to the one before."""
    pieces: list[str] = []
    lat_before = lng_before = 0
    for point in points:
        lat, lng = round(point.lat * _SCALE), round(point.lng * _SCALE)
        pieces += (_number(lat - lat_before), _number(lng - lng_before))
        lat_before, lng_before = lat, lng
    return "".join(pieces)


def _number(value: int) -> str:
    """A signed number in groups of five bits, the lowest first, the sign in the lowest bit."""
    bits = ~(value << 1) if value < 0 else value << 1
    chars: list[str] = []
    while bits >= 0x20:
        chars.append(chr((0x20 | (bits & 0x1F)) + 63))
        bits >>= 5
    chars.append(chr(bits + 63))
    return "".join(chars)
