"""The executor: runs a plan's steps as soon as what they depend on is done."""

import asyncio
from collections.abc import Mapping

from map_tools.errors import LimitError, MapAgentError
from map_tools.facts import FailureFact
from mapagent.evidence import Source
from mapagent.ledger import Limits
from mapagent.plan import Plan, Step
from mapagent.ports import Module, StepResult
from mapagent.runstate import RunState

GRACE_S = 5.0
"""Time the steps after the deadline still get, to make the best of what is known."""


class Executor:
    """Runs plans with a set of modules."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self._modules = modules

    async def run(self, plan: Plan, run: RunState) -> None:
        """Runs the whole plan; results and failures are left in `run`.

        A step that fails is recorded as evidence and the steps after it still run. Cancellation goes through.
        """
        run.start(plan)
        tasks: dict[str, asyncio.Task[None]] = {}
        try:
            async with asyncio.TaskGroup() as group:
                for step in plan.order():
                    before = [tasks[needed] for needed in step.depends_on]
                    tasks[step.id] = group.create_task(self._step(step, run, before))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _step(self, step: Step, run: RunState, before: list[asyncio.Task[None]]) -> None:
        if before:
            await asyncio.wait(before)
        with run.account.trace.span("step", id=step.id, module=step.module, subgoal=step.subgoal):
            run.account.watcher.started(step)
            result = await self._guarded(step, run)
            run.finish(step, result)

    async def _guarded(self, step: Step, run: RunState) -> StepResult:
        """The module boundary: the one broad catch of the project. Failures become evidence."""
        module = self._modules[step.module]
        ledger = run.account.ledger
        deadline = asyncio.timeout(max(ledger.left_s, GRACE_S if run.out_of_time else 0.001))
        try:
            async with deadline:
                return await module.run(step, run)
        except MapAgentError as error:
            failure = FailureFact(code=error.code, message=error.message, remedy=error.remedy)
        except Exception as error:  # noqa: BLE001
            # A module may also give up waiting by itself, with the same error and with time left.
            run.out_of_time = run.out_of_time or deadline.expired()
            late = deadline.expired() and isinstance(error, TimeoutError)
            failure = _too_late(step, ledger.limits) if late else _broken(step, error)
        evidence = run.evidence_of(step, failure, Source(tool=step.module))
        run.account.trace.event("failure", code=failure.code, message=failure.message)
        return StepResult(evidence=(*run.partial(step), evidence))


def _too_late(step: Step, limits: Limits) -> FailureFact:
    return FailureFact(
        code=LimitError.code,
        message=f"The deadline of {limits.deadline_s:g} s passed during '{step.subgoal}'.",
        remedy="Raise deadline_s.",
    )


def _broken(step: Step, error: Exception) -> FailureFact:
    return FailureFact(
        code="module",
        message=f"The module '{step.module}' failed: {type(error).__name__}: {error}",
        remedy="See the trace; this is a defect of the module.",
    )
