"""Conversations: questions that refer to earlier ones ("and by car?", "which of them is open on Sunday?")."""

from datetime import datetime
from typing import TYPE_CHECKING

from map_tools.errors import UsageError
from map_tools.types import LatLng
from mapagent.answer import Answer, Status
from mapagent.question import Question, Turn

if TYPE_CHECKING:
    from mapagent.agent import MapAgent

MOST_TURNS = 50
"""So many turns of a conversation are kept; the oldest go first."""
TOLD_TURNS = 6
"""So many of them a planner is told."""


class Conversation:
    """A conversation with an agent. It lives in memory alone: `forget` is for good.

    Args:
        agent: Who answers.
        near: Where the asker is.
    """

    def __init__(self, agent: "MapAgent", *, near: LatLng | None = None) -> None:
        self._agent = agent
        self._near = near
        self._turns: list[Turn] = []
        self._open: Question | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What was said so far, in order."""
        return tuple(self._turns)

    async def ask(self, text: str, *, at: datetime | None = None) -> Answer:
        """Answers a question, which may refer to earlier ones.

        Args:
            text: The question.
            at: The moment that "now" stands for.

        Raises:
            UsageError: As for `mapagent.agent.MapAgent.ask`.
            ModelError: As there.
        """
        earlier = tuple(self._turns[-TOLD_TURNS:])
        return await self._answered(Question(text=text, near=self._near, at=at, earlier=earlier))

    async def choose(self, number: int) -> Answer:
        """Says which of the candidates is meant where the last answer was ambiguous.

        Args:
            number: From 1, as the answer lists them.

        Raises:
            UsageError: The last answer was not ambiguous, or it has fewer candidates.
        """
        if self._open is None:
            raise UsageError("There is nothing to choose from.", "Ask a question first.")
        self._turns.pop()
        chosen = (*self._open.choice, number)
        return await self._answered(Question.model_validate({**dict(self._open), "choice": chosen}))

    def forget(self) -> None:
        """Drops all that was said."""
        self._turns.clear()
        self._open = None

    async def _answered(self, question: Question) -> Answer:
        answer = await self._agent.ask(question)
        self._open = question if answer.status is Status.AMBIGUOUS else None
        self._turns.append(Turn(text=question.text, program=answer.program, answer=answer.text))
        del self._turns[:-MOST_TURNS]
        return answer
