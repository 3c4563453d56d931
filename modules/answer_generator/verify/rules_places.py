"""Claims about places and ways: looked up again, measured again."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from map_tools.facts import NearbyFact, RoutesFact, TravelFact
from map_tools.types import LatLng, Place, Route, RouteStep
from mapagent.answer import Claim
from modules.answer_generator.verify.facts import Facts
from modules.answer_generator.verify.lambert import lambert_distance_m, sphere_bearing_deg
from modules.answer_generator.verify.tolerance import same
from modules.names import normalise, same_name, similarity


def check_lookup(claim: Claim, facts: Facts) -> Iterator[str]:
    """The field of the place reads as claimed, in one of the cited facts."""
    name, field = str(claim.arguments["place"]), str(claim.arguments["field"])
    places = facts.named(name, claim.inputs) or tuple(place for _, place in facts.places(claim.inputs))
    stated = [value for place in places if (value := field_of(place, field)) is not None]
    if not stated:
        yield f"No cited fact states the {field} of {name}."
    elif not any(_same_value(claim.result, value) for value in stated):
        yield f"The {field} of {name} is {stated[0]}, not {claim.result}."


def field_of(place: Place, field: str) -> Any:
    """The value at a path in a place ("rating", "services.wifi", "attributes.cuisine"), or None."""
    head, _, key = field.partition(".")
    if key:
        table = getattr(place, head, {})
        return table.get(key)
    if head in Place.model_fields:
        value = getattr(place, head)
        return value.text if head == "hours" and value is not None else value
    return place.services.get(head, place.attributes.get(head))


def _same_value(claimed: Any, stated: Any) -> bool:
    if isinstance(claimed, int | float) and isinstance(stated, int | float):
        return same("", float(claimed), float(stated))
    if isinstance(stated, tuple | list | frozenset):
        return normalise(str(claimed)) in {normalise(str(one)) for one in stated} or str(claimed) == str(
            stated
        )
    return str(claimed) == str(stated) or normalise(str(claimed)) == normalise(str(stated)) != ""


def check_travel(claim: Claim, facts: Facts) -> Iterator[str]:
    """A cited fact states this time or distance for this pair, this way round, by this mode."""
    arguments = claim.arguments
    unit = str(arguments.get("unit", "s"))
    stated: list[float] = []
    for fact in facts.of(claim.inputs):
        if isinstance(fact, TravelFact | RoutesFact) and _joins(fact, arguments):
            stated += _measures(fact, unit)
    way = f"{arguments['origin']} → {arguments['destination']} ({arguments['mode']})"
    if not stated:
        yield f"No cited fact states the travel {way}."
    elif not any(same(unit, float(claim.result), value) for value in stated):
        shown = ", ".join(f"{value:g}" for value in stated)
        yield f"The evidence says {shown} {unit} for {way}, not {claim.result:g}."


def _joins(fact: TravelFact | RoutesFact, arguments: dict[str, Any]) -> bool:
    return (
        fact.mode.value == str(arguments["mode"])
        and _same_end(str(arguments["origin"]), fact.origin, fact.origin_place)
        and _same_end(str(arguments["destination"]), fact.destination, fact.destination_place)
    )


def _same_end(name: str, words: str, place: Place | None) -> bool:
    return name == words or same_name(name, words) or (place is not None and same_name(name, place.name))


def _measures(fact: TravelFact | RoutesFact, unit: str) -> list[float]:
    sources: tuple[TravelFact | Route, ...] = (fact,) if isinstance(fact, TravelFact) else fact.routes
    values = [source.distance_m if unit == "m" else source.duration_s for source in sources]
    return [value for value in values if value is not None]


def check_distance(claim: Claim, facts: Facts) -> Iterator[str]:
    """The straight line between the two places, by another formula, or as a cited list states it.

    Distances from a park or a street are from its shape, which facts do not hold.
    """
    if not any(same("m", float(claim.result), away_m) for away_m in _listed(claim, facts)):
        yield from _geometry(claim, facts, "m", lambert_distance_m)


def _listed(claim: Claim, facts: Facts) -> Iterator[float]:
    """The distances of the one place from the other in the cited lists around it."""
    ends = str(claim.arguments["a"]), str(claim.arguments["b"])
    for fact in facts.of(claim.inputs):
        if isinstance(fact, NearbyFact) and fact.anchor_place is not None:
            for center, other in (ends, ends[::-1]):
                if _same_end(center, fact.anchor, fact.anchor_place):
                    yield from (
                        item.distance_m
                        for item in fact.items
                        if item.distance_m is not None and same_name(other, item.place.name)
                    )


def check_bearing(claim: Claim, facts: Facts) -> Iterator[str]:
    """The bearing from the first place to the second, by another formula."""
    yield from _geometry(claim, facts, "deg", sphere_bearing_deg)


def _geometry(
    claim: Claim, facts: Facts, unit: str, measure: Callable[[LatLng, LatLng], float]
) -> Iterator[str]:
    names = (str(claim.arguments["a"]), str(claim.arguments["b"]))
    ends = [_positions(name, claim, facts) for name in names]
    if not all(ends):
        lost = " and ".join(name for name, found in zip(names, ends, strict=True) if not found)
        yield f"No cited fact gives the position of {lost}."
        return
    recomputed = [measure(a, b) for a in ends[0] for b in ends[1]]
    if not any(same(unit, float(claim.result), value) for value in recomputed):
        shown = f"{recomputed[0]:.1f} {unit}"
        yield f"The {claim.rule} {names[0]} → {names[1]} comes to {shown}, not {float(claim.result):.1f}."


def _positions(name: str, claim: Claim, facts: Facts) -> list[LatLng]:
    """Where the name may lie: the places of the cited facts that it fits best."""
    found = facts.named(name, claim.inputs) or facts.named(name)
    return [place.location for place in found if place.location is not None]


def check_open(claim: Claim, facts: Facts) -> Iterator[str]:
    """The cited hours, evaluated at the claimed local time, say the same."""
    from map_tools.compute.hours import OpenState, open_state

    name, at = str(claim.arguments["place"]), datetime.fromisoformat(str(claim.arguments["at"]))
    places = facts.named(name, claim.inputs) or tuple(place for _, place in facts.places(claim.inputs))
    hours = [place.hours for place in places if place.hours is not None]
    if not hours:
        yield f"No cited fact states the opening hours of {name}."
        return
    wanted = OpenState.OPEN if claim.result else OpenState.CLOSED
    if not any(open_state(one, at) is wanted for one in hours):
        yield f"By its stated hours ({hours[0].text}) {name} is not {wanted.value} at {at:%A %H:%M}."


def check_step(claim: Claim, facts: Facts) -> Iterator[str]:
    """The instruction is one of the cited route's, and the one after the street if one is named."""
    after = claim.arguments.get("after")
    routes = [
        route
        for fact in facts.of(claim.inputs)
        if isinstance(fact, RoutesFact)
        for route in fact.routes
        if _is_route(route, claim.arguments.get("route"))
    ]
    wanted = normalise(str(claim.result))
    hits = [
        (route.steps, index)
        for route in routes
        for index, step in enumerate(route.steps)
        if _says(step, wanted)
    ]
    if not hits:
        yield f"No cited route has the step '{claim.result}'."
    elif after and not any(_follows(steps, index, str(after)) for steps, index in hits):
        yield f"The step '{claim.result}' does not come after {after}."


def _says(step: RouteStep, wanted: str) -> bool:
    texts = (step.instruction, *step.streets, *step.notes)
    return any(normalise(text) == wanted or (wanted and wanted in normalise(text)) for text in texts)


def _is_route(route: Route, summary: Any) -> bool:
    return not summary or not route.summary or similarity(str(summary), route.summary) > 0.6


def _follows(steps: tuple[RouteStep, ...], index: int, street: str) -> bool:
    """True if an earlier step, or this one itself, is on (or signed for) that street."""
    words = set(normalise(street).split())
    return any(words & set(normalise(step.instruction).split()) for step in steps[: index + 1])
