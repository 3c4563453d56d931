"""Wishes for a recommendation, which go to the recommender whoever understands them."""

from map_tools.errors import ModelReplyError
from mapagent.ports import Account, NameHints, Understanding
from mapagent.question import Question
from modules.llm.conversation import Conversation
from modules.offline.parser import parse_all
from modules.recommender.model_reading import WishReader
from modules.recommender.plan import confidence_in, recommendation_plan
from modules.recommender.understand import seeks_advice, understand
from modules.recommender.wish import Wish

EXPLAINED = 0.95
"""Score of an embedded reading that leaves next to no word unexplained (`modules.offline.ranking`)."""


def is_wish(question: Question, names: NameHints | None) -> bool:
    """True for a wish that no other reading heeds, whoever is to understand it."""
    wish = understand(question, names)
    return wish is not None and wish.binding


class WishPlanner:
    """Plans recommendations; a language model puts the best candidates in order.

    A wish that the vocabularies leave no doubt about is read without a call. The model reads what asks for
    advice in other words, unless exact grammar explains the whole of it as another kind of question.

    Args:
        conversation: The model.
        always: Have the model read every wish.
    """

    def __init__(self, conversation: Conversation, *, always: bool = False) -> None:
        self._reader = WishReader(conversation)
        self._always = always

    async def understanding(
        self, question: Question, names: NameHints | None, account: Account
    ) -> Understanding | None:
        """The plan for a wish; None if the question is none.

        Raises:
            LimitError: A budget is spent.
            ModelError: The server cannot be reached or refuses.
        """
        wish = understand(question, names)
        sure = wish is not None and wish.binding and not wish.untold
        if self._always and (sure or seeks_advice(question)):
            wish = await self._read(question, names, account) or wish
        elif not sure and (wish is not None or seeks_advice(question)):
            best = parse_all(question, names).best
            if best is not None and best.score >= EXPLAINED:
                return None
            wish = await self._read(question, names, account) or wish
        if wish is None:
            return None
        return Understanding(plan=recommendation_plan(wish, rerank=True), confidence=confidence_in(wish))

    async def _read(self, question: Question, names: NameHints | None, account: Account) -> Wish | None:
        try:
            return await self._reader.read(question, names, account)
        except ModelReplyError as error:
            account.trace.event("wish.refused", reason=error.message)
            return None
