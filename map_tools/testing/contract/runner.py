"""Runs all checks against a provider."""

import asyncio
import logging
import traceback
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from map_tools.providers.base import Provider
from map_tools.testing.contract import abilities, behaviour, declarations, matrices, names, searches, travel
from map_tools.testing.contract.capabilities import capability_table
from map_tools.testing.contract.checking import BreachError, Check, NotApplicableError, Subject
from map_tools.testing.contract.report import ContractReport, Finding, Outcome
from map_tools.testing.contract.sample import ContractSample

CHECK_LIMIT_S = 120.0
"""How long one check may take: forty calls of a service that answers once a second, and some."""

CHECKS: tuple[Check, ...] = (
    *declarations.CHECKS,
    *names.CHECKS,
    *searches.CHECKS,
    *abilities.CHECKS,
    *travel.CHECKS,
    *matrices.CHECKS,
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
