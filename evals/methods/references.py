"""References of a plan: "$1.items[0].name" in an argument stands for what call 1 brought.

References are paths into typed facts. One that leads nowhere is an error that is shown to the planner; it is
never passed on as a text (a known fault of ports of LLMCompiler).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from map_tools.errors import PlanError
from map_tools.facts import Fact, FailureFact, NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.ids import ID_PREFIX
from map_tools.types import Place

_REFERENCE = re.compile(r"\$\{?(\d+)((?:\.\w+|\[\d+\])*)\}?")
_PART = re.compile(r"\.(\w+)|\[(\d+)\]")

type Results = Mapping[int, Sequence[Fact]]
"""What the calls brought, by their numbers."""


def references(value: Any) -> frozenset[int]:
    """The numbers of the calls that an argument (or all arguments) refers to."""
    if isinstance(value, str):
        return frozenset(int(match[1]) for match in _REFERENCE.finditer(value))
    if isinstance(value, Mapping):
        value = list(value.values())
    return frozenset[int]().union(*map(references, value)) if isinstance(value, list) else frozenset()


def resolve(value: Any, results: Results) -> Any:
    """The argument with its references replaced.

    A text that is nothing but a reference becomes the value itself (a number, a list of names); inside a
    longer text the value is written out.

    Raises:
        PlanError: A reference leads nowhere, or to more than one value.
    """
    if isinstance(value, str):
        whole = _REFERENCE.fullmatch(value.strip())
        if whole is not None:
            return _value(whole, results)
        return _REFERENCE.sub(lambda match: str(_value(match, results)), value)
    if isinstance(value, Mapping):
        return {key: resolve(item, results) for key, item in value.items()}
    return [resolve(item, results) for item in value] if isinstance(value, list) else value


def _value(reference: re.Match[str], results: Results) -> Any:
    number, path = int(reference[1]), reference[2]
    if number not in results:
        raise PlanError(f"The reference {reference[0]} names no call that was made.")
    value: Any = tree(results[number])
    for key, index in _PART.findall(path):
        value = _part(value, key or int(index), reference[0], results[number])
    if isinstance(value, Mapping) or (
        isinstance(value, list) and any(isinstance(it, Mapping) for it in value)
    ):
        known = ", ".join(f"{reference[0]}{name}" for name in _next_parts(value))
        raise PlanError(f"The reference {reference[0]} is not a single value.", f"There is: {known}.")
    return value


def _part(value: Any, key: str | int, reference: str, facts: Sequence[Fact]) -> Any:
    if isinstance(key, str) and key.isdigit():
        key = int(key)
    if isinstance(value, Mapping) and key in value:
        return value[key]
    if isinstance(value, list) and isinstance(key, int) and key < len(value):
        return value[key]
    failures = " ".join(fact.message for fact in facts if isinstance(fact, FailureFact))
    known = ", ".join(_next_parts(value)) or "nothing"
    raise PlanError(f"The reference {reference} leads nowhere: there is {known}.", failures)


def _next_parts(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f".{name}" for name in value]
    return [f"[{index}]" for index in range(len(value))] if isinstance(value, list) else []


def tree(facts: Sequence[Fact]) -> dict[str, Any]:
    """Facts as names and lists that a path can follow.

    The first place found stands at the top ("$1.name"); below are `places`, `items` (of a Nearby list, with
    `distance_m`), `routes` and `legs` (with `duration_s`, `distance_m`), as far as there are any.
    """
    places = [_place(fact.place) for fact in facts if isinstance(fact, PlaceFact)]
    lists: dict[str, list[dict[str, Any]]] = {
        "places": places,
        "items": [
            _known({**_place(item.place), "distance_m": item.distance_m})
            for fact in facts
            if isinstance(fact, NearbyFact)
            for item in fact.items
        ],
        "routes": [
            _known(route.model_dump(include={"summary", "distance_m", "duration_s"}))
            for fact in facts
            if isinstance(fact, RoutesFact)
            for route in fact.routes
        ],
        "legs": [
            _known(fact.model_dump(include={"origin", "destination", "distance_m", "duration_s"}))
            for fact in facts
            if isinstance(fact, TravelFact)
        ],
    }
    return {**(places[0] if places else {}), **{name: found for name, found in lists.items() if found}}


def _place(place: Place) -> dict[str, Any]:
    told = place.model_dump(include={"name", "address", "phone", "website", "rating", "rating_count"})
    location = str(place.location) if place.location is not None else None
    return _known({**told, "id": f"{ID_PREFIX}{place.id}", "location": location})


def _known(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
