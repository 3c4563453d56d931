"""Runs tests over mutants: pytest collects once, and each mutant is tried in a fork of that process.

A fork costs milliseconds where a new pytest costs seconds, and nothing is written: a fork's own functions get the code
with the fault. Tests that never enter a mutant's function are left out, the quickest of the others come first, and the
first that fails ends it. A fault in what a module does when it is imported would need another import; none is made.
"""

import gc
import json
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from types import CodeType, FunctionType
from typing import Any, Self

import pytest

from benchmarks.mutants.faults import Function, Mutant

_SLOW_S = 2.0
"""Tests that take more processor time are left out, or a survivor would take minutes."""
_LEAST_S = 10.0
_TIMES = 5.0
"""A mutant may take this many times the processor time of its tests, and at least `_LEAST_S`."""
_WAITING_S = 1_200
"""What neither ends nor computes for so long hangs."""
_MEMORY_BYTES = 8 << 30
_MONITOR = sys.monitoring.COVERAGE_ID


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    ENDLESS = "endless"
    UNREACHED = "unreached"


@dataclass(frozen=True, slots=True)
class Trial:
    """A mutant and what became of it.

    Attributes:
        mutant: The mutant.
        fate: Whether a test failed, all passed, none ended in its time, or none enters the function.
        test: The test that failed.
    """

    mutant: Mutant
    fate: Fate
    test: str = ""


@dataclass(eq=False)
class Runner:
    """A pytest plug-in that runs the collected tests over mutants instead of once.

    Args:
        mutants: The mutants.
        warm: What is done once before, so that the forks need not.
        tell: Called with each trial as it ends.
    """

    mutants: Sequence[Mutant]
    warm: Sequence[Callable[[], object]] = ()
    tell: Callable[[Trial], None] = lambda _: None
    trials: list[Trial] = field(default_factory=list)
    _failed: bool = False
    _made: dict[Function, list[FunctionType]] = field(default_factory=dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notes a failure."""
        self._failed = self._failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Runs the tests without a fault, file by file, then those that matter over each mutant."""
        if session.testsfailed:
            return False  # pytest tells what cannot be read
        for prepare in self.warm:
            prepare()
        functions = list({one.function for one in self.mutants})
        self._made = _found(functions)
        gc.freeze()  # what is not collected is not copied into each fork
        reach = self._reach(session, functions)
        for mutant in self.mutants:
            trial = self._trial(mutant, reach[mutant.function])
            self.trials.append(trial)
            self.tell(trial)
        return True

    def _reach(
        self, session: pytest.Session, functions: Sequence[Function]
    ) -> dict[Function, list[tuple[float, pytest.Item]]]:
        """The tests that enter each function, and what each takes."""
        files = defaultdict[object, list[pytest.Item]](list)
        for item in session.items:
            files[item.path].append(item)
        reach: dict[Function, list[tuple[float, pytest.Item]]] = {one: [] for one in functions}
        for items in files.values():
            told = _in_fork(partial(self._watched, items, functions), _WAITING_S)
            if told is None:
                pytest.exit(f"{items[0].path.name} does not end, in a fork and without a fault.", 1)
            for item, (failed, duration_s, entered) in zip(items, told, strict=True):
                if failed:
                    pytest.exit(f"{item.nodeid} fails, in a fork and without a fault.", 1)
                for number in entered if duration_s <= _SLOW_S else ():
                    reach[functions[number]].append((duration_s, item))
        return reach

    def _watched(self, items: Sequence[pytest.Item], functions: Sequence[Function]) -> list[Any]:
        told = []
        with _Watch(functions) as watch:
            for item, following in _with_next(items):
                begin = time.process_time()
                watch.restart()
                self._run(item, following)
                told.append((self._failed, time.process_time() - begin, sorted(watch.entered)))
        return told

    def _run(self, item: pytest.Item, following: pytest.Item | None) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    def _trial(self, mutant: Mutant, reach: list[tuple[float, pytest.Item]]) -> Trial:
        if not reach:
            return Trial(mutant, Fate.UNREACHED)
        items = [item for _, item in sorted(reach, key=lambda one: one[0])]
        limit_s = max(_LEAST_S, _TIMES * sum(duration_s for duration_s, _ in reach))
        test = _in_fork(partial(self._killer, mutant, items), limit_s)
        if test is None:
            return Trial(mutant, Fate.ENDLESS)
        return Trial(mutant, Fate.KILLED if test else Fate.SURVIVED, test)

    def _killer(self, mutant: Mutant, items: Sequence[pytest.Item]) -> str:
        """The first test that fails with the fault, nothing if none does."""
        for function in self._made[mutant.function]:
            function.__code__ = mutant.code
        for item, following in _with_next(items):
            self._run(item, following)
            if self._failed:
                return item.nodeid
        return ""


def _found(functions: Sequence[Function]) -> dict[Function, list[FunctionType]]:
    """The function objects that were made of each, wherever they are referred to."""
    wanted = {(str(one.file), one.line, one.name): one for one in functions}
    found: dict[Function, list[FunctionType]] = {one: [] for one in functions}
    for made in gc.get_objects():
        if isinstance(made, FunctionType):
            code = made.__code__
            function = wanted.get((code.co_filename, code.co_firstlineno, code.co_qualname))
            if function is not None:
                found[function].append(made)
    return found


def _with_next(items: Sequence[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    return zip(items, [*items[1:], None], strict=True)


class _Watch:
    """Sees which functions are entered."""

    def __init__(self, functions: Iterable[Function]) -> None:
        self.entered: set[int] = set()
        self._numbers = {(str(one.file), one.line, one.name): number for number, one in enumerate(functions)}

    def __enter__(self) -> Self:
        sys.monitoring.use_tool_id(_MONITOR, "mutants")
        sys.monitoring.register_callback(_MONITOR, sys.monitoring.events.PY_START, self._start)
        sys.monitoring.set_events(_MONITOR, sys.monitoring.events.PY_START)
        return self

    def __exit__(self, *_: object) -> None:
        sys.monitoring.free_tool_id(_MONITOR)

    def restart(self) -> None:
        """Forgets what was entered."""
        self.entered.clear()
        sys.monitoring.restart_events()

    def _start(self, code: CodeType, _offset: int) -> object:
        number = self._numbers.get((code.co_filename, code.co_firstlineno, code.co_qualname))
        if number is not None:
            self.entered.add(number)
        return sys.monitoring.DISABLE


def _in_fork(work: Callable[[], Any], limit_s: float) -> Any:
    """What work comes to in a fork of this process; None if it needs more processor time than it may, or crashes."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _become_child(limit_s)
            with os.fdopen(writing, "wb") as stream:
                stream.write(json.dumps(work()).encode())
        finally:
            os._exit(0)  # whatever happened, the fork must not go on as the parent does
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        told = stream.read()
    os.waitpid(child, 0)
    return json.loads(told) if told else None


def _become_child(limit_s: float) -> None:
    """Nothing is printed, and what takes too long or too much ends."""
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    used_s = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(used_s + limit_s) + 1, int(used_s + limit_s) + 2))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    signal.alarm(_WAITING_S)
