"""Scoring multiple choice with "unanswerable" as a further choice, as MapEval does."""

from evals.ports import Item, Score
from mapagent.answer import Answer


def score_choice(item: Item, answer: Answer) -> Score:
    """Right is the gold option, or a refusal where there is no answer.

    Anything that is neither an option nor a refusal is invalid and as bad as wrong (MapEval, Dihan et al.
    2025). A refusal where "unanswerable" was not offered counts as a refusal and is wrong.
    """
    index = answer.option_index
    refused = index is None and answer.unanswerable
    return Score(
        correct=(index is not None and index == item.gold) if item.answerable else refused,
        refused=refused,
        invalid=index is None and not refused,
    )
