"""Operators that look one thing up: places, areas, lines, facts, words of a supplied text."""

from dataclasses import replace

from map_tools.compute.geodesy import distance_m
from map_tools.compute.shapes import buffer_m
from map_tools.facts import PlaceFact
from map_tools.kinds.concepts import is_street, reach_m
from map_tools.providers.base import Spot
from map_tools.text import normalise
from map_tools.types import Geometry, LatLng, Shape, is_own
from map_tools.types import Place as MapPlace
from mapagent.core.rendering import told_apart
from modules.query.interpreter.context import Context, PlaceRequest, unknown_of
from modules.query.interpreter.fields import place_field
from modules.query.interpreter.needs import ON_LINE_M, WHOLE_MAP, shape_of
from modules.query.language.words import categories_of, meaning
from modules.query.operators.base import Area, Fact, Line, Place, Text, operator
from modules.query.values.algebra import ValueTypeError, called
from modules.query.values.things import Choice, Stop, Thing, Visit
from modules.query.values.unknown import Unknown, Why

SURELY_ALIKE = 0.8
"""Similarity below which the answer warns that a name is not a sure match."""
MOST_TOLD = 20
"""Maximum number of places of one name that are listed."""
CLEARLY_NEARER = 4.0
"""Of several places of one name, one this many times nearer to the program's other places is the one meant."""


@operator(module="map_service", phrase="{name}[ near {near}][ in {inside}][ ({kind})]")
def place(
    context: Context,
    name: Text,
    *,
    near: Place | None = None,
    inside: Area | None = None,
    kind: Text | None = None,
) -> Place | Unknown:
    """One place by name, address ("High Street 10"), "Street A & Street B" or "41.15, -8.61".

    Of several the nearest to near=, else Unknown.
    """
    return _found(
        context,
        name,
        near=near,
        inside=inside,
        kinds=meaning(kind)[0] or categories_of(kind) if kind else (),
        role="place",
    )


@operator(module="map_service", phrase="{name}[ near {near}]")
def area(context: Context, name: Text, *, near: Place | None = None) -> Area | Unknown:
    """A district, park, lake, square, campus or other outline; the map's own name is the whole map."""
    if normalise(name) == normalise(context.situation.map_name) and context.situation.bounded:
        return Thing(MapPlace(id=WHOLE_MAP, name=context.situation.map_name), role="area")
    found = _found(context, name, near=near, role="area")
    return found if isinstance(found, Unknown) else _outlined(context, found)


def _outlined(context: Context, found: Thing) -> Thing:
    """An area for a thing without an outline: around the middle of a settlement, along the course of a street."""
    radius_m, middle = reach_m(found.place.categories), found.place.location
    street = is_street(found.place.categories)
    if (radius_m is None and not street) or middle is None or context.situation.text:
        return found
    shape = shape_of(found, context)
    if isinstance(shape, Shape) and street:
        context.assume(f"{found.name} is a street: what stands on it")
        return _made_around(found, shape, ON_LINE_M)
    if not isinstance(shape, Unknown) or shape.why is not Why.NOT_STATED or radius_m is None:
        return found
    context.assume(
        f"{found.name} has no outline on this map: what lies within {radius_m:.0f} m of its middle"
    )
    return _made_around(found, middle, radius_m)


def _made_around(found: Thing, of: Geometry, by_m: float) -> Thing:
    """A thing as the area within a distance of its middle or course, whose size means nothing."""
    unknown = Unknown(Why.NOT_STATED, f"{found.name} has no outline on this map.")
    return replace(found, shape=buffer_m(of, by_m).wkt, extra=(("size", unknown), ("perimeter", unknown)))


@operator(module="map_service", phrase="{name}[ near {near}]")
def line(context: Context, name: Text, *, near: Place | None = None) -> Line | Unknown:
    """A whole street, canal, river, railway, bus or metro line."""
    return _found(context, name, near=near, role="line")


@operator(module="map_service", phrase="the {key} of {of}")
def fact(context: Context, of: Place, key: Text) -> Fact | Unknown:
    """What the map states under a key such as "addr:postcode"."""
    return place_field(of, key, context)


@operator(module="context_reader", phrase="“{words}”[ said of {about}]")
def quote(context: Context, words: Text, about: Text | None = None) -> Text | Unknown:
    """Words of the supplied text, with about= in a line or section naming it."""
    text = context.situation.text
    if not text:
        raise ValueTypeError("there is no supplied text to quote; what a picture says is in picture.marks")
    section = _section(text, about) if about else text
    if section is None:
        return Unknown(Why.NOT_STATED, f"Nothing in the text is about “{about}”.")
    if _squeezed(words) not in _squeezed(section):
        where = f" said of “{about}”" if about else ""
        return Unknown(
            Why.NOT_STATED, f"“{words}” does not stand in the text{where}; quote what does, to the letter."
        )
    return words


def _squeezed(text: str) -> str:
    return " ".join(text.casefold().split())


def _section(text: str, about: str) -> str | None:
    """The lines that name something, each with the indented or listed lines below it."""
    wanted, lines = normalise(about), text.splitlines()
    kept: list[str] = []
    for number, current in enumerate(lines):
        if wanted not in normalise(current):
            continue
        kept.append(current)
        depth = len(current) - len(current.lstrip())
        for below in lines[number + 1 :]:
            if not below.strip() or (
                len(below) - len(below.lstrip()) <= depth and not below.lstrip().startswith(("-", "*", "•"))
            ):
                break
            kept.append(below)
    return "\n".join(kept) or None


def _found(
    context: Context,
    name: str,
    *,
    near: Thing | None = None,
    inside: Thing | None = None,
    kinds: tuple[str, ...] = (),
    role: str,
) -> Thing | Unknown:
    request = PlaceRequest(
        text=name,
        near=near.reference if near is not None else "",
        inside=inside.reference if inside is not None else "",
        kind=kinds,
        wanted="" if role == "place" else role,
    )
    reply = context.need(request)
    if reply.fact is None:
        failure = reply.failure
        return (
            unknown_of(failure) if failure else Unknown(Why.NOT_FOUND, f"No place called '{name}' is known.")
        )
    found: PlaceFact = reply.fact
    chosen = _settled(context, found, near)
    if isinstance(chosen, Unknown):
        return chosen
    if is_own(chosen.id):
        context.assume(f"{chosen.name} is a place of your own")
    if normalise(chosen.name) != normalise(name) and found.score < 1.0:
        context.assume(f"“{name}” is taken to be {Thing(chosen).name}")
        if found.score < SURELY_ALIKE:
            context.warn(f"“{name}” was taken for {Thing(chosen).name}, which is only faintly alike.")
            context.sureness(found.score)
    return Thing(chosen, role=role)


def _settled(context: Context, found: PlaceFact, near: Thing | None) -> MapPlace | Unknown:
    """The place meant among those of its name: nearest to what the program says, or to its other places."""
    if not found.rivals:
        return found.place
    candidates = (found.place, *found.rivals)
    told_all = told_apart(found.query, candidates, found.told_apart)
    if near is not None and near.place.location is not None:
        return _nearest(candidates, near.place.location)[0]
    others = [
        reply.fact.place.location
        for request, reply in context.facts.known.items()
        if isinstance(request, PlaceRequest)
        and isinstance(reply.fact, PlaceFact)
        and not reply.fact.rivals
        and reply.fact.place.location is not None
    ]
    here = context.situation.here
    anchor = here.place.location if here is not None else others[0] if others else None
    if anchor is not None:
        first, second = _nearest(candidates, anchor)[:2]
        if _away(first, anchor) * CLEARLY_NEARER <= _away(second, anchor):
            told = next(one.told for one in told_all if one.place == first)
            context.assume(
                f"of {len(candidates)} places called {found.query}, the one near the others: {told}"
            )
            return first
    shown = "; ".join(f"{number}. {one.told}" for number, one in enumerate(told_all[:MOST_TOLD], start=1))
    more = f"; and {len(candidates) - MOST_TOLD} more" if len(candidates) > MOST_TOLD else ""
    return Unknown(
        Why.AMBIGUOUS,
        f"'{found.query}' may be any of {len(candidates)} places.",
        candidates=candidates,
        shown=f"{shown}{more}.",
    )


def _nearest(candidates: tuple[MapPlace, ...], anchor: Spot) -> list[MapPlace]:
    return sorted(candidates, key=lambda one: _away(one, anchor))


def _away(candidate: MapPlace, anchor: Spot) -> float:
    if candidate.location is None or not isinstance(anchor, LatLng):
        return float("inf")
    return distance_m(anchor, candidate.location)


def as_thing(context: Context, value: object) -> Thing | Unknown:
    """A member of a list as a place.

    Raises:
        ValueTypeError: It is none.
    """
    if isinstance(value, Thing | Unknown):
        return value
    if isinstance(value, Stop | Visit):
        return value.thing
    if isinstance(value, str | Choice):
        found: Thing | Unknown = context.calls.look_up(
            "place", {"name": value if isinstance(value, str) else value.text}
        )
        return found
    raise ValueTypeError(f"a place is wanted here, and this is {called(value)}")


OPERATORS = (place, area, line, fact, quote)
