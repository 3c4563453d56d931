"""The tasks: trips of 3, 5 and 8 stops, ten places in detail, and a mixture; each with its right answer.

The right answers come from `evals.bench.agents.city`, not from a map tool.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evals.bench.agents.city import City, Spot
from evals.bench.agents.scripts import DetailsScript, Habit, QuickestScript, Script, WalkScript
from evals.ports import Task
from mapagent.question import Question

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
