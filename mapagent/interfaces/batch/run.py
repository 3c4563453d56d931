"""Runs a batch: rows in, answers out, whatever happens in between; rows are asked here, or by workers of a cluster."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from map_tools.clock import FrozenClock
from map_tools.errors import MapAgentError, UsageError, WorkerLostError
from map_tools.files import file_sha256
from map_tools.own_places import NO_OWN_PLACES, OwnPlaces
from map_tools.wire.policy import FreeThrottle, ProcessThrottle
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Status
from mapagent.core.ports import RequestContext
from mapagent.interfaces.batch.part import (
    Outcome,
    Part,
    check_free,
    failure,
    invalid,
    outcome_of,
    part_of,
    read_batch,
)
from mapagent.interfaces.batch.table import InputTable, Row, check_columns, question_of, read_rows
from mapagent.runtime.config import Settings, settings_record
from mapagent.runtime.distributed import Budget, seats_of, stopped_at, stops_the_run, work_through
from mapagent.runtime.ledger import Ledger, Limits
from mapagent.runtime.opening import map_home
from mapagent.runtime.own_places import OwnPlacesFile
from mapagent.runtime.trace import Trace

LOCAL = "local"
LOG_STEPS = 10
"""Lines that tell how far a batch is."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a batch is asked for.

    Attributes:
        source: The table of questions.
        out: The table of answers.
        settings: Of every row; `max_usd` is for the whole batch.
        executor: "local" or "ray".
        seats: Rows under way at once; None: as many as suit the executor.
        rate_per_s: At most so many rows a second are begun, by all workers together; None for no limit.
        map_wanted: Rows with a text to answer from are asked with the map as well.
        own_places: Whether rows may name places of the user's own, which stay in this process; None: if it asks them.
    """

    source: Path
    out: Path
    settings: Settings
    executor: str = LOCAL
    seats: int | None = None
    rate_per_s: float | None = None
    map_wanted: bool = False
    own_places: bool | None = False


class Asker(Protocol):
    """Answers rows, here or elsewhere."""

    async def ask(self, row: Row, limits: Limits) -> Outcome:
        """Answers one row."""
        ...


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


async def run_batch(order: Order) -> dict[str, int]:
    """Answers every row that has no answer yet and writes the table of answers.

    Returns:
        How many rows there are of each status.

    Raises:
        UsageError: The table, the settings or the user's own places are wrong, or something else is there already.
        LimitError: The money is spent; what is finished is kept.
        MapAgentError: The batch cannot go on; what is finished is kept.
    """
    check_free(order.out)
    table = InputTable(order.source)
    check_columns(table)
    settings = _settled(order)
    file = OwnPlacesFile(settings.data_home) if _knows_own_places(order) else None
    changed_at = file.changed_at() if file else None
    own = OwnPlaces(file.read()) if file else NO_OWN_PLACES
    identity = {
        "table_sha256": file_sha256(order.source),
        **settings_record(settings),
        "map_wanted": order.map_wanted,
        # Not a digest: it would tell a position to who tries them all.
        "own_places": changed_at.isoformat() if changed_at else None,
    }
    with Part.open(order.out, identity, now=datetime.now(UTC), total=table.rows) as part:
        around = Circumstances(order.source.resolve().parent, part.now, order.map_wanted)
        async with _asker(order, settings, around, own) as (asker, seats):
            await _ask_all(order, asker, seats, table, part)
        return part.finish(table, order.out)


def _settled(order: Order) -> Settings:
    """The settings with the map that is meant where none is named.

    That is the map the batch was begun with: another one may have been added since.
    """
    settings = order.settings
    begun = read_batch(part_of(order.out)) or {}
    meant = settings.map or begun.get("map") or map_home(settings).last_added()
    return settings.model_copy(update={"map": meant})


def _knows_own_places(order: Order) -> bool:
    here = order.executor == LOCAL
    if order.own_places and not here:
        raise UsageError(
            "Places of your own stay on this machine, and rows may be asked on others.",
            "Leave out --own-places, or --executor.",
        )
    return here if order.own_places is None else order.own_places


async def _ask_all(order: Order, asker: Asker, seats: int, table: InputTable, part: Part) -> None:
    budget = Budget(
        order.settings.max_usd, seats, part.spent_usd, "Raise --max-usd and run the same command again."
    )
    own = limits_of_row(order.settings)
    pace = FreeThrottle() if order.rate_per_s is None else ProcessThrottle(order.rate_per_s)
    progress = _Progress(table.rows, sum(part.done))

    async def work(row: Row) -> None:
        await pace.acquire()
        try:
            outcome = await budget.ask(own, lambda limits: asker.ask(row, limits))
        except WorkerLostError as error:
            outcome = outcome_of(row.number, failure(error))
        part.keep(row.number, outcome)
        progress.add()

    waiting = (row for row in read_rows(table) if not part.done[row.number])
    await work_through(waiting, seats, work)


@asynccontextmanager
async def _asker(
    order: Order, settings: Settings, around: Circumstances, own: OwnPlaces
) -> AsyncIterator[tuple[Asker, int]]:
    """Who asks the rows, and how many at once."""
    if order.executor == LOCAL:
        here = BatchAsker(settings, around, own)
        try:
            yield here, seats_of(settings, order.seats)
        finally:
            await here.close()
        return
    from mapagent.runtime.distributed import ray_pool

    async with ray_pool(BatchAsker, lambda share: (share, around), settings, order.seats) as pool:
        yield pool, pool.seats


class _Progress:
    """Tells now and then how far a batch is."""

    def __init__(self, total: int, done: int) -> None:
        self._total = total
        self._done = done
        self._told = done * LOG_STEPS // total if total else 0

    def add(self) -> None:
        """One more row is finished."""
        self._done += 1
        step = self._done * LOG_STEPS // self._total
        if step > self._told:
            self._told = step
            sys.stderr.write(f"{self._done:,} of {self._total:,} rows\n")
