"""`mapagent map add --to DSN`, `map list --in DSN`, `map remove --in DSN`: maps in a PostGIS database."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.errors import UnknownNameError, UsageError
from mapagent.interfaces.cli.command import settings_from
from mapagent.interfaces.cli.progress import show_progress

if TYPE_CHECKING:
    from map_tools.maps.home import MapHome

_DSN = "address of the database, as libpq's 'host=... dbname=...' or a URL; its password file is read"


def take_target(parser: ArgumentParser) -> None:
    """Declares where a map is added to."""
    parser.add_argument("--to", metavar="DSN", help=f"add it to a PostGIS database instead: {_DSN}")
    parser.add_argument("--reader", metavar="ROLE", help="role that may read there (mapagent_reader)")


def take_source(parser: ArgumentParser) -> None:
    """Declares whose maps are meant."""
    parser.add_argument("--in", dest="database", metavar="DSN", help=f"those of a PostGIS database: {_DSN}")


def is_meant(given: Namespace) -> bool:
    """Whether an action is about the maps of a database.

    Raises:
        UsageError: A role is named, but no database.
    """
    if getattr(given, "reader", None) and not given.to:
        raise UsageError("--reader names a role of a database.", "Say which database with --to DSN.")
    return bool(getattr(given, "to", None) or getattr(given, "database", None))


def add(given: Namespace) -> int:
    """Adds an extract to a database."""
    from map_tools.providers.postgis.load import load_region
    from map_tools.providers.postgis.writing import READER

    reader = given.reader or READER
    home = _tiles(given)
    info = load_region(
        given.file, given.to, name=given.name, home=home, reader=reader, progress=show_progress
    )
    print(f"Region '{info.name}' is in the database: {info.counts['features']} features. {info.attribution}")
    print(f"Ask it with --provider postgis, as the role '{reader}'.")
    if not info.routable:
        print("No routes: it has no roads, or its routing tiles could not be built.", file=sys.stderr)
    return 0


def show(given: Namespace) -> int:
    """Lists the regions of a database."""
    from map_tools.clock import SystemClock
    from map_tools.providers.postgis.database import MapDatabase
    from mapagent.interfaces.cli.map_list import show_infos

    database = MapDatabase.open(given.database)
    try:
        infos = [region.info for region in database.regions()]
        show_infos(infos, SystemClock().now(), as_json=given.json)
    finally:
        database.close()
    return 0


def remove(given: Namespace) -> int:
    """Removes a region and its routing tiles on this machine."""
    from map_tools.providers.postgis.load import remove_region

    if not remove_region(given.database, given.name):
        raise UnknownNameError(
            f"The database has no region '{given.name}'.", "`mapagent map list --in DSN` lists them."
        )
    home = _tiles(given)
    if given.name in home.list():
        home.remove(given.name)
    print(f"Region '{given.name}' is removed.")
    return 0


def _tiles(given: Namespace) -> "MapHome":
    """Where the routing tiles of regions are kept; as the provider is told, if the configuration says so."""
    from map_tools.maps.home import MapHome
    from map_tools.providers.postgis.options import REGIONS_FOLDER

    settings = settings_from(given).settings
    folder = settings.providers.get("postgis", {}).get("tiles", settings.data_home / REGIONS_FOLDER)
    return MapHome(Path(folder))
