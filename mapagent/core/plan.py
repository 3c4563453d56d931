"""A plan: which module carries out which subgoal, after which others.

Plans are data: printed, saved, edited, run again.
"""

from typing import Any

from pydantic import Field

from map_tools.errors import PlanError
from map_tools.types import Frozen


class Step(Frozen):
    """One subgoal and the module it is given to."""

    id: str
    subgoal: str
    module: str
    depends_on: tuple[str, ...] = ()
    inputs: dict[str, Any] = Field(default_factory=dict)


class Plan(Frozen):
    """A directed acyclic graph of steps."""

    steps: tuple[Step, ...]

    def check(self, modules: frozenset[str]) -> None:
        """Raises `PlanError` naming what is wrong if the plan cannot run with these modules."""
        ids = [step.id for step in self.steps]
        if not ids:
            raise PlanError("The plan has no steps.")
        if len(set(ids)) != len(ids):
            twice = next(step_id for step_id in ids if ids.count(step_id) > 1)
            raise PlanError(f"The plan has two steps with the id '{twice}'.", "Give each step its own id.")
        for step in self.steps:
            if step.module not in modules:
                known = ", ".join(sorted(modules))
                raise PlanError(
                    f"Step '{step.id}' names the unknown module '{step.module}'.", f"Known: {known}."
                )
            for needed in step.depends_on:
                if needed not in ids:
                    raise PlanError(f"Step '{step.id}' depends on '{needed}', which is not in the plan.")
        self.order()

    def order(self) -> tuple[Step, ...]:
        """The steps in an order that respects the dependencies; `PlanError` if they form a cycle."""
        done: set[str] = set()
        left = list(self.steps)
        ordered: list[Step] = []
        while left:
            ready = [step for step in left if done.issuperset(step.depends_on)]
            if not ready:
                names = ", ".join(step.id for step in left)
                raise PlanError(f"The steps {names} wait for each other.", "Remove the cycle.")
            ordered += ready
            done.update(step.id for step in ready)
            left = [step for step in left if step.id not in done]
        return tuple(ordered)
