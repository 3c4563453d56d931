"""Checks of what a provider declares: its calls, its facts, its terms."""

import inspect

from map_tools.providers.base import Provider
from map_tools.testing.contract.checking import BreachError, Check, NotApplicableError, Subject, demand
from map_tools.types import Place

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


CHECKS = (
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
