"""The plan of a question that a language model thinks through over the whole map."""

from mapagent.plan import Plan, Step
from mapagent.question import Question
from modules.plans import solved_by
from modules.spatial_database.plan import CHECK, MODULE


def may_think(question: Question) -> bool:
    """True if the question brings no facts of its own: no text, no picture, no options that hold them."""
    return question.context is None and question.image is None and not question.options


def thinking_plan() -> Plan:
    """Ask the database step by step, then verify and answer."""
    think = Step(id="database", subgoal="Think it through with the spatial tools", module=MODULE)
    return solved_by(think, CHECK)


def thinks(plan: Plan | None) -> bool:
    """True if a step asks the spatial database, which fetches its own facts and brings the solution."""
    return plan is not None and any(step.module == MODULE for step in plan.steps)
