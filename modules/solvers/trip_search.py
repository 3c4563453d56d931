"""Plans of a trip: the exact planner of `map_tools.compute.itinerary` over the facts of a question."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from map_tools.compute.itinerary import Itinerary, Problem, Stop, latest_departure, max_visits, simulate
from map_tools.compute.itinerary import best_order as planned_order
from map_tools.compute.quantities import format_duration
from map_tools.compute.trip_model import END, START, travel_of_table
from modules.offline.intents import Visit
from modules.solvers.route_facts import Leg
from modules.solvers.trip_case import TripCase, seconds_of
from modules.solvers.trip_hours import Windows, opening_s

type Table = Mapping[tuple[int, int], Leg]
"""The legs between stops, by their numbers; what is missing is no way."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned trip: all stops in order, start and end among them, with their times.

    Times are seconds after midnight; at the start and the end one does not stay. `begin_s` is when a stay
    begins after waiting.
    """

    order: tuple[int, ...]
    arrive_s: tuple[float, ...]
    begin_s: tuple[float, ...]
    depart_s: tuple[float, ...]
    legs: tuple[Leg, ...]

    @property
    def start_s(self) -> float:
        """When the trip begins."""
        return self.arrive_s[0]

    @property
    def finish_s(self) -> float:
        """When the trip is over."""
        return self.depart_s[-1]

    @property
    def duration_s(self) -> float:
        """From begin to end."""
        return self.finish_s - self.start_s

    @property
    def travel_s(self) -> float:
        """Time on the way."""
        return sum(leg.duration_s for leg in self.legs)

    @property
    def visits(self) -> tuple[int, ...]:
        """The visits in order."""
        return tuple(stop for stop in self.order if stop >= 0)

    @property
    def evidence_ids(self) -> tuple[str, ...]:
        """What the legs rest on."""
        return tuple(dict.fromkeys(leg.evidence_id for leg in self.legs))

    def parts(self, *, last_stay: bool = True) -> list[str]:
        """Ways, waits and stays in order, each as a duration; without the last stay if it does not count."""
        shown: list[str] = []
        for position in range(len(self.order)):
            leg_s = self.legs[position - 1].duration_s if position else 0.0
            wait_s = self.begin_s[position] - self.arrive_s[position]
            stay_s = self.depart_s[position] - self.begin_s[position]
            if position == len(self.order) - 1 and not last_stay:
                wait_s = stay_s = 0.0
            shown += [format_duration(part) for part in (leg_s, wait_s, stay_s) if part]
        return shown

    def words(self, case: TripCase) -> str:
        """The plan in words: "Home → A 12 min, stay 20 min, → B 7 min"."""
        shown: list[str] = [case.words(self.order[0])]
        for position in range(len(self.order)):
            if position:
                name = case.words(self.order[position])
                shown.append(f"→ {name} {format_duration(self.legs[position - 1].duration_s)}")
            if (wait_s := self.begin_s[position] - self.arrive_s[position]) > 0:
                shown.append(f"wait {format_duration(wait_s)}")
            if (stay_s := self.depart_s[position] - self.begin_s[position]) > 0:
                shown.append(f"stay {format_duration(stay_s)}")
        return ", ".join(shown).replace(", →", " →", 1)

    def claim(self, case: TripCase) -> dict[str, Any]:
        """The arguments of the claim "itinerary": all parts whose sum is the end of the trip."""
        names = [case.name(stop) for stop in self.order]
        stays = zip(names, self.arrive_s, self.begin_s, self.depart_s, strict=True)
        rows = [(name, begin - arrive, depart - begin) for name, arrive, begin, depart in stays]
        return {
            "order": names,
            "start_s": self.start_s,
            "dwell": {name: stay for name, _, stay in rows if stay},
            "waits": {name: wait for name, wait, _ in rows if wait},
            "legs": [[leg.origin, leg.destination, leg.duration_s] for leg in self.legs],
        }


def claim_plan(case: TripCase, plan: Plan) -> None:
    """Claims a plan: its legs and stays add up to its end."""
    case.trail.claim("itinerary", plan.evidence_ids, plan.finish_s, **plan.claim(case))
    for leg in plan.legs:
        if leg.turned:
            case.trail.warn(
                f"Only the way from {leg.destination} to {leg.origin} is at hand; its time was used."
            )


def table_of(order: Sequence[int], legs: Sequence[Leg]) -> dict[tuple[int, int], Leg]:
    """The legs of a fixed order as a table."""
    return dict(zip(pairwise(order), legs, strict=True))


def problem_of(
    case: TripCase,
    table: Table,
    windows: Sequence[Windows | None],
    begin_s: float,
    *,
    deadline_s: float | None = None,
    order: tuple[int, ...] | None = None,
) -> Problem:
    """The trip as the planner takes it."""
    stops = tuple(
        Stop(
            name=case.name(number),
            dwell_s=visit.dwell_s,
            windows=windows[number],
            arrive_by_s=_arrive_by_s(visit, windows[number]),
            not_before_s=None if visit.not_before is None else seconds_of(visit.not_before),
        )
        for number, visit in enumerate(case.visits)
    )
    return Problem(
        stops=stops,
        travel=travel_of_table({pair: leg.duration_s for pair, leg in table.items()}),
        start_s=begin_s,
        has_start=bool(case.start),
        has_end=bool(case.end),
        deadline_s=deadline_s,
        order=order,
    )


def _arrive_by_s(visit: Visit, windows: Windows | None) -> float | None:
    """The latest arrival: the time stated, or when the place opens if one wants to be there by then."""
    if visit.arrive_by is not None:
        return seconds_of(visit.arrive_by)
    return opening_s(windows) if visit.at_opening and windows else None


def walk(problem: Problem, table: Table, order: Sequence[int]) -> Plan | None:
    """The plan of a fixed order of visits, as early as can be; None if a constraint forbids it."""
    found = simulate(problem, tuple(stop for stop in order if stop >= 0))
    return None if found is None else plan_of(problem, table, found)


def earliest(problem: Problem, table: Table) -> Plan | None:
    """The plan of all visits that is over first; None if there is none.

    Raises:
        LimitError: More stops than can be put in order.
    """
    found = planned_order(problem)
    return plan_of(problem, table, found) if isinstance(found, Itinerary) else None


def fullest(problem: Problem, table: Table, budget_s: float | None) -> Plan | None:
    """The plan with most visits; None if not even one fits.

    Raises:
        LimitError: More stops than can be put in order.
    """
    found = max_visits(problem, budget_s)
    return plan_of(problem, table, found) if found.stops else None


def latest(problem: Problem, table: Table, order: Sequence[int]) -> Plan | None:
    """The plan of a fixed order that begins as late as can be; None if nothing bounds it or none will do."""
    visits = tuple(stop for stop in order if stop >= 0)
    begin_s = latest_departure(problem, visits)
    if begin_s is None or math.isinf(begin_s):
        return None
    found = simulate(problem, visits, begin_s)
    return None if found is None else plan_of(problem, table, found)


def plan_of(problem: Problem, table: Table, found: Itinerary) -> Plan:
    """A planned trip with its start, its end and its legs."""
    stops = [(stop.index, stop.arrive_s, stop.start_s, stop.depart_s) for stop in found.stops]
    if problem.has_start:
        stops.insert(0, (START, found.start_s, found.start_s, found.start_s))
    if problem.has_end:
        stops.append((END, found.finish_s, found.finish_s, found.finish_s))
    order, arrive_s, begin_s, depart_s = zip(*stops, strict=True)
    legs = tuple(table[pair] for pair in pairwise(order))
    return Plan(order, arrive_s, begin_s, depart_s, legs)
