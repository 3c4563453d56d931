"""Small values in the forms of the new services: positions, durations, texts, dates."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from map_tools.types import LatLng

type Json = Mapping[str, Any]


def position(value: Json | None) -> LatLng | None:
    """`{"latitude", "longitude"}`, maybe wrapped in `latLng`; one that is left out is 0 (proto3 JSON)."""
    if value is None:
        return None
    inner = value.get("latLng", value)
    if not inner:
        return None
    return LatLng(lat=inner.get("latitude", 0.0), lng=inner.get("longitude", 0.0))


def point(at: LatLng) -> dict[str, float]:
    """A position as a request writes it."""
    return {"latitude": at.lat, "longitude": at.lng}


def seconds(value: str | None) -> float | None:
    """A duration such as "425s" or "0.5s" (https://protobuf.dev/programming-guides/json/)."""
    return None if value is None else float(value.removesuffix("s"))


def text(value: Json | None) -> str:
    """A localized text; empty if there is none."""
    return str(value.get("text", "")) if value else ""


def day(value: Json | None) -> date | None:
    """A whole date; None if a part of it is missing."""
    if not value or not all(value.get(part) for part in ("year", "month", "day")):
        return None
    return date(value["year"], value["month"], value["day"])
