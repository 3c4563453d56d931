"""What the user sets for the provider: `[providers.postgis]`."""

from pathlib import Path

from pydantic import Field, SecretStr

from map_tools.errors import ConfigError
from map_tools.maps.home import MapHome
from map_tools.postgres import has_password
from map_tools.providers.base import ProviderSetting
from map_tools.types import Frozen

REGIONS_FOLDER = "regions"
"""Where, below the data home, the routing tiles of regions are kept."""


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
