"""A trip to be planned and a planned trip, as plain data.

Times are seconds after midnight of the day the trip begins (over 86,400 on the next day).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

START = -1
"""Number of the place the trip starts from; visits count from 0."""

END = -2
"""Number of the place the trip ends at after the last visit; it may be the same place as the start."""

type Travel = Callable[[int, int], float | None]
"""Seconds from one numbered place to another; None if there is no way."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A place to be visited.

    Attributes:
        dwell_s: How long one stays.
        windows: Spans in one of which the whole stay must lie (opening hours); None if any time will do. One
            may come early and wait.
        arrive_by_s: Latest arrival.
        not_before_s: Earliest begin of the stay.
    """

    name: str
    dwell_s: float = 0.0
    windows: tuple[tuple[float, float], ...] | None = None
    arrive_by_s: float | None = None
    not_before_s: float | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A trip to be planned.

    Attributes:
        stops: The places to visit; numbered 0, 1, ...
        travel: Travel times between numbered places, `START` and `END` among them if they are used.
        start_s: When the trip begins.
        has_start: The trip begins at `START` and travels to its first stop; else it begins at the first stop.
        has_end: The trip travels on to `END` after its last stop.
        deadline_s: Latest end of the trip.
        order: The order of the visits if it is fixed.
    """

    stops: tuple[Stop, ...]
    travel: Travel
    start_s: float = 0.0
    has_start: bool = False
    has_end: bool = False
    deadline_s: float | None = None
    order: tuple[int, ...] | None = None

    def leg_s(self, before: int | None, after: int) -> float | None:
        """Travel to a place from the one before; 0 to the first stop of a trip without a start."""
        return 0.0 if before is None else self.travel(before, after)

    @property
    def origin(self) -> int | None:
        """The number of the place before the first stop; None if there is none."""
        return START if self.has_start else None


@dataclass(frozen=True, slots=True)
class PlannedStop:
    """A visit in a plan: arrival, begin of the stay after waiting, departure."""

    index: int
    name: str
    arrive_s: float
    start_s: float
    depart_s: float


@dataclass(frozen=True, slots=True)
class Itinerary:
    """A planned trip that carries all it takes to check it (`map_tools.compute.certificate`).

    Attributes:
        stops: The visits in order.
        travel_s: Sum of all legs, those from the start and to the end included.
        finish_s: When the trip is over: at `END` if the trip has one.
    """

    start_s: float
    stops: tuple[PlannedStop, ...]
    travel_s: float
    finish_s: float

    @property
    def order(self) -> tuple[int, ...]:
        """The numbers of the stops in the order of the visits."""
        return tuple(stop.index for stop in self.stops)

    @property
    def wait_s(self) -> float:
        """Sum of all waiting."""
        return sum(stop.start_s - stop.arrive_s for stop in self.stops)

    @property
    def duration_s(self) -> float:
        """From begin to end."""
        return self.finish_s - self.start_s


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why there is no plan: constraints that cannot be kept together, none of which could be left out."""

    constraints: tuple[str, ...]


def travel_of_table(legs: Mapping[tuple[int, int], float | None]) -> Travel:
    """Travel times from a table of pairs of numbered places; what is not in it is no way."""
    return lambda a, b: 0.0 if a == b else legs.get((a, b))


def travel_of_matrix(rows: Sequence[Sequence[float | None]], stops: int) -> Travel:
    """Travel times from a matrix: rows and columns are the stops, then the start, then the end.

    One extra row and column serves as both start and end: the trip returns to where it began.
    """
    last = len(rows) - 1

    def travel_s(a: int, b: int) -> float | None:
        row, column = (place if place >= 0 else stops if place == START else last for place in (a, b))
        return rows[row][column]

    return travel_s
