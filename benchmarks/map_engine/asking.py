"""Asks one engine everything, in a process of its own, and measures it; needs nothing but Python itself.

Engines that live in an environment of their own are asked by the same code.
"""

import json
import resource
import statistics
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

type Point = tuple[float, float]

CLOSE_SHARE, CLOSE_M = 0.01, 1.0
"""How much a distance may differ from the geodesic one: a projection or a sphere is no mistake."""


class Engine(Protocol):
    """A map engine under measurement; whatever it cannot do raises `NotImplementedError`."""

    def open(self) -> None:
        """Makes it ready to be asked."""
        ...

    def find(self, text: str) -> str | None:
        """The name of the place that fits a text best."""
        ...

    def nearby(self, center: Point, radius_m: float, tag: tuple[str, str], limit: int) -> list[float]:
        """Distances in metres of the nearest places with a tag, ascending."""
        ...

    def route(self, start: Point, end: Point) -> float | None:
        """Length in metres of the fastest way by car; None if there is none."""
        ...

    def matrix(self, stops: Sequence[Point]) -> int:
        """How many pairs of stops have a travel time by car."""
        ...

    def processor_s(self) -> float:
        """Processor time that it has taken so far, in all processes that work for it."""
        ...

    def close(self) -> None:
        """Frees what it holds."""
        ...


def ask(engine: Engine, tasks: dict[str, Any]) -> dict[str, float]:
    """The figures of one engine: times in milliseconds, memory in MB, shares right.

    `NAME ms` is the median wall time of a call, `NAME cpu ms` the mean processor time, `NAME right` the share
    of answers that agree with the truth.
    """
    figures = {
        "open s": _seconds(engine.open),
        "open cpu s": engine.processor_s(),
        "open memory MB": _peak_mb(),
    }
    tag = (str(tasks["tag"][0]), str(tasks["tag"][1]))
    radius_m, limit = float(tasks["radius_m"]), int(tasks["limit"])

    def nearest(at: Point) -> list[float]:
        return engine.nearby(at, radius_m, tag, limit)

    measured = partial(_measured, engine)
    figures |= measured("name", engine.find, [(name, name) for name in tasks["names"]], _same)
    figures |= measured("misspelt name", engine.find, tasks["misspelt"], _same)
    figures |= measured("nearby", nearest, tasks["centers"], _near)
    ways = [(way, way) for way in tasks["ways"]]
    figures |= measured("route", lambda way: engine.route(*way), ways, _is_way)
    stops = tasks["stops"]
    figures |= measured("matrix", engine.matrix, [(stops, len(stops) ** 2)] * 3, _same)
    figures["memory MB"] = _peak_mb()
    engine.close()
    return figures


def _measured(
    engine: Engine,
    name: str,
    call: Callable[[Any], Any],
    cases: Sequence[Sequence[Any]],
    right: Callable[[Any, Any], bool],
) -> dict[str, float]:
    """Figures of one kind of task, after one call to warm up; none where the engine cannot do it."""
    try:
        call(cases[0][0])
    except NotImplementedError:
        return {}
    answers, wall_ms, begin_s = [], [], engine.processor_s()
    for question, _ in cases:
        begin = perf_counter()
        answers.append(call(question))
        wall_ms.append((perf_counter() - begin) * 1000)
    spent_ms = (engine.processor_s() - begin_s) * 1000
    good = [right(answer, truth) for answer, (_, truth) in zip(answers, cases, strict=True)]
    return {
        f"{name} ms": statistics.median(wall_ms),
        f"{name} cpu ms": spent_ms / len(cases),
        f"{name} right": sum(good) / len(good),
    }


def _same(answer: object, truth: object) -> bool:
    return answer == truth


def _near(answer: list[float], truth: list[float]) -> bool:
    pairs = zip(answer, truth, strict=False)
    close = all(abs(one - other) <= max(CLOSE_M, CLOSE_SHARE * other) for one, other in pairs)
    return len(answer) == len(truth) and close


def _is_way(answer: float | None, _way: object) -> bool:
    return answer is not None and answer > 0


def _seconds(work: Callable[[], object]) -> float:
    begin = perf_counter()
    work()
    return perf_counter() - begin


def _peak_mb() -> float:
    """The most memory that this process has had so far (Linux counts in KiB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def answer_to(engine: Engine, folder: Path) -> None:
    """Asks an engine the tasks in a folder and prints the figures as one line of JSON."""
    tasks = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    sys.stdout.write(json.dumps(ask(engine, tasks)) + "\n")
