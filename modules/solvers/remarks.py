"""What is said of a place found nearby besides its name: how far it is, where, a fact about it."""

from collections.abc import Sequence

from mapagent.answer import Quantity
from modules.offline.intents import Attribute, NearbyIntent
from modules.solvers.common import Trail, reference, title
from modules.solvers.facts import Fact
from modules.solvers.measures import measure_words
from modules.solvers.rankings import Ranked
from modules.solvers.route_facts import MODE_WORDS, default_mode
from modules.view import CannotTellError, Found, View

_FACTS = {
    "address": Attribute.ADDRESS,
    "phone": Attribute.PHONE,
    "website": Attribute.WEBSITE,
    "hours": Attribute.HOURS,
}
_WAYS = frozenset({"duration", "way"})


def whereabouts(one: Ranked) -> str:
    """Where a place without a name is to be found; empty for a place with a name."""
    if one.place.name:
        return ""
    metres, spot = one.candidate.distance_m, one.place.location
    parts = ["" if metres is None else f"{measure_words(metres, 'm')} away"]
    if spot is not None and not one.place.address:
        parts.append(f"at {spot.lat:.5f}, {spot.lng:.5f}")
    return ", ".join(part for part in parts if part)


def described(ranked: Sequence[Ranked], names: Sequence[str]) -> tuple[str, ...]:
    """The names of a list; what has none is told by where it is ("unnamed bench, 35 m away")."""
    return tuple(
        name if one.place.name else f"{title(one.place)}, {whereabouts(one)}"
        for one, name in zip(ranked, names, strict=True)
    )


def next_named(ranked: Sequence[Ranked]) -> str:
    """Which place with a name comes next, if the first has none; else empty."""
    if not ranked or ranked[0].place.name:
        return ""
    named = next((one for one in ranked if one.place.name), None)
    if named is None:
        return ""
    metres = named.candidate.distance_m
    return f"next with a name: {named.place.name}" + (
        "" if metres is None else f", {measure_words(metres, 'm')}"
    )


def way_to(
    view: View, trail: Trail, intent: NearbyIntent, one: Ranked, measure: str
) -> tuple[Quantity, str] | None:
    """The "duration" (seconds) or else the length (metres) of the way from the anchor to a place, with words.

    Returns:
        None while the travel is being fetched.

    Raises:
        CannotTellError: There is no way, or its length is not known.
    """
    mode = intent.mode or default_mode(view)
    travel = view.travel(intent.anchors[0], reference(one.place), mode)
    if travel is None:
        return None
    value, unit = (travel.duration_s, "s") if measure == "duration" else (travel.distance_m, "m")
    if value is None:
        raise CannotTellError(f"The length of the way to {title(one.place)} is not known.")
    trail.claim(
        "travel",
        (travel.evidence_id,),
        value,
        origin=intent.anchors[0],
        destination=reference(one.place),
        mode=mode.value,
        unit=unit,
    )
    if intent.mode is None:
        trail.warn(f"The question names no mode of travel; this is the way {MODE_WORDS[mode]}.")
    return Quantity(value=value, unit=unit), f"{MODE_WORDS[mode]}: {measure_words(value, unit)}"


def besides(view: View, trail: Trail, intent: NearbyIntent, one: Ranked) -> str | None:
    """The answers to second wishes ("and how far is it?"), in their order; None while facts are missing.

    What no source states is left out with a warning: the name still answers the question.
    """
    parts: list[str] = []
    for wish in intent.also:
        try:
            part = _besides(view, trail, intent, one, wish)
        except CannotTellError as gap:
            trail.warn(gap.reason)
            continue
        if part is None:
            return None
        parts.append(part)
    return ", ".join(part for part in parts if part)


def _besides(view: View, trail: Trail, intent: NearbyIntent, one: Ranked, wish: str) -> str | None:
    """The answer to one second wish; None while it is being fetched.

    Raises:
        CannotTellError: No source states it.
    """
    if wish == "distance":
        metres = one.candidate.distance_m
        return "" if metres is None else measure_words(metres, "m")
    if wish == "duration" and one.unit == "s":
        return measure_words(one.measure, "s")  # what they are ranked by
    if wish in _WAYS:
        way = way_to(view, trail, intent, one, wish)
        return None if way is None else way[1]
    fact = fact_about(view, trail, one, _FACTS[wish])
    return None if fact is None else str(fact.raw)


def fact_about(
    view: View, trail: Trail, one: Ranked, attribute: Attribute, service: str | None = None
) -> Fact | None:
    """A fact about a place of the list, from the list itself or else from the place looked up.

    Returns:
        None while the place is to be looked up.

    Raises:
        CannotTellError: Neither states it.
    """
    from modules.solvers.place import looked_up

    ids = one.candidate.evidence_ids
    trail.use(*ids)
    try:
        return looked_up(view, trail, Found(place=one.place, evidence_id=ids[0]), attribute, service)
    except CannotTellError:
        full = view.try_place(reference(one.place))
        if view.waiting:
            return None
        if full is None:
            raise
        return looked_up(view, trail, full, attribute, service)
