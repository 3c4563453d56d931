"""What an answer gives to see beyond its places: the trip that was planned, and the shapes the program made."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from map_tools.compute.zone import local_zone
from map_tools.types import Shape
from mapagent.core.answer import Trip, TripLeg, TripVisit
from mapagent.core.ports import Run
from modules.query.interpreter.running import Outcome
from modules.query.interpreter.showing import rounded
from modules.query.situation import zone_of
from modules.query.values.moment import Moment
from modules.query.values.things import Finished, Items, Plan, Thing


def planned_trip(outcome: Outcome, run: Run, *, dated: bool) -> Trip | None:
    """The trip that an outcome speaks of; None if there is none, or none that can be made.

    It is the main value or a part; else the last one that the program has planned on the way, to say when it is
    over or how far it goes.

    Args:
        outcome: What the program came to.
        run: Its run, by which its times have a zone; else it is that of the trip's first place.
        dated: The day is one of the calendar; without it a weekday stands for any week's, and no times are told.
    """
    finished = outcome.finished
    given = (finished.value, *(value for _, value in finished.parts))
    # Plans within a lambda are those of other cases, such as each of several starts.
    on_the_way = (node.result for node in reversed(outcome.derivation) if not node.path)
    plan = next((one for one in (*given, *on_the_way) if isinstance(one, Plan) and one.feasible), None)
    return None if plan is None else _told(plan, zone_of(run), dated=dated)


def made_shapes(finished: Finished) -> Mapping[str, Shape]:
    """The areas and lines that a program has made and gives, by the ids of their places."""
    values = (finished.value, *(value for _, value in finished.parts))
    return {
        thing.id: Shape(kind="line" if thing.role == "line" else "area", wkt=thing.shape)
        for thing in _things(values)
        if thing.shape is not None
    }


def _things(values: Iterable[Any]) -> Iterator[Thing]:
    for value in values:
        if isinstance(value, Thing):
            yield value
        elif isinstance(value, Items):
            yield from _things(value)


def _told(plan: Plan, zone: str | None, *, dated: bool) -> Trip:
    first = plan.origin.place.location
    if zone is None and first is not None and plan.depart is not None:
        zone = local_zone(first)
    clock = None if zone is None else ZoneInfo(zone)
    return Trip(
        visits=tuple(
            TripVisit(
                place=stop.thing.place,
                begin=_at(stop.begin, clock) if dated else None,
                end=_at(stop.leave, clock) if dated else None,
            )
            for stop in plan.stops
        ),
        legs=tuple(
            TripLeg(origin=leg.origin.place, destination=leg.destination.place, mode=leg.mode)
            for leg in plan.legs
        ),
    )


def _at(moment: Moment | None, clock: ZoneInfo | None) -> datetime | None:
    """A time as it is shown: to the minute; None on no known day."""
    if moment is None or moment.any_day or moment.whole_day:
        return None
    return rounded(moment.at).replace(second=0, microsecond=0, tzinfo=clock)
