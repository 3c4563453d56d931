"""Asks the rows of a batch, in this process or as a worker of a cluster."""

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from map_tools.clock import FrozenClock
from map_tools.errors import MapAgentError, UsageError
from map_tools.own_places import NO_OWN_PLACES, OwnPlaces
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Status
from mapagent.core.ports import RequestContext
from mapagent.interfaces.batch.outcome import Outcome, failure, invalid, outcome_of
from mapagent.interfaces.batch.rows import Row, question_of
from mapagent.runtime.config import Settings
from mapagent.runtime.distributed import stopped_at, stops_the_run
from mapagent.runtime.ledger import Ledger, Limits
from mapagent.runtime.trace import Trace


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What all rows of a batch have in common; it can be sent to another machine.

    Attributes:
        folder: Where relative paths of pictures begin.
        now: What "now" means in rows that name no moment: the same on every worker and in every sitting.
        map_wanted: Rows with a text to answer from are asked with the map as well.
    """

    folder: Path
    now: datetime
    map_wanted: bool


def limits_of_row(settings: Settings) -> Limits:
    """A row's own limits; the money is for all rows together."""
    return replace(settings.limits(), max_usd=None)


class BatchAsker:
    """Answers rows; the map and the model are opened when the first row needs them.

    Args:
        settings: Of the agent; its money is for the whole batch.
        circumstances: Of the batch.
        own: The user's own places.
    """

    def __init__(
        self, settings: Settings, circumstances: Circumstances, own: OwnPlaces = NO_OWN_PLACES
    ) -> None:
        self._settings = settings
        self._limits = limits_of_row(settings)
        self._all = circumstances
        self._own = own
        self._agent: MapAgent | None = None

    async def ask(self, row: Row, limits: Limits) -> Outcome:
        """Answers one row.

        Raises:
            UsageError: The settings are wrong, so no row can be answered.
            MapStoreError: The map is damaged.
            ModelError: The model server cannot be reached or refuses.
        """
        try:
            question = question_of(row, self._all.folder)
        except UsageError as error:
            return invalid(row.number, error)
        agent = self._opened()
        use_map = self._all.map_wanted or question.context is None
        if use_map:
            agent.open_provider()  # what is wrong with the map must not become the answer of a row
        request_context = RequestContext(Ledger(limits), Trace())
        try:
            answer = await agent.ask(question, use_provider=use_map, request_context=request_context)
        except MapAgentError as error:
            if stops_the_run(error):
                raise
            if isinstance(error, UsageError):
                return invalid(row.number, error)
            answer = failure(error, request_context.ledger.usage())
        limited = answer.status is Status.LIMIT
        return outcome_of(
            row.number, answer, cut_short=limited and stopped_at(request_context.ledger, self._limits)
        )

    async def close(self) -> None:
        """Closes map and model."""
        if self._agent is not None:
            await self._agent.close()

    def _opened(self) -> MapAgent:
        if self._agent is None:
            clock = FrozenClock(self._all.now) if self._settings.replay is None else None
            self._agent = MapAgent(self._settings, own=self._own, clock=clock)
        return self._agent
