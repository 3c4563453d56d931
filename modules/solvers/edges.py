"""When a place opens or closes on the day a question means, and for how long it is open."""

from datetime import time

from map_tools.types import Place
from modules.offline.intents import HoursMeasure, When
from modules.solvers.common import Trail, title
from modules.solvers.moments import WEEKDAYS, Moments, moments
from modules.solvers.opening_days import day_measure
from modules.view import View

_MINUTE_S = 60


def hours_measure(
    view: View, trail: Trail, place: Place, when: When | None, by: HoursMeasure
) -> tuple[float, str] | None:
    """The first opening or the last closing in "minutes_of_day", or the time open in "open_s".

    None if the place does not open on that day, or does not state its hours.
    Of several days meant, today counts, or else the first; a warning says so.
    """
    from map_tools.compute.hours import intervals_on

    if place.hours is None:
        return None
    meant: Moments = moments(view, place, _whole_day(when))
    moment = meant.preferred or meant.choices[0]
    if len(meant.choices) > 1:
        trail.warn(f"No day was given; {WEEKDAYS[moment.day.weekday()]} is assumed.")
    spans = intervals_on(place.hours, moment.day)
    if not spans:
        trail.warn(f"{title(place)} does not open on {WEEKDAYS[moment.day.weekday()]}.")
        return None
    measure_s = day_measure(moment.day, spans, by)
    return (measure_s, "open_s") if by == "duration" else (measure_s / _MINUTE_S, "minutes_of_day")


def _whole_day(when: When | None) -> When:
    """The day without its time; a question that names no day leaves the week open."""
    if when is None or (when.weekday is None and when.day is None and when.relative_days is None):
        return When(at=time(12))
    return when.model_copy(update={"at": None, "until": None})
