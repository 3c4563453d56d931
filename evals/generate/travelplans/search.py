"""Whether some plan keeps a set of constraints, by trying all: every choice of stops in every order.

Travel times are stretched to be sure that there is a plan, and shortened to be sure that there is none. For one
order it is enough to do everything as early as it can be done: stays as short as asked, waiting where a place is
not open yet; no later plan keeps a limit that the earliest one misses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise, permutations, product

from evals.suites.scoring.plans import (
    Avoids,
    Begins,
    Constraint,
    Ends,
    Plan,
    Stay,
    Stays,
    Travels,
    Visits,
    VisitsSome,
    World,
    faults,
)
from map_tools.types import TravelMode

MOST_STOPS = 6
"""720 orders."""


@dataclass(frozen=True, slots=True)
class Found:
    """What all plans came to.

    Attributes:
        plan: The one that is over soonest of those that keep everything; None if none does.
        finish_s: When it is over.
        tried: How many choices and orders there are.
    """

    plan: Plan | None
    finish_s: float
    tried: int


def scaled(world: World, share: float) -> World:
    """The world with all travel times multiplied."""
    travel_s = {
        mode: tuple(tuple(None if leg is None else leg * share for leg in row) for row in rows)
        for mode, rows in world.travel_s.items()
    }
    return world.model_copy(update={"travel_s": travel_s})


def soonest(constraints: Sequence[Constraint], world: World) -> Found:
    """Tries all plans; the constraints hold a begin.

    Raises:
        ValueError: A plan has more than `MOST_STOPS` stops.
    """
    best, finish_s, tried = None, float("inf"), 0
    for stops in _choices(constraints):
        if len(stops) > MOST_STOPS:
            raise ValueError(f"{len(stops)} stops are too many to try all orders")
        for order in permutations(stops):
            tried += 1
            plan = earliest(order, constraints, world)
            over_s = plan.finish_s(world) if plan is not None else None
            if plan is None or over_s is None or over_s >= finish_s or faults(plan, world):
                continue
            if all(one.kept(plan, world) for one in constraints):
                best, finish_s = plan, over_s
    return Found(best, finish_s, tried)


def _choices(constraints: Sequence[Constraint]) -> Iterator[tuple[str, ...]]:
    """The sets of stops that hold what is asked for and nothing else."""
    given = [one.place for one in constraints if isinstance(one, Visits)]
    avoided = {one.place for one in constraints if isinstance(one, Avoids)}
    some = [combinations(one.places, one.least) for one in constraints if isinstance(one, VisitsSome)]
    for chosen in product(*some):
        stops = dict.fromkeys(chain(given, *chosen))
        if not avoided & stops.keys():
            yield tuple(stops)


def earliest(order: Sequence[str], constraints: Sequence[Constraint], world: World) -> Plan | None:
    """The plan that makes these stops in this order as early as can be; None if it cannot be made at all."""
    begins = next(one for one in constraints if isinstance(one, Begins))
    end = next((one.place for one in constraints if isinstance(one, Ends)), None)
    path = (begins.place, *order, *(() if end is None else (end,)))
    modes = tuple(_mode(place, constraints) for place in path[1:])
    clock_s = begins.at_s
    stays: list[Stay] = []
    for (before, after), mode in zip(pairwise(path), modes, strict=True):
        leg_s = world.leg_s(before, after, mode)
        if leg_s is None:
            return None
        clock_s += leg_s
        if len(stays) == len(order):
            break
        stay_s = max(
            (one.least_s for one in constraints if isinstance(one, Stays) and after in one.places),
            default=0.0,
        )
        place = world.at(after)
        spans = ((0.0, float("inf")),) if place is None or place.open_s is None else place.open_s
        fitting = [max(clock_s, opens) for opens, closes in spans if max(clock_s, opens) + stay_s <= closes]
        if not fitting:
            return None
        stays.append(Stay(place=after, begin_s=min(fitting), end_s=min(fitting) + stay_s))
        clock_s = stays[-1].end_s
    return Plan(start=begins.place, stays=tuple(stays), end=end, modes=modes)


def _mode(place: str, constraints: Sequence[Constraint]) -> TravelMode:
    """How one gets to a place: as is said of it, else as is said of all."""
    told = [one for one in constraints if isinstance(one, Travels)]
    return next(one.mode for one in sorted(told, key=lambda one: not one.to) if not one.to or place in one.to)
