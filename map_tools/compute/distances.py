"""Distances: "1.2 km", "1,200 metres", "half a mile", "2 km 300 m"."""

from functools import lru_cache

from map_tools.compute.durations import find_durations, strip_approximation, without_overlap
from map_tools.compute.measures import Measure
from map_tools.compute.text import Span, fold
from map_tools.compute.vocabulary import load

KILOMETRE_M = 1000


def find_distances(text: str) -> list[Span[float]]:
    """All distances in running text, in metres, in order. Speeds and areas ("60 km/h", "3 km²") are none.

    In "5-10 km" both ends are found. The "30 m" of a duration ("1 h 30 m") is not a distance.
    """
    spans = _measure().find(fold(text), text)
    return without_overlap(spans, find_durations(text)) if spans else []


def parse_distance_m(text: str) -> float | None:
    """The distance in metres a whole text says, None if it says anything else ("3 blocks")."""
    body = strip_approximation(text)
    spans = find_distances(body)
    return spans[0].value if len(spans) == 1 and spans[0].text == body else None


def format_distance(distance_m: float) -> str:
    """A distance for showing: "350 m", "1.23 km", "12.3 km", "123 km"; three digits, no idle zeros."""
    metres = round(distance_m)
    if abs(metres) < KILOMETRE_M:
        return f"{metres} m"
    kilometres = distance_m / KILOMETRE_M
    decimals = 2 if abs(kilometres) < 10 else 1 if abs(kilometres) < 100 else 0
    shown = f"{kilometres:.{decimals}f}"
    return f"{shown.rstrip('0').rstrip('.') if '.' in shown else shown} km"


@lru_cache(maxsize=1)
def _measure() -> Measure:
    lists = load("quantities")
    return Measure(
        factors=lists["distance"],
        articled=frozenset(lists["rules"]["articled_distances"]),
        dependent=frozenset(lists["rules"]["dependent_distances"]),
    )
