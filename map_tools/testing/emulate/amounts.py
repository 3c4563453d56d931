"""Distances and durations as the short English texts beside the numbers ("1.2 km", "1 hour 5 mins").

The documentation leaves the wording open ("localized"); this is how its examples read
(https://developers.google.com/maps/documentation/directions/get-directions#TextValueObject).
"""

METRES_PER_MILE = 1609.344
FEET_PER_MILE = 5280
_SHORT_M = 100
"""Below this metres are shown instead of kilometres."""
_SHORT_MI = 0.1
"""Below this feet are shown instead of miles."""
_LONG = 100
"""From so many kilometres or miles on there are no decimals."""


def distance_text(distance_m: float, *, imperial: bool = False) -> str:
    """A distance in words; even nothing is "1 m"."""
    if imperial:
        miles = distance_m / METRES_PER_MILE
        if miles < _SHORT_MI:
            return f"{max(1, round(miles * FEET_PER_MILE))} ft"
        return _with_decimals(miles, "mi")
    if distance_m < _SHORT_M:
        return f"{max(1, round(distance_m))} m"
    return _with_decimals(distance_m / 1000, "km")


def duration_text(duration_s: float) -> str:
    """A duration in words: two units at most, and at least a minute."""
    minutes = max(1, round(duration_s / 60))
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    if days:
        return " ".join(filter(None, (_counted(days, "day"), _counted(hours, "hour"))))
    return " ".join(filter(None, (_counted(hours, "hour"), _counted(minutes, "min"))))


def _with_decimals(amount: float, unit: str) -> str:
    return f"{amount:,.0f} {unit}" if amount >= _LONG else f"{amount:.1f} {unit}"


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'s' if number != 1 else ''}" if number else ""
