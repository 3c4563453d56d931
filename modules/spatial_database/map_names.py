"""Places that a map names and no table has: offices, workshops, stops, quarters.

The tables of GS-QA's schema take features by their main tags; a question may measure from any other.
"""

from map_tools.compute.geodesy import distance_m
from map_tools.maps.names import canonical
from map_tools.providers.base import Provider
from map_tools.types import Place
from mapagent.ports import NameHints
from modules.spatial_database.features import FeatureInfo
from modules.spatial_database.places import SAME_SPOT_M

TABLE = "map"
"""What stands for the table of a feature that is in none."""
MOST = 50
"""Places of one name that are looked through."""


class MapNames:
    """Finds places by their names to the letter.

    Args:
        provider: The map; one whose names cost something to ask for is not asked.
    """

    def __init__(self, provider: Provider | None = None) -> None:
        self._provider = provider

    async def called(self, name: str) -> tuple[FeatureInfo, ...]:
        """The places of this name, case and punctuation aside; none where the map has no such name.

        Raises:
            ProviderError: The map cannot be read.
        """
        provider = self._provider
        if provider is None or not isinstance(provider, NameHints) or not provider.exact(name):
            return ()
        kept: list[FeatureInfo] = []
        for candidate in await provider.find_place(name, limit=MOST):
            info = _info(candidate.place, name)
            if info is not None and all(
                distance_m(info.location, other.location) > SAME_SPOT_M for other in kept
            ):
                kept.append(info)
        return tuple(kept)


def _info(place: Place, name: str) -> FeatureInfo | None:
    """A place as the tools show features; None if it is called otherwise, or nobody knows where it is."""
    called = {canonical(known) for known in (place.name, *place.aliases)}
    if place.location is None or canonical(name) not in called:
        return None
    at = place.location
    return FeatureInfo(
        table=TABLE, id=place.id, name=place.name, lat=at.lat, lng=at.lng, address=place.address or ""
    )
