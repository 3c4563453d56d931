"""Coordinates in running text."""

import re
from collections.abc import Iterable

from map_tools.types import LatLng

_SIGNED = r"([+-]?\d{1,3}\.\d{2,})"
_PAIR = re.compile(rf"{_SIGNED}\s*°?\s*([NS])?\s*[,;/]?\s+?(?:and\s+)?{_SIGNED}\s*°?\s*([EW])?")
_TIGHT = re.compile(rf"{_SIGNED}\s*°?\s*([NS])?\s*[,;]\s*{_SIGNED}\s*°?\s*([EW])?")
_LAT = re.compile(rf"\blat(?:itude)?\W{{0,4}}{_SIGNED}", re.IGNORECASE)
_LON = re.compile(rf"\b(?:lon|lng|long)(?:itude)?\W{{0,4}}{_SIGNED}", re.IGNORECASE)
_WKT = re.compile(rf"\bPOINT\s*\(\s*{_SIGNED}\s+{_SIGNED}\s*\)", re.IGNORECASE)


def positions_in(text: str) -> tuple[LatLng, ...]:
    """All positions: "60.17, 24.94", "lat 60.17 lon 24.94", "60.17° N, 24.94° E", "POINT (24.94 60.17)".

    Numbers that are no position on the globe are none.
    """
    if points := _WKT.findall(text):
        return _valid((float(lat), float(lon)) for lon, lat in points)
    lats, lons = _LAT.findall(text), _LON.findall(text)
    if lats and len(lats) == len(lons):
        return _valid((float(lat), float(lon)) for lat, lon in zip(lats, lons, strict=True))
    pairs = _TIGHT.findall(text) or _PAIR.findall(text)
    return _valid((_signed(lat, side), _signed(lon, hand)) for lat, side, lon, hand in pairs)


def _signed(number: str, side: str) -> float:
    """A coordinate; some write both the sign and the side ("-33.87° S"), and mean it once."""
    return -abs(float(number)) if side in {"S", "W"} else float(number)


def _valid(pairs: Iterable[tuple[float, float]]) -> tuple[LatLng, ...]:
    return tuple(LatLng(lat=lat, lng=lon) for lat, lon in pairs if abs(lat) <= 90 and abs(lon) <= 180)
