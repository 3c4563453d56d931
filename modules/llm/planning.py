"""Free plans: subgoals and modules for a question that no intent covers (MapAgent paper, section 3.3)."""

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from map_tools.errors import ConfigError, ModelReplyError, PlanError
from mapagent.plan import Plan, Step
from mapagent.planner import check_plan
from mapagent.plugins import Plugins
from mapagent.ports import Account
from mapagent.question import Question
from modules.llm.conversation import Conversation, Exchange
from modules.llm.quoting import asked_text
from modules.recommender.plan import recommends
from modules.spatial_database.loop_plan import thinks

PROMPT = "plan"
CALLS_AFTER = 2
"""A free plan still needs one call for the tools and one for the solution."""
MAX_STEPS = 8
READER, FETCHER = "context_reader", "map_service"
FOR_PICTURES = frozenset({"visual_place_recognizer", "picture_solver"})
"""Questions with a picture have the kernel's own plan."""


class Outline(BaseModel):
    """A plan as a model writes it."""

    model_config = ConfigDict(extra="forbid")

    class Goal(BaseModel):
        """One subgoal; `after` are the numbers of the steps it needs, from 1."""

        model_config = ConfigDict(extra="forbid")

        subgoal: str
        module: str
        after: list[int]

    steps: list[Goal] = Field(max_length=MAX_STEPS)

    def plan(self) -> Plan:
        """The outline as a plan; a number of no step becomes a step id of no step.

        All subgoals of the map service become one step: its agent makes their calls at once.
        """
        ids = [f"s{number}" for number in range(1, len(self.steps) + 1)]
        fetching = [number for number, goal in enumerate(self.steps) if goal.module == FETCHER]
        same = {ids[number]: ids[fetching[0]] for number in fetching}
        steps = [
            Step(
                id=ids[number],
                subgoal=goal.subgoal,
                module=goal.module,
                depends_on=_once(same.get(f"s{needed}", f"s{needed}") for needed in goal.after),
            )
            for number, goal in enumerate(self.steps)
        ]
        return Plan(steps=_merged(steps, fetching))


class FreePlanner:
    """Asks the model for a plan.

    Args:
        conversation: The model.
    """

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    async def plan(self, question: Question, account: Account) -> Plan | None:
        """A plan that can run; None if the model makes none, even told once what is wrong.

        The trace says why. The kernel's own plan is then used, as for questions with a picture.

        Raises:
            LimitError: A budget is spent.
            ModelError: The server cannot be reached or refuses.
        """
        if question.image is not None:
            return None
        inventory = modules_for(question)
        values = {"question": asked_text(question)}
        again: Exchange | None = None
        while self._conversation.calls_left(account) > CALLS_AFTER:
            try:
                outline = await self._conversation.ask(
                    PROMPT,
                    values,
                    Outline,
                    account=account,
                    again=again,
                    fixed={"modules": _listed(inventory)},
                    max_tokens=500,
                )
                plan = outline.plan()
                _check(plan, frozenset(inventory), question)
            except ModelReplyError as error:
                account.trace.event("plan.fallback", reason=error.message)
                return None
            except PlanError as error:
                account.trace.event("plan.refused", reason=str(error))
                again = Exchange(said=outline.model_dump_json(), told=str(error))
            else:
                return plan
        return None


def modules_for(question: Question) -> dict[str, str]:
    """The modules that can do something for this question, with what they are for."""
    useless = FOR_PICTURES | {READER if question.context is None else FETCHER}
    return {name: told for name, told in _inventory().items() if name not in useless}


@lru_cache(maxsize=1)
def _inventory() -> dict[str, str]:
    """All installed modules with their descriptions; one that lacks a package is left out."""
    plugins = Plugins("mapagent.modules", "module")
    inventory: dict[str, str] = {}
    for name in plugins.names():
        with suppress(ConfigError):
            module: Any = plugins.load(name)
            inventory[name] = str(module.description)
    return inventory


def _merged(steps: list[Step], numbers: list[int]) -> tuple[Step, ...]:
    """The steps with those of these numbers made one, which stands in the place of the first."""
    if len(numbers) < 2:
        return tuple(steps)
    parts = [steps[number] for number in numbers]
    first = parts[0]
    needed = _once(step for part in parts for step in part.depends_on if step != first.id)
    whole = first.model_copy(
        update={"subgoal": "; ".join(part.subgoal for part in parts), "depends_on": needed}
    )
    others = set(numbers[1:])
    return tuple(
        whole if step is first else step for number, step in enumerate(steps) if number not in others
    )


def _once(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))


def _listed(inventory: dict[str, str]) -> str:
    return "\n".join(f"- {name}: {told}" for name, told in inventory.items())


def _check(plan: Plan, modules: frozenset[str], question: Question) -> None:
    """Raises `PlanError` unless the plan can run, ends in an answer and gets facts from somewhere."""
    check_plan(plan, modules)
    if question.context is None and (recommends(plan) or thinks(plan)):
        return  # it fetches its own facts and brings the solution
    used = {step.module for step in plan.steps}
    source = READER if question.context is not None else FETCHER
    if source not in used:
        raise PlanError("The plan gets no facts.", f"Begin with a step of the module {source}.")
    if "solution_generator" not in used:
        raise PlanError("The plan works out no solution.", "Put a step of solution_generator before the end.")
