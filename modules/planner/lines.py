"""Evidence as a model reads it: a line each, the same words once, what matters never cut."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from map_tools.facts import FailureFact, NearbyFact, PictureFact, RoutesFact
from map_tools.text import normalise
from map_tools.types import NearbyPlace, Route
from mapagent.core.evidence import Evidence
from mapagent.core.facttext import fact_text
from mapagent.llm.tokens import text_tokens
from modules.planner.told import data

LISTED = 8
"""So many members of a list are told besides those that matter."""
STREETS = 14
"""So many streets of a way are told."""


def evidence_lines(
    evidence: Iterable[Evidence], important: Sequence[str], room_tokens: int, *, listed: int = LISTED
) -> str:
    """The evidence in lines "ID: words".

    Args:
        evidence: In its order.
        important: Words of options, asked things and asked days: lines and members of lists that hold one are
            never left out.
        room_tokens: So much the other lines may take; how many were left out is said.
        listed: So many members of a list are told besides those that matter.
    """
    wanted = [folded for words in important if (folded := normalise(words))]
    seen: set[str] = set()
    kept: list[str] = []
    left_out = 0
    for item in evidence:
        if isinstance(item.value, PictureFact):
            continue  # its labels are told with the question
        words = data(_words(item, wanted, listed))
        if words in seen:
            continue
        seen.add(words)
        line = f"{item.id}: {words}"
        size = text_tokens(line)
        if size > room_tokens and not _matters(words, wanted):
            left_out += 1
            continue
        room_tokens -= size
        kept.append(line)
    if left_out:
        kept.append(f"({left_out} more lines)")
    return "\n".join(kept)


def _matters(words: str, wanted: Sequence[str]) -> bool:
    folded = f" {normalise(words)} "
    return any(f" {one} " in folded for one in wanted)


def _words(item: Evidence, wanted: Sequence[str], listed: int) -> str:
    value = item.value
    if isinstance(value, NearbyFact):
        return _list(value, wanted, listed)
    if isinstance(value, RoutesFact):
        return _ways(value)
    if isinstance(value, FailureFact) and value.subject:
        return f"{value.subject}: {fact_text(value)}"
    return fact_text(value)


def _list(fact: NearbyFact, wanted: Sequence[str], listed: int) -> str:
    """A list: its first members and all that matter, with how many there are."""
    first = list(fact.items[:listed])
    others = [one for one in fact.items[listed:] if _matters(one.place.name, wanted)]
    told = "; ".join(map(_member, (*first, *others)))
    more = len(fact.items) - len(first) - len(others)
    where = f"in {fact.anchor}" if fact.inside else f"around {fact.anchor}" if fact.anchor else "on the map"
    cut = "" if fact.complete else ", and there may be more"
    rest = f"; and {more} more" if more else ""
    of_others = f"; of {fact.not_stated} more it is not stated" if fact.not_stated else ""
    return f"{len(fact.items)} × {fact.what} {where}{cut}: {told or 'none'}{rest}{of_others}"


def _member(item: NearbyPlace) -> str:
    place = item.place
    parts = [place.name or place.address or "(unnamed)"]
    parts += [f"{item.distance_m:.0f} m"] if item.distance_m is not None else []
    parts += [f"rated {place.rating:g}"] if place.rating is not None else []
    parts += [place.hours.text] if place.hours is not None else []
    return ", ".join(parts)


def _ways(fact: RoutesFact) -> str:
    told = "; ".join(f"({number}) {_way(route)}" for number, route in enumerate(fact.routes, start=1))
    return f"{fact.mode.value} from {fact.origin} to {fact.destination}: {told or 'no way'}"


def _way(route: Route) -> str:
    streets = [name for name, _ in groupby(step.streets[0] for step in route.steps if step.streets)]
    told = ", ".join(streets[:STREETS]) + (", …" if len(streets) > STREETS else "")
    via = f" via {told or route.summary}" if told or route.summary else ""
    amounts = [f"{route.duration_s / 60:.0f} min"] if route.duration_s is not None else []
    amounts += [f"{route.distance_m:.0f} m"] if route.distance_m is not None else []
    return f"{', '.join(amounts) or 'length not told'}{via}"
