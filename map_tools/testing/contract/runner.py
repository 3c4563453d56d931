"""Runs all checks against a provider, and reports: one finding for each check, and a table of what it can do."""

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Coroutine, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from map_tools.providers.base import Provider, Terms
from map_tools.testing.contract import abilities, behaviour, names, searches, travel
from map_tools.testing.contract.behaviour import facts_seen
from map_tools.testing.contract.checking import (
    BreachError,
    Check,
    ContractSample,
    NotApplicableError,
    Subject,
)
from map_tools.types import Frozen, Matrix, Place, Route, TravelMode

CHECK_LIMIT_S = 120.0
"""How long one check may take: forty calls of a service that answers once a second, and some."""


class Outcome(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_APPLICABLE = "not applicable"


class Finding(Frozen):
    """What one check found.

    Attributes:
        check: Id of the check ("axis-order").
        sentence: What a provider must keep.
        outcome: Whether it does.
        seen: What was seen; for `NOT_APPLICABLE` why it could not be looked at.
        remedy: What to do about a failure, else empty.
    """

    check: str
    sentence: str
    outcome: Outcome
    seen: str = ""
    remedy: str = ""


class ModeRow(Frozen):
    """What a provider does for one mode of travel: declared, and seen to work."""

    declared: bool
    route: bool = False
    steps: bool = False
    alternatives: bool = False
    waypoints: bool = False
    matrix: bool = False


class CapabilityTable(Frozen):
    """What a provider can do, as declared and as seen with the sample."""

    find: bool
    details: bool
    nearby: bool
    areas: bool
    cheap_names: bool
    full_candidates: bool
    modes: dict[TravelMode, ModeRow]
    facts_declared: tuple[str, ...]
    facts_seen: tuple[str, ...]
    terms: Terms


class ContractReport(Frozen):
    """The result for one provider."""

    provider: str
    map: str | None
    findings: tuple[Finding, ...]
    capabilities: CapabilityTable | None = None

    @property
    def passed(self) -> bool:
        """True if no check failed."""
        return not self.failed

    @property
    def failed(self) -> tuple[Finding, ...]:
        """The findings of the checks that failed."""
        return tuple(finding for finding in self.findings if finding.outcome is Outcome.FAILED)

    def count(self, outcome: Outcome) -> int:
        """How many checks ended so."""
        return sum(finding.outcome is outcome for finding in self.findings)


CHECKS: tuple[Check, ...] = (
    *behaviour.DECLARATIONS,
    *names.CHECKS,
    *searches.CHECKS,
    *abilities.CHECKS,
    *travel.CHECKS,
    *behaviour.CHECKS,
)
"""All checks but the last one (`behaviour.LAST`), in the order they are made."""


async def check_provider(
    provider: Provider,
    sample: ContractSample,
    *,
    secrets: tuple[str, ...] = (),
    patience_s: float = 10.0,
    limit_s: float = CHECK_LIMIT_S,
) -> ContractReport:
    """Runs the contract; closes the provider at the end.

    Args:
        provider: The provider, opened in this event loop or in none yet.
        sample: Facts of the world behind it.
        secrets: Keys it was opened with, which must appear nowhere.
        patience_s: How long a cancelled call may take to end, and a call after it to answer.
        limit_s: How long one check may take.
    """
    subject = Subject(provider, sample, tuple(filter(None, secrets)), patience_s)
    with _listening(subject.heard):
        interface, *others = CHECKS
        findings = [await _finding(interface, subject, limit_s)]
        if findings[0].outcome is Outcome.FAILED:  # nothing else can be asked of what is no provider
            return ContractReport(provider=_called(provider), map=None, findings=tuple(findings))
        findings += [await _finding(check, subject, limit_s) for check in others]
        table = await _within(capability_table(subject), limit_s)
        findings.append(await _finding(behaviour.LAST, subject, limit_s))
    return ContractReport(
        provider=provider.name, map=provider.map_name, findings=tuple(findings), capabilities=table
    )


async def _finding(check: Check, subject: Subject, limit_s: float) -> Finding:
    """Makes one check. Whatever a foreign provider raises is read off the task, and is a failure."""
    outcome, seen = await _made(check, subject, limit_s)
    for secret in subject.secrets:  # the report is an artefact as well
        seen = seen.replace(secret, "***")
    remedy = check.remedy if outcome is Outcome.FAILED else ""
    return Finding(check=check.id, sentence=check.sentence, outcome=outcome, seen=seen, remedy=remedy)


async def _made(check: Check, subject: Subject, limit_s: float) -> tuple[Outcome, str]:
    task = asyncio.ensure_future(check.run(subject))
    done, _ = await asyncio.wait({task}, timeout=limit_s)
    if not done:
        task.cancel()
        return Outcome.FAILED, f"no end after {limit_s:g} s"
    if task.cancelled():
        return Outcome.FAILED, "it raised CancelledError on its own"
    error = task.exception()
    if error is None:
        return Outcome.PASSED, task.result()
    if isinstance(error, NotApplicableError):
        return Outcome.NOT_APPLICABLE, str(error)
    if isinstance(error, BreachError):
        return Outcome.FAILED, str(error)
    subject.heard.append("".join(traceback.format_exception(error)))
    return Outcome.FAILED, f"it raised {type(error).__name__}: {error}"


async def _within[T](work: Coroutine[Any, Any, T], limit_s: float) -> T | None:
    """The result, None if it takes too long."""
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=limit_s)
    if done:
        return task.result()
    task.cancel()
    return None


def _called(provider: object) -> str:
    return str(getattr(provider, "name", "") or type(provider).__name__)


class _Listener(logging.Handler):
    """Writes down every log line."""

    def __init__(self, heard: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        self._heard.append(record.getMessage())


@contextmanager
def _listening(heard: list[str]) -> Iterator[None]:
    """While it lasts, log lines of all levels are heard: keys leak through the logs of HTTP clients."""
    root = logging.getLogger()
    level, listener = root.level, _Listener(heard)
    root.addHandler(listener)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.setLevel(level)
        root.removeHandler(listener)


async def capability_table(subject: Subject) -> CapabilityTable:
    """Fills the table; a call that fails counts as not served."""
    provider, sample = subject.provider, subject.sample
    found = await _tried(provider.find_place(sample.place)) or ()
    ends = await _tried(subject.ends())
    via = await _tried(subject.place(sample.via)) if sample.via else None
    can = provider.capabilities
    return CapabilityTable(
        find=bool(found),
        details=bool(found and await _tried(provider.place_details(found[0].place.id))),
        nearby=bool(await _tried(subject.around(limit=1))),
        areas=can.areas,
        cheap_names=can.cheap_names,
        full_candidates=can.full_candidates,
        modes={mode: await _mode(subject, mode, ends, via) for mode in TravelMode},
        facts_declared=tuple(sorted(can.facts)),
        facts_seen=tuple(sorted(await _tried(facts_seen(subject)) or ())),
        terms=provider.terms,
    )


async def _mode(
    subject: Subject, mode: TravelMode, ends: tuple[Place, Place] | None, via: Place | None
) -> ModeRow:
    declared = mode in subject.provider.capabilities.modes
    if not declared or ends is None:
        return ModeRow(declared=declared)
    ask = subject.provider.directions
    routes: tuple[Route, ...] = await _tried(ask(*ends, mode=mode, alternatives=True)) or ()
    over: tuple[Route, ...] = ()
    if routes and via is not None:
        over = await _tried(ask(*ends, mode=mode, waypoints=(via,))) or ()
    matrix = await _tried(subject.provider.matrix(ends[:1], ends[1:], mode=mode))
    return ModeRow(
        declared=declared,
        route=bool(routes),
        steps=any(route.steps for route in routes),
        alternatives=len(routes) > 1,
        waypoints=any(len(route.legs) == 2 for route in over),
        matrix=_has_cell(matrix),
    )


def _has_cell(matrix: Matrix | None) -> bool:
    return matrix is not None and matrix.rows[0][0].duration_s is not None


async def _tried[T](work: Awaitable[T]) -> T | None:
    """The result, None if the call failed: why it did is the checks' matter."""
    (result,) = await asyncio.gather(work, return_exceptions=True)
    return None if isinstance(result, BaseException) else result
