"""Operators, checked one by one: what a call claims against what its arguments and the facts it cites give."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import pairwise
from typing import Any

from map_tools.compute import route_steps, route_words
from map_tools.compute.geodesy import wind_words
from map_tools.compute.zone import local_time
from map_tools.facts import FailureFact, NearbyFact, PictureFact, RoutesFact
from map_tools.text import normalise
from map_tools.types import Geometry, Hours, LatLng, Place, Route, RouteLeg, Shape, TravelMode
from modules.query.values.amount import LENGTH, Amount
from modules.query.values.moment import DAY, Moment
from modules.query.values.things import (
    Bearing,
    Finished,
    Items,
    Opening,
    Plan,
    Step,
    Stop,
    Thing,
    Visit,
    Way,
)  # fmt: skip
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import cited as facts
from modules.query.verify import computing, measuring, reaching, searching, timing
from modules.query.verify.agreement import agree
from modules.query.verify.cited import Asked, Cited, Fault, Unchecked

_MOST_STOPS = 12
"""More stops are not put in order."""
_SURE_STOPS = 9
"""So many are always put in order."""
_SIDES = {"N": 0.0, "NE": 45.0, "E": 90.0, "SE": 135.0, "S": 180.0, "SW": 225.0, "W": 270.0, "NW": 315.0}
_TOWARDS_DEG = 22.5
_OFF_DEG = (0.1, 2.0)
"""How far own azimuths may be off between positions, and where an outline is meant."""
_CORRIDOR = 0.25
_AVOIDED = {
    **dict.fromkeys(("ferry", "ferries"), "ferries"),
    **dict.fromkeys(("toll", "tolls"), "tolls"),
    **dict.fromkeys(("motorway", "motorways"), "motorways"),
    **dict.fromkeys(("stairs", "steps"), "stairs"),
}
_DAY_S = 86_400.0


def within(mine: Any, claimed: Any, share: float = 0.001, slack: float = 0.5) -> Any:
    """The claimed amount if it differs from the own one by measuring alone; else the own one."""
    if isinstance(mine, Amount) and isinstance(claimed, Amount) and mine.dimension == claimed.dimension:
        same = claimed.exact and measuring.close(mine.low, claimed.low, share, slack)
        return claimed if same else mine
    return mine


# One thing


def look_up(role: str, words: str, given: Mapping[str, Any], cited: Cited, claimed: Any) -> Any:
    """A place, area or line by its name; a position is read from the words."""
    here = cited.situation
    if role == "area" and here.bounded and normalise(words) == normalise(here.map_name):
        return Thing(Place(id=searching.WHOLE_MAP, name=here.map_name), role="area")
    found = facts.looked_up(words, role, given, cited, claimed)
    degrees = [part.strip().removeprefix("-") for part in words.split(",")]
    if (
        isinstance(found, Thing)
        and len(degrees) == 2
        and all(one.replace(".", "", 1).isdigit() for one in degrees)
    ):
        lat, lng = map(float, words.split(","))
        at = found.place.location
        if at is None or measuring.inverse(at, LatLng(lat=lat, lng=lng))[0] > 1.0:
            return Fault(f"the position {words}")
    return found


def _looked_up(role: str) -> Callable[[Asked], Any]:
    return lambda asked: look_up(role, asked["name"], asked.arguments, asked.cited, asked.claimed)


def _quote(asked: Asked) -> Any:
    """Words that stand in the text; what they are said of stands before them or in their line."""
    text = " ".join(asked.cited.situation.text.casefold().split())
    at = text.rfind(" ".join(asked["words"].casefold().split()))
    about = normalise(asked["about"] or "")
    said = at >= 0 and (not about or about in normalise(text[: at + 300]))
    if isinstance(asked.claimed, Unknown):
        lines = map(normalise, asked.cited.situation.text.splitlines())
        denied = not any(normalise(asked["words"]) in line and about in line for line in lines)
        return asked.claimed if denied else asked["words"]
    return asked["words"] if said else Fault("nothing: the text does not say so")


# Ways


def _way(asked: Asked) -> Any:
    """The way over its stops; one of the alternatives where via= names roads that it runs along."""
    along = _along(asked)
    if along is not None and along.items:
        return along.items[0]
    return _over(asked, asked.things(asked["via"] or ()))


def _over(asked: Asked, stops: list[Any]) -> Any:
    lost = next((one for one in stops if isinstance(one, Unknown)), None)
    avoid: list[str] = []
    for one in asked["avoid"] or ():
        feature = _AVOIDED.get(one.casefold())
        if feature is None and not asked.cited.situation.text:
            street = asked.by.look_up("line", one, {}, asked.at, asked.line)
            lost = street if isinstance(street, Unknown) else lost
        avoid.append(feature or one)
    way = Way(
        asked["a"],
        asked["b"],
        TravelMode(asked["mode"] or "walking"),
        tuple(stops),
        tuple(dict.fromkeys(avoid)),
        asked["depart"],
        asked["arrive"],
    )
    return way if lost is None else lost


def _along(asked: Asked) -> Items | None:
    """The alternatives that run along the roads that via= names; None where it names places."""
    roads = asked["via"] or ()
    if not roads or not all(isinstance(one, str) for one in roads):
        return None
    found = _alternatives(asked, _over(asked, []))
    if not isinstance(found, Items):
        return None
    kept = [one for one in found if all(route_words.along_streets(one.route, road) for road in roads)]
    called = " and ".join(roads)
    return found.like(sorted(kept, key=lambda one: route_words.likeness(one.route, called), reverse=True))


def _routes(asked: Asked) -> Any:
    along = _along(asked)
    if along is not None and along.items:
        return along
    return _alternatives(asked, _over(asked, asked.things(asked["via"] or ())))


def _alternatives(asked: Asked, way: Any) -> Any:
    found = facts.routes_of(way, asked.cited, alternatives=True) if isinstance(way, Way) else way
    if not isinstance(found, RoutesFact):
        return found
    ways = [replace(way, route=route, number=number) for number, route in enumerate(found.routes)]
    return Items(tuple(ways), searched=True, complete=found.complete and len(ways) > 1)


def _with_route(read: Callable[[Route, Asked], Any]) -> Callable[[Asked], Any]:
    """A check of what the words of a route's steps say; reading them is the text readers' business."""

    def check(asked: Asked) -> Any:
        of = asked["of"]
        if isinstance(of, Step):
            leg = RouteLeg(distance_m=None, duration_s=None, steps=(of.step,))
            return read(Route(summary="", distance_m=None, duration_s=None, legs=(leg,)), asked)
        route = facts.best_route(of, asked.cited)
        return read(route, asked) if isinstance(route, Route) else route

    return check


def _uses(route: Route, asked: Asked) -> Any:
    if isinstance(asked["of"], Step):
        return route_steps.on_street(asked["of"].step, asked["street"])
    return route_words.along_streets(route, asked["street"])


def _features(route: Route, asked: Asked) -> Any:
    if not route.steps:
        return Unknown(Why.NOT_STATED, "The steps of the way are not stated.")
    return Amount.of(route_words.feature_count(route, asked["feature"], asked["on"]))


# Space


def _distance(asked: Asked) -> Any:
    metres = asked.cited.away(asked["a"], asked["b"])
    if isinstance(metres, Unknown):
        return metres
    spots = asked.cited.spot(asked["a"]), asked.cited.spot(asked["b"])
    exact = all(isinstance(spot, LatLng) for spot in spots)
    return within(Amount.of(metres, LENGTH), asked.claimed, 0.001 if exact else 0.005, 0.1 if exact else 1.0)


def _azimuth(a: Thing, b: Thing, cited: Cited) -> tuple[float, float] | Unknown:
    """The direction from a to b in degrees, and how far it may be off."""
    spots: list[Geometry | None] = [cited.spot(a), cited.spot(b)]
    ends = [_end(spots[0], spots[1], a), _end(spots[1], spots[0], b)]
    if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
        return Unknown(Why.NOT_STATED, "There is no direction.")
    exact = all(isinstance(spot, LatLng) for spot in spots)
    return measuring.inverse(ends[0], ends[1])[1], _OFF_DEG[0 if exact else 1]


def _end(spot: Geometry | None, other: Geometry | None, thing: Thing) -> LatLng | None:
    """A position, or the point of an outline that is nearest to the other position."""
    if not isinstance(spot, Shape):
        return spot
    if isinstance(other, LatLng) and not measuring.holds(spot, other):
        return measuring.nearest_to(spot, other)
    return thing.place.location


def _apart(a: float, b: float) -> float:
    return abs((a - b + 180.0) % 360.0 - 180.0)


def _direction(asked: Asked) -> Any:
    found = _azimuth(asked["a"], asked["to"], asked.cited)
    if isinstance(found, Unknown):
        return found
    same = isinstance(asked.claimed, Bearing) and _apart(asked.claimed.degrees, found[0]) <= found[1]
    return asked.claimed if same else Bearing(found[0])


def _lies(asked: Asked) -> Any:
    found = _azimuth(asked["of"], asked["a"], asked.cited)
    if isinstance(found, Unknown):
        return found
    letter = wind_words(asked["side"]) or "N"
    if asked.cited.situation.halves and len(letter) == 1:
        first, second = asked["of"].place.location, asked["a"].place.location
        if first is not None and second is not None:
            step = second.lat - first.lat if letter in "NS" else second.lng - first.lng
            return step > 0 if letter in "NE" else step < 0
    off = _apart(found[0], _SIDES[letter])
    most = asked.cited.situation.side_deg
    open_ = abs(off - most) <= found[1] and isinstance(asked.claimed, bool)
    return asked.claimed if open_ else off <= most


def _towards(asked: Asked) -> Any:
    found = [_azimuth(asked["of"], asked[name], asked.cited) for name in ("a", "b")]
    lost = next((one for one in found if isinstance(one, Unknown)), None)
    if lost is not None:
        return lost
    (first, off_a), (second, off_b) = (one for one in found if not isinstance(one, Unknown))
    off = _apart(first, second)
    open_ = abs(off - _TOWARDS_DEG) <= off_a + off_b and isinstance(asked.claimed, bool)
    return asked.claimed if open_ else off <= _TOWARDS_DEG


def lies_in(a: Any, b: Any, cited: Cited) -> Any:
    """Whether a thing lies in an area: a place with its point, an area or line with all of it."""
    for one in (a, b):
        if isinstance(one, Unknown):
            return one
    outline = cited.shape(b)
    own = cited.shape(a) if isinstance(a, Way) or a.shape is not None or a.role in {"area", "line"} else None
    if outline is None:
        return _shapeless(cited)
    if own is not None:
        return measuring.related(outline, own, "holds")
    if a.place.location is None:
        return Unknown(Why.NOT_STATED, "Its position is not known.")
    return measuring.holds(outline, a.place.location)


def _shapeless(cited: Cited) -> Unknown:
    """Something has no outline, as far as the source tells."""
    for item in cited.items:
        cited.using(item)
    return Unknown(Why.NOT_STATED, "It has no outline.")


def _related(relation: str) -> Callable[[Asked], Any]:
    def check(asked: Asked) -> Any:
        if searching.WHOLE_MAP in (getattr(asked["a"], "id", ""), getattr(asked["b"], "id", "")):
            return relation == "intersects"
        first, second = asked.cited.shape(asked["a"]), asked.cited.shape(asked["b"])
        if first is None or second is None:
            return _shapeless(asked.cited)
        return measuring.related(first, second, relation)

    return check


def _made(asked: Asked, judge: Callable[[Shape], bool], what: str) -> Any:
    """A made area or line that has the right shape, as it is claimed."""
    made = asked.claimed
    if not isinstance(made, Thing) or made.shape is None or not made.id.startswith("made:"):
        return Fault(what)
    shape = Shape(kind="line" if made.role == "line" else "area", wkt=made.shape)
    return made if judge(shape) else Fault(what)


def _between(asked: Asked) -> Any:
    spots = asked.cited.spot(asked["a"]), asked.cited.spot(asked["b"])
    ends = _end(spots[0], spots[1], asked["a"]), _end(spots[1], spots[0], asked["b"])
    if ends[0] is None or ends[1] is None:
        return Unknown(Why.NOT_STATED, "A position is not known.")
    if ends[0] == ends[1]:
        return Unchecked("what lies between a place and itself")
    judge = partial(measuring.is_corridor, a=ends[0], b=ends[1], share=_CORRIDOR)
    return _made(asked, judge, "another corridor")


def _buffer(asked: Asked) -> Any:
    spot, by_m = asked.cited.spot(asked["of"]), asked["by"].low
    if spot is None:
        return Unknown(Why.NOT_STATED, "Its position is not known.")
    return _made(asked, lambda shape: measuring.is_buffer(shape, spot, by_m), "another area around it")


def _clip(asked: Asked) -> Any:
    if asked["inside"].id == searching.WHOLE_MAP and isinstance(asked["what"], Thing):
        return asked["what"]
    whole, area = asked.cited.shape(asked["what"]), asked.cited.shape(asked["inside"])
    if whole is None or area is None:
        return _shapeless(asked.cited)
    return _made(asked, lambda shape: measuring.is_part(shape, whole, area), "another part of it")


# Opening hours


def _timed(name: str, judge: Callable[[Asked, Hours, Moment], Any]) -> Callable[[Asked], Any]:
    """A check of what holds at a moment (default now) in the local time of a place."""

    def check(asked: Asked) -> Any:
        here = asked.cited.situation
        moment = asked[name] or (None if here.now is None else Moment(here.now))
        if moment is None:
            return Unknown(Why.UNSUPPORTED, "The present time is not known.")
        hours = facts.hours_of(asked["of"], asked.cited)
        if isinstance(hours, Unknown) or hours.spec is None:
            return Unknown(Why.NOT_STATED, "Its hours are not stated, or cannot be read.")
        zone = asked["of"].place.timezone
        if here.instant is not None and zone is not None and moment.at == here.now and name != "day":
            moment = Moment(local_time(here.instant, zone).replace(tzinfo=None))
        return judge(asked, hours, moment)

    return check


def _is_open(asked: Asked, hours: Hours, moment: Moment) -> Any:
    verdicts = [timing.is_open(hours, one, asked["until"]) for one in timing.on_days(moment)]
    if all(one == verdicts[0] for one in verdicts):
        return verdicts[0]
    lost = next((one for one in verdicts if isinstance(one, Unknown)), None)
    return verdicts.count(True) > len(verdicts) / 2 if lost is None else lost


def _hours(_: Asked, hours: Hours, moment: Moment) -> Any:
    spans = timing.on_day(hours, moment.at.date())
    if not spans and timing.unsaid(hours, moment.at.replace(hour=12)):
        return Unknown(Why.NOT_STATED, "Its hours do not say.")
    since = moment.at
    return Items(tuple(Opening(Moment(a, base=since), Moment(b, base=since)) for a, b in spans))


def _edge(find: Callable[[Hours, Moment], datetime | None]) -> Callable[[Asked, Hours, Moment], Any]:
    def judge(_: Asked, hours: Hours, moment: Moment) -> Any:
        found = [(find(hours, one), one) for one in timing.on_days(moment)]
        known = [Moment(at, base=one.at) for at, one in found if at is not None]
        if not known:
            return Unknown(Why.NONE, "It is closed then.")
        differ = len({one.at.time() for one in known}) > 1
        return Unknown(Why.NOT_STATED, "Its hours differ from day to day.") if differ else known[0]

    return judge


# Trips


def _visit(asked: Asked) -> Any:
    given = asked["window"]
    window = None
    if given is not None:
        ends = [
            one if isinstance(one, Moment) else timing.read_moment(one, asked.cited.situation.now)
            for one in given
        ]
        if ends[0] is None or ends[1] is None:
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
            hours = facts.hours_of(stay.thing, self.asked.cited)
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
        found = facts.way_amount(way, "duration_s", self.asked.cited)
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
            else facts.way_amount(way, "distance_m", self.asked.cited)
            for way in legs
        ]
        known = [one.low for one in lengths if isinstance(one, Amount)]
        return sum(known) if len(known) == len(legs) else None


# Lists, modules, the end


def _judge(asked: Asked) -> Any:
    options = asked.cited.situation.options
    verdicts = [computing.truth(one) for one in asked["tests"]]
    holding = [option for option, verdict in zip(options, verdicts, strict=False) if verdict is True]
    if len(holding) == 1:
        return holding[0]
    open_ = next((one for one in verdicts if isinstance(one, Unknown)), None)
    if holding or open_ is None:
        return Unknown(Why.AMBIGUOUS if holding else Why.NONE, "Not one option holds.")
    return open_


def _any(asked: Asked, *, decisive: bool) -> Any:
    xs = asked["xs"]
    if isinstance(xs, Unknown):
        return xs
    found = computing.kleene(xs.items, decisive=decisive)
    open_ = found is not decisive and not isinstance(found, Unknown) and (xs.unstated or not xs.complete)
    return Unknown(Why.NOT_STATED, "It is not stated of all of them.") if open_ else found


def _recommend(asked: Asked) -> Any:
    """The order is the recommender's; the members are among what lies as asked, and fulfil the condition."""
    near, along, within = asked["near"], asked["along"], asked["within"]
    if (near is not None and along is not None) or (within is not None and near is None and along is None):
        return Unknown(Why.UNSUPPORTED, "It is not said of what it is to be within a distance.")
    lists = [(item, fact) for item, fact in asked.cited.of(NearbyFact) if item.source.tool != "Nearby"]
    if not lists:
        return asked.cited.lost()
    for item, _ in lists:
        asked.cited.using(item)
    (_, lying), (_, ranked) = lists[0], lists[-1]
    found = Items(tuple(Thing(one.place) for one in lying.items), searched=True, complete=lying.complete)
    if _strays(asked, lying):
        return Fault("a recommendation of what lies elsewhere")
    if asked["where"] is not None:
        kept, unstated = asked.by.filtered(asked["where"], found.items)
        found = found.like(kept, unstated=tuple(unstated))
    if not found.items:
        why = Why.NOT_STATED if found.unstated else Why.NONE if lying.complete else Why.LIMIT
        return Unknown(why, "Nothing is left.")
    best = {one.place.id: number for number, one in enumerate(ranked.items)}
    chosen = sorted((one for one in found if one.id in best), key=lambda one: best[one.id])
    if len(chosen) < len(best):
        return Fault("a recommendation of what does not fulfil the condition, or lies elsewhere")
    return found.like(chosen, complete=ranked.complete and lying.complete)


def _strays(asked: Asked, lying: NearbyFact) -> bool:
    """Whether something that is listed lies farther off what is measured from than the list says."""
    near, along = asked["near"], asked["along"]
    if near is None and along is None:
        return False
    course = None if along is None else asked.cited.shape(along)
    if along is not None and course is None:
        return True
    reach_m = lying.radius_m or 0.0
    for one in lying.items:
        if course is None:
            off_m = searching.listed_m(asked.cited, near, one)
        else:
            off_m = measuring.away_m(course, one.place.location) if one.place.location else None
        if off_m is None or (off_m > reach_m and not measuring.close(off_m, reach_m)):
            return True
    return False


def _mark(asked: Asked) -> Any:
    """A label that stands in the picture."""
    texts = [
        label.text
        for item in asked.cited.evidence.values()
        if isinstance(item.value, PictureFact)
        for label in item.value.labels
    ]
    if isinstance(asked.claimed, Thing):
        return asked.claimed if asked.claimed.name in texts else Fault("no such label")
    return Fault("that label") if asked["label"] in texts else Unknown(Why.NOT_FOUND, "")


def _answer(asked: Asked) -> Any:
    """The values below, ways told with their course or their measures; nothing further may be cited."""
    parts = tuple(
        (name, _told(value, asked.cited)) for name, value in asked.arguments.items() if name != "value"
    )
    return Finished(_told(asked["value"], asked.cited), parts)


def _told(value: Any, cited: Cited) -> Any:
    if isinstance(value, Finished):
        return value.value
    if isinstance(value, Way) and value.route is None:
        route = facts.best_route(value, cited)
        return replace(value, route=route) if isinstance(route, Route) else _measured(value, cited)
    if isinstance(value, Items) and any(isinstance(one, Way) for one in value):
        return value.like(_measured(one, cited) for one in value)
    return value


def _measured(way: Any, cited: Cited) -> Any:
    """A way with its time and length, as they are told."""
    if not isinstance(way, Way) or way.route is not None:
        return way
    found = facts.measured(way, cited)
    if isinstance(found, Unknown | Fault):
        return found
    return replace(way, route=Route(summary="", distance_m=found.distance_m, duration_s=found.duration_s))


CHECKS: Mapping[str, Callable[[Asked], Any]] = {
    "place": _looked_up("place"),
    "area": _looked_up("area"),
    "line": _looked_up("line"),
    "fact": lambda asked: facts.place_field(asked["of"], asked["key"], asked.cited),
    "quote": _quote,
    "places": searching.places,
    "nearest": searching.nearest,
    "recommend": _recommend,
    "travel": _way,
    "routes": _routes,
    "reachable": reaching.reachable,
    "uses": _with_route(_uses),
    "features": _with_route(_features),
    "visit": _visit,
    "trip": _trip,
    "distance": _distance,
    "direction": _direction,
    "lies": _lies,
    "towards": _towards,
    "lies_in": lambda asked: lies_in(asked["a"], asked["b"], asked.cited),
    **{name: _related(name) for name in ("intersects", "touches", "disjoint", "crosses")},
    "between": _between,
    "buffer": _buffer,
    "clip": _clip,
    "is_open": _timed("at", _is_open),
    "hours": _timed("day", _hours),
    "opens": _timed("after", _edge(timing.opening)),
    "closes": _timed("after", _edge(timing.closing)),
    "count": lambda asked: computing.count(asked["xs"]),
    "sum": lambda asked: computing.total(asked["xs"].items, asked.cited.situation.now),
    "mean": lambda asked: computing.mean(asked["xs"]),
    "min": lambda asked: computing.extreme(asked["xs"], asked.keys(asked["xs"]), greatest=False),
    "max": lambda asked: computing.extreme(asked["xs"], asked.keys(asked["xs"]), greatest=True),
    "sort": lambda asked: computing.sort(
        asked["xs"], asked.keys(asked["xs"]), falling=asked["reverse"] is True
    ),
    "any": lambda asked: _any(asked, decisive=True),
    "all": lambda asked: _any(asked, decisive=False),
    "group": lambda asked: computing.group(asked["xs"], asked.keys(asked["xs"], "by")),
    "both": lambda asked: computing.both(asked["words"], asked.claimed),
    "pairs": lambda asked: computing.pairs(asked["xs"], asked["others"]),
    "after": lambda asked: computing.beyond(asked["xs"], asked["x"], asked.cited.situation.now, behind=True),
    "before": lambda asked: computing.beyond(
        asked["xs"], asked["x"], asked.cited.situation.now, behind=False
    ),
    "abs": lambda asked: computing.absolute(asked["x"]),
    "known": lambda asked: not isinstance(asked["x"], Unknown),
    "judge": _judge,
    "mark": _mark,
    "answer": _answer,
    "unanswerable": lambda asked: Finished(Unknown(Why.UNSUPPORTED, asked["reason"]), (), asked["reason"]),
}
