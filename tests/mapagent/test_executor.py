"""The executor: order, parallelism, failures, deadlines, cancellation."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from mapagent.executor import Executor
from mapagent.no_reasoner import NoReasoner

from map_tools.clock import SystemClock
from map_tools.errors import PlaceNotFoundError
from map_tools.facts import FailureFact, NoteFact
from map_tools.tools.base import ToolContext
from mapagent.evidence import Source
from mapagent.ledger import Ledger, Limits
from mapagent.plan import Plan, Step
from mapagent.ports import Account, Run, StepResult, Understanding
from mapagent.question import Question
from mapagent.runstate import RunState
from mapagent.toolbox import ToolBox

Work = Callable[[Step, Run], Awaitable[StepResult]]


class Doing:
    """A module that does what it is given."""

    description = "a test module"

    def __init__(self, work: Work) -> None:
        self.name = "doing"
        self._work = work

    async def run(self, step: Step, run: Run) -> StepResult:
        return await self._work(step, run)


def state(limits: Limits | None = None) -> RunState:
    return RunState(
        question=Question(text="?"),
        reasoner=NoReasoner(),
        understanding=Understanding(),
        provider=None,
        tools=ToolBox(None, ToolContext()),
        clock=SystemClock(),
        account=Account(Ledger(limits or Limits())),
    )


def plan(*steps: tuple[str, str, tuple[str, ...]]) -> Plan:
    return Plan(
        steps=tuple(Step(id=name, subgoal=name, module=kind, depends_on=after) for name, kind, after in steps)
    )


async def note(step: Step, run: Run) -> StepResult:
    return StepResult(evidence=(run.evidence_of(step, NoteFact(text=step.id), Source(tool="test")),))


def test_independent_steps_run_at_once_and_evidence_keeps_the_plans_order() -> None:
    running: list[str] = []
    most = 0

    async def slow(step: Step, run: Run) -> StepResult:
        nonlocal most
        running.append(step.id)
        most = max(most, len(running))
        # the first of the plan finishes last
        await asyncio.sleep(0.03 if step.id == "a" else 0.01)
        running.remove(step.id)
        return await note(step, run)

    run = state()
    work = plan(("a", "slow", ()), ("b", "slow", ()), ("c", "slow", ()), ("d", "slow", ("a", "b", "c")))
    asyncio.run(Executor({"slow": Doing(slow)}).run(work, run))
    assert most == 3
    assert [item.id for item in run.evidence] == ["a.1", "b.1", "c.1", "d.1"]


def test_a_failing_step_becomes_evidence_and_the_rest_goes_on() -> None:
    async def fail(step: Step, run: Run) -> StepResult:
        raise PlaceNotFoundError("There is no 'Atlantis'.", "Check the name.")

    async def crash(step: Step, run: Run) -> StepResult:
        raise ZeroDivisionError("a defect")

    run = state()
    modules = {"fail": Doing(fail), "crash": Doing(crash), "note": Doing(note)}
    work = plan(("a", "fail", ()), ("b", "crash", ()), ("c", "note", ("a", "b")))
    asyncio.run(Executor(modules).run(work, run))
    first, second, third = (item.value for item in run.evidence)
    assert first == FailureFact(
        code="place_not_found", message="There is no 'Atlantis'.", remedy="Check the name."
    )
    assert isinstance(second, FailureFact)
    assert "ZeroDivisionError: a defect" in second.message
    assert third == NoteFact(text="c")


def test_past_the_deadline_the_run_ends_with_what_it_has() -> None:
    async def endless(step: Step, run: Run) -> StepResult:
        await asyncio.sleep(60)
        return StepResult()

    run = state(Limits(deadline_s=0.05))
    modules = {"endless": Doing(endless), "note": Doing(note)}
    asyncio.run(Executor(modules).run(plan(("a", "endless", ()), ("b", "note", ("a",))), run))
    failure, kept = (item.value for item in run.evidence)
    assert isinstance(failure, FailureFact)
    assert (failure.code, "0.05 s" in failure.message) == ("limit", True)
    assert kept == NoteFact(text="b")


def test_a_module_that_gives_up_by_itself_does_not_speak_for_the_deadline() -> None:
    async def impatient(step: Step, run: Run) -> StepResult:
        async with asyncio.timeout(0.01):
            await asyncio.Event().wait()
        return StepResult()

    run = state()
    asyncio.run(Executor({"impatient": Doing(impatient)}).run(plan(("a", "impatient", ())), run))
    (failure,) = (item.value for item in run.evidence)
    assert isinstance(failure, FailureFact)
    assert (failure.code, "TimeoutError" in failure.message) == ("module", True)
    assert not run.out_of_time


def test_cancellation_goes_through_and_leaves_no_task_behind() -> None:
    stopped: list[str] = []

    async def endless(step: Step, run: Run) -> StepResult:
        try:
            await asyncio.sleep(60)
        finally:
            stopped.append(step.id)
        return StepResult()

    async def main() -> int:
        work = plan(("a", "endless", ()), ("b", "endless", ()))
        task = asyncio.create_task(Executor({"endless": Doing(endless)}).run(work, state()))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return len(asyncio.all_tasks())

    assert asyncio.run(main()) == 1
    assert sorted(stopped) == ["a", "b"]
