"""What the questions of each family ask of a plan, and how what is asked is made impossible.

Each family begins with a common base: a start and its time, a mode of travel, places to visit and how long one
stays. Limits leave room: a plan exists if all travel takes `SLOW` times as long, and none does if it takes `FAST`
times as long, so that no other router's times make a question wrong.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor

from evals.generate.mapeval.draft import Kind, load_kinds
from evals.generate.travel import COSTING, Travel
from evals.generate.travelplans.search import Found, scaled, soonest
from evals.generate.world import RawMap, RawPlace, read_week
from evals.suites.scoring.plans import (
    Avoids,
    Begins,
    Constraint,
    Costs,
    Ends,
    InOrder,
    Known,
    Open,
    Over,
    ReachedBy,
    Stays,
    Travels,
    Visits,
    VisitsSome,
    World,
)
from map_tools.types import TravelMode

SLOW, FAST = 1.1, 0.9
SPREAD_M = {"walking": 2000.0, "bicycling": 5000.0, "driving": 12000.0}
"""How far the places of a trip may lie from its start."""
STAYS_MIN = (15, 20, 30, 45, 60, 90)
MOST_OF_KIND = 8
"""A place of a kind may be chosen where the map has no more: so many can be tried, and all are told."""
WEEKDAYS = (6, 0, 1, 2, 3, 4)
"""Days that are planned, from Monday = 0: those that "Sunday" to "Friday" mean on the Saturday of asking."""
_VISITED = ("amenity", "shop", "tourism", "leisure", "historic")
_PRICE = "synthetic:price"
"""OpenStreetMap has no tag for the level of prices; a synthetic map has this one."""
_MIN_S = 60
_STEP_S = 15 * 60


@dataclass
class Bench:
    """What questions are made of: the map, its ways, the dice that make every choice."""

    raw: RawMap
    travel: Travel
    dice: random.Random

    @cached_property
    def places(self) -> tuple[RawPlace, ...]:
        """Those worth a visit, with a name of their own, and hours that can be read or none."""
        return tuple(one for one in self.raw.unique if one.tags.keys() & set(_VISITED) and _readable(one))

    @cached_property
    def kinds(self) -> tuple[tuple[Kind, tuple[RawPlace, ...]], ...]:
        """The kinds of which the map has few places, all with readable hours."""
        made = ((kind, tuple(one for one in self.raw.objects if kind.has(one))) for kind in load_kinds())
        return tuple(
            (kind, all_)
            for kind, all_ in made
            if 3 <= len(all_) <= MOST_OF_KIND and all(map(_readable, all_))
        )

    @cached_property
    def priced(self) -> tuple[RawPlace, ...]:
        """The places with a price level."""
        return tuple(one for one in self.places if _PRICE in one.tags)


def _readable(place: RawPlace) -> bool:
    text = place.tags.get("opening_hours")
    return text is None or read_week(text) is not None


@dataclass
class Draft:
    """A question before it has its words.

    Attributes:
        weekday: Of the day that is planned, from Monday = 0.
        places: All that a plan may contain, by id; the first is the start.
        some: Where places are to be chosen, their kind; None where they are told by name.
        budget: The limit is told as a span of time, not as a time of day.
    """

    bench: Bench
    weekday: int
    places: dict[str, RawPlace]
    constraints: list[Constraint]
    some: Kind | None = None
    budget: bool = False

    @property
    def world(self) -> World:
        """The places with their hours on the day, and the times between them."""
        places = tuple(self.known(one, self.weekday) for one in self.places.values())
        return World(places=places, travel_s=self._travel_s)

    @cached_property
    def _travel_s(self) -> dict[TravelMode, tuple[tuple[float | None, ...], ...]]:
        all_ = tuple(self.places.values())
        return {
            mode: tuple(tuple(self._leg_s(a, b, mode) for b in all_) for a in all_)
            for mode in sorted({one.mode for one in self.constraints if isinstance(one, Travels)})
        }

    def _leg_s(self, a: RawPlace, b: RawPlace, mode: TravelMode) -> float | None:
        if a.osm == b.osm:
            return 0.0
        way = self.bench.travel.way(a.point, b.point, mode.value)
        return None if way is None else round(way.duration_s, 1)

    def known(self, place: RawPlace, weekday: int) -> Known:
        """A place with its hours on a day and its level of prices."""
        text = place.tags.get("opening_hours")
        week = read_week(text) if text is not None else None
        spans = None
        if week is not None:
            span = week[weekday]
            spans = () if span is None else ((span[0] * 60.0, span[1] * 60.0),)
        price = place.tags.get(_PRICE)
        return Known(
            id=place.osm, name=place.name, open_s=spans, price_level=None if price is None else int(price)
        )

    @property
    def start(self) -> Begins:
        """Where and when the trip begins."""
        return next(one for one in self.constraints if isinstance(one, Begins))

    @property
    def visits(self) -> list[str]:
        """The places to be visited."""
        return [one.place for one in self.constraints if isinstance(one, Visits)]

    def soonest(self, share: float) -> Found:
        """The plan that is over soonest if travel takes this share of its time."""
        return soonest(self.constraints, scaled(self.world, share))

    def back(self) -> None:
        """The trip ends where it begins."""
        self.constraints.append(Ends(place=self.start.place))

    def limited(self) -> None:
        """The trip is over by a time that leaves some room."""
        found = self.soonest(SLOW)
        if found.plan is not None:
            room_s = self.bench.dice.choice((1, 2, 3)) * _STEP_S
            self.constraints.append(Over(by_s=ceil(found.finish_s / _STEP_S) * _STEP_S + room_s))

    def meeting(self) -> None:
        """One of the places is to be reached by a time that leaves some room."""
        place = self.bench.dice.choice(self.visits)
        found = self.soonest(SLOW)
        stay = found.plan.visit(place) if found.plan is not None else None
        if stay is not None:
            self.constraints.append(
                ReachedBy(place=place, by_s=ceil(stay.begin_s / _STEP_S) * _STEP_S + _STEP_S)
            )


def base(
    bench: Bench, count: int, mode: str = "", *, opened: int = 0, among: Sequence[RawPlace] | None = None
) -> Draft | None:
    """A draft with `count` places to visit, `opened` of them with stated hours; None if too few are near."""
    mode = mode or bench.dice.choice(tuple(COSTING))
    weekday = bench.dice.choice(WEEKDAYS)
    start = bench.dice.choice(bench.raw.unique)
    pool = bench.places if among is None else among
    near = [one for one in pool if one.osm != start.osm and 100 < start.rough_m(one) < SPREAD_M[mode]]
    stated = [one for one in near if "opening_hours" in one.tags]
    if len(stated) < opened or len(near) < count:
        return None
    chosen = bench.dice.sample(stated, opened)
    chosen += bench.dice.sample([one for one in near if one not in chosen], count - opened)
    at_s = bench.dice.randrange(17, 24) * 1800
    constraints: list[Constraint] = [
        Begins(place=start.osm, at_s=at_s),
        *(Visits(place=one.osm) for one in chosen),
        *(Stays(places=(one.osm,), least_s=bench.dice.choice(STAYS_MIN) * _MIN_S) for one in chosen),
        Travels(mode=TravelMode(mode)),
    ]
    draft = Draft(bench, weekday, {one.osm: one for one in (start, *chosen)}, constraints)
    if any("opening_hours" in one.tags for one in chosen):
        constraints.append(Open())
    return draft


def budget(bench: Bench) -> Draft | None:
    """A round trip within a span of time."""
    if draft := base(bench, bench.dice.choice((2, 3, 4))):
        draft.back()
        draft.limited()
        draft.budget = True
    return draft


def returns(bench: Bench) -> Draft | None:
    """A round trip, back by a time of day."""
    if draft := base(bench, bench.dice.choice((2, 3))):
        draft.back()
        draft.limited()
    return draft


def hours(bench: Bench) -> Draft | None:
    """Opening hours that a plan in some order would not keep."""
    if draft := base(bench, 3, opened=2):
        draft.back()
        told = [draft.known(one, draft.weekday).open_s for one in draft.places.values()]
        soon_s, late_s = draft.start.at_s + 2 * 3600, draft.start.at_s + 6 * 3600
        if not any(soon_s < opens or closes < late_s for spans in told for opens, closes in spans or ()):
            return None
    return draft


def order(bench: Bench) -> Draft | None:
    """A given order, of all or of two."""
    if draft := base(bench, bench.dice.choice((3, 4))):
        told = bench.dice.choice((2, len(draft.visits)))
        draft.constraints.append(InOrder(places=tuple(draft.visits[:told])))
        draft.back()
    return draft


def modes(bench: Bench) -> Draft | None:
    """One way by this mode, the others by that."""
    first, second = bench.dice.sample(tuple(COSTING), 2)
    if draft := base(bench, 3, "walking"):
        one, *others = draft.visits
        draft.constraints = [given for given in draft.constraints if not isinstance(given, Travels)]
        draft.constraints += [
            Travels(mode=TravelMode(first), to=(one,)),
            *(Travels(mode=TravelMode(second), to=(other,)) for other in others),
            InOrder(places=tuple(draft.visits)),
        ]
    return draft


def ends(bench: Bench) -> Draft | None:
    """Stays of different lengths, and an end elsewhere."""
    if draft := base(bench, 4):
        end = draft.visits[-1]
        draft.constraints = [one for one in draft.constraints if end not in _named(one)]
        draft.constraints.append(Ends(place=end))
    return draft


def excludes(bench: Bench) -> Draft | None:
    """A place of a kind, but not that one."""
    draft = base(bench, 2)
    if draft is None or not bench.kinds:
        return None
    kind, members = bench.dice.choice(bench.kinds)
    if any(kind.has(one) for one in draft.places.values()):
        return None
    draft.places |= {one.osm: one for one in members}
    draft.some = kind
    _choosing(draft, tuple(one.osm for one in members), 1, STAYS_MIN)
    named = [one.osm for one in members if one in bench.places]
    if not named:
        return None
    draft.constraints.append(Avoids(place=bench.dice.choice(named)))
    return draft


def choice(bench: Bench) -> Draft | None:
    """So many of these, and back in time."""
    if draft := base(bench, 5):
        _choosing(draft, tuple(draft.visits[1:]), 2, STAYS_MIN[:4])
        draft.limited()
    return draft


def spending(bench: Bench) -> Draft | None:
    """So many of these, some of which are too dear."""
    if draft := base(bench, 5, among=bench.priced):
        _choosing(draft, tuple(draft.visits[1:]), 2, STAYS_MIN[:4])
        most = bench.dice.choice((1, 2, 3))
        if all(int(one.tags.get(_PRICE, 0)) <= most for one in draft.places.values()):
            return None
        draft.constraints.append(Costs(most=most))
    return draft


def _choosing(draft: Draft, some: tuple[str, ...], least: int, stays_min: Sequence[int]) -> None:
    """So many of these places are visited instead of all, each for one time, and the trip ends where it begins."""
    draft.constraints = [one for one in draft.constraints if not set(some) & set(_named(one))]
    stay_s = draft.bench.dice.choice(stays_min) * _MIN_S
    draft.constraints += [VisitsSome(places=some, least=least), Stays(places=some, least_s=stay_s)]
    if Open() not in draft.constraints and any("opening_hours" in draft.places[one].tags for one in some):
        draft.constraints.append(Open())
    draft.back()


def latest(bench: Bench) -> Draft | None:
    """One of the places is to be reached in time."""
    if draft := base(bench, 3):
        draft.back()
        draft.meeting()
    return draft


def several(bench: Bench) -> Draft | None:
    """Nearly everything at once."""
    if draft := base(bench, 4, opened=1):
        draft.constraints.append(InOrder(places=tuple(draft.visits[:2])))
        draft.back()
        draft.meeting()
        draft.limited()
    return draft


def _named(constraint: Constraint) -> tuple[str, ...]:
    """The places to visit or stay at that a constraint is about."""
    if isinstance(constraint, Visits):
        return (constraint.place,)
    return constraint.places if isinstance(constraint, Stays) else ()


FAMILIES: dict[str, Callable[[Bench], Draft | None]] = {
    "budget": budget,
    "return": returns,
    "hours": hours,
    "order": order,
    "modes": modes,
    "ends": ends,
    "excludes": excludes,
    "choice": choice,
    "latest": latest,
    "several": several,
    "spending": spending,
}


def impossible(draft: Draft) -> bool:
    """Tightens a limit of a draft below what can be kept, or plans it for a day on which a place is closed.

    False if it has neither.
    """
    limits = [one for one in draft.constraints if isinstance(one, Over | ReachedBy)]
    if not limits:
        return _closed(draft)
    limit = draft.bench.dice.choice(limits)
    others: Sequence[Constraint] = [one for one in draft.constraints if one is not limit]
    if isinstance(limit, ReachedBy):  # even if one goes there first
        first = Visits(place=limit.place)
        others = [first, *(one for one in others if isinstance(one, Begins | Travels))]
    found = soonest(others, scaled(draft.world, FAST))
    if found.plan is None:
        return False
    early_s = floor((found.finish_s - draft.bench.dice.choice((15, 20, 30)) * _MIN_S) / 300) * 300.0
    draft.constraints[draft.constraints.index(limit)] = limit.model_copy(update={"by_s": early_s})
    return early_s > draft.start.at_s


def _closed(draft: Draft) -> bool:
    """Moves a draft to a day on which one of its places is closed."""
    days = [
        day
        for day in WEEKDAYS
        if any(draft.known(draft.places[one], day).open_s == () for one in draft.visits)
    ]
    if days:
        draft.weekday = draft.bench.dice.choice(days)
    return bool(days)
