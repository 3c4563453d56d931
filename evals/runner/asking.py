"""One question of a run: it is asked, judged, and told in a record and a trace."""

from dataclasses import dataclass, replace
from typing import Protocol

from evals.ports import Desk, HasItemMaps, Item, Method, Score, Suite
from evals.runner.records import Record, record_of
from evals.runner.traces import trace_text
from map_tools.errors import LimitError, MapAgentError
from mapagent.answer import Answer, Status
from mapagent.ledger import Ledger, Limits
from mapagent.ports import Account
from mapagent.spread.budget import stopped_at
from mapagent.spread.stopping import stops_the_run
from mapagent.trace import Trace


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of a question.

    Attributes:
        record: The line for the results.
        trace: Plan, calls, evidence and answer as JSON text; empty if traces are not kept.
        cut_short: It ended at the run's money and at no limit of its own, so it has to be asked again.
    """

    record: Record
    trace: str = ""
    cut_short: bool = False

    @property
    def cost_usd(self) -> float:
        """What it cost."""
        return self.record.cost_usd


class Asker(Protocol):
    """Asks questions, here or elsewhere."""

    async def ask(self, item: Item, limits: Limits) -> Asked:
        """Asks one question within these limits.

        Raises:
            ConfigError: The method lacks what it needs.
            ModelError: The model server cannot be reached or refuses.
            WorkerLostError: The worker that was asked died.
        """
        ...


@dataclass(frozen=True, slots=True)
class LocalAsker:
    """Asks in this process.

    Attributes:
        keep_traces: Whether plan, calls, evidence and answer of each question are wanted.
    """

    suite: Suite
    method: Method
    desk: Desk
    keep_traces: bool = True

    async def ask(self, item: Item, limits: Limits) -> Asked:
        """One question; an error of the method is its answer, unless the whole run cannot go on."""
        account = Account(Ledger(limits), Trace())
        answer: Answer | None = None
        failure: MapAgentError | None = None
        try:
            answer = await self._answer(item, account)
        except MapAgentError as error:
            if stops_the_run(error):
                raise
            failure = error
        limited = isinstance(failure, LimitError) or (answer is not None and answer.status is Status.LIMIT)
        score = self.suite.score(item, answer) if answer is not None else Score(correct=False, invalid=True)
        return Asked(
            record=record_of(item, score, answer, account, failure),
            trace=trace_text(item, score, answer, account, failure) if self.keep_traces else "",
            cut_short=limited and stopped_at(account.ledger, self.desk.settings.limits()),
        )

    async def _answer(self, item: Item, account: Account) -> Answer:
        if not isinstance(self.suite, HasItemMaps):
            return await self.method.answer(item.task, self.desk, account)
        provider = self.suite.map_of(item)
        try:
            return await self.method.answer(item.task, replace(self.desk, provider=provider), account)
        finally:
            await provider.close()


def not_asked(item: Item, failure: MapAgentError) -> Asked:
    """What is recorded of a question that no worker lived to answer."""
    return Asked(record_of(item, Score(correct=False, invalid=True), None, Account(), failure))
