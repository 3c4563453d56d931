"""Checks the claims of a solution the way verification does: apart from the solver that made them."""

from mapagent.answer import Solution
from modules.answer_generator.verify.facts import Facts
from modules.answer_generator.verify.objection import Objection
from modules.answer_generator.verify.rules import check_claim
from modules.view import View


def objections(view: View, solution: Solution) -> list[Objection]:
    """What verification objects to in the claims of a solution; empty if they all hold."""
    facts = Facts(view._evidence, view.question)
    return [objection for claim in solution.claims for objection in check_claim(claim, facts)]
