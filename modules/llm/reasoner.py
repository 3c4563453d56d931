"""The reasoner of a language model: it understands; solvers compute, verification checks what it says."""

from map_tools.errors import LimitError, ModelReplyError
from mapagent.answer import Solution, Status
from mapagent.config import Settings
from mapagent.evidence import Evidence
from mapagent.llm.chat import ChatModel
from mapagent.ports import Account, NameHints, ToolCall, Understanding
from mapagent.question import Question
from modules.llm.calling import ToolChooser
from modules.llm.conversation import Conversation, OversizeError
from modules.llm.drafting import Drafter
from modules.llm.planning import FreePlanner
from modules.llm.restating import Reading, Restater
from modules.llm.spatial_planning import SpatialPlanner
from modules.llm.wishing import WishPlanner, is_wish
from modules.reasoning import calls_of_intent, has_prose, solution_of_intent
from modules.recommender.setting import RecommenderSetting
from modules.spatial_database.loop_setting import LoopSetting

TRUST = 0.85
"""Share of the right among what was answered after restating, by a model of 1.5 billion parameters: 32 of 32
in `docs/results/model-smoke.md`, and 42 of 55 on the wordings of `modules.llm.restating`, where what it
restated was not yet checked."""
FREE_CONFIDENCE = 0.3
"""A free plan's answer is a model's reading of facts: verified, but not computed. Of the last four in
`docs/results/model-smoke.md` one was right, two were wrong, and one was refused."""


class LlmReasoner:
    """Understands map questions with a language model (`mapagent.ports.Reasoner`).

    A question is first restated in plain words, which makes an intent: from there on no model is needed. What
    fits no intent gets a free plan, tool calls of the model's choice and a drafted, verified solution.

    Args:
        conversation: The model behind its prompts.
        reads_wishes: Whether the model reads wishes that are understood without it, too.
        thinks: Whether the model thinks every question through step by step over the spatial database.
    """

    name = "llm"

    def __init__(
        self, conversation: Conversation, *, reads_wishes: bool = False, thinks: bool = False
    ) -> None:
        self._conversation = conversation
        self._thinks = thinks
        self._spatial = SpatialPlanner(always=thinks)
        self._wishes = WishPlanner(conversation, always=reads_wishes)
        self._restater = Restater(conversation)
        self._planner = FreePlanner(conversation)
        self._chooser = ToolChooser(conversation)
        self._drafter = Drafter(conversation)

    @classmethod
    def from_settings(cls, settings: Settings) -> "LlmReasoner":
        """The reasoner for the settings' model (`mapagent.ports.ReasonerFactory`).

        Raises:
            UsageError: The model needs a key, or its address is none.
        """
        from mapagent.llm.open import open_model

        reads_wishes = RecommenderSetting.of(settings).reading == "model"
        thinks = LoopSetting.of(settings).way == "loop"
        conversation = Conversation(open_model(settings), settings.prompts)
        return cls(conversation, reads_wishes=reads_wishes, thinks=thinks)

    @classmethod
    def of_model(cls, model: ChatModel) -> "LlmReasoner":
        """The reasoner for an open model."""
        return cls(Conversation(model))

    async def plan(self, question: Question, *, names: NameHints | None, account: Account) -> Understanding:
        """An intent, a free plan, or the reason why there is neither.

        Wishes ("somewhere cosy on the way") go to the recommender, questions over the whole map to the
        spatial database.

        Raises:
            ModelError: The server cannot be reached or refuses.
        """
        spatial = self._spatial.understanding(question, names)
        if spatial is not None and (self._thinks or not is_wish(question, names)):
            return spatial
        try:
            wish = await self._wishes.understanding(question, names, account)
            if wish is not None:
                return wish
            reading = await self._restater.read(question, names, account)
            if reading.outcome == "no_form":
                return await self._free(question, reading, account)
        except OversizeError as error:
            return Understanding(status=Status.NOT_UNDERSTOOD, confidence=0.0, reason=str(error))
        except LimitError as error:
            return Understanding(status=Status.LIMIT, confidence=0.0, reason=str(error))
        if reading.intent is None:
            return Understanding(status=Status.NOT_UNDERSTOOD, confidence=0.0, reason=reading.reason)
        return Understanding(intent=reading.intent, confidence=round(TRUST * reading.score, 4))

    async def next_calls(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        account: Account,
    ) -> tuple[ToolCall, ...]:
        """What the solver of the intent needs; for a free plan what the model chooses.

        Raises:
            ModelError: The server cannot be reached or refuses.
        """
        if understanding.intent is not None:
            return calls_of_intent(question, understanding, evidence)
        if understanding.status is not Status.ANSWERED:
            return ()
        try:
            return await self._chooser.calls(question, understanding.plan, evidence, account)
        except LimitError as error:
            account.trace.event("calls.limit", reason=str(error))
            return ()

    async def conclude(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        closed: bool,
        account: Account,
    ) -> Solution:
        """What the solver finds; what it cannot find in supplied text, or a free plan's answer, is drafted.

        Where exact code has looked through the facts and found no answer, words would be a guess, and so
        would an option: only prose that the reader of a supplied text made no fact of is worth a model's
        reading.

        Raises:
            ModelError: The server cannot be reached or refuses.
        """
        if understanding.status is not Status.ANSWERED:
            return Solution(status=understanding.status, reason=understanding.reason)
        if understanding.intent is None:
            return await self._drafter.solution(question, evidence, account)
        solution = solution_of_intent(question, understanding, evidence, closed=closed)
        if not closed or solution.status is not Status.UNANSWERABLE or not has_prose(evidence):
            return solution
        account.trace.event("draft.instead", reason=solution.reason)
        drafted = await self._drafter.solution(question, evidence, account)
        return drafted if drafted.status is Status.ANSWERED else solution

    async def close(self) -> None:
        """Frees the model's connections."""
        await self._conversation.close()

    async def _free(self, question: Question, reading: Reading, account: Account) -> Understanding:
        account.trace.event("plan.free", reason=reading.reason)
        try:
            plan = await self._planner.plan(question, account)
        except ModelReplyError as error:
            account.trace.event("plan.fallback", reason=error.message)
            plan = None
        return Understanding(plan=plan, confidence=FREE_CONFIDENCE, reason=reading.reason)
