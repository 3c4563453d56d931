"""The plan that answers a wish."""

from mapagent.plan import Plan, Step
from modules.plans import solved_by
from modules.recommender.wish import Wish

MODULE = "recommender"
WISH, RERANK = "wish", "rerank"
"""Inputs of the recommending step: the wish as data, and whether a language model puts the best in order."""

BINDING, OTHER = 0.8, 0.5
"""How sure it is that a wish was understood: with every word explained, and otherwise. Of 3,737 questions of
MapQA, GS-QA and MapEval-Textual, which ask for other things, 5 are taken for a binding one; 2 of these do ask
for advice. How good a recommendation is to anybody's taste is measured on made-up wishes only."""


def confidence_in(wish: Wish) -> float:
    """0 to 1: how sure the reading of a question as this wish is."""
    return BINDING if wish.binding and not wish.untold else OTHER


def recommends(plan: Plan | None) -> bool:
    """True for a plan that recommends."""
    return plan is not None and any(step.module == MODULE for step in plan.steps)


def recommendation_plan(wish: Wish, *, rerank: bool = False) -> Plan:
    """Recommend, then verify and answer; the wish is part of the plan, so it can be read and edited.

    Args:
        wish: What is wanted.
        rerank: Whether a language model is to put the best candidates in order.
    """
    recommend = Step(
        id="recommend",
        subgoal=f"Recommend a place: {wish.what}, measured from {wish.measured_from}",
        module=MODULE,
        inputs={WISH: wish.model_dump(mode="json", exclude_defaults=True), RERANK: rerank},
    )
    return solved_by(recommend, "Verify the recommendation against the evidence")
