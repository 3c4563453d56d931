"""The cascade: the embedded reasoner answers what it understands, a language model the rest.

`--model cascade:NAME`. Most questions then cost nothing. Both write the same intents, so what is measured and
verified is the same on both paths; the trace says which one was taken, and why.
"""

from dataclasses import dataclass
from typing import Any

from map_tools.errors import ConfigError, ModelError, ModelReplyError
from mapagent.answer import Solution, Status
from mapagent.config import Settings
from mapagent.evidence import Evidence
from mapagent.ports import Account, Closable, NameHints, Reasoner, ToolCall, Understanding
from mapagent.question import Question
from modules.llm.faithful import unknown_places
from modules.llm.per_question import PerQuestion
from modules.offline.reasoner import OfflineReasoner
from modules.reasoning import has_prose, solution_of_intent
from modules.recommender.plan import recommends
from modules.spatial_database.loop_plan import thinks

DEFAULT_THRESHOLD = 0.75
"""Confidence from which the embedded reading is acted on; the setting `threshold` of `[modules.cascade]`.

Of 49 free wordings that it answered over the demo map, 38 of 45 were right from here on and 2 of 4 below; a
model of 1.5 billion parameters reads about three of four rightly.
"""


@dataclass(frozen=True, slots=True)
class _Course:
    """Kept once the model has been asked for a reading: the reading that was taken from it, if any."""

    taken: Understanding | None = None


class CascadeReasoner:
    """The embedded reasoner with a language model behind it (`mapagent.ports.Reasoner`).

    The model is asked where the embedded one does not understand, is not sure enough, takes words for a place
    that the map does not know, or finds that its question has no answer.

    Args:
        first: The embedded reasoner.
        second: The one behind it.
        threshold: 0 to 1.
    """

    name = "cascade"

    def __init__(self, first: Reasoner, second: Reasoner, *, threshold: float = DEFAULT_THRESHOLD) -> None:
        self._first = first
        self._second = second
        self._threshold = threshold
        self._courses: PerQuestion[_Course] = PerQuestion()

    @classmethod
    def from_settings(cls, settings: Settings) -> "CascadeReasoner":
        """The reasoner for "cascade:NAME" (`mapagent.ports.ReasonerFactory`).

        Raises:
            UsageError: NAME is missing or its model needs a key, or the threshold is none.
        """
        from modules.llm.reasoner import LlmReasoner

        if not settings.model.partition(":")[2]:
            raise ConfigError(f"The model '{settings.model}' names no model.", "Write it as cascade:NAME.")
        threshold = _threshold(settings.modules.get("cascade", {}).get("threshold", DEFAULT_THRESHOLD))
        return cls(
            OfflineReasoner.from_settings(settings), LlmReasoner.from_settings(settings), threshold=threshold
        )

    async def plan(self, question: Question, *, names: NameHints | None, account: Account) -> Understanding:
        """The embedded reading if it is sure enough, else the model's.

        Raises:
            ModelError: The model is needed, and its server cannot be reached or refuses.
        """
        embedded = await self._first.plan(question, names=names, account=account)
        doubt = self._doubt(embedded, names)
        if not doubt:
            self._told(account, embedded, path="embedded", reason="sure enough")
            return embedded
        return await self._handed_over(question, names, account, embedded, doubt)

    async def next_calls(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        account: Account,
    ) -> tuple[ToolCall, ...]:
        """The calls of the path taken; where the embedded reading proves wrong, the model reads anew.

        Raises:
            ModelError: The model chooses the calls, and its server cannot be reached or refuses.
        """
        taken = self._taken(account)
        if taken is None:
            calls = await self._first.next_calls(question, understanding, evidence, account=account)
            if calls or not _misread(question, understanding, evidence):
                return calls
            taken = await self._anew(question, understanding, evidence, account)
            if taken is None:
                return ()
        return await self._second.next_calls(
            question, _timed(taken, understanding), evidence, account=account
        )

    async def conclude(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        *,
        closed: bool,
        account: Account,
    ) -> Solution:
        """The conclusion of the path taken.

        Raises:
            ModelError: The model concludes, and its server cannot be reached or refuses.
        """
        taken = self._taken(account)
        if taken is None and closed and _misread(question, understanding, evidence):
            taken = await self._anew(question, understanding, evidence, account)
        if taken is None:
            return await self._first.conclude(
                question, understanding, evidence, closed=closed, account=account
            )
        solution = await self._second.conclude(
            question, _timed(taken, understanding), evidence, closed=closed, account=account
        )
        return solution.model_copy(update={"reading": taken.intent, "confidence": taken.confidence})

    async def close(self) -> None:
        """Frees what the reasoners hold."""
        for reasoner in (self._first, self._second):
            if isinstance(reasoner, Closable):
                await reasoner.close()

    async def _handed_over(
        self,
        question: Question,
        names: NameHints | None,
        account: Account,
        embedded: Understanding,
        reason: str,
    ) -> Understanding:
        """The model's reading; the embedded one where the model cannot be had or has none either."""
        self._courses.put(account, _Course())
        understood = embedded.status is Status.ANSWERED
        try:
            read = await self._second.plan(question, names=names, account=account)
        except ModelError as error:
            if not understood:
                raise
            self._told(account, embedded, path="embedded", reason=f"{reason}; no model: {error.message}")
            return embedded
        fits = read.intent is not None or recommends(read.plan) or thinks(read.plan)
        if understood and (not fits or read.status is not Status.ANSWERED):
            self._told(
                account, embedded, path="embedded", reason=f"{reason}; the model fits no intent either"
            )
            return embedded
        self._told(account, embedded, path="model", reason=reason)
        self._courses.put(account, _Course(read))
        return read

    async def _anew(
        self,
        question: Question,
        understanding: Understanding,
        evidence: tuple[Evidence, ...],
        account: Account,
    ) -> Understanding | None:
        """The model's reading of a question that ended without an answer; None if it has none.

        A supplied text that became facts to the last word has been looked through: the model may read the
        question otherwise, but drafts no answer of its own. From a map it may fetch what tells the options
        apart.
        """
        if self._courses.get(account) is not None:
            return None
        self._courses.put(account, _Course())
        try:
            read = await self._second.plan(question, names=None, account=account)
        except ModelReplyError as error:
            self._told(
                account, understanding, path="embedded", reason=f"no answer; no model: {error.message}"
            )
            return None
        prose = has_prose(evidence)
        fetched = question.context is None and bool(question.live_options())
        new = prose or (fetched if read.intent is None else read.intent != understanding.intent)
        if read.status is not Status.ANSWERED or not new:
            reason = "no answer; the model reads the question no other way"
            self._told(account, understanding, path="embedded", reason=reason)
            return None
        self._told(account, understanding, path="model", reason="the embedded reading has no answer")
        self._courses.put(account, _Course(read))
        return read

    def _taken(self, account: Account) -> Understanding | None:
        course = self._courses.get(account)
        return course.taken if course is not None else None

    def _doubt(self, embedded: Understanding, names: NameHints | None) -> str:
        """Why the embedded reading is not acted on; empty if it is."""
        if embedded.status is not Status.ANSWERED:
            return embedded.reason
        if embedded.confidence < self._threshold:
            return "not sure enough"
        strange = unknown_places(embedded.intent, names)
        return f"the map knows no {' and no '.join(map(repr, strange))}" if strange else ""

    def _told(self, account: Account, embedded: Understanding, *, path: str, reason: str) -> None:
        account.trace.event(
            "cascade",
            path=path,
            free=path == "embedded" and account.ledger.llm_calls == 0,
            confidence=embedded.confidence,
            threshold=self._threshold,
            reason=reason,
        )


def _misread(question: Question, understanding: Understanding, evidence: tuple[Evidence, ...]) -> bool:
    """True if an intent ends without an answer: then it may be no answer to what was asked."""
    if understanding.intent is None:
        return False
    solution = solution_of_intent(question, understanding, evidence, closed=True)
    return solution.status is Status.UNANSWERABLE


def _timed(taken: Understanding, understanding: Understanding) -> Understanding:
    """The later reading with the moment that the kernel gave the first one."""
    return taken.model_copy(update={"now": understanding.now})


def _threshold(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ConfigError(
            f"The cascade's threshold {value!r} is no number from 0 to 1.",
            "Set threshold under [modules.cascade] in the configuration file.",
        )
    return float(value)
