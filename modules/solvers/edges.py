"""When a place opens or closes on the day a question means."""

from datetime import time, timedelta
from typing import Literal

from map_tools.types import Place
from modules.intents import When
from modules.solvers.common import Trail, title
from modules.solvers.moments import WEEKDAYS, Moments, moments
from modules.view import View

Edge = Literal["opens", "closes"]


def edge_minutes(view: View, trail: Trail, place: Place, when: When | None, edge: Edge) -> float | None:
    """Minutes after midnight of the first opening or the last closing; None if it does not open then.

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
    midnight = spans[0].opens.replace(hour=0, minute=0, second=0, microsecond=0)
    bound = spans[0].opens if edge == "opens" else spans[-1].closes
    return (bound - midnight) / timedelta(minutes=1)


def _whole_day(when: When | None) -> When:
    """The day without its time; a question that names no day leaves the week open."""
    if when is None or (when.weekday is None and when.day is None and when.relative_days is None):
        return When(at=time(12))
    return when.model_copy(update={"at": None, "until": None})
