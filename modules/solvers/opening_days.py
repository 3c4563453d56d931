"""A day measured by the hours of one place: how long it is open, when it opens or closes."""

from collections.abc import Sequence
from datetime import date, datetime, time

from map_tools.compute.hours import Interval
from modules.offline.intents import HoursMeasure


def day_measure(day: date, spans: Sequence[Interval], by: HoursMeasure) -> float:
    """The measure of a day of opening in seconds (after its midnight, for opening and closing).

    `spans` are the intervals that begin on the day, in their order; there is at least one.
    """
    if by == "duration":
        return sum((span.closes - span.opens).total_seconds() for span in spans)
    edge = spans[0].opens if by == "opens" else spans[-1].closes
    return (edge - datetime.combine(day, time())).total_seconds()
