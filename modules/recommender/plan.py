"""The plan that answers a wish."""

from mapagent.plan import Plan, Step
from modules.recommender.wish import Wish

MODULE = "recommender"

BINDING, OTHER = 0.8, 0.5
"""How sure it is that a question is a wish. Of 3,737 questions of MapQA, GS-QA and MapEval-Textual, which ask
for other things, none is taken for a binding one. How good a recommendation is to anybody's taste is not
measured."""


def confidence_in(wish: Wish) -> float:
    """0 to 1: how sure the reading of a question as this wish is."""
    return BINDING if wish.binding else OTHER


def recommendation_plan(wish: Wish) -> Plan:
    """Recommend, then verify and answer; the wish is part of the plan, so it can be read and edited."""
    recommend = Step(
        id="recommend",
        subgoal=f"Recommend a place: {wish.what}, measured from {wish.measured_from}",
        module=MODULE,
        inputs={"wish": wish.model_dump(mode="json", exclude_defaults=True)},
    )
    answer = Step(
        id="answer",
        subgoal="Verify the recommendation against the evidence",
        module="answer_generator",
        depends_on=(recommend.id,),
    )
    return Plan(steps=(recommend, answer))
