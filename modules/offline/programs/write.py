"""From an intent to a program: the one door of this package."""

from collections.abc import Callable, Mapping, Sequence
from datetime import time
from typing import Any

from map_tools.types import TravelMode
from mapagent.question import Question
from modules.offline.intents import RouteIntent, TripIntent
from modules.offline.programs import nearby, places, routes
from modules.offline.programs.options import ReadOption, read_option
from modules.offline.programs.trips import TripWriter
from modules.offline.programs.words import MODES
from modules.query.language.parser import MAX_BYTES

_START_WORDS = ("home", "start", "starting point", "hotel", "hostel", "current location", "my location")
"""What options call the start besides its name."""
_WRITERS: Mapping[str, Callable[[Any], str]] = {
    "place_fact": places.place_fact,
    "open": places.opening,
    "compare_places": places.compare_places,
    "distance": places.distance,
    "bearing": places.bearing,
    "closer": places.closer,
    "within": places.within,
    "nearby": nearby.nearby,
}


def write(intent: Any, question: Question, modes: Sequence[TravelMode] = ()) -> str:
    """The program of an intent.

    Args:
        intent: What the grammar read (`modules.offline.intents.Intent`).
        question: As it came in.
        modes: Where only some modes of travel are at hand: these, the commonest first.
    """
    if intent.kind == "pair":
        return places.pair(intent, _pairs(question))
    mode = "drive" if not modes or TravelMode.DRIVING in modes else MODES[modes[0]]
    if isinstance(intent, RouteIntent):
        compared = tuple(MODES[one] for one in modes) if len(modes) > 1 else ("drive", "bike", "walk")
        return routes.route(intent, mode, compared)
    if isinstance(intent, TripIntent):
        at: time | None = question.at.time() if question.at is not None else None
        return TripWriter(intent, mode, _orders(intent, question), at).program()
    if intent.kind == "direction_pick":
        return places.direction_pick(intent, options=bool(question.live_options()))
    if intent.kind == "between":
        return places.between(intent, options=bool(question.live_options()))
    return _WRITERS[intent.kind](intent)[:MAX_BYTES]


def _pairs(question: Question) -> tuple[tuple[str, str], ...]:
    """The pairs of places that options name ("A and B", "A - B")."""
    found = []
    for _, text in question.live_options():
        for link in (" and ", " & ", " – ", " - ", " to ", ", "):
            first, _, second = text.partition(link)
            if second:
                found.append((first.strip(), second.strip()))
                break
    return tuple(found)


def _orders(intent: TripIntent, question: Question) -> list[ReadOption]:
    """The options as stops of the trip: -1 is the start, -2 the end."""
    from dataclasses import replace

    from map_tools.compute.trip_model import END, START

    stops = [*([START] if intent.start is not None else []), *range(len(intent.visits))]
    names = [
        [intent.start or "", *_START_WORDS] if stop == START else [intent.visits[stop].place]
        for stop in stops
    ]
    if intent.end is not None:
        stops.append(END)
        names.append([intent.end])
    found = []
    for index, text in question.live_options():
        read = read_option(index, text, names)
        renumbered = tuple(replace(one, stop=stops[one.stop]) for one in read.stops)
        found.append(ReadOption(index=index, text=text, stops=renumbered))
    return found
