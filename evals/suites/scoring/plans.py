"""Day plans under hard constraints: whether a plan can be carried out, and which constraints it keeps.

A plan is judged by the travel times and opening hours that come with its question, number by number, with no code
of the program's planning: any plan can be judged, whoever made it. What is checked is at the level of
TravelPlanner (Xie et al. 2024, arXiv 2402.01622) and ChinaTravel (Shao et al. 2024, arXiv 2412.13682).

Times are seconds after midnight of the day that is planned. All ids are those of OpenStreetMap ("n123").
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, model_validator

from map_tools.types import Frozen, TravelMode

CLOCK_S = 60.0
"""Plans are told to the minute."""
LEG_SHARE = 0.05
"""A way may be planned shorter than the question has it by this share, or by `CLOCK_S`: routers differ so much."""

type Id = Annotated[str, Field(min_length=1)]
type Seconds = Annotated[float, Field(ge=0)]
type Span = tuple[Seconds, Seconds]


class Known(Frozen):
    """A place that a plan may contain.

    Attributes:
        name: Empty for one without.
        open_s: When it is open on the day; None if its hours are not stated.
        price_level: 0 (free) to 4 (very expensive); None if not stated.
    """

    id: Id
    name: str
    open_s: tuple[Span, ...] | None = None
    price_level: Annotated[int, Field(ge=0, le=4)] | None = None


class World(Frozen):
    """What plans are judged by.

    Attributes:
        travel_s: For each mode the times between all places, in their order; None where there is no way.
    """

    places: tuple[Known, ...]
    travel_s: Mapping[TravelMode, tuple[tuple[Seconds | None, ...], ...]]

    def at(self, place: str) -> Known | None:
        """The place with this id."""
        return next((one for one in self.places if one.id == place), None)

    def leg_s(self, before: str, after: str, mode: TravelMode) -> float | None:
        """Travel from one place to another; None if there is no way, or one of them is not known."""
        ids = [one.id for one in self.places]
        if mode not in self.travel_s or before not in ids or after not in ids:
            return None
        return self.travel_s[mode][ids.index(before)][ids.index(after)]


class Stay(Frozen):
    """A visit: when it begins (after waiting, if need be) and ends."""

    place: Id
    begin_s: float
    end_s: float


class Plan(Frozen):
    """A plan of a day.

    Attributes:
        start, end: Where it begins and ends, where that is not a visit of its own.
        modes: By which each place but the first is reached, the end among them.
    """

    start: Id | None = None
    stays: Annotated[tuple[Stay, ...], Field(min_length=1)]
    end: Id | None = None
    modes: tuple[TravelMode, ...]

    @model_validator(mode="after")
    def _reached(self) -> "Plan":
        if len(self.modes) != len(self.path) - 1:
            raise ValueError(
                f"{len(self.modes)} modes for {len(self.path)} places; each but the first has one"
            )
        return self

    @property
    def path(self) -> tuple[str, ...]:
        """All places in order."""
        places = (self.start, *(stay.place for stay in self.stays), self.end)
        return tuple(place for place in places if place is not None)

    def visit(self, place: str) -> Stay | None:
        """The visit of a place."""
        return next((stay for stay in self.stays if stay.place == place), None)

    def finish_s(self, world: World) -> float | None:
        """When it is over: with the last visit, or at the end that is travelled to."""
        if self.end is None:
            return self.stays[-1].end_s
        leg_s = world.leg_s(self.stays[-1].place, self.end, self.modes[-1])
        return None if leg_s is None else self.stays[-1].end_s + leg_s


def faults(plan: Plan, world: World) -> tuple[str, ...]:
    """Why a plan cannot be carried out, whatever was asked for; empty if it can."""
    return tuple(_faults(plan, world))


def _faults(plan: Plan, world: World) -> Iterator[str]:
    visited = [stay.place for stay in plan.stays]
    if len(set(visited)) < len(visited):
        yield "A place is visited twice."
    yield from (f"{place} is not known." for place in dict.fromkeys(plan.path) if world.at(place) is None)
    yield from (
        f"The visit of {stay.place} ends too early." for stay in plan.stays if stay.end_s < stay.begin_s
    )
    for (before, after), mode in zip(pairwise(plan.path), plan.modes, strict=True):
        if world.leg_s(before, after, mode) is None:
            yield f"There is no way from {before} to {after} by {mode}."
    between = plan.modes[plan.start is not None :]
    for (left, reached), mode in zip(pairwise(plan.stays), between, strict=False):
        leg_s = world.leg_s(left.place, reached.place, mode)
        if leg_s is not None and reached.begin_s < left.end_s + _least_s(leg_s):
            yield f"The time from {left.place} to {reached.place} is too short."


def _least_s(leg_s: float) -> float:
    """The shortest time that a way may be planned with."""
    return leg_s - max(CLOCK_S, LEG_SHARE * leg_s)


class Visits(Frozen):
    """This place is visited."""

    kind: Literal["visits"] = "visits"
    place: Id

    def kept(self, plan: Plan, world: World) -> bool:  # noqa: ARG002 (one protocol)
        """Whether a plan keeps it."""
        return plan.visit(self.place) is not None


class VisitsSome(Frozen):
    """So many of these places are visited."""

    kind: Literal["visits_some"] = "visits_some"
    places: Annotated[tuple[Id, ...], Field(min_length=1)]
    least: Annotated[int, Field(ge=1)] = 1

    def kept(self, plan: Plan, world: World) -> bool:  # noqa: ARG002
        """Whether a plan keeps it."""
        return sum(plan.visit(place) is not None for place in self.places) >= self.least


class Avoids(Frozen):
    """This place is not visited."""

    kind: Literal["avoids"] = "avoids"
    place: Id

    def kept(self, plan: Plan, world: World) -> bool:  # noqa: ARG002
        """Whether a plan keeps it."""
        return self.place not in plan.path


class Stays(Frozen):
    """One stays so long, at least, at each of these places that is visited; one of them is."""

    kind: Literal["stays"] = "stays"
    places: Annotated[tuple[Id, ...], Field(min_length=1)]
    least_s: Seconds

    def kept(self, plan: Plan, world: World) -> bool:  # noqa: ARG002
        """Whether a plan keeps it."""
        found = [stay for stay in plan.stays if stay.place in self.places]
        return bool(found) and all(one.end_s - one.begin_s >= self.least_s - CLOCK_S for one in found)


class InOrder(Frozen):
    """These places are visited one after the other, others between them or not."""

    kind: Literal["in_order"] = "in_order"
    places: Annotated[tuple[Id, ...], Field(min_length=2)]

    def kept(self, plan: Plan, world: World) -> bool:  # noqa: ARG002
        """Whether a plan keeps it."""
        return tuple(stay.place for stay in plan.stays if stay.place in self.places) == self.places


class Travels(Frozen):
    """One travels by this mode: always, or to these places."""

    kind: Literal["travels"] = "travels"
    mode: TravelMode
    to: tuple[Id, ...] = ()

    def kept(self, plan: Plan, world: World) -> bool:  # noqa: ARG002
        """Whether a plan keeps it."""
        reached = plan.path[1:]
        legs = [
            mode for place, mode in zip(reached, plan.modes, strict=True) if not self.to or place in self.to
        ]
        return bool(legs) and set(legs) == {self.mode} and set(self.to) <= set(reached)


class Begins(Frozen):
    """The trip begins at this place, and not before this time."""

    kind: Literal["begins"] = "begins"
    place: Id
    at_s: Seconds

    def kept(self, plan: Plan, world: World) -> bool:
        """Whether a plan keeps it."""
        if plan.start != self.place:
            return (
                plan.start is None
                and plan.path[0] == self.place
                and plan.stays[0].begin_s >= self.at_s - CLOCK_S
            )
        leg_s = world.leg_s(self.place, plan.stays[0].place, plan.modes[0])
        if leg_s is None:
            return False
        return plan.stays[0].begin_s >= self.at_s + _least_s(leg_s)


class Ends(Frozen):
    """The trip ends at this place."""

    kind: Literal["ends"] = "ends"
    place: Id

    def kept(self, plan: Plan, world: World) -> bool:  # noqa: ARG002
        """Whether a plan keeps it."""
        return plan.path[-1] == self.place and len(plan.path) > 1


class Over(Frozen):
    """The trip is over by this time, the way to its end too."""

    kind: Literal["over"] = "over"
    by_s: Seconds

    def kept(self, plan: Plan, world: World) -> bool:
        """Whether a plan keeps it."""
        finish_s = plan.finish_s(world)
        return finish_s is not None and finish_s <= self.by_s + CLOCK_S


class ReachedBy(Frozen):
    """The visit of this place begins by this time."""

    kind: Literal["reached_by"] = "reached_by"
    place: Id
    by_s: Seconds

    def kept(self, plan: Plan, world: World) -> bool:  # noqa: ARG002
        """Whether a plan keeps it."""
        stay = plan.visit(self.place)
        return stay is not None and stay.begin_s <= self.by_s + CLOCK_S


class Open(Frozen):
    """Every place with stated hours is open during the whole visit."""

    kind: Literal["open"] = "open"

    def kept(self, plan: Plan, world: World) -> bool:
        """Whether a plan keeps it."""
        return all(_open(stay, world.at(stay.place)) for stay in plan.stays)


class Costs(Frozen):
    """No place visited is dearer than this price level; one whose prices are not stated is not judged."""

    kind: Literal["costs"] = "costs"
    most: Annotated[int, Field(ge=0, le=4)]

    def kept(self, plan: Plan, world: World) -> bool:
        """Whether a plan keeps it."""
        known = [place for stay in plan.stays if (place := world.at(stay.place)) is not None]
        return all(place.price_level is None or place.price_level <= self.most for place in known)


def _open(stay: Stay, place: Known | None) -> bool:
    if place is None or place.open_s is None:
        return True
    return any(a - CLOCK_S <= stay.begin_s and stay.end_s <= b + CLOCK_S for a, b in place.open_s)


type Constraint = Annotated[
    Visits
    | VisitsSome
    | Avoids
    | Stays
    | InOrder
    | Travels
    | Begins
    | Ends
    | Over
    | ReachedBy
    | Open
    | Costs,
    Field(discriminator="kind"),
]
