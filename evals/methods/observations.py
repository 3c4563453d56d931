"""Facts as a model sees them: `mapagent.facttext`, plus what a list or a route holds, within a token budget.

The budget is for a question, not a call: what a small model can read is shared by all its observations.
"""

from collections.abc import Iterable, Iterator, Sequence

from map_tools.facts import Fact, NearbyFact, RoutesFact
from map_tools.types import Route
from mapagent.facttext import clean, fact_text, place_text
from mapagent.llm.tokens import text_tokens

MAX_TOKENS = 2_500
"""Of all observations of a question; with question, tools and replies this fits a context of 8,192."""
MAX_TOKENS_EACH = 1_000
"""Of one observation, so that one long list leaves room for the next call."""
NOTE = "[cut here: {left} more lines do not fit]"


class ObservationRoom:
    """The room that is left for the observations of one question."""

    def __init__(self, max_tokens: int = MAX_TOKENS, max_tokens_each: int = MAX_TOKENS_EACH) -> None:
        self._left = max_tokens
        self._each = max_tokens_each

    def show(self, facts: Iterable[Fact]) -> str:
        """The facts, one a line; whole lines that do not fit are left out, and a note says how many."""
        lines = list(dict.fromkeys(line for fact in facts for line in fact_lines(fact)))
        kept = self._fitting(lines)
        left = len(lines) - len(kept)
        return "\n".join([*kept, *([NOTE.format(left=left)] if left else [])]) or "Nothing was found."

    def _fitting(self, lines: Sequence[str]) -> list[str]:
        room = min(self._left, self._each)
        kept: list[str] = []
        for line in lines:
            tokens = text_tokens(line)
            if tokens > room:
                break
            room -= tokens
            self._left -= tokens
            kept.append(line)
        return kept


def fact_lines(fact: Fact) -> Iterator[str]:
    """A fact in lines: the places of a list with what is known of them, a route with its steps."""
    if isinstance(fact, NearbyFact):
        yield from _nearby(fact)
    elif isinstance(fact, RoutesFact):
        yield fact_text(fact)
        for route in fact.routes:
            yield from _steps(route)
    else:
        yield fact_text(fact)


def _nearby(fact: NearbyFact) -> Iterator[str]:
    where = f"in {fact.anchor}" if fact.inside else f"around {fact.anchor}"
    radius = "" if fact.inside or fact.radius_m is None else f" within {fact.radius_m:.0f} m"
    order = ", nearest first" if fact.sorted_by_distance else ""
    cut = "" if fact.complete else " (there are more)"
    yield clean(f"{len(fact.items)} × {fact.what} {where}{radius}{order}{cut}:")
    for number, item in enumerate(fact.items, start=1):
        distance = "" if item.distance_m is None else f", {item.distance_m:.0f} m away"
        yield clean(f"{number}. {place_text(item.place)}{distance}")


def _steps(route: Route) -> Iterator[str]:
    if route.steps:
        yield clean(f"Steps via {route.summary or '(unnamed road)'}:")
    for number, step in enumerate(route.steps, start=1):
        amounts = [] if step.distance_m is None else [f"{step.distance_m:.0f} m"]
        amounts += [] if step.duration_s is None else [f"{step.duration_s / 60:.1f} min"]
        told = "; ".join((step.instruction, *step.notes))
        yield clean(f"{number}. {told}" + (f" ({', '.join(amounts)})" if amounts else ""))
