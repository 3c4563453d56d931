"""The provider over a PostGIS database: the same answers as `osm`, for extracts that outgrow one process."""

from collections.abc import Sequence
from typing import Self

from map_tools.providers.base import ProviderSetting
from map_tools.providers.map_provider import TERMS, MapProvider
from map_tools.providers.postgis.database import MapDatabase
from map_tools.providers.postgis.options import PostgisOptions, address, tiles_home
from map_tools.providers.postgis.regions import Region, box_around
from map_tools.providers.postgis.roads import RegionRoads
from map_tools.providers.provider_options import read_options
from map_tools.types import Box

_NAMED = 3
"""More regions than this are counted, not named."""


class PostgisProvider(MapProvider):
    """Answers from maps that `mapagent map add --to DSN` put into a database.

    Regions that are added or replaced meanwhile are seen at the next call, their roads when it is opened
    anew.

    Args:
        database: The maps.
        roads: Ways within their regions.
        connections: Searches at the same time.
    """

    def __init__(self, database: MapDatabase, roads: RegionRoads, connections: int) -> None:
        regions = database.regions()
        super().__init__(
            database,
            roads or None,
            name="postgis",
            map_name=_name_of(regions),
            terms=TERMS.model_copy(
                update={
                    "attribution": "; ".join(dict.fromkeys(each.info.attribution for each in regions)),
                    "attribution_url": regions[0].info.attribution_url,
                }
            ),
            facts=[fact for each in regions for fact in each.info.facts],
            workers=connections,
        )
        self._database = database

    @classmethod
    def from_setting(cls, setting: ProviderSetting) -> Self:
        """Opens the database that the setting names.

        Raises:
            ConfigError: No database is named, it cannot be reached, or holds no maps this role may read.
            MapStoreError: A region is of another version.
        """
        options = read_options(PostgisOptions, setting.options, setting.name)
        database = MapDatabase.open(address(setting, options), timeout_s=options.timeout_s)
        roads = RegionRoads(database.regions(), tiles_home(setting, options))
        return cls(database, roads, options.connections)

    @property
    def extent(self) -> Box:
        """The box around all regions."""
        return box_around(region.info.bbox for region in self._database.regions())

    @property
    def kinds(self) -> frozenset[str]:
        """The category ids of the places of all regions."""
        return frozenset().union(*(region.kinds for region in self._database.regions()))


def _name_of(regions: Sequence[Region]) -> str:
    if len(regions) > _NAMED:
        return f"{len(regions)} regions"
    return ", ".join(region.info.name for region in regions)
