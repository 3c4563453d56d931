"""Steps of routes: what is common to the wording of both generations."""

from map_tools.compute.step_reader import read_step
from map_tools.types import LatLng, RouteStep

MANEUVERS = {"uturn-left": "uturn", "uturn-right": "uturn", "name-change": "straight", "ferry-train": "ferry"}
"""Google's hyphenated words that this project has another word for; all others are the same
(https://developers.google.com/maps/documentation/routes/reference/rest/v2/Maneuver)."""


def step_of(
    instruction: str,
    notes: tuple[str, ...],
    *,
    maneuver: str,
    distance_m: float | None,
    duration_s: float | None,
    location: LatLng | None,
) -> RouteStep:
    """A step with the streets and the roundabout exit that its words tell of.

    Args:
        instruction: Plain text or HTML.
        notes: Remarks that stand beside it.
        maneuver: Google's word in either form ("TURN_LEFT", "turn-left"); empty: it is read from the text.
        distance_m: Metres.
        duration_s: Seconds.
        location: Where it begins.
    """
    read = read_step(instruction, notes)
    word = maneuver.lower().replace("_", "-")
    told = "" if word == "maneuver-unspecified" else MANEUVERS.get(word, word)
    return read.model_copy(
        update={
            "maneuver": told or read.maneuver,
            "distance_m": distance_m,
            "duration_s": duration_s,
            "location": location,
        }
    )


def ride_words(vehicle: str, line: str, headsign: str) -> str:
    """The instruction for a ride: "Tram 4 towards Harbour"."""
    ride = " ".join(part for part in (vehicle or "Ride", line) if part)
    return f"{ride} towards {headsign}" if headsign else ride


def ride_notes(board: str, leave: str, stops: int | None) -> tuple[str, ...]:
    """Remarks on a ride: where one gets on and off, and after how many stops."""
    count = "" if stops is None else f"{stops} stop{'' if stops == 1 else 's'}"
    notes = (f"Board at {board}" if board else "", f"Get off at {leave}" if leave else "", count)
    return tuple(note for note in notes if note)
