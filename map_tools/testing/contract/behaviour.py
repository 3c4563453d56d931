"""Checks of how a provider behaves: at once, cancelled, in errors, at its end."""

import asyncio
from collections.abc import Awaitable, Callable

from map_tools.errors import MapAgentError
from map_tools.testing.contract.checking import (
    BreachError,
    Check,
    NotApplicableError,
    Subject,
    demand,
    shown,
)
from map_tools.types import TravelMode

AT_ONCE = 20
CANCELLED_CALLS = 40
"""More than any provider has slots, so that a slot lost by each cancelled call is noticed."""

type Call = Callable[[], Awaitable[object]]


async def concurrency(subject: Subject) -> str:
    """Calls at once do not mix up their replies."""
    calls = await _calls(subject)
    alone = [await call() for call in calls]
    work = [calls[number % len(calls)]() for number in range(AT_ONCE)]
    together = await asyncio.gather(*work)
    for number, result in enumerate(together):
        expected = alone[number % len(calls)]
        demand(result == expected, f"at once it gave {shown(result)}, alone {shown(expected)}")
    return f"{AT_ONCE} calls at once"


async def cancellation(subject: Subject) -> str:
    """A cancelled call ends, and the calls after it are served."""
    calls = await _calls(subject)
    before = [await call() for call in calls]
    for number in range(CANCELLED_CALLS):
        await _cancel(subject, calls[number % len(calls)])

    async def again() -> list[object]:
        return [await call() for call in calls]

    after = asyncio.ensure_future(again())
    done, _ = await asyncio.wait({after}, timeout=subject.patience_s)
    if not done:
        after.cancel()
        raise BreachError(f"after {CANCELLED_CALLS} cancelled calls it does not answer any more")
    demand(after.result() == before, "after cancelled calls it gives another answer")
    return f"{CANCELLED_CALLS} calls cancelled"


async def _cancel(subject: Subject, call: Call) -> None:
    """Cancels a call that has begun, and demands that it ends as cancelled."""
    task = asyncio.ensure_future(call())
    await asyncio.sleep(0)
    if not task.cancel():
        return  # it was over at once: nothing to cancel
    done, _ = await asyncio.wait({task}, timeout=subject.patience_s)
    demand(done, f"a cancelled call goes on for more than {subject.patience_s:g} s")
    demand(task.cancelled(), "a cancelled call ends as if nothing had happened")


async def _calls(subject: Subject) -> list[Call]:
    """Calls that ask for different things."""
    provider, sample = subject.provider, subject.sample
    calls: list[Call] = [
        lambda: provider.find_place(sample.place),
        lambda: provider.find_place(sample.destination),
    ]
    if provider.capabilities.nearby:
        calls.append(lambda: subject.around(limit=20))
    if subject.modes:
        origin, destination = await subject.ends()
        mode = subject.modes[0]
        calls += [
            lambda: provider.directions(origin, destination, mode=mode),
            lambda: provider.matrix((origin,), (destination,), mode=mode),
        ]
    return calls


async def error_sentences(subject: Subject) -> str:
    """Errors are sentences that a person can act on."""
    errors = [error for error in await _provoke(subject) if isinstance(error, MapAgentError)]
    if not errors:
        raise NotApplicableError("no call could be made to fail")
    for error in errors:
        message = error.message
        demand(message.strip().endswith((".", "!", "?")), f"no sentence: {shown(message)}")
        demand(message.isprintable(), f"more than one plain line: {shown(message)}")
    return str(errors[0])


async def _provoke(subject: Subject) -> list[BaseException]:
    """Errors that the provider raises on ordinary wrong questions."""
    provider, sample = subject.provider, subject.sample
    results: list[object] = await asyncio.gather(
        provider.place_details(sample.missing_id),
        *(provider.directions(sample.position, sample.nowhere, mode=mode) for mode in TravelMode),
        return_exceptions=True,
    )
    return [result for result in results if isinstance(result, BaseException)]


async def secrets(subject: Subject) -> str:
    """No key stands in what comes out: errors and what caused them, log lines, the provider's repr."""
    if not subject.secrets:
        raise NotApplicableError("it was opened without a key")
    errors = await _provoke(subject)
    texts = [*subject.heard, repr(subject.provider), str(subject.provider), *map(_whole, errors)]
    texts.append(repr(await subject.provider.find_place(subject.sample.place)))
    for text in texts:
        for secret in subject.secrets:
            demand(secret not in text, f"the key stands in: {shown(text.replace(secret, '***'))}")
    return f"{len(texts)} texts"


def _whole(error: BaseException | None) -> str:
    """An error with all that caused it."""
    parts = []
    while error is not None:
        parts.append(f"{error!r} {error}")
        error = error.__cause__ or error.__context__
    return "\n".join(parts)


async def close(subject: Subject) -> str:
    """Closing twice does no harm. The provider cannot be used afterwards."""
    await subject.provider.close()
    await subject.provider.close()
    return "closed twice"


CHECKS = (
    Check(
        "concurrency",
        f"{AT_ONCE} calls at once give what each gives alone.",
        "Keep what belongs to one call in local variables.",
        concurrency,
    ),
    Check(
        "cancellation",
        "A cancelled call ends at once, frees its slot, and the provider still works.",
        "Hold semaphores with `async with`; never swallow CancelledError.",
        cancellation,
    ),
    Check(
        "error-sentences",
        "Errors are plain sentences.",
        "Name the thing in one sentence, and the remedy as the second argument.",
        error_sentences,
    ),
    Check(
        "secrets",
        "Its key appears in no error, log line or repr.",
        "Send the key in a header, and never put a request's address into a message unredacted.",
        secrets,
    ),
)

LAST = Check("close", "close() can be called twice.", "Let the second call do nothing.", close)
"""Made after everything else."""
