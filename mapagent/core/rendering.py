"""The one place that renders findings as text: facts, candidates for a name, string literals of programs.

Names and reviews come from the map: they are data. Line breaks and control characters in them are removed, so
that no name can look like a new line of evidence, and quotes are escaped, so that none can leave its text in a
program.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from map_tools.compute.shapes import area_m2
from map_tools.facts import (
    ComputedFact,
    DeparturesFact,
    Fact,
    FailureFact,
    NearbyFact,
    NoteFact,
    PictureFact,
    PlaceFact,
    ReachFact,
    RoutesFact,
    TravelFact,
)
from map_tools.overture.provenance import from_overture
from map_tools.tools.nearby import MAX_RADIUS_M
from map_tools.types import ID_PREFIX, Place, Route, is_own, tells_own
from mapagent.core.answer import Candidate

_JOINERS = "\u200c\u200d"
"""Invisible, but they change the shape of letters in Persian, Hindi and others, so they belong to names."""

LIST_LIMIT = 8
"""Items of a list that are written out; the rest is counted, never dropped silently."""

PICTURE_LIMIT = 40
"""Labels of a picture that are written out."""


def fact_text(fact: Fact) -> str:
    """A fact in one line."""
    renderer: Callable[[Any], str] = _RENDERERS[type(fact)]
    return clean(renderer(fact))


def named(words: str, place: Place | None) -> str:
    """What to call a place: the words it was asked for by, or its name if those are an id."""
    return place.name if place is not None and place.name and words.startswith(ID_PREFIX) else words


def clean(text: str) -> str:
    """The text in one line, without control characters and marks that change the writing direction."""
    kept = (char if char.isprintable() or char in _JOINERS else " " for char in text)
    return " ".join("".join(kept).split())


def _place(fact: PlaceFact) -> str:
    rivals = f"; also called so: {len(fact.rivals)} other places" if fact.rivals else ""
    return f"“{named(fact.query, fact.place)}” is {place_text(fact.place)}{rivals}"


def place_text(place: Place) -> str:
    """A place with the facts it has."""
    parts = [place.name or "(unnamed)"]
    if place.categories:
        parts.append(place.categories[0].replace("_", " "))
    parts += [part for part in (place.address, place.phone, place.website) if part]
    if place.rating is not None:
        count = f" ({place.rating_count} ratings)" if place.rating_count is not None else ""
        parts.append(f"rated {place.rating:g}{count}")
    if place.price_level is not None:
        parts.append(f"price level {place.price_level}")
    if place.hours is not None:
        parts.append(f"hours {place.hours.text}")
    parts += [f"{name}: {'yes' if value else 'no'}" for name, value in sorted(place.services.items())]
    parts += from_overture(place.id, place.attributes)
    if is_own(place.id):
        parts.append("a place of the asker's own")  # its position stays private
    elif place.location is not None and not tells_own(place.id):
        parts.append(f"at {place.location}")
    return ", ".join(parts)


def _nearby(fact: NearbyFact) -> str:
    anchor = named(fact.anchor, fact.anchor_place)
    shown = [
        f"{item.place.name or '(unnamed)'}"
        + (f" {item.distance_m:.0f} m" if item.distance_m is not None else "")
        for item in fact.items[:LIST_LIMIT]
    ]
    more = len(fact.items) - len(shown)
    rest = f" and {more} more" if more > 0 else ""
    bounded = fact.radius_m is not None and fact.radius_m < MAX_RADIUS_M and not fact.inside
    radius = f" within {fact.radius_m:.0f} m" if bounded else ""
    where = "in" if fact.inside else "around"
    cut = "" if fact.complete else " (list cut by the source)"
    of_others = f"; of {fact.not_stated} more it is not stated" if fact.not_stated else ""
    listed = "; ".join(shown) or "none"
    return f"{len(fact.items)} × {fact.what} {where} {anchor}{radius}: {listed}{rest}{cut}{of_others}"


def _routes(fact: RoutesFact) -> str:
    routes = "; ".join(_route(route) for route in fact.routes)
    return f"{_way(fact)}: {routes or 'no route'}"


def _route(route: Route) -> str:
    return f"via {route.summary or '(unnamed road)'} ({_amounts(route.duration_s, route.distance_m)})"


def _travel(fact: TravelFact) -> str:
    ferry = ", by ferry in part" if fact.ferry else ""
    return f"{_way(fact)}: {_amounts(fact.duration_s, fact.distance_m)}{ferry}"


def _reach(fact: ReachFact) -> str:
    origin = named(fact.origin, fact.origin_place)
    size = f"an area of {area_m2(fact.shape) / 1e6:.2f} km²"
    cut = ", as far as the map goes" if fact.cut else ""
    return f"within {fact.within_s / 60:g} min {fact.mode.value} from {origin}: {size}{cut}"


def _departures(fact: DeparturesFact) -> str:
    told = "; ".join(
        f"{ride.depart_at:%H:%M} {ride.vehicle} {ride.line} towards {ride.headsign or ride.leave}"
        for ride in fact.rides[:LIST_LIMIT]
    )
    return f"{len(fact.rides)} departures from {named(fact.stop, fact.stop_place)}: {told or 'none'}"


def _way(fact: RoutesFact | TravelFact) -> str:
    origin, destination = (
        named(fact.origin, fact.origin_place),
        named(fact.destination, fact.destination_place),
    )
    return f"{fact.mode.value} from {origin} to {destination}"


def _amounts(duration_s: float | None, distance_m: float | None) -> str:
    parts = []
    if duration_s is not None:
        parts.append(f"{duration_s / 60:.1f} min")
    if distance_m is not None:
        parts.append(f"{distance_m:.0f} m")
    return ", ".join(parts) or "no way known"


def _note(fact: NoteFact) -> str:
    return fact.text


def _picture(fact: PictureFact) -> str:
    shown = "; ".join(label.text for label in fact.labels[:PICTURE_LIMIT])
    more = len(fact.labels) - PICTURE_LIMIT
    rest = f" and {more} more" if more > 0 else ""
    frame = fact.frame
    where = (
        f"around {frame.center}, {2 * frame.radius_m:.0f} m from corner to corner"
        if frame
        else fact.reason or "at a place not known"
    )
    return f"the picture shows {len(fact.labels)} labels: {shown}{rest}; it is {where}"


def _computed(fact: ComputedFact) -> str:
    return f"{fact.label} = {fact.value}" + (f" [{fact.formula}]" if fact.formula else "")


def _failure(fact: FailureFact) -> str:
    return f"{fact.message} {fact.remedy}".strip()


_RENDERERS: dict[type, Callable[[Any], str]] = {
    PlaceFact: _place,
    NearbyFact: _nearby,
    RoutesFact: _routes,
    TravelFact: _travel,
    ReachFact: _reach,
    DeparturesFact: _departures,
    NoteFact: _note,
    PictureFact: _picture,
    ComputedFact: _computed,
    FailureFact: _failure,
}


DIGITS = 5
"""Decimals of the positions that distinguish places: about 1 m."""


def told_apart(asked: str, places: Sequence[Place], known: Sequence[str] = ()) -> tuple[Candidate, ...]:
    """The candidates for a name, in the order given, each described by how it differs from the others.

    They differ by kind, address, district or position. All interfaces show candidates made here, so that their
    numbers are the same everywhere.

    A kind or an address that all of them share is left out. If the rest does not distinguish two of them,
    or there is no rest, the position does.

    Args:
        asked: The name.
        places: The places it may mean.
        known: Descriptions of the first of them from the look-up of the name, such as the street nearby; used for
            those without an address.
    """
    differing = [feature for feature in _FEATURES if len({feature(place) for place in places}) > 1]
    lines = [_line(place, differing or _FEATURES) for place in places]
    often = Counter(lines)
    told = [
        line if often[line] == 1 else _placed(place, line) for place, line in zip(places, lines, strict=True)
    ]
    for number, line in enumerate(known):
        if not _address(places[number]):
            told[number] = clean(line)
    return tuple(
        Candidate(asked=asked, place=place, told=line) for place, line in zip(places, told, strict=True)
    )


def _kind(place: Place) -> str:
    return place.categories[0].replace("_", " ") if place.categories else ""


def _address(place: Place) -> str:
    return place.address or place.attributes.get("addr:street", "")


def _district(place: Place) -> str:
    """The part of town, unless the address states it."""
    district = place.attributes.get("addr:suburb", "")
    return "" if district in _address(place) else district


_FEATURES: tuple[Callable[[Place], str], ...] = (_kind, _address, _district)


def _line(place: Place, features: Sequence[Callable[[Place], str]]) -> str:
    """A place by its name and features, or by its position if it has none of the features."""
    known = [feature(place) for feature in features]
    line = clean(", ".join((place.name or "(unnamed)", *filter(None, known))))
    return line if any(known) else _placed(place, line)


def _placed(place: Place, line: str) -> str:
    """The line with the position appended, except for the user's own places, whose positions stay private."""
    if is_own(place.id):
        return f"{line}, a place of your own"
    if place.location is None:
        return line
    return f"{line}, {place.location.lat:.{DIGITS}f}, {place.location.lng:.{DIGITS}f}"


MAX_STRING_CHARS = 300
"""Maximum length of a string literal in a program, escapes included."""


def quoted(text: str, *, cut: bool = True) -> str:
    """A text as a string literal of the query language, quoted and escaped. Line breaks become spaces.

    Args:
        text: Any text.
        cut: Whether to cut a text that is too long; otherwise the language rejects the program that contains it.
    """
    plain = " ".join(text.splitlines())
    longest = min(len(plain), MAX_STRING_CHARS) if cut else len(plain)
    escaped = _escaped(plain[:longest])
    while cut and len(escaped) > MAX_STRING_CHARS:
        longest -= 1
        escaped = _escaped(plain[:longest])
    return f'"{escaped}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
