"""The classes of queries about ways: what is drawn, the calls that answer it, and the right outcome.

No doubtful queries: places have names that no other place on the map has, ways take four minutes at least, no way is
shorter than the straight line, the best of several is clearly the best, and the nearest place is so on the ground and
on the way.
"""

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from itertools import pairwise

from evals.generate.gsqa.templates import UnfitError
from evals.generate.mobility.replies import MODES, Asked
from evals.generate.world import distance_m, fold, is_sayable
from evals.metrics.calls import Call
from evals.suites.mobility import UNANSWERABLE, Context
from evals.suites.scoring.rules import SLACK, Right
from map_tools.compute import route_steps
from map_tools.providers.base import Bounded, Provider
from map_tools.types import Avoid, MatrixCell, Place, Route, TravelMode

LEAST_S = 240.0
"""Shorter ways tell nothing that their tolerance does not hide."""
FARTHEST_M = 8_000.0
"""Places of a query are within this of its first one."""
CLEAR_SHARE, CLEAR_S = 0.2, 120.0
"""The best of several is quicker than the next by both."""
CLEAR_NEARER, CLEAR_NEARER_M = 0.88, 25.0
"""The nearest is at most this share of the next one's distance, and nearer by so many metres."""
AROUND_M = 5_000.0
CLOCK_MIN = 2.0
"""A clock may be off by this, or by `SLACK` of the duration it rests on, whichever is more."""
AVOIDED: Mapping[Avoid, str] = {Avoid.TOLLS: "toll", Avoid.MOTORWAYS: "highway", Avoid.FERRIES: "ferry"}
"""What may be avoided by car, with the feature of a route's words that shows it (`route_steps.FEATURES`)."""


@dataclass(frozen=True, slots=True)
class Words:
    """Vocabulary of the queries (`wordings.toml`).

    Attributes:
        moves: For each mode the words of the slots `move`, `by`, `moving`, and all that may name it in an answer.
        avoided, preferences: How what is avoided is said in a query, and as a preference.
        kinds: Kinds of places: category id and word.
        starts: Kinds of places, by category id, that ways begin and end at.
        nowhere: Names of places that exist nowhere.
    """

    moves: Mapping[TravelMode, Mapping[str, tuple[str, ...]]]
    avoided: Mapping[Avoid, str]
    preferences: Mapping[Avoid, str]
    kinds: tuple[tuple[str, str], ...]
    starts: tuple[str, ...]
    nowhere: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A query without its words; `wording` names the set of wordings it takes."""

    wording: str
    slots: Mapping[str, str]
    stops: Sequence[Place]
    calls: tuple[Call, ...] = ()
    outcome: tuple[Right, ...] = ()
    context: Context = field(default_factory=Context)
    choices: tuple[str, ...] = ()


class Bench:
    """Draws queries over one map.

    Args:
        provider: The map, which is asked without the agent.
        named: The places that queries may be about, all with a position.
    """

    def __init__(self, provider: Provider, named: Sequence[Place], dice: random.Random, words: Words) -> None:
        self.dice, self.words, self.provider = dice, words, provider
        self.asked = Asked(provider)
        self._named = named

    async def places(self, count: int) -> list[Place]:
        """So many places that can be spoken of by name, the others around the first one."""
        if len(self._named) < count:
            raise UnfitError("there are too few places with a name")
        drawn = self.dice.sample(self._named, count)
        if any(distance_m(point_of(drawn[0]), point_of(one)) > FARTHEST_M for one in drawn[1:]):
            raise UnfitError("the places lie too far apart")
        for one in drawn:
            found = await self.provider.find_place(one.name, limit=2)
            if [fold(other.place.name) for other in found].count(fold(one.name)) != 1:
                raise UnfitError("the name is not of one place alone")
        return drawn

    def mode(self) -> TravelMode:
        """A mode that the map has roads for."""
        return self.dice.choice([mode for mode in MODES if mode in self.provider.capabilities.modes])

    def move(self, mode: TravelMode) -> dict[str, str]:
        """The slots that say how one travels."""
        words = self.words.moves[mode]
        return {slot: self.dice.choice(words[slot]) for slot in ("move", "by")}

    async def legs(self, stops: Sequence[Place], mode: TravelMode) -> list[MatrixCell]:
        """Travel from each stop to the next."""
        different = list({stop.id: stop for stop in stops}.values())
        cells = await self.asked.times(different, mode)
        return [_sound(cells.get((a.id, b.id)), a, b) for a, b in pairwise(stops)]


def _sound(cell: MatrixCell | None, a: Place, b: Place) -> MatrixCell:
    """The cell, if it is matter for a query."""
    if cell is None or cell.duration_s is None or cell.distance_m is None or cell.ferry:
        raise UnfitError("there is no way, or it goes by a ferry's timetable")
    if cell.duration_s < LEAST_S or cell.distance_m < distance_m(point_of(a), point_of(b)):
        raise UnfitError("the way is too short, or does not begin or end at the place")
    return cell


def point_of(place: Place) -> tuple[float, float]:
    """Latitude and longitude; `UnfitError` if it has none."""
    if place.location is None:
        raise UnfitError("a place has no position")
    return place.location.lat, place.location.lng


def total_s(legs: Sequence[MatrixCell]) -> float:
    """The time of all legs together."""
    return sum(leg.duration_s or 0.0 for leg in legs)


def route(origin: str, destination: str, mode: TravelMode, **more: object) -> Call:
    """A gold call of the tool Route."""
    told = {"origin": origin, "destination": destination, "travel_mode": mode.value, **more}
    return Call(tool="Route", parameters=told)


def minutes(seconds: float) -> Right:
    """The outcome that is a duration."""
    return Right(minutes=round(seconds / 60, 2))


async def named_places(provider: Bounded, kinds: Sequence[str]) -> list[Place]:
    """The places of these kinds that a sentence can speak of, in the order of their ids."""
    found = await provider.everywhere(categories=tuple(kinds))
    spoken = (one for one in found if one.location is not None and is_sayable(one.name))
    return sorted(spoken, key=lambda one: one.id)


def _called(name: str) -> tuple[str, ...]:
    """The name with and without its article."""
    return tuple(dict.fromkeys((name, name.removeprefix("The "))))


async def duration(bench: Bench) -> Draft:
    """How long one way takes."""
    (a, b), mode = await bench.places(2), bench.mode()
    (leg,) = await bench.legs((a, b), mode)
    slots = {"a": a.name, "b": b.name, **bench.move(mode)}
    return Draft("duration", slots, (a, b), (route(a.name, b.name, mode),), (minutes(total_s([leg])),))


async def length(bench: Bench) -> Draft:
    """How long one way is."""
    (a, b), mode = await bench.places(2), bench.mode()
    (leg,) = await bench.legs((a, b), mode)
    slots = {"a": a.name, "b": b.name, **bench.move(mode)}
    outcome = (Right(metres=round(leg.distance_m or 0.0)),)
    return Draft("length", slots, (a, b), (route(a.name, b.name, mode),), outcome)


async def from_here(bench: Bench) -> Draft:
    """How long the way from the asker's position takes."""
    (a, b), mode = await bench.places(2), bench.mode()
    (leg,) = await bench.legs((a, b), mode)
    slots, calls = {"b": b.name, **bench.move(mode)}, (route("here", b.name, mode),)
    context = Context(position=a.location)
    return Draft("from_here", slots, (a, b), calls, (minutes(total_s([leg])),), context)


async def avoiding(bench: Bench) -> Draft:
    """How long a drive takes that does without something, as the query says."""
    a, b, avoid, without = await _detour(bench)
    slots = {"a": a.name, "b": b.name, "avoided": bench.words.avoided[avoid]}
    return Draft("avoiding", slots, (a, b), (_without(a, b, avoid),), (minutes(without.duration_s or 0.0),))


async def preferring(bench: Bench) -> Draft:
    """The same, as the asker's preferences say."""
    a, b, avoid, without = await _detour(bench)
    context = Context(preferences=(bench.words.preferences[avoid],))
    slots = {"a": a.name, "b": b.name, **bench.move(TravelMode.DRIVING)}
    outcome = (minutes(without.duration_s or 0.0),)
    return Draft("duration", slots, (a, b), (_without(a, b, avoid),), outcome, context)


def _without(a: Place, b: Place, avoid: Avoid) -> Call:
    return route(a.name, b.name, TravelMode.DRIVING, avoid=[avoid.value])


async def _detour(bench: Bench) -> tuple[Place, Place, Avoid, Route]:
    """Two places between which one clearly drives longer without something that the best way has."""
    (a, b), mode = await bench.places(2), TravelMode.DRIVING
    best = await bench.asked.ways((a, b), mode)
    had = [avoid for avoid in AVOIDED if best is not None and _has(best, avoid)]
    if not had:
        raise UnfitError("the way has nothing to avoid")
    avoid = bench.dice.choice(had)
    without = await bench.asked.ways((a, b), mode, (avoid,))
    if without is None or without.duration_s is None or _has(without, avoid):
        raise UnfitError("there is no way without it")
    (leg,) = await bench.legs((a, b), mode)
    if without.duration_s < total_s([leg]) * (1 + SLACK) + CLEAR_S:
        raise UnfitError("it makes no clear difference")
    return a, b, avoid, without


def _has(way: Route, avoid: Avoid) -> bool:
    feature = AVOIDED[avoid]
    return route_steps.has(way, feature) or any(feature in text.casefold() for text in way.warnings)


async def via(bench: Bench) -> Draft:
    """How long a way over another place takes."""
    (a, v, b), mode = await bench.places(3), bench.mode()
    legs = await bench.legs((a, v, b), mode)
    await bench.asked.ways((a, v, b), mode)
    slots = {"a": a.name, "b": b.name, "v": v.name, **bench.move(mode)}
    calls = (route(a.name, b.name, mode, waypoints=[v.name]),)
    return Draft("via", slots, (a, v, b), calls, (minutes(total_s(legs)),))


async def modes(bench: Bench) -> Draft:
    """Which of two modes is quicker."""
    a, b = await bench.places(2)
    first, second = bench.dice.sample(MODES, 2)
    took = {mode: total_s(await bench.legs((a, b), mode)) for mode in (first, second)}
    best, other = sorted(took, key=took.__getitem__)
    _clear(took[best], took[other])
    words = bench.words.moves
    slots = {"a": a.name, "b": b.name, "x": words[first]["move"][0], "y": words[second]["move"][0]}
    calls = (route(a.name, b.name, first), route(a.name, b.name, second))
    outcome = (Right(one_of=words[best]["named"], none_of=words[other]["named"]),)
    choices = (*words[first]["named"], *words[second]["named"])
    return Draft("modes", slots, (a, b), calls, outcome, choices=choices)


def _clear(best_s: float, next_s: float) -> None:
    if next_s < best_s * (1 + CLEAR_SHARE) or next_s < best_s + CLEAR_S:
        raise UnfitError("the best is not clearly the best")


async def nearest(bench: Bench) -> Draft:
    """How long the way to the nearest place of a kind takes."""
    a, b, what, mode, leg_s = await _nearest(bench)
    slots = {"a": a.name, "kind": what, **bench.move(mode)}
    return Draft("nearest", slots, (a, b), _there(a, b, what, mode), (minutes(leg_s),))


async def nearest_named(bench: Bench) -> Draft:
    """Which place of a kind is the nearest, and how long it takes there."""
    a, b, what, mode, leg_s = await _nearest(bench)
    slots = {"a": a.name, "kind": what, **bench.move(mode)}
    outcome = (Right(one_of=_called(b.name)), minutes(leg_s))
    return Draft("nearest_named", slots, (a, b), _there(a, b, what, mode), outcome)


def _there(a: Place, b: Place, what: str, mode: TravelMode) -> tuple[Call, ...]:
    search = Call(tool="Nearby", parameters={"query": what, "location": a.name})
    return search, route(a.name, b.name, mode).model_copy(update={"round": 2})


async def _nearest(bench: Bench) -> tuple[Place, Place, str, TravelMode, float]:
    (a,), mode = await bench.places(1), bench.mode()
    kind, what = bench.dice.choice(bench.words.kinds)
    found = await bench.asked.around(a, kind, what, AROUND_M, limit=6)
    if len(found) < 2 or not all(one.place.name and one.distance_m is not None for one in found):
        raise UnfitError("there are too few around, or some have no name")
    best, following = (one.distance_m or 0.0 for one in found[:2])
    if best > CLEAR_NEARER * following or best > following - CLEAR_NEARER_M:
        raise UnfitError("the nearest is not clearly the nearest")
    cells = await bench.asked.times((a, *(one.place for one in found)), mode)
    near = found[0].place
    leg_s = total_s([_sound(cells.get((a.id, near.id)), a, near)])
    others = [cells.get((a.id, one.place.id)) for one in found[1:]]
    if any(cell is not None and (cell.duration_s or 0.0) < leg_s for cell in others):
        raise UnfitError("another one is reached sooner")
    return a, near, what, mode, leg_s


async def arrival(bench: Bench) -> Draft:
    """When one arrives who leaves at a time."""
    return await _clocked(bench, "arrival", 1)


async def departure(bench: Bench) -> Draft:
    """When one has to leave to be there at a time."""
    return await _clocked(bench, "departure", -1)


async def leaving_now(bench: Bench) -> Draft:
    """When one arrives who leaves at the moment of asking."""
    return await _clocked(bench, "leaving_now", 1)


async def _clocked(bench: Bench, wording: str, sign: int) -> Draft:
    (a, b), mode = await bench.places(2), bench.mode()
    leg_s = total_s(await bench.legs((a, b), mode))
    day, hour, minute = (
        bench.dice.randint(2, 27),
        bench.dice.randint(9, 19),
        bench.dice.choice((0, 15, 30, 45)),
    )
    given = datetime.fromisoformat(f"2026-11-{day:02d}T{hour:02d}:{minute:02d}")
    found = (given + sign * timedelta(seconds=leg_s) + timedelta(seconds=30)).time()
    slots = {"a": a.name, "b": b.name, "clock": f"{given:%H:%M}", **bench.move(mode)}
    context = Context(moment=given) if wording == "leaving_now" else Context()
    within = max(CLOCK_MIN, round(SLACK * leg_s / 60, 1))
    outcome = (Right(clock=time(found.hour, found.minute), within=within),)
    return Draft(wording, slots, (a, b), (route(a.name, b.name, mode),), outcome, context)


async def back(bench: Bench) -> Draft:
    """How long it takes there and back."""
    (a, b), mode = await bench.places(2), bench.mode()
    legs = await bench.legs((a, b, a), mode)
    calls = (route(a.name, b.name, mode), route(b.name, a.name, mode))
    slots = {"a": a.name, "b": b.name, **bench.move(mode)}
    return Draft("back", slots, (a, b), calls, (minutes(total_s(legs)),))


async def loop(bench: Bench) -> Draft:
    """How long a round over two places takes."""
    (a, b, c), mode = await bench.places(3), bench.mode()
    stops = (a, b, c, a)
    legs = await bench.legs(stops, mode)
    calls = tuple(route(one.name, other.name, mode) for one, other in pairwise(stops))
    slots = {"a": a.name, "b": b.name, "c": c.name, **bench.move(mode)}
    return Draft("loop", slots, (a, b, c), calls, (minutes(total_s(legs)),))


async def choice(bench: Bench) -> Draft:
    """Which of three places is reached soonest."""
    (a, *three), mode = await bench.places(4), bench.mode()
    cells = await bench.asked.times((a, *three), mode)
    took = sorted((total_s([_sound(cells.get((a.id, one.id)), a, one)]), one.name) for one in three)
    _clear(took[0][0], took[1][0])
    names = [one.name for one in three]
    told = {"current_location": a.name, "origins": [a.name], "visiting_places": names}
    calls = (Call(tool="Trip", parameters={**told, "travel_mode": mode.value}),)
    slots = {"a": a.name, **dict(zip("bcd", names, strict=True)), **bench.move(mode)}
    outcome = (Right(one_of=_called(took[0][1]), none_of=tuple(name for _, name in took[1:])),)
    return Draft("choice", slots, (a, *three), calls, outcome, choices=tuple(names))


async def nowhere(bench: Bench) -> Draft:
    """The way to a place that is on no map."""
    (a,), mode = await bench.places(1), bench.mode()
    name = bench.dice.choice(bench.words.nowhere)
    await bench.asked.times((a,), mode)
    return Draft("duration", {"a": a.name, "b": name, **bench.move(mode)}, (a,))


async def no_timetable(bench: Bench) -> Draft:
    """The way by public transport, where no timetable is known."""
    if TravelMode.TRANSIT in bench.provider.capabilities.modes:
        raise UnfitError("the map has a timetable")
    a, b = await bench.places(2)
    await bench.legs((a, b), TravelMode.WALKING)
    return Draft("no_timetable", {"a": a.name, "b": b.name}, (a, b))


async def fare(bench: Bench) -> Draft:
    """What a way costs, which no map tells."""
    a, b = await bench.places(2)
    await bench.legs((a, b), TravelMode.DRIVING)
    return Draft("fare", {"a": a.name, "b": b.name}, (a, b))


type Family = Callable[[Bench], Awaitable[Draft]]

FAMILIES: Mapping[str, tuple[Family, ...]] = {
    "route": (duration, length, from_here),
    "preferences": (avoiding, preferring),
    "via": (via,),
    "modes": (modes,),
    "nearest": (nearest, nearest_named),
    "times": (arrival, departure, leaving_now),
    "round trip": (back, loop),
    "choice": (choice,),
    UNANSWERABLE: (nowhere, no_timetable, fare),
}
"""The classes, and what is asked in each by turns."""
