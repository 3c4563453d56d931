"""Asking the Places API (New) and the Routes API; refusals become errors with a remedy.

The small values of their JSON (positions, durations, texts, dates) are read and written here for both.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from pydantic import SecretStr

from map_tools.errors import ProviderError, ToolError
from map_tools.providers.google_common.terms import PLACES, ROUTES, Api, reason_of, refused
from map_tools.types import LatLng
from map_tools.wire import Cost, Wire, WireReply, WireRequest

BASES: Mapping[Api, str] = {
    PLACES: "https://places.googleapis.com",
    ROUTES: "https://routes.googleapis.com",
}
"""https://developers.google.com/maps/documentation/places/web-service/reference/rest and
https://developers.google.com/maps/documentation/routes/reference/rest"""
KEY_HEADER = "X-Goog-Api-Key"
MASK_HEADER = "X-Goog-FieldMask"

type Json = Mapping[str, Any]


class GoogleService:
    """The two services behind one key.

    Args:
        wire: The way to the network.
        key: The key; it travels in a header that nothing stores or shows.
        base_url: Address of a server that speaks both services' formats (an emulator); None: Google's own.
    """

    def __init__(self, wire: Wire, key: SecretStr, *, base_url: str | None = None) -> None:
        self._wire = wire
        self._key = key
        self._base = base_url.rstrip("/") if base_url else None

    async def ask(
        self,
        api: Api,
        path: str,
        *,
        mask: str,
        cost: Cost,
        body: Mapping[str, Any] | None = None,
        params: Mapping[str, str] | None = None,
        subject: str = "",
    ) -> Any:
        """A reply's JSON.

        Args:
            api: `PLACES` or `ROUTES`.
            path: "/v1/places:searchText".
            mask: The field mask.
            cost: What Google bills.
            body: Sent by POST; None: GET.
            params: Query parameters.
            subject: What is asked for, for the sentence where Google has none.

        Raises:
            ToolError: Google refused, cannot be reached, or sent something unreadable.
            LimitError: The budget does not hold the cost.
        """
        request = WireRequest(
            method="GET" if body is None else "POST",
            url=f"{self._base or BASES[api]}{path}",
            params=params or {},
            headers={MASK_HEADER: mask},
            json=body,
            secret_headers={KEY_HEADER: self._key.get_secret_value()},
        )
        reply = await self._wire.send(request, cost=cost)
        if not reply.ok:
            raise _refusal(api, reply, subject)
        return reply.json()

    async def close(self) -> None:
        """Closes the connections."""
        await self._wire.close()


def _refusal(api: Api, reply: WireReply, subject: str) -> ToolError:
    """The error an unsuccessful reply stands for. A matrix's error comes as a list of one."""
    try:
        body = reply.json()
    except ProviderError:
        body = None
    first = body[0] if isinstance(body, list) and body else body
    error = first.get("error") if isinstance(first, Mapping) else None
    if not isinstance(error, Mapping):
        return refused(api, f"HTTP {reply.status}")
    return refused(
        api,
        str(error.get("status") or f"HTTP {reply.status}"),
        str(error.get("message", "")),
        reason=reason_of(error),
        subject=subject,
    )


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
