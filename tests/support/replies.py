"""Requests to a map service and its replies, for tests of what keeps them."""

from datetime import UTC, datetime

from map_tools.wire.request import Identity, WireReply, WireRequest

NOON = datetime(2030, 5, 4, 12, tzinfo=UTC)
ADDRESS = "http://maps.test/"


def asked(query: str) -> Identity:
    """A request of the service "atlas"."""
    return Identity.of(WireRequest(url=ADDRESS, params={"q": query}), "atlas")


def reply(at: datetime = NOON, body: bytes = b"{}") -> WireReply:
    """A reply that came at this moment."""
    return WireReply(status=200, headers={}, body=body, received_at=at, address=ADDRESS)
