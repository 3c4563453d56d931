"""Rides as steps of a way, in words."""

from map_tools.types import LatLng, Ride, RouteStep

WALK, RIDE = "walk", "ride"
"""The manoeuvres of a way by public transport."""


def step_of(ride: Ride, location: LatLng | None = None) -> RouteStep:
    """A ride as a step of a way."""
    return RouteStep(
        instruction=_words(ride),
        duration_s=(ride.arrive_at - ride.depart_at).total_seconds(),
        maneuver=RIDE,
        notes=(
            f"Board at {ride.board} at {ride.depart_at:%H:%M}",
            f"Get off at {ride.leave} at {ride.arrive_at:%H:%M}",
            f"{ride.stops} stop{'' if ride.stops == 1 else 's'}",
        ),
        location=location,
        ride=ride,
    )


def _words(ride: Ride) -> str:
    """The instruction for a ride: "Tram 4 towards Harbour"."""
    named = " ".join(part for part in (ride.vehicle or "Ride", ride.line) if part)
    return f"{named} towards {ride.headsign}" if ride.headsign else named
