"""The soak: the same questions by every way in every weather, and what became of each.

A question comes out right, refused with the reason, wrong, hung or crashed.

It is told as a table and as JSON, with what the product promises while servers fail and did not keep.
"""

import asyncio
import platform
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.chaos.proxy import FaultCard, FaultKind, ServerKind, fault_cards
from benchmarks.chaos.ways import WAYS, FaultProfile, Ground, SoakQuestion, Way, opened
from map_tools.errors import MapAgentError
from map_tools.facts import FailureFact
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.runtime.config import Settings

MODULE_BROKE = "module"
"""Code of the failure that stands for an exception nobody foresaw (`mapagent.core.runstate`)."""


class RunOutcome(StrEnum):
    """How a question ended, compared with how it ends while nothing fails."""

    RIGHT = "right"
    AS_USUAL = "as usual"
    """Not right, and not right without faults either."""
    REFUSED = "refused"
    """No answer, with a reason that names what was lost."""
    REFUSED_UNNAMED = "refused, loss not named"
    FLAGGED = "wrong, flagged"
    """A wrong answer that says what it lacks."""
    SILENT = "wrong, not flagged"
    HUNG = "hung"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question, asked once.

    Attributes:
        id: The question's.
        right: Whether the answer is the right one.
        answered: Whether there was an answer at all.
        said: The answer's words, reason and warnings.
        warnings: What was said beside the answer.
        unnamed: What was lost and is named nowhere.
        hung: It was still running long after its deadline.
        crash: The exception that came out, empty if none did.
        seconds: Wall time.
    """

    id: str
    right: bool = False
    answered: bool = False
    said: str = ""
    warnings: frozenset[str] = frozenset()
    unnamed: tuple[str, ...] = ()
    hung: bool = False
    crash: str = ""
    seconds: float = 0.0

    @classmethod
    def of_answer(cls, id: str, answer: Answer, *, right: bool, seconds: float) -> "Outcome":  # noqa: A002
        """The outcome of an answer."""
        said = " ".join((answer.text, answer.reason, *answer.warnings))
        failures = [item.value for item in answer.evidence if isinstance(item.value, FailureFact)]
        broken = [fact.message for fact in failures if fact.code == MODULE_BROKE]
        return cls(
            id,
            right=right,
            answered=answer.status is Status.ANSWERED,
            said=said,
            warnings=frozenset(answer.warnings),
            unnamed=tuple(_unnamed(failures, said)),
            crash="; ".join(broken),
            seconds=seconds,
        )

    @classmethod
    def of_error(cls, id: str, error: MapAgentError, seconds: float) -> "Outcome":  # noqa: A002
        """The outcome of a question that an error of the product ended: its sentence is the reason."""
        return cls(id, said=str(error), seconds=seconds)


def run_outcome(outcome: Outcome, usual: Outcome) -> RunOutcome:
    """How a question ended.

    Args:
        outcome: While servers fail.
        usual: The same question while they do not.
    """
    if outcome.crash or outcome.hung:
        return RunOutcome.CRASHED if outcome.crash else RunOutcome.HUNG
    if outcome.right:
        return RunOutcome.RIGHT
    named = bool(outcome.said.strip()) and not outcome.unnamed
    if not outcome.answered:
        if not named:
            return RunOutcome.REFUSED_UNNAMED
        return RunOutcome.REFUSED if usual.right else RunOutcome.AS_USUAL
    if not usual.right:
        return RunOutcome.AS_USUAL
    return RunOutcome.FLAGGED if named and outcome.warnings - usual.warnings else RunOutcome.SILENT


def _unnamed(failures: Iterable[FailureFact], said: str) -> Iterable[str]:
    """The failures of which neither the subject nor the message is said."""
    folded = said.casefold()
    for fact in failures:
        subjects = [part for part in fact.subject.split(" → ") if part]
        named = bool(subjects) and all(part.casefold() in folded for part in subjects)
        if not named and fact.message.casefold() not in folded:
            yield f"{fact.subject}: {fact.message}"


PAST_DEADLINE_S = 10.0
"""What is still running so long after its deadline has hung: the kernel gives the last steps 5 s each."""


@dataclass(frozen=True, slots=True)
class SoakPlan:
    """What is run.

    Attributes:
        shares: Shares of requests that are struck; 0 is always run first, for comparison.
        ways: How questions are answered.
        seed: Of the faults.
        attempt_s: How long clients wait for one reply.
        deadline_s: Time for one question.
        concurrency: Questions at once.
    """

    shares: tuple[float, ...] = (0.1, 0.3, 0.5)
    ways: tuple[Way, ...] = WAYS
    seed: int = 0
    attempt_s: float = 10.0
    deadline_s: float = 60.0
    concurrency: int = 16


@dataclass(frozen=True)
class Run:
    """All questions by one way in one weather.

    Attributes:
        way: The way's name.
        share: The share of requests to be struck.
        recoverable: Whether only faults struck that asking again makes good.
        outcomes: By question.
        usual: The outcomes of the same way while nothing fails.
        requests: Requests that reached the proxies.
        struck: Those that were struck, by fault.
        seconds: Wall time of the run.
    """

    way: str
    share: float
    recoverable: bool
    outcomes: Mapping[str, Outcome]
    usual: Mapping[str, Outcome]
    requests: int
    struck: Counter[FaultKind] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def title(self) -> str:
        """The way and the weather in words."""
        if not self.share:
            return f"{self.way}, no faults"
        return f"{self.way}, {self.share:.0%} {'recoverable' if self.recoverable else 'of all'} faults"

    @property
    def right(self) -> int:
        """How many answers are right."""
        return sum(outcome.right for outcome in self.outcomes.values())

    @property
    def usual_right(self) -> int:
        """How many are right while nothing fails."""
        return sum(outcome.right for outcome in self.usual.values())

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return self.right / len(self.outcomes)

    def run_outcomes(self) -> Mapping[str, RunOutcome]:
        """How each question ended."""
        return {name: run_outcome(outcome, self.usual[name]) for name, outcome in self.outcomes.items()}


class Soak:
    """Asks all questions by every way in every weather.

    Args:
        plan: What is run.
        questions: What is asked.
        data_home: Where caches may be kept.
    """

    def __init__(self, plan: SoakPlan, questions: Sequence[SoakQuestion], data_home: Path) -> None:
        self._plan = plan
        self._questions = questions
        self._settings = Settings(data_home=data_home, deadline_s=plan.deadline_s, model_cache=False)

    async def runs(self, ground: Ground) -> AsyncIterator[Run]:
        """One run after the other; those of a way begin with the one without faults."""
        for way in self._plan.ways:
            usual: Mapping[str, Outcome] = {}
            for fault_profile in self._weathers():
                run = await self._run(way, fault_profile, ground, usual)
                usual = run.usual
                yield run

    def _weathers(self) -> Iterator[FaultProfile]:
        plan = self._plan
        yield FaultProfile(0.0, recoverable=True, seed=plan.seed, attempt_s=plan.attempt_s)
        for share in plan.shares:
            for recoverable in (True, False):
                yield FaultProfile(share, recoverable=recoverable, seed=plan.seed, attempt_s=plan.attempt_s)

    async def _run(
        self, way: Way, fault_profile: FaultProfile, ground: Ground, usual: Mapping[str, Outcome]
    ) -> Run:
        start = perf_counter()
        async with opened(way, ground, fault_profile, self._settings) as (agent, proxies):
            outcomes = await self._ask_all(agent)
        return Run(
            way=way.name,
            share=fault_profile.share,
            recoverable=fault_profile.recoverable,
            outcomes=outcomes,
            usual=usual or outcomes,
            requests=sum(proxy.requests for proxy in proxies),
            struck=sum((proxy.struck for proxy in proxies), Counter()),
            seconds=perf_counter() - start,
        )

    async def _ask_all(self, agent: MapAgent) -> Mapping[str, Outcome]:
        slots = asyncio.Semaphore(self._plan.concurrency)
        longest_s = self._plan.deadline_s + PAST_DEADLINE_S

        async def ask(question: SoakQuestion) -> Outcome:
            async with slots:
                return await outcome_of(agent, question, longest_s)

        found = await asyncio.gather(*map(ask, self._questions))
        return {outcome.id: outcome for outcome in found}


async def outcome_of(agent: MapAgent, question: SoakQuestion, longest_s: float) -> Outcome:
    """Asks one question and waits no longer than so many seconds."""
    start = perf_counter()
    try:
        async with asyncio.timeout(longest_s):
            answer = await agent.ask(question.question)
    except TimeoutError:
        return Outcome(question.id, hung=True, seconds=perf_counter() - start)
    except MapAgentError as error:
        return Outcome.of_error(question.id, error, perf_counter() - start)
    except Exception as error:  # noqa: BLE001 (what comes out here is what a soak looks for)
        return Outcome(question.id, crash=repr(error), seconds=perf_counter() - start)
    right = question.is_right(answer)
    return Outcome.of_answer(question.id, answer, right=right, seconds=perf_counter() - start)


_COLUMNS: Mapping[str, RunOutcome] = {
    "refused, loss named": RunOutcome.REFUSED,
    "refused, not named": RunOutcome.REFUSED_UNNAMED,
    "wrong, flagged": RunOutcome.FLAGGED,
    "wrong, not flagged": RunOutcome.SILENT,
    "hung": RunOutcome.HUNG,
    "crashed": RunOutcome.CRASHED,
}


def run_table(runs: Sequence[Run]) -> str:
    """The runs as a Markdown table: how many questions ended how."""
    head = ["way", "faults", "struck", "asked", "right", *_COLUMNS, "slowest"]
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return "\n".join((*lines, *map(_row, runs)))


def fault_table() -> str:
    """The faults as a Markdown table: what each looks like and what the product must make of it."""
    lines = ["| fault | what the server does | map | model | what the product does |", f"|{' --- |' * 5}"]
    for card in fault_cards():
        servers = (_kind(card, server) for server in ServerKind)
        lines.append(f"| `{card.kind}` | {card.looks} | {' | '.join(servers)} | {card.must} |")
    return "\n".join(lines)


def as_json(runs: Sequence[Run], broken: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The whole soak, JSON-ready."""
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"processor": platform.machine(), "python": platform.python_version()},
        "settings": dict(settings),
        "broken_promises": list(broken),
        "runs": list(map(_record, runs)),
    }


def _row(run: Run) -> str:
    counts = Counter(run.run_outcomes().values())
    asked = len(run.outcomes)
    cells = (
        run.way,
        f"{run.share:.0%}{'' if run.recoverable else ' and lies'}" if run.share else "none",
        f"{sum(run.struck.values())} of {run.requests}",
        str(asked),
        f"{counts[RunOutcome.RIGHT]} ({run.accuracy:.1%})",
        *(str(counts[run_outcome]) for run_outcome in _COLUMNS.values()),
        f"{max(outcome.seconds for outcome in run.outcomes.values()):.0f} s",
    )
    return f"| {' | '.join(cells)} |"


def _record(run: Run) -> dict[str, Any]:
    run_outcomes = run.run_outcomes()
    return {
        "way": run.way,
        "share": run.share,
        "recoverable": run.recoverable,
        "asked": len(run.outcomes),
        "accuracy": round(run.accuracy, 4),
        "fates": dict(Counter(run_outcome.value for run_outcome in run_outcomes.values())),
        "ids": {
            run_outcome.value: [name for name, one in run_outcomes.items() if one is run_outcome]
            for run_outcome in RunOutcome
            if run_outcome is not RunOutcome.RIGHT
        },
        "requests": run.requests,
        "struck": {kind.value: count for kind, count in sorted(run.struck.items())},
        "seconds": round(run.seconds, 1),
        "slowest_s": round(max(outcome.seconds for outcome in run.outcomes.values()), 1),
    }


def _kind(card: FaultCard, server: ServerKind) -> str:
    if server not in card.strikes:
        return "–"
    return "recoverable" if server in card.recoverable else "a lie"


PROMISED_SHARE = 0.3
"""Up to this share of struck requests the promises hold."""
LOST_SHARE = 0.03
"""So much of the accuracy may go while all faults are such that asking again makes them good, or one question
where few are asked."""
LEAST_USUAL = 0.8
"""Where fewer answers are right while nothing fails, a soak proves nothing."""
NEVER = (RunOutcome.CRASHED, RunOutcome.HUNG, RunOutcome.REFUSED_UNNAMED)


def broken_promises(runs: Iterable[Run]) -> tuple[str, ...]:
    """What was promised and did not hold, a sentence each; empty if all holds."""
    found: list[str] = []
    for run in runs:
        if run.share <= PROMISED_SHARE:
            found += (f"{run.title}: {problem}" for problem in _problems(run))
    return tuple(found)


def _problems(run: Run) -> Iterator[str]:
    if not run.share and run.accuracy < LEAST_USUAL:
        yield f"only {run.accuracy:.0%} are right (at least {LEAST_USUAL:.0%}), so the soak proves nothing"
    run_outcomes = run.run_outcomes()
    never = [*NEVER, RunOutcome.SILENT] if run.recoverable else list(NEVER)
    for bad in never:
        ids = [name for name, run_outcome in run_outcomes.items() if run_outcome is bad]
        if ids:
            yield f"{bad} ({', '.join(ids)})"
    lost = run.usual_right - run.right
    allowed = max(1, int(LOST_SHARE * len(run.outcomes)))
    if run.recoverable and lost > allowed:
        yield f"{lost} fewer of {len(run.outcomes)} are right (at most {allowed})"
