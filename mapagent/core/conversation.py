"""Conversations: questions that refer to earlier ones ("and by car?", "which of them is open on Sunday?")."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from map_tools.errors import UsageError
from map_tools.facts import PlaceFact
from map_tools.own_places import OwnPlaces
from map_tools.types import LatLng
from mapagent.core.answer import CHOICE, Answer, Status
from mapagent.core.question import Question, Turn

if TYPE_CHECKING:
    from mapagent.core.agent import MapAgent

MOST_TURNS = 50
"""Maximum number of turns kept; the oldest are dropped first."""
TOLD_TURNS = 6
"""Number of the latest turns that a planner is given."""
WITHHELD = "(places of the asker's own, whose names are not told)"
"""Replaces an answer that names places which a language model must not see."""


def with_earlier(question: Question, turns: Sequence[Turn]) -> Question:
    """The question with the latest earlier turns.

    Args:
        question: As it was asked.
        turns: The conversation so far, in order.
    """
    before = _before(question.text, question.choice, turns)
    return question.model_copy(update={"earlier": before[-TOLD_TURNS:]})


def without_unsaid(question: Question, own: OwnPlaces) -> Question:
    """The question as a language model may read it: without earlier answers that name own places the user has not.

    Such answers, lists of own places, were given without a language model.
    """
    said = set(own.named_in("\n".join(question.said)))
    earlier = tuple(
        turn if said.issuperset(own.named_in(turn.answer)) else turn.model_copy(update={"answer": WITHHELD})
        for turn in question.earlier
    )
    return question if earlier == question.earlier else question.model_copy(update={"earlier": earlier})


def turn_of(question: Question, answer: Answer) -> Turn:
    """The turn that records a question and its answer."""
    return Turn(
        text=question.text,
        program=answer.program,
        answer=answer.text,
        choice=question.choice,
        open=answer.status is Status.AMBIGUOUS,
        chosen={
            item.value.query: item.value.place.id
            for item in answer.evidence
            if item.source.tool == CHOICE and isinstance(item.value, PlaceFact)
        },
    )


def with_turn(turns: Sequence[Turn], turn: Turn) -> tuple[Turn, ...]:
    """Appends a turn; it replaces the last one if it repeats that question with a choice."""
    return (*_before(turn.text, turn.choice, turns), turn)[-MOST_TURNS:]


def _before(text: str, choice: tuple[int, ...], turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns before a question, without a last, ambiguous one that the question settles."""
    settles = bool(choice and turns and turns[-1].open and turns[-1].text == text)
    return tuple(turns[:-1] if settles else turns)


@dataclass(frozen=True, slots=True)
class _Open:
    """A question whose answer was ambiguous."""

    question: Question
    program: str
    use_provider: bool | None


class Conversation:
    """A conversation with an agent, kept in memory only: `forget` cannot be undone.

    Args:
        agent: Answers the questions.
        near: The user's position.
    """

    def __init__(self, agent: "MapAgent", *, near: LatLng | None = None) -> None:
        self._agent = agent
        self._near = near
        self._turns: tuple[Turn, ...] = ()
        self._open: _Open | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far, in order."""
        return self._turns

    @property
    def choosing(self) -> bool:
        """Whether the last answer was ambiguous, so that `choose` can be called."""
        return self._open is not None

    async def ask(
        self, text: str | Question, *, at: datetime | None = None, use_provider: bool | None = None
    ) -> Answer:
        """Answers a question, which may refer to earlier ones.

        Args:
            text: The question, or a whole `Question`.
            at: The moment that "now" stands for.
            use_provider: As for `mapagent.core.agent.MapAgent.ask`.

        Raises:
            UsageError: As for `mapagent.core.agent.MapAgent.ask`.
            ModelError: As there.
        """
        asked = text if isinstance(text, Question) else Question(text=text, near=self._near, at=at)
        question = with_earlier(asked, self._turns)
        answer = await self._agent.ask(question, use_provider=use_provider)
        return self._said(question, answer, use_provider)

    async def choose(self, number: int) -> Answer:
        """Chooses among the candidates of the last answer, which was ambiguous.

        The same program runs again, so the question is not interpreted anew.

        Args:
            number: From 1, as the answer lists them.

        Raises:
            UsageError: The last answer was not ambiguous, or it has fewer candidates; the turns are kept.
        """
        left = self._open
        if left is None:
            raise UsageError("There is nothing to choose from.", "Ask a question first.")
        chosen = (*left.question.choice, number)
        question = Question.model_validate({**dict(left.question), "choice": chosen})
        use = left.use_provider
        if left.program:
            answer = await self._agent.query(left.program, question=question, use_provider=use)
        else:
            answer = await self._agent.ask(question, use_provider=use)
        return self._said(question, answer, use)

    def forget(self) -> None:
        """Drops all turns."""
        self._turns = ()
        self._open = None

    def _said(self, question: Question, answer: Answer, use: bool | None) -> Answer:  # noqa: FBT001 (as it came)
        ambiguous = answer.status is Status.AMBIGUOUS
        self._open = _Open(question, answer.program, use) if ambiguous else None
        self._turns = with_turn(self._turns, turn_of(question, answer))
        return answer
