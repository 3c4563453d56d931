"""A trip as a small graph: its stops by number, the legs between them, the stays and the opening hours."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import time
from itertools import pairwise

from map_tools.compute.trip_model import END, START
from map_tools.types import TravelMode
from mapagent.answer import Solution, Value
from modules.offline.intents import TripIntent, Visit
from modules.names import same_name
from modules.needs import RoutesNeed
from modules.solvers.common import Trail
from modules.solvers.route_facts import MODE_WORDS, Leg, default_mode, find_leg, find_routes, route_measure
from modules.solvers.route_names import NameBook
from modules.solvers.route_select import clean_via, route_along
from modules.solvers.trip_hours import (
    WEEK,
    OpenTimes,
    Windows,
    days_meant,
    is_live,
    open_times,
    stated_today,
)
from modules.view import CannotTellError, Found, View


def seconds_of(moment: time) -> float:
    """A time of day as seconds after midnight."""
    return moment.hour * 3600.0 + moment.minute * 60 + moment.second


@dataclass(frozen=True, slots=True)
class TripCase:
    """One trip question and the facts it is answered from. Make it with `of`."""

    intent: TripIntent
    view: View
    book: NameBook
    mode: TravelMode
    trail: Trail = field(default_factory=Trail)

    @classmethod
    def of(cls, intent: TripIntent, view: View, trail: Trail | None = None) -> "TripCase":
        """The case of this question: names translated, the mode settled.

        Raises:
            CannotTellError: The question names no place to go to.
        """
        if not intent.visits:
            raise CannotTellError("The question names no place to visit.")
        named = (intent.start, *(visit.place for visit in intent.visits), intent.end)
        book = NameBook(view, [name for name in named if name is not None])
        case = cls(intent, view, book, intent.mode or default_mode(view), trail or Trail())
        for warning in book.warnings:
            case.trail.warn(warning)
        if intent.mode is None and case._modeless() and case.mode is not TravelMode.DRIVING:
            case.trail.warn(f"The question names no mode of travel; only {case.mode.value} is at hand.")
        return case

    def _modeless(self) -> bool:
        return any(visit.mode is None for visit in self.intent.visits)

    @property
    def visits(self) -> tuple[Visit, ...]:
        """The visits in the order of the question."""
        return self.intent.visits

    @property
    def start(self) -> tuple[int, ...]:
        """The start as the beginning of an order: empty if the trip begins at the first visit."""
        return (START,) if self.intent.start is not None else ()

    @property
    def end(self) -> tuple[int, ...]:
        """The end as the tail of an order: empty if the trip ends with the last visit."""
        return (END,) if self.intent.returns or self.intent.end is not None else ()

    def order(self, visits: Sequence[int] | None = None) -> tuple[int, ...]:
        """A whole order of stops: start, visits (those of the question unless given), end."""
        return (*self.start, *(range(len(self.visits)) if visits is None else visits), *self.end)

    def words(self, stop: int) -> str:
        """The question's words for a stop."""
        if stop == START:
            return self.intent.start or self.visits[0].place
        if stop == END:
            return self.intent.end or self.intent.start or self.visits[0].place
        return self.visits[stop].place

    def name(self, stop: int) -> str:
        """The name of a stop as the facts have it."""
        return self.book.of(self.words(stop))

    def names(self, order: Iterable[int]) -> tuple[str, ...]:
        """The question's words for the stops of an order."""
        return tuple(self.words(stop) for stop in order)

    def dwell_s(self, stop: int) -> float:
        """How long one stays at a stop."""
        return self.visits[stop].dwell_s if stop >= 0 else 0.0

    def mode_to(self, stop: int) -> TravelMode:
        """How one travels to a stop."""
        mode = self.intent.return_mode if stop == END else self.visits[stop].mode if stop >= 0 else None
        return mode or self.mode

    def leg(self, a: int, b: int) -> Leg | None:
        """The travel from one stop to another; None while it is being fetched.

        Raises:
            CannotTellError: There is no way, or none is at hand.
        """
        along = self.visits[b].along if b >= 0 else None
        if along is not None:
            return self._leg_along(a, b, along)
        return find_leg(self.view, self.book, self.words(a), self.words(b), self.mode_to(b))

    def _leg_along(self, a: int, b: int, along: str) -> Leg | None:
        """As `leg`, by the route along a street that the question names."""
        need = RoutesNeed(
            origin=self.words(a), destination=self.words(b), mode=self.mode_to(b), alternatives=True
        )
        found = find_routes(self.view, self.book, need)
        if found is None:
            return None
        item, fact = found
        route = route_along(fact, along)
        duration_s = route_measure(route, "s")
        if duration_s is None:
            raise CannotTellError(f"The route via {clean_via(route.summary)} has no time.")
        distance_m = route_measure(route, "m")
        name = clean_via(route.summary)
        return Leg(fact.origin, fact.destination, fact.mode, duration_s, distance_m, item.id, route=name)

    def chain(self, order: Sequence[int]) -> tuple[Leg, ...] | None:
        """The legs of a fixed order; None while any of them is being fetched (all are asked for at once).

        Raises:
            CannotTellError: One of them is not to be had.
        """
        legs = [self.leg(a, b) for a, b in pairwise(order)]
        ready = tuple(leg for leg in legs if leg is not None)
        return ready if len(ready) == len(legs) else None

    def known_chain(self) -> dict[tuple[int, int], Leg] | None:
        """The legs of the question's own order that are to be had; None while any is being fetched."""
        return self._known(pairwise(self.order()))

    def table(self) -> dict[tuple[int, int], Leg] | None:
        """The legs between all stops, in any order of visits; what is not to be had is left out.

        None while any of them is being fetched.
        """
        visits = range(len(self.visits))
        pairs = ((a, b) for a in (*self.start, *visits) for b in (*visits, *self.end) if a != b)
        return self._known((a, b) for a, b in pairs if not same_name(self.words(a), self.words(b)))

    def _known(self, pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Leg] | None:
        table: dict[tuple[int, int], Leg] = {}
        for a, b in pairs:
            try:
                leg = self.leg(a, b)
            except CannotTellError as failure:
                self.trail.warn(failure.reason)
                continue
            if leg is not None:
                table[a, b] = leg
        return None if self.view.waiting else table

    def windows(self) -> tuple[Windows | None, ...] | None:
        """The opening hours of each visit as time windows; None while they are being fetched.

        Hours bind only where `meet_opening` says so; a place whose hours nobody states may be visited at any
        time.
        """
        if not self.intent.meet_opening:
            return (None,) * len(self.visits)
        found = [self.view.try_place(self.name(stop)) for stop in range(len(self.visits))]
        if self.view.waiting:
            return None
        somewhere = next((place.place for place in found if place is not None), None)
        days = days_meant(self.view, self.intent.day, somewhere)
        times: list[OpenTimes] = []
        for place in found:
            times.append(open_times(place.place, days, self.trail) if place is not None else OpenTimes(None))
            if place is not None and place.place.hours is not None:
                self.trail.use(place.evidence_id)
        if any(one.windows is not None for one in times):
            self._tell_day(found)
        differing = [visit.place for visit, one in zip(self.visits, times, strict=True) if one.differ]
        if differing:
            names = ", ".join(differing)
            self.trail.warn(
                f"Opening hours differ by day ({names}); those common to the open days were used."
            )
        return tuple(self._heeded(visit, one.windows) for visit, one in zip(self.visits, times, strict=True))

    @property
    def day_is_open(self) -> bool:
        """True if a question of a live map names no day, so that today is only assumed."""
        return is_live(self.view) and self.intent.day is None and self.view.question.at is None

    def _tell_day(self, found: Sequence[Found | None]) -> None:
        """Says that today was assumed, if no day is named and the hours are not those of every day."""
        if not self.day_is_open:
            return
        somewhere = next(place.place for place in found if place is not None)
        today = stated_today(self.view, somewhere)
        changing = [one for one in found if one is not None and open_times(one.place, WEEK, Trail()).differ]
        if today is not None and changing:
            self.trail.warn(f"No day was given; today, {today:%A}, is assumed.")

    def _heeded(self, visit: Visit, windows: Windows | None) -> Windows | None:
        """The opening hours, unless the question has a fixed time there at which the place is closed."""
        if windows is None or visit.arrive_by is None or visit.dwell_s:
            return windows
        fixed_s = seconds_of(visit.arrive_by)
        if any(opens <= fixed_s <= closes for opens, closes in windows):
            return windows
        self.trail.warn(f"At the time named, {visit.place} is not open by its stated hours.")
        return None

    def answered(self, value: Value, explanation: str, ranking: Iterable[Value] = ()) -> Solution:
        """The solution; values equal to an earlier one are left out of the ranking."""
        others: list[Value] = []
        for other in ranking:
            if other != value and other not in others:
                others.append(other)
        return self.trail.answered(value, explanation, others)


def fixed_chain(case: TripCase, order: Sequence[int]) -> tuple[Leg, ...] | None:
    """The legs of a fixed order; None while any of them is being fetched.

    Raises:
        CannotTellError: There is only one place, or a leg is not to be had.
    """
    if len(order) < 2:
        raise CannotTellError(f"The question names only one place, {case.words(order[0])}; a trip needs two.")
    return case.chain(order)


def way_words(legs: Sequence[Leg]) -> str:
    """The legs in words; the mode once if it is one for all."""
    if len({leg.mode for leg in legs}) == 1:
        stops = " → ".join([legs[0].origin, *(leg.destination for leg in legs)])
        return f"{stops} {MODE_WORDS[legs[0].mode]}"
    return ", ".join(f"{leg.origin} → {leg.destination} {MODE_WORDS[leg.mode]}" for leg in legs)
