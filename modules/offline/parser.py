"""From a question to its best reading: all families are tried, the best reading wins."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module

from mapagent.ports import NameHints
from mapagent.question import Question
from modules.offline.analyser import analyse
from modules.offline.analysis import Analysis
from modules.offline.intents import TripIntent
from modules.offline.option_fit import misfit
from modules.offline.reading import Reading
from modules.offline.telling import overlooked

FAMILIES = (
    "place_grammar", "open_grammar", "compare_grammar", "nearby_grammar", "geometry_grammar",
    "closer_grammar", "within_grammar", "route_grammar", "trip_grammar",
)  # fmt: skip
THRESHOLD = 0.62
"""A reading below this is not acted on: it leaves out those that explain under half of a question."""


LIVE_DOUBT = 0.3
"""Taken off every reading of a question that asks for what no map tells: traffic, crowds, the weather."""

SEARCH_DOUBT = 0.25
"""Taken off "how many can I visit" of a single stop where a kind of place is looked for: that is a search."""


@dataclass(frozen=True, slots=True)
class Parse:
    """The outcome: the best reading (None if none is over the threshold), all readings, and the analysis."""

    best: Reading | None
    readings: tuple[Reading, ...]
    analysis: Analysis


def parse(question: Question, names: NameHints | None = None) -> Reading | None:
    """The best reading of a question; None if no grammar explains it well enough."""
    return parse_all(question, names).best


def parse_all(question: Question, names: NameHints | None = None) -> Parse:
    """All readings of a question, best first."""
    analysis = analyse(question.text, names, question.options)
    analysis.context = question.context
    readings = [
        Reading(reading.intent, max(reading.score - _doubt(analysis, reading), 0.0))
        for family in _families()
        for reading in family(analysis)
    ]
    readings.sort(key=lambda reading: -reading.score)
    best = readings[0] if readings and readings[0].score >= THRESHOLD else None
    return Parse(best, tuple(readings), analysis)


def _doubt(analysis: Analysis, reading: Reading) -> float:
    """What is taken off a reading for what its family cannot see."""
    doubt = LIVE_DOUBT if analysis.has("unsupported.live") else 0.0
    intent = reading.intent
    if isinstance(intent, TripIntent) and intent.ask == "max_visits" and len(intent.visits) < 2:
        doubt += SEARCH_DOUBT if analysis.kinds and analysis.by_role("target") else 0.0
    return doubt + overlooked(analysis, intent) + misfit(analysis, intent)


def not_understood(parsed: Parse) -> str:
    """What was understood of a question that was not understood as a whole."""
    analysis = parsed.analysis
    places = ", ".join(f"'{item.place}'" for item in analysis.places)
    kinds = ", ".join(sorted({mark.value.label for mark in analysis.kinds}))
    parts = [f"the places {places}" if places else "", f"the kinds {kinds}" if kinds else ""]
    if analysis.modes:
        parts.append(f"the travel mode {analysis.modes[0].value.value}")
    understood = " and ".join(part for part in parts if part)
    reason = "The question fits none of the known kinds of map questions."
    return (
        f"{reason} Understood so far: {understood}."
        if understood
        else f"{reason} No place or kind of place was found in it."
    )


@lru_cache(maxsize=1)
def _families() -> tuple[Callable[[Analysis], list[Reading]], ...]:
    return tuple(import_module(f"modules.offline.{name}").read for name in FAMILIES)
