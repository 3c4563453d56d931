"""Searching within a settlement whose outline the map does not have."""

from collections.abc import Mapping, Sequence

from map_tools.errors import UnsupportedError
from map_tools.facts import FailureFact
from modules.needs import NearbyNeed
from modules.solvers.common import Trail, title
from modules.solvers.lists import Listing, find_list
from modules.view import View

RADIUS_M: Mapping[str, float] = {
    "city": 5000.0,
    "town": 2500.0,
    "suburb": 1500.0,
    "village": 1500.0,
    "neighbourhood": 700.0,
    "hamlet": 500.0,
}
"""How far a settlement of this kind is taken to reach from its centre where only the centre is on the map."""


def around_center(view: View, trail: Trail, needs: Sequence[NearbyNeed]) -> Listing | None:
    """The places around the centre of the one settlement asked about, if it has no outline.

    None if the list is missing for another reason, or while it is to be fetched.

    Raises:
        CannotTellError: There is no list around the centre either.
    """
    need = needs[0]
    if len(needs) > 1 or not need.inside or not _lacks_outline(view, need.anchor):
        return None
    found = view.try_place(need.anchor)
    if found is None:
        return None
    radius = next((RADIUS_M[kind] for kind in found.place.categories if kind in RADIUS_M), None)
    if radius is None:
        return None
    trail.warn(
        f"The map has no outline of {title(found.place)}; places within {radius:g} m of its centre count."
    )
    return find_list(view, trail, need.model_copy(update={"inside": False, "radius_m": radius}))


def _lacks_outline(view: View, anchor: str) -> bool:
    return any(
        fact.subject == anchor and fact.code == UnsupportedError.code for _, fact in view.facts(FailureFact)
    )
