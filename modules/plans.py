"""Plans of modules that fetch their own facts and bring the solution, so that only the answer comes after."""

from mapagent.plan import Plan, Step


def solved_by(step: Step, check: str) -> Plan:
    """The step, then verification and answer.

    Args:
        step: What brings evidence and solution.
        check: Subgoal of the answer.
    """
    answer = Step(id="answer", subgoal=check, module="answer_generator", depends_on=(step.id,))
    return Plan(steps=(step, answer))
