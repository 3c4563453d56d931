"""Manoeuvres in the words of both generations, and the warning that belongs to walking routes.

Legacy: https://developers.google.com/maps/documentation/directions/get-directions#DirectionsStep;
new: https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRoutes#Maneuver.
"""

WALKING_WARNING = "Walking directions are in beta: sidewalks or pedestrian paths may be missing."
"""Google asks that walking routes are shown with a warning
(https://developers.google.com/maps/documentation/routes/maps-experience)."""

_SAME = (
    *("turn-slight-left", "turn-sharp-left", "turn-left", "keep-left", "ramp-left", "straight", "merge"),
    *("turn-slight-right", "turn-sharp-right", "turn-right", "keep-right", "ramp-right", "ferry"),
)
"""Words of ours that are Google's own."""
_LEGACY = {word: word for word in _SAME} | {"uturn": "uturn-left", "roundabout": "roundabout-right"}
_NEW = {
    **{word: word.upper().replace("-", "_") for word in _LEGACY},
    "uturn": "UTURN_LEFT",
    "roundabout": "ROUNDABOUT_RIGHT",
    "depart": "DEPART",
}


def legacy_maneuver(word: str) -> str:
    """The legacy word for one of our manoeuvres; empty where there is none."""
    return _LEGACY.get(word, "")


def new_maneuver(word: str) -> str:
    """The new service's word for one of our manoeuvres."""
    return _NEW.get(word, "MANEUVER_UNSPECIFIED")
