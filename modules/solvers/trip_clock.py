"""Times of day of a trip, counted in seconds after midnight of the day one leaves."""

from datetime import time

from map_tools.compute.quantities import format_clock
from mapagent.answer import ClockTime

DAY_S = 86_400


def clock_of(seconds: float) -> ClockTime:
    """A moment of the trip as a time of day, to the nearest minute."""
    minutes = round(seconds / 60)
    day, minute = divmod(minutes, DAY_S // 60)
    return ClockTime(at=time(hour=minute // 60, minute=minute % 60), day_offset=day)


def clock_words(seconds: float) -> str:
    """A moment of the trip as shown to the user: "1:37 PM"."""
    return format_clock(clock_of(seconds).at)
