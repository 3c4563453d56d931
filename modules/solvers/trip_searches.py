"""Stops of a trip that are searched for: "the nearest pharmacy", seen from the stop before."""

from dataclasses import dataclass, field

from map_tools.types import Place
from modules.offline.intents import HERE, NearbyIntent, TripIntent, Visit, What
from modules.solvers.candidates import gather
from modules.solvers.common import Trail, reference, title
from modules.solvers.selection import select
from modules.view import CannotTellError, View

_FREE_ORDERS = frozenset({"best_order", "max_visits", "schedule"})
"""Asks that put the stops in an order, so that no stop has one before it."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A trip all stops of which are places; `titles` are the names of those found by search, by reference."""

    intent: TripIntent
    titles: dict[str, str] = field(default_factory=dict)

    def named(self, text: str) -> str:
        """A text with references turned into names."""
        for known, name in self.titles.items():
            text = text.replace(known, name)
        return text


def settle(intent: TripIntent, view: View, trail: Trail) -> Settled | None:
    """The trip with its searched stops found, one after the other; None while facts are being fetched.

    Raises:
        CannotTellError: There is no such place, or the order of the stops is open.
    """
    if all(visit.what is None for visit in intent.visits):
        return Settled(intent)
    if intent.ask in _FREE_ORDERS:
        raise CannotTellError("Which place is nearest depends on the order of the stops; name the place.")
    visits: list[Visit] = []
    titles: dict[str, str] = {}
    before = intent.start or HERE
    for visit in intent.visits:
        if visit.what is not None:
            place = _nearest(view, trail, visit.what, before)
            if place is None:
                return None
            titles[reference(place)] = title(place)
            visit = visit.model_copy(update={"place": reference(place), "what": None})  # noqa: PLW2901
        visits.append(visit)
        before = visit.place
    return Settled(intent.model_copy(update={"visits": tuple(visits), "ordered": True}), titles)


def _nearest(view: View, trail: Trail, what: What, anchor: str) -> Place | None:
    """The place of a kind nearest to another, in a straight line."""
    intent = NearbyIntent(what=what, anchors=(anchor,))
    pool = gather(view, trail, intent, everything=False)
    found = select(view, trail, intent, pool) if pool is not None else None
    if pool is None or found is None:
        return None
    if not found.ranked:
        raise CannotTellError(f"{pool.source} has no {what.text} near {anchor}.")
    return found.ranked[0].place
