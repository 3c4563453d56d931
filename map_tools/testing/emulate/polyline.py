"""Encoded polylines (https://developers.google.com/maps/documentation/utilities/polylinealgorithm)."""

from collections.abc import Iterable

from map_tools.types import LatLng


def encode(points: Iterable[LatLng], digits: int = 5) -> str:
    """The points as text; each coordinate is the difference to the one before.

    Args:
        points: The points.
        digits: Decimal places of a degree: 5 as the format has them, 6 in OSRM's and Valhalla's variant.
    """
    scale = 10.0**digits
    pieces: list[str] = []
    lat_before = lng_before = 0
    for point in points:
        lat, lng = round(point.lat * scale), round(point.lng * scale)
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
