"""The planner: a reasoner's understanding of a question becomes a checked plan."""

from map_tools.errors import PlanError
from mapagent.answer import Status
from mapagent.plan import Plan, Step
from mapagent.ports import Understanding
from mapagent.question import Question
from mapagent.trace import Trace

RECOGNIZER = "visual_place_recognizer"
PICTURE_SOLVER = "picture_solver"
"""The modules that a question with a picture needs."""


def default_plan(question: Question, understanding: Understanding, *, has_provider: bool) -> Plan:
    """The plan of the MapAgent paper (section 3.3): gather, order, solve, answer.

    Supplied text is read first; the map service then fetches what the text does not hold.
    """
    steps: list[Step] = []
    if question.image is not None:
        steps.append(Step(id="look", subgoal="Read the picture and find where it is", module=RECOGNIZER))
    if question.context:
        steps.append(
            Step(id="read", subgoal="Read the facts out of the supplied text", module="context_reader")
        )
    if has_provider and understanding.status is Status.ANSWERED:
        gather = Step(
            id="map",
            subgoal="Fetch the map facts the question needs",
            module="map_service",
            depends_on=tuple(step.id for step in steps),
        )
        steps.append(gather)
    order = Step(
        id="sequence",
        subgoal="Put the evidence in order and derive what follows from it",
        module="sequencer",
        depends_on=tuple(step.id for step in steps),
    )
    solve = Step(
        id="solve",
        subgoal="Work out the solution",
        module="solution_generator" if question.image is None else PICTURE_SOLVER,
        depends_on=(order.id,),
    )
    answer = Step(
        id="answer",
        subgoal="Match the options and verify the answer against the evidence",
        module="answer_generator",
        depends_on=(solve.id,),
    )
    return Plan(steps=(*steps, order, solve, answer))


def make_plan(
    question: Question,
    understanding: Understanding,
    *,
    has_provider: bool,
    modules: frozenset[str],
    trace: Trace,
) -> Plan:
    """The reasoner's own plan if it is valid, else the default plan (the trace says why)."""
    if understanding.plan is not None:
        try:
            check_plan(understanding.plan, modules)
        except PlanError as error:
            trace.event("plan.refused", reason=str(error))
        else:
            return understanding.plan
    plan = default_plan(question, understanding, has_provider=has_provider)
    check_plan(plan, modules)
    return plan


def check_plan(plan: Plan, modules: frozenset[str]) -> None:
    """Raises `PlanError` unless the plan can run and has an answer step."""
    plan.check(modules)
    if not any(step.module == "answer_generator" for step in plan.steps):
        raise PlanError("The plan has no answer step.", "End it with a step of the module answer_generator.")
