"""Checks of what a provider declares and how it behaves: at once, cancelled, in errors, at its end."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable

from map_tools.errors import MapAgentError
from map_tools.providers.base import Provider
from map_tools.testing.contract.checking import (
    BreachError,
    Check,
    NotApplicableError,
    Subject,
    demand,
    shown,
)
from map_tools.types import Place, TravelMode

CALLS = ("find_place", "place_details", "nearby", "inside", "directions", "matrix", "close")
ALWAYS = frozenset({"id", "name", "aliases"})
"""Attributes of a place that identify it and need no declaration."""


def filled(place: Place) -> frozenset[str]:
    """The facts a place has: its attributes that say something, beside those that identify it."""
    return frozenset(
        name
        for name in Place.model_fields
        if name not in ALWAYS and getattr(place, name) not in (None, (), {}, "")
    )


async def interface(subject: Subject) -> str:
    """The calls of the port, with its parameters, as coroutines."""
    provider = subject.provider
    demand(isinstance(provider, Provider), f"missing: {', '.join(_missing(provider))}")
    demand(provider.name and isinstance(provider.name, str), "its name is empty")
    for call in CALLS:
        method = getattr(provider, call)
        demand(inspect.iscoroutinefunction(method), f"{call} is not an async method")
        _demand_parameters(call, inspect.signature(method))
    return f"{len(CALLS)} calls"


def _missing(provider: object) -> list[str]:
    wanted = ("name", "map_name", "capabilities", "terms", *CALLS)
    return [name for name in wanted if not hasattr(provider, name)]


def _demand_parameters(call: str, given: inspect.Signature) -> None:
    """Demands that the method can be called with every parameter that the port names."""
    wanted = inspect.signature(getattr(Provider, call))
    takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in given.parameters.values())
    for name, parameter in wanted.parameters.items():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not takes_any:
            demand(name in given.parameters, f"{call} does not take '{name}'")


async def terms(subject: Subject) -> str:
    """Whose data it is, where that is written, how long it may be kept."""
    stated = subject.provider.terms
    demand(stated.attribution.strip(), "the attribution is empty")
    demand(
        stated.attribution_url.startswith("https://"),
        f"attribution_url is '{stated.attribution_url}'",
    )
    demand(stated.base_map.strip(), "base_map is empty")
    days = stated.keep_payload_days
    demand(days is None or days >= 0, f"keep_payload_days is {days}")
    kept = "for ever" if days is None else f"{days} days"
    return f"{stated.attribution}; kept {kept}; drawn on {stated.base_map}"


async def attribution(subject: Subject) -> str:
    """The credit stands below every answer as it is: on a terminal, in JSON, on a page."""
    text = subject.provider.terms.attribution
    demand(text.isprintable(), "the attribution has line breaks or control characters")
    demand("<" not in text, f"the attribution has markup: {text}")
    await subject.provider.find_place(subject.sample.place)
    demand(subject.provider.terms.attribution == text, "the attribution changes from call to call")
    return text


async def facts_exist(subject: Subject) -> str:
    """Declared facts are attributes of `Place`."""
    facts = subject.provider.capabilities.facts
    unknown = facts - set(Place.model_fields)
    demand(not unknown, f"no attributes of Place: {', '.join(sorted(unknown))}")
    return f"{len(facts)} facts"


async def facts_declared(subject: Subject) -> str:
    """Whatever a place has was declared: the planner asks for nothing else."""
    seen = await facts_seen(subject)
    undeclared = seen - subject.provider.capabilities.facts
    demand(not undeclared, f"filled in but not declared: {', '.join(sorted(undeclared))}")
    unseen = subject.provider.capabilities.facts - seen
    return f"not in this sample: {', '.join(sorted(unseen))}" if unseen else "all that is declared was seen"


async def facts_filled(subject: Subject) -> str:
    """The known place has what the sample says it has."""
    wanted = subject.sample.facts & subject.provider.capabilities.facts
    if not wanted:
        raise NotApplicableError("the sample names no declared facts of its place")
    place = await subject.provider.place_details((await subject.place(subject.sample.place)).id)
    lacking = wanted - filled(place)
    if lacking:
        raise BreachError(f"'{place.name}' lacks {', '.join(sorted(lacking))}")
    return ", ".join(sorted(wanted))


async def facts_seen(subject: Subject) -> frozenset[str]:
    """The facts of the known place and of the places around it."""
    place = await subject.place(subject.sample.place)
    details = await subject.provider.place_details(place.id)
    nearby = subject.provider.capabilities.nearby
    around = [item.place for item in await subject.around(limit=20)] if nearby else []
    return frozenset().union(*map(filled, (place, details, *around)))


DECLARATIONS = (
    Check(
        "interface",
        "It has the declarations and the calls of map_tools.providers.base.Provider.",
        "Write the missing members with the port's parameters.",
        interface,
    ),
    Check(
        "terms",
        "It says whose data it is, where the terms stand, and what they allow.",
        "Fill `terms` from the service's terms page and link it.",
        terms,
    ),
    Check(
        "attribution",
        "Its credit is one plain line that does not change.",
        "Write the credit as plain text, without markup.",
        attribution,
    ),
    Check(
        "facts-exist",
        "The facts it declares are attributes of Place.",
        "Use the names of map_tools.types.Place in `capabilities.facts`.",
        facts_exist,
    ),
    Check(
        "facts-declared",
        "The facts it fills in are declared.",
        "Add them to `capabilities.facts`.",
        facts_declared,
    ),
    Check(
        "facts-filled",
        "The known place has the facts that the sample says it has.",
        "Parse them in `place_details`, and ask the service for them.",
        facts_filled,
    ),
)


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
