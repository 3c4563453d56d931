"""A plan's wall time against its critical path."""

import asyncio
from time import perf_counter

from map_tools.clock import SystemClock
from map_tools.tools.base import ToolContext
from mapagent.executor import Executor
from mapagent.no_reasoner import NoReasoner
from mapagent.plan import Plan, Step
from mapagent.ports import Account, Run, StepResult, Understanding
from mapagent.question import Question
from mapagent.runstate import RunState
from mapagent.toolbox import ToolBox

DURATIONS_S = {"a": 0.10, "b": 0.05, "c": 0.08, "d": 0.12, "e": 0.04, "f": 0.06}
AFTER: dict[str, tuple[str, ...]] = {
    "a": (),
    "b": (),
    "c": ("a",),
    "d": ("b",),
    "e": ("c", "d"),
    "f": ("e",),
}


class Sleeper:
    """A module whose every step takes a known time."""

    name = "sleeper"
    description = "waits"

    async def run(self, step: Step, run: Run) -> StepResult:  # noqa: ARG002
        """Waits as long as the step's input says."""
        await asyncio.sleep(step.inputs["seconds"])
        return StepResult()


def critical_path_s() -> float:
    """The longest chain of the plan, by hand: a → c → e → f or b → d → e → f."""
    ends: dict[str, float] = {}
    for name, seconds in DURATIONS_S.items():
        ends[name] = seconds + max((ends[before] for before in AFTER[name]), default=0.0)
    return max(ends.values())


async def ratio() -> float:
    """Wall time of the plan divided by its critical path."""
    plan = Plan(
        steps=tuple(
            Step(id=name, subgoal=name, module="sleeper", depends_on=AFTER[name], inputs={"seconds": seconds})
            for name, seconds in DURATIONS_S.items()
        )
    )
    run = RunState(
        question=Question(text="?"),
        reasoner=NoReasoner(),
        understanding=Understanding(),
        provider=None,
        tools=ToolBox(None, ToolContext()),
        clock=SystemClock(),
        account=Account(),
    )
    start = perf_counter()
    await Executor({"sleeper": Sleeper()}).run(plan, run)
    return (perf_counter() - start) / critical_path_s()
