"""The plan that a program is: its statements as subgoals, each given to the module that owns its operator."""

from collections.abc import Mapping

from mapagent.core.plan import Plan, Step
from modules.query.language import syntax
from modules.query.operators.base import Operator
from modules.query.read_back import phrase_of

ANSWER = "answer"
COMPUTING = "solution_generator"
"""The module of statements that only compute with values that are there already."""


def plan_of(program: syntax.Program, operators: Mapping[str, Operator]) -> Plan:
    """The dataflow of a program as a plan."""
    known = {statement.name for statement in program.statements}
    steps = []
    for statement in program.statements:
        uses = [name for name in dict.fromkeys(syntax.names_in(statement.expr)) if name in known]
        steps.append(
            Step(
                id=statement.name or ANSWER,
                subgoal=statement.comment or phrase_of(statement.expr, operators),
                module=_owner(statement.expr, operators),
                depends_on=tuple(uses),
            )
        )
    return Plan(steps=tuple(steps))


def _owner(expr: syntax.Expr, operators: Mapping[str, Operator]) -> str:
    """The module of the outermost operator that is called."""
    for node in syntax.walk(expr):
        if isinstance(node, syntax.Call):
            return operators[node.operator].module
    return COMPUTING
