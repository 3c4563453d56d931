"""The solution in a model's words, read into a checked one (MapAgent paper, section 3.3 and appendix B).

The model is given the facts, computed ones among them, and settles on an answer. Its words are verified
against the evidence; it may mend them once. What the evidence does not support becomes "unanswerable" with
the reason.
"""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from map_tools.errors import LimitError, ModelReplyError
from map_tools.facts import ComputedFact, FailureFact
from mapagent.answer import Solution, Status
from mapagent.evidence import Evidence
from mapagent.ports import Account
from mapagent.question import Question
from modules.answer_generator.verify import Objection
from modules.answer_generator.verify.draft import check_draft
from modules.llm.conversation import Conversation, Exchange
from modules.llm.draft_value import Settled, settled
from modules.llm.facts_text import facts_text
from modules.llm.quoting import asked_text

OPEN_PROMPT, OPTIONS_PROMPT = "draft", "draft_options"
"""A small model answers an open question with a letter if it has seen one in an example."""
MAX_REASONING_CHARS = 1_200


class Draft(BaseModel):
    """A solution in words, and the answer it comes to."""

    model_config = ConfigDict(extra="forbid")

    reasoning: str = Field(max_length=MAX_REASONING_CHARS)
    answer: str = Field(max_length=400)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A draft, what it settles on, and what is wrong with it."""

    draft: Draft
    settled: Settled
    objections: tuple[Objection, ...]

    @property
    def rejected(self) -> str:
        """Why it must not be given, for the model and the user; empty if it may be."""
        return " ".join(one.message for one in self.objections if one.severity == "reject")


class Drafter:
    """Asks the model for the solution.

    Args:
        conversation: The model.
    """

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    async def solution(
        self, question: Question, evidence: tuple[Evidence, ...], account: Account
    ) -> Solution:
        """The model's verified solution; unanswerable, with the reason, where it has none that holds.

        A spent budget gives the status `LIMIT`.

        Raises:
            ModelError: The server cannot be reached or refuses.
        """
        if not any(_tells(item) for item in evidence):
            return _nothing(Status.UNANSWERABLE, _failures(evidence) or "No facts were found.")
        try:
            judged = await self._attempt(question, evidence, account, None)
            if judged.rejected and self._conversation.calls_left(account) > 0:
                account.trace.event("draft.refused", reason=judged.rejected)
                again = Exchange(said=judged.draft.model_dump_json(), told=judged.rejected)
                judged = await self._attempt(question, evidence, account, again)
        except LimitError as error:
            return _nothing(Status.LIMIT, str(error))
        except ModelReplyError as error:
            return _nothing(Status.UNANSWERABLE, error.message)
        return _solution(judged, evidence)

    async def _attempt(
        self, question: Question, evidence: tuple[Evidence, ...], account: Account, again: Exchange | None
    ) -> _Judged:
        prompt = OPTIONS_PROMPT if question.live_options() else OPEN_PROMPT
        values = {"question": asked_text(question)}
        room = self._conversation.room(prompt, values | {"facts": ""}, again)
        values["facts"] = facts_text(evidence, question, tokens=room)
        draft = await self._conversation.ask(prompt, values, Draft, account=account, again=again)
        found = settled(draft.answer, question, evidence)
        if found.value is None:
            return _Judged(draft, found, ())
        objections = (*check_draft(question, f"{draft.reasoning}\n{found.said}", evidence), *found.objections)
        return _Judged(draft, found, objections)


def _solution(judged: _Judged, evidence: tuple[Evidence, ...]) -> Solution:
    if judged.settled.value is None:
        reason = judged.settled.reason or judged.draft.reasoning
        return _nothing(Status.UNANSWERABLE, reason or "The facts do not hold the answer.")
    if judged.rejected:
        return _nothing(Status.UNANSWERABLE, judged.rejected)
    return Solution(
        status=Status.ANSWERED,
        value=judged.settled.value,
        explanation=judged.draft.reasoning,
        evidence_ids=tuple(item.id for item in evidence if item.id in judged.settled.evidence_ids),
        warnings=(
            "The answer is a language model's reading of the facts, not a computation.",
            *(one.message for one in judged.objections),
        ),
    )


def _nothing(status: Status, reason: str) -> Solution:
    return Solution(status=status, reason=reason)


def _tells(item: Evidence) -> bool:
    return not isinstance(item.value, FailureFact | ComputedFact)


def _failures(evidence: tuple[Evidence, ...]) -> str:
    return " ".join(
        dict.fromkeys(item.value.message for item in evidence if isinstance(item.value, FailureFact))
    )
