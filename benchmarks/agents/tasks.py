"""The invented city the agents are asked about, and their tasks, each with its right answer.

The tasks are trips of 3, 5 and 8 stops, ten places in detail, and a mixture.

Places and paces stand in `city.toml`. The world the map serves is made of them, and the right answers are
worked out from them by another way than the agents': from positions on the grid, without any map tool.
"""

import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise, permutations
from typing import Any

from benchmarks.agents.scripts import DetailsScript, Habit, QuickestScript, Script, WalkScript
from evals.ports import Task
from map_tools.providers.world import World, build_world
from map_tools.providers.world_file import FORMAT_NAME, FORMAT_VERSION, WorldFile
from mapagent.core.question import Question

METRES_PER_DEGREE = 111_195.0
"""Of latitude, on the sphere of radius 6,371,008.8 m (IUGG mean radius)."""
SUNDAY_HOURS = re.compile(r"Su (\d\d):(\d\d)-(\d\d):(\d\d)")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place: metres east and north of the first one, its kind, and its hours."""

    name: str
    kind: str
    east_m: float
    north_m: float
    hours: str

    @property
    def closes_on_sunday_min(self) -> int:
        """Minutes after midnight."""
        found = SUNDAY_HOURS.search(self.hours)
        if found is None:
            raise ValueError(f"'{self.name}' is closed on Sunday.")
        return int(found[3]) * 60 + int(found[4])


@dataclass(frozen=True, slots=True)
class City:
    """All places by name, and how fast people walk."""

    places: Mapping[str, Spot]
    pace_m_per_s: float
    origin: tuple[float, float]
    zone: str

    def walk_m(self, origin: str, destination: str) -> float:
        """The way along the grid."""
        a, b = self.places[origin], self.places[destination]
        return abs(a.east_m - b.east_m) + abs(a.north_m - b.north_m)

    def walk_s(self, origin: str, destination: str) -> float:
        """How long the way takes."""
        return self.walk_m(origin, destination) / self.pace_m_per_s

    def around(self, anchor: str, kind: str, radius_m: float) -> tuple[Spot, ...]:
        """The places of a kind in a circle, nearest first."""
        center = self.places[anchor]
        away = {
            spot.name: math.hypot(spot.east_m - center.east_m, spot.north_m - center.north_m)
            for spot in self.places.values()
            if spot.kind == kind
        }
        names = sorted(
            (name for name, metres in away.items() if metres <= radius_m), key=lambda name: away[name]
        )
        return tuple(self.places[name] for name in names)

    def world(self) -> World:
        """The city as a recorded world: every place, and the way between every two."""
        return build_world((WorldFile.model_validate(self._file()),))

    def _file(self) -> dict[str, Any]:
        """The form of `docs/recorded-world.md`."""
        spots = enumerate(self.places.values(), start=1)
        return {
            "format": FORMAT_NAME,
            "version": FORMAT_VERSION,
            "name": "invented city",
            "attribution": "invented",
            "places": [self._place(number, spot) for number, spot in spots],
            "routes": [self._way(*ends) for ends in permutations(self.places, 2)],
        }

    def _place(self, number: int, spot: Spot) -> dict[str, Any]:
        lat, lng = self.origin
        return {
            "name": spot.name,
            "categories": [spot.kind],
            "address": f"{number} Canal Street",
            "hours": spot.hours,
            "timezone": self.zone,
            "location": [
                round(lat + spot.north_m / METRES_PER_DEGREE, 7),
                round(lng + spot.east_m / (METRES_PER_DEGREE * math.cos(math.radians(lat))), 7),
            ],
        }

    def _way(self, origin: str, destination: str) -> dict[str, Any]:
        way = {
            "summary": "Canal Street",
            "distance": self.walk_m(origin, destination),
            "duration": self.walk_s(origin, destination),
        }
        return {"origin": origin, "destination": destination, "mode": "walking", "routes": [way]}


@lru_cache(maxsize=1)
def city() -> City:
    """The city of `city.toml`."""
    told = tomllib.loads(files(__package__).joinpath("city.toml").read_text(encoding="utf-8"))
    lat, lng = told["origin"]
    spots = (_spot(item) for item in told["places"])
    return City({spot.name: spot for spot in spots}, told["pace_m_per_s"], (lat, lng), told["zone"])


def _spot(item: dict[str, Any]) -> Spot:
    east_m, north_m = item["at"]
    return Spot(item["name"], item["kind"], east_m, north_m, item["hours"])


TRIPS = (3, 5, 8)
KIND = "cafe"
RADIUS_M = 700
OPEN_AT_MIN = 18 * 60
APART_MIN = 9
"""Minutes between the options of a trip: more than rounding each leg can make."""
LOOK_UP, MATRIX, LIST, DETAILS = 1, 1, 1, 1
"""Map calls that have to wait for one another, one after the other, on the shortest way to an answer."""


@dataclass(frozen=True, slots=True)
class AgentTask:
    """A task of the benchmark.

    Attributes:
        name: Short.
        task: What the agents are given.
        right: Index of the right option.
        habit: How the scripted model asks for several ways.
        script: How it solves the task.
        map_rounds: The longest chain of map calls of which each needs the one before it, however well an
            agent works; the rest can be made at once.
    """

    name: str
    task: Task
    right: int
    habit: Habit
    script: Script
    map_rounds: int


def agent_tasks(city: City, habit: Habit) -> Iterator[AgentTask]:
    """All tasks, for a model with this habit."""
    stops = tuple(name for name, spot in city.places.items() if spot.kind != KIND)
    for count in TRIPS:
        yield _walk(city, stops[: count + 1], habit)
    yield _last_to_close(city, stops[0], habit)
    yield _quickest(city, stops[0], habit)


def _walk(city: City, stops: tuple[str, ...], habit: Habit) -> AgentTask:
    first, second, *between, last = stops
    way = ", then to ".join((second, *between))
    text = f"I walk from {first} to {way} and then to {last}. How long does the walking take in total?"
    seconds = sum(city.walk_s(*leg) for leg in pairwise(stops))
    right_min = round(seconds / 60)
    minutes = [right_min + APART_MIN * step for step in (-1, 1, 0, 2)]
    totals = {f"{each} minutes": each for each in minutes}
    return AgentTask(
        name=f"trip of {len(stops) - 1} stops",
        task=_task(text, tuple(totals)),
        right=minutes.index(right_min),
        habit=habit,
        script=WalkScript(stops, habit, totals),
        map_rounds=LOOK_UP + MATRIX,
    )


def _last_to_close(city: City, anchor: str, habit: Habit) -> AgentTask:
    text = f"Which {KIND} within {RADIUS_M} m of {anchor} closes latest on Sunday?"
    spots = city.around(anchor, KIND, RADIUS_M)
    ranked = sorted(spots, key=lambda spot: -spot.closes_on_sunday_min)
    options = _names(ranked[:4])
    return AgentTask(
        name=f"nearby and details of {len(spots)}",
        task=_task(text, options),
        right=options.index(ranked[0].name),
        habit=habit,
        script=DetailsScript(anchor, KIND, RADIUS_M),
        map_rounds=LOOK_UP + LIST + DETAILS,
    )


def _quickest(city: City, anchor: str, habit: Habit) -> AgentTask:
    hour = OPEN_AT_MIN // 60 - 12
    text = (
        f"Which {KIND} open on Sunday at {hour} pm within {RADIUS_M} m of {anchor} takes the least time to "
        "walk to?"
    )
    spots = city.around(anchor, KIND, RADIUS_M)
    ranked = sorted(spots, key=lambda spot: city.walk_s(anchor, spot.name))
    still_open = [spot for spot in ranked if spot.closes_on_sunday_min > OPEN_AT_MIN]
    options = _names((*still_open[:2], *ranked[:2]))
    return AgentTask(
        name="mixed: list, details, ways",
        task=_task(text, options),
        right=options.index(still_open[0].name),
        habit=habit,
        script=QuickestScript(anchor, KIND, RADIUS_M, OPEN_AT_MIN, habit),
        map_rounds=LOOK_UP + LIST + DETAILS + MATRIX,
    )


def _names(spots: Sequence[Spot]) -> tuple[str, ...]:
    """Options in the order of the alphabet, which tells nothing."""
    return tuple(sorted(spot.name for spot in spots))


def _task(text: str, options: tuple[str, ...]) -> Task:
    return Task(question=Question(text=text, options=options))
