"""Does a restated question still ask what was asked? What code can see in the one must be in the other.

The same scanner reads both wordings. A duration, a distance, a time of day, a weekday or a means of travel
that stands in only one of them, a place that the question does not name, or one that is lost, means that the
model has changed the question.
"""

from collections.abc import Iterable, Iterator
from datetime import time
from typing import Any

from pydantic import BaseModel

from mapagent.ports import NameHints
from mapagent.question import Question
from modules.offline.intents import HERE, Intent, RouteIntent, TripIntent
from modules.llm.quoting import is_quoted
from modules.names import normalise
from modules.offline.analysis import Analysis
from modules.offline.marks import Mark
from modules.offline.parser import Parse
from modules.offline.trip_grammar_stops import speaks_of_way_back

NAMING = frozenset(
    {"place", "places", "anchor", "anchors", "a", "b", "origin", "destination", "target", "candidates", "via",
     "others", "start", "end"}
)  # fmt: skip
"""Fields of intents that hold places in the question's words."""
HALF_DAY_MIN = 12 * 60
MEASURES = {"duration": "time", "travel_time": "time", "total_time": "time", "distance": "distance"}
PLAIN_SCORE = 0.9
"""A question that the embedded parser reads with this score or more says plainly what it wants."""
KNOWN_NAME = 0.86
"""A place must fit the map this well, where that costs nothing to find out. On 65 free wordings right
readings had 0.94 or more, readings with words that are no name 0.80 or less."""


def faults(
    question: Question, asked: Parse, after: Analysis, intent: Intent, names: NameHints | None
) -> tuple[str, ...]:
    """What a restated question changes, each in one sentence for the model.

    Args:
        question: As it was asked.
        asked: What the embedded parser makes of the question.
        after: The scanned words of the restated one.
        intent: What the restated one was read as.
        names: Tells whether words are the name of a place, where asking costs nothing.
    """
    found = [*_foreign_places(question, intent), *_amounts(asked.analysis, after, intent)]
    found += (*_lost_places(question, asked, after, intent), *_one_option(question, after, intent))
    found += _other_measure(asked, intent)
    found += _invented_return(question, intent)
    found += (f"The map has no place '{place}'." for place in unknown_places(intent, names))
    return tuple(dict.fromkeys(found))


def places_of(value: Any) -> Iterator[str]:
    """The places an intent, or a part of one, names."""
    if not isinstance(value, BaseModel):
        return
    for name in type(value).model_fields:
        held = getattr(value, name)
        for item in held if isinstance(held, tuple) else (held,):
            if isinstance(item, str) and name in NAMING:
                yield item
            else:
                yield from places_of(item)


def unknown_places(intent: Any, names: NameHints | None) -> tuple[str, ...]:
    """The places of an intent that the map does not know by name; none where looking up a name costs."""
    if names is None:
        return ()
    return tuple(place for place in places_of(intent) if place != HERE and names.score(place) < KNOWN_NAME)


def _foreign_places(question: Question, intent: Intent) -> Iterator[str]:
    for place in places_of(intent):
        if place != HERE and not _is_said(place, question.text, *question.options):
            yield f"The question names no place '{place}'."


def _lost_places(question: Question, asked: Parse, after: Analysis, intent: Intent) -> Iterator[str]:
    """Small models drop the way that is asked about; what the question plainly names is known.

    A name may be cut: the words around it were taken for a part of it.
    """
    if asked.best is None or asked.best.score < PLAIN_SCORE:
        return
    kept = [place for place in places_of(intent) if place != HERE]
    for place in places_of(asked.best.intent):
        cut = any(is_quoted(part, place) for part in kept)
        if place != HERE and _is_said(place, question.text) and not _is_said(place, after.text) and not cut:
            yield f"'{place}' of the question is left out."


def _is_said(place: str, *texts: str) -> bool:
    """True if a text names the place; of "Old Mill, Norwich" both parts count, for they may stand apart."""
    return all(is_quoted(part, *texts) for part in place.split(",") if part.strip())


def _one_option(question: Question, after: Analysis, intent: Intent) -> Iterator[str]:
    """Places that stand in the options alone are all asked about, or none: one of them is the answer."""
    named = (place for place in places_of(intent) if place != HERE)
    if all(_is_said(place, question.text) for place in named):
        return
    if not all(is_quoted(text, after.text) for _, text in question.live_options()):
        yield "The question leaves open which of its options it is."


def _other_measure(asked: Parse, intent: Intent) -> Iterator[str]:
    """Small models take "how long" for a length; what the question plainly asks for is known."""
    if asked.best is None or asked.best.score < PLAIN_SCORE:
        return
    wanted, said = _measure(asked.best.intent), _measure(intent)
    if wanted and said and wanted != said:
        yield f"The question asks for the {wanted}, not for the {said}."


def _invented_return(question: Question, intent: Intent) -> Iterator[str]:
    """A way back that the question neither speaks of nor names its start for once more."""
    if not isinstance(intent, TripIntent) or not intent.returns or speaks_of_way_back(question.text):
        return
    if intent.start is None or normalise(question.text).count(normalise(intent.start)) < 2:
        yield "The question does not go back to the start."


def _measure(intent: Intent) -> str:
    """What is wanted of a way: its time or its distance; empty for all else."""
    if not isinstance(intent, RouteIntent | TripIntent):
        return ""
    return MEASURES.get(intent.ask, "")


def _amounts(before: Analysis, after: Analysis, intent: Intent) -> Iterator[str]:
    yield from _differences(before, after, before.durations, after.durations)
    yield from _differences(before, after, before.distances, after.distances)
    yield from _clocks(before, after)
    yield from _differences(before, after, _fixed_days(before), _fixed_days(after))
    if isinstance(intent, RouteIntent | TripIntent):
        yield from _missing(before, before.modes, {mark.value for mark in after.modes})


def _differences(
    before: Analysis, after: Analysis, asked: Iterable[Mark[Any]], said: Iterable[Mark[Any]]
) -> Iterator[str]:
    asked, said = tuple(asked), tuple(said)
    yield from _missing(before, asked, {mark.value for mark in said})
    known = {mark.value for mark in asked}
    for mark in said:
        if mark.value not in known:
            yield f"'{after.text[mark.start : mark.end]}' is not in the question."


def _missing(before: Analysis, asked: Iterable[Mark[Any]], said: set[Any]) -> Iterator[str]:
    for mark in asked:
        if mark.value not in said:
            yield f"'{before.text[mark.start : mark.end]}' of the question is left out."


def _clocks(before: Analysis, after: Analysis) -> Iterator[str]:
    """Times of day agree on the dial: "half past eight in the evening" may be scanned as 8:30."""
    asked, said = map(_dials, (before.clocks, after.clocks))
    for start, end in (span for dial, span in asked.items() if dial not in said):
        yield f"'{before.text[start:end]}' of the question is left out."
    for start, end in (span for dial, span in said.items() if dial not in asked):
        yield f"'{after.text[start:end]}' is not in the question."


def _dials(marks: Iterable[Mark[time]]) -> dict[int, tuple[int, int]]:
    """Where each position of the hands, in minutes, is said."""
    return {
        (mark.value.hour * 60 + mark.value.minute) % HALF_DAY_MIN: (mark.start, mark.end) for mark in marks
    }


def _fixed_days(analysis: Analysis) -> Iterator[Mark[Any]]:
    """Days other than today: "tonight" and "now" are what is meant where nothing is said."""
    return (mark for mark in analysis.days if mark.value.relative_days != 0)
