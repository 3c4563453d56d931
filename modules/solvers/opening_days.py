"""The days of a week measured by the hours of one place: how long it is open, when it opens or closes."""

from collections.abc import Iterable
from datetime import date, datetime, time

from map_tools.compute.hours import intervals_on
from map_tools.types import Hours
from modules.intents import HoursMeasure


def day_measures(hours: Hours, days: Iterable[date], by: HoursMeasure) -> dict[date, float]:
    """The measure of each day in seconds (of the day, for opening and closing); days of rest are left out."""
    measures: dict[date, float] = {}
    for day in days:
        spans = intervals_on(hours, day)
        midnight = datetime.combine(day, time())
        if spans and by == "duration":
            measures[day] = sum((span.closes - span.opens).total_seconds() for span in spans)
        elif spans:
            edge = spans[0].opens if by == "opens" else spans[-1].closes
            measures[day] = (edge - midnight).total_seconds()
    return measures
