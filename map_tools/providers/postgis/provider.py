"""The provider over a PostGIS database: the same answers as `osm`, for extracts that outgrow one process.

What the user sets for it stands in `[providers.postgis]`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from pydantic import Field, SecretStr

from map_tools.errors import ConfigError
from map_tools.maps.home import MapHome
from map_tools.postgres import has_password
from map_tools.providers.base import ProviderSetting
from map_tools.providers.own_map import TERMS, MapProvider
from map_tools.providers.postgis.database import MapDatabase
from map_tools.providers.postgis.regions import Region, RegionRoads, box_around
from map_tools.types import Box, Frozen
from map_tools.validation import read_options

REGIONS_FOLDER = "regions"
"""Where, below the data home, the routing tiles of regions are kept."""

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


class PostgisOptions(Frozen):
    """How the database is reached.

    Attributes:
        dsn: Its address, best with the role that may only read.
        tiles: The folder of the regions' routing tiles; by default `regions` in the data home.
        connections: Searches at the same time.
        timeout_s: The longest time of one query.
    """

    dsn: SecretStr | None = None
    tiles: Path | None = None
    connections: int = Field(default=4, ge=1, le=64)
    timeout_s: float = Field(default=30.0, gt=0)


def address(setting: ProviderSetting, options: PostgisOptions) -> str:
    """The database's address: what stands behind "postgis:", else `dsn`.

    Raises:
        ConfigError: No database is named, or what stands behind "postgis:" holds a password.
    """
    if setting.argument:
        if has_password(setting.argument):
            raise ConfigError(
                "What stands behind 'postgis:' is recorded, and it holds a password or is no address.",
                "Use libpq's password file or PGPASSWORD, or write all of it as dsn in [providers.postgis].",
            )
        return setting.argument
    if options.dsn is None:
        raise ConfigError(
            "No database is named for the provider 'postgis'.",
            "Write its address behind it ('postgis:host=... dbname=...') or as dsn in [providers.postgis].",
        )
    return options.dsn.get_secret_value()


def tiles_home(setting: ProviderSetting, options: PostgisOptions) -> MapHome | None:
    """Where routing tiles are; None if nowhere on this machine."""
    if options.tiles is not None:
        return MapHome(options.tiles)
    return None if setting.data_home is None else MapHome(setting.data_home / REGIONS_FOLDER)
