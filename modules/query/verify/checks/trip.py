"""Checks of trips: they keep what they say, and no other order of their visits is better."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from map_tools.facts import FailureFact
from map_tools.types import TravelMode
from modules.query.values.amount import Amount
from modules.query.values.moment import DAY, Moment
from modules.query.values.things import Items, Plan, Stop, Visit, Way
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import timed_trips, timing
from modules.query.verify.agreement import agree
from modules.query.verify.cited import Asked, Check, Fault, measured
from modules.query.verify.fields import hours_of, way_amount

_MOST_STOPS = 12
"""Trips with more stops are not optimised."""
_SURE_STOPS = 9
"""Trips with up to this many stops are always optimised."""
_DAY_S = 86_400.0


def _visit(asked: Asked) -> Any:
    given = asked["window"]
    window = None
    if given is not None:
        ends = [
            one if isinstance(one, Moment) else timing.read_moment(one, asked.cited.situation.now)
            for one in given
        ]
        if len(ends) != 2 or ends[0] is None or ends[1] is None:
            return Fault("a visit without the times of its window")
        window = ends[0], ends[1]
    mode = TravelMode(asked["mode"]) if asked["mode"] is not None else None
    return Visit(asked["to"], asked["stay"].low if asked["stay"] is not None else 0.0, window, mode)


def _trip(asked: Asked) -> Any:
    """A trip keeps what it says: arrival is departure, legs, stays and waits; and no order of visits is better."""
    stays: list[Visit] = []
    for one, thing in zip(asked["visits"], asked.things(_placed(asked["visits"])), strict=True):
        if isinstance(thing, Unknown):
            return thing
        stays.append(
            one if isinstance(one, Visit) else Visit(thing, one.stay_s if isinstance(one, Stop) else 0.0)
        )
    if not stays and (asked["start"] is None or asked["end"] is None):
        return Unknown(Why.NONE, "The trip has no stops.")
    if timed_trips.is_timed(asked, stays):
        return _Timed(timed_trips.from_now(asked), stays).verdict()
    return _Trip(asked, stays).verdict()


def _placed(visits: Items) -> list[Any]:
    return [one.thing if isinstance(one, Visit | Stop) else one for one in visits]


class _Trip:
    """A trip as it is asked for, in seconds after the midnight of its first day."""

    def __init__(self, asked: Asked, stays: list[Visit]) -> None:
        self.asked, self.stays = asked, stays
        self.depart, self.arrive = asked["depart"], asked["arrive"]
        given = self.depart or self.arrive
        self.any_day = given is not None and given.any_day
        self.zero = timing.midnight(given.at) if given is not None else datetime(2025, 3, 3)  # noqa: DTZ001
        self.free, self.skip = asked["order"] == "free", asked["skip"] is True
        self.journey = timing.Journey(
            stays=[self._stay(one) for one in stays],
            leg_s=cache(self.leg_s),
            ends=(asked["start"] is not None, asked["end"] is not None),
            deadline_s=self._deadline_s(),
            free=self.free,
            skip=self.skip,
        )

    def _stay(self, stay: Visit) -> timing.Stay:
        early, late = (timing.clock_s(one) for one in stay.window) if stay.window else (0.0, float("inf"))
        windows = None
        if self.asked["hours"] is not False and (self.depart is not None or self.arrive is not None):
            hours = hours_of(stay.thing, self.asked.cited)
            if not isinstance(hours, Unknown) and hours.spec is not None:
                windows = timing.windows_of(hours, self.zero, any_day=self.any_day)
        return timing.Stay(stay.stay_s, windows, early, late)

    def _deadline_s(self) -> float:
        if self.arrive is None:
            return float("inf")
        early = self.depart is not None and self.arrive.at < self.depart.at
        return float((self.arrive.at + (DAY if early else timedelta()) - self.zero).total_seconds())

    def way(self, before: int, after: int) -> Way:
        """The way between two numbered places, by the mode that leads to the second."""
        ends = {-1: self.asked["start"], -2: self.asked["end"]}
        first, second = (ends[one] if one < 0 else self.stays[one].thing for one in (before, after))
        mode = self.stays[after].mode if after >= 0 else None
        return Way(first, second, mode or TravelMode(self.asked["mode"] or "walking"))

    def leg_s(self, before: int, after: int) -> float | None:
        """The time of a way; None if none is known."""
        way = self.way(before, after)
        if way.origin == way.destination:
            return 0.0
        found = way_amount(way, "duration_s", self.asked.cited)
        return found.low if isinstance(found, Amount) else None

    def verdict(self) -> Any:
        """The claimed trip if it is right, else what is wrong with it."""
        claimed = self.asked.claimed
        chain = [
            *([-1] if self.journey.ends[0] else []),
            *range(len(self.stays)),
            *([-2] if self.journey.ends[1] else []),
        ]
        fixed = [] if self.free or self.skip else [self.leg_s(*pair) for pair in pairwise(chain)]
        if not isinstance(claimed, Plan):
            return self._refused(fixed)
        if claimed.feasible is not True:
            return self._impossible(claimed, fixed)
        return self._kept(claimed)

    def _refused(self, fixed: list[float | None]) -> Any:
        """No trip is given: because a way is not known, or there are too many stops."""
        for item, _ in self.asked.cited.of(FailureFact):
            self.asked.cited.using(item)
        size = len(self.stays)
        pairs = (
            (a, b)
            for a in (-1, *range(size))
            for b in range(size)
            if a != b and (a >= 0 or self.journey.ends[0])
        )
        lost = None in fixed if fixed else all(self.leg_s(*pair) is None for pair in pairs)
        too_many = size > _MOST_STOPS
        if isinstance(self.asked.claimed, Unknown) and self.asked.claimed.why is Why.LIMIT:
            too_many = size > _SURE_STOPS  # their limits may leave more plans than are compared
        too_many = too_many and (self.free or self.skip)
        return Unknown(Why.LIMIT if too_many else Why.NO_ROUTE, "") if lost or too_many else Fault("a trip")

    def _impossible(self, claimed: Plan, fixed: list[float | None]) -> Any:
        """What is said not to be possible must not be, whatever the order."""
        if claimed.arrive is not None and claimed.feasible is False:
            return self._unkept(claimed)
        same = [stop.thing for stop in claimed.stops] == [stay.thing for stay in self.stays]
        spent = sum(one.stay_s for one in self.stays)
        known_s = sum(one for one in fixed if one is not None)
        if not same or not agree((known_s, spent, 0.0), (claimed.travel_s, claimed.stay_s, claimed.wait_s)):
            return self._too_long(claimed, known_s + spent)
        if self.depart is None and self.arrive is not None:
            possible = bool(self._all(self._done(-30 * _DAY_S)))
        else:
            possible = bool(self._all(self._done(self._start_s())))
        if None in fixed:
            return self._too_long(claimed, known_s + spent)
        return Fault("a trip that keeps all limits") if possible else claimed

    def _unkept(self, claimed: Plan) -> Any:
        """What opening hours alone stand against: it must not be possible, and the times be those without them."""
        start_s = -30 * _DAY_S if self.depart is None else self._start_s()
        if self._all(self._done(start_s)):
            return Fault("a trip that keeps all limits")
        free = _Trip(replace(self.asked, arguments={**self.asked.arguments, "hours": False}), self.stays)
        mine = free.verdict_on(replace(claimed, feasible=True))
        return replace(mine, feasible=False, problems=claimed.problems) if isinstance(mine, Plan) else mine

    def verdict_on(self, claimed: Plan) -> Any:
        """The trip if it can be made as claimed."""
        return self._kept(claimed)

    def _too_long(self, claimed: Plan, known_s: float) -> Any:
        """With a way unknown it is impossible only if the rest takes too long already."""
        if self.depart is None or self.arrive is None:
            return Fault("other times")
        at_hand_s = (self.arrive.at - self.depart.at).total_seconds() % _DAY_S
        return claimed if known_s > at_hand_s else Fault("no reason why it should not be possible")

    def _start_s(self) -> float:
        return 0.0 if self.depart is None else float((self.depart.at - self.zero).total_seconds())

    def _done(self, start_s: float) -> Mapping[int, float]:
        return self.journey.best(start_s)

    def _all(self, ends: Mapping[int, float]) -> Mapping[int, float]:
        """Of the possible trips those that visit all that has to be visited."""
        return ends if self.skip else {size: end for size, end in ends.items() if size == len(self.stays)}

    def _order(self, claimed: Plan) -> list[int] | None:
        """The numbers of the claimed stops; None if they are not those that are asked for."""
        order: list[int] = []
        for stop in claimed.stops:
            left = [n for n, stay in enumerate(self.stays) if n not in order and stay.thing == stop.thing]
            if not left:
                return None
            order.append(left[0])
        whole = self.skip or len(order) == len(self.stays)
        return order if whole and (self.free or order == sorted(order)) else None

    def _kept(self, claimed: Plan) -> Any:
        order = self._order(claimed)
        if order is None:
            return Fault("other stops, or another order")
        backwards = self.depart is None and self.arrive is not None
        start_s = self._start_s()
        if backwards:
            if claimed.depart is None:
                return Fault("a time of departure")
            start_s = (claimed.depart.at - self.zero).total_seconds()
            if self._all(self._done(start_s + 1.0)):
                return Fault("a later departure, which does as well")
        walked = self.journey.walked(order, start_s)
        if walked is None:
            return Fault("a trip that is too late somewhere, or has no way")
        best = self._all(self._done(start_s))
        most = max(best, default=len(order)) if self.skip else len(order)
        if len(order) < most:
            return Fault(f"a trip with {most} stops")
        if best and order and walked[1] > best[most] + 1.0:
            return Fault(f"a trip that is over {walked[1] - best[most]:.0f} s earlier")
        return self._plan(order, start_s, walked)

    def _plan(
        self, order: list[int], start_s: float, walked: tuple[list[tuple[float, float]], float]
    ) -> Plan:
        """The trip of this order as it comes out."""
        times, finish_s = walked
        clock = self.depart is not None or self.arrive is not None
        start = self.zero + timedelta(seconds=start_s)

        def at(seconds: float, base: datetime | None = None) -> Moment | None:
            moment = Moment(self.zero + timedelta(seconds=seconds), base=base or start, any_day=self.any_day)
            return moment if clock else None

        stops = []
        for number, (arrive_s, begin_s) in zip(order, times, strict=True):
            stay = self.stays[number]
            leave_s = begin_s + stay.stay_s
            stops.append(
                Stop(stay.thing, at(arrive_s), at(begin_s), at(leave_s), stay.stay_s, begin_s - arrive_s)
            )
        chain = [*([-1] if self.journey.ends[0] else []), *order, *([-2] if self.journey.ends[1] else [])]
        legs = tuple(self.way(*pair) for pair in pairwise(chain))
        return Plan(
            legs=legs,
            stops=tuple(stops),
            origin=self.asked["start"] or (stops[0] if stops else self.stays[0]).thing,
            destination=self.asked["end"] or (stops[-1] if stops else self.stays[0]).thing,
            depart=at(start_s, self.zero),
            arrive=at(finish_s),
            travel_s=sum(self.leg_s(*pair) or 0.0 for pair in pairwise(chain)),
            stay_s=sum(stop.stay_s for stop in stops),
            wait_s=sum(stop.wait_s for stop in stops),
            distance_m=self._length_m(legs),
            feasible=True,
        )

    def _length_m(self, legs: tuple[Way, ...]) -> float | None:
        """The length of all legs; None if one is not told, or told only by routes that nobody asked for."""
        lengths = [
            Amount.of(0.0)
            if way.origin == way.destination
            else way_amount(way, "distance_m", self.asked.cited)
            for way in legs
        ]
        known = [one.low for one in lengths if isinstance(one, Amount)]
        return sum(known) if len(known) == len(legs) else None


class _Timed(_Trip):
    """A trip that goes by a timetable: every way counts at the time at which it is made."""

    def verdict(self) -> Any:
        """The trip as the cited ways make it, else why there is none."""
        claimed = self.asked.claimed
        if self.free or self.skip:
            return Unknown(Why.UNSUPPORTED, "")
        backwards = self.depart is None
        found = timed_trips.made(self.journey, self._span, None if backwards else self._start_s())
        if isinstance(found, Unknown):
            return found
        if found is None:
            open_ = isinstance(claimed, Plan) and claimed.feasible is False
            return claimed if open_ else Fault("that there is no such trip")
        start_s, times, finish_s, spans = found
        plan = self._plan(list(range(len(self.stays))), start_s, (times, finish_s))
        travel_s = sum(there - leaves for leaves, there in spans)
        legs = tuple(self._ways[pair] for pair in timed_trips.pairs(self.journey))
        return replace(
            plan,
            legs=legs,
            travel_s=travel_s,
            wait_s=finish_s - start_s - travel_s - plan.stay_s,
            distance_m=self._length_m(legs),
        )

    def _span(self, before: int, after: int, at_s: float, *, arriving: bool) -> Any:
        """When one leaves and arrives."""
        way = self.way(before, after)
        if way.mode is TravelMode.TRANSIT:
            moment = Moment(self.zero + timedelta(seconds=at_s))
            way = replace(way, arrive=moment) if arriving else replace(way, depart=moment)
        self._ways[before, after] = way
        if way.origin == way.destination:
            return at_s, at_s
        return timed_trips.span(measured(way, self.asked.cited), way, at_s, self.zero, arriving=arriving)

    @cached_property
    def _ways(self) -> dict[tuple[int, int], Way]:
        return {}


CHECKS: Mapping[str, Check] = {
    "visit": _visit,
    "trip": _trip,
}
