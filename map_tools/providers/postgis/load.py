"""Adds extracts to a database as regions, and removes regions."""

from pathlib import Path

from map_tools.maps.extract import Progress
from map_tools.maps.home import MapHome
from map_tools.maps.info import MapInfo
from map_tools.maps.ingest import add_map
from map_tools.providers.postgis.keeper import RegionKeeper, drop, lock_and_find
from map_tools.providers.postgis.writing import READER, make_tables, writing


def load_region(
    extract: Path,
    dsn: str,
    *,
    name: str | None = None,
    home: MapHome,
    reader: str = READER,
    progress: Progress | None = None,
) -> MapInfo:
    """Loads an extract as a region; others see the old region or the new one, and a kill leaves the old one.

    Args:
        extract: The .osm.pbf file.
        dsn: The address of a database, as a role that may make tables in it.
        name: The region's name; made of the file's name if None.
        home: Where the routing tiles of regions are kept on this machine.
        reader: A role that is let read, for asking; made (without a password) if there is none.
        progress: Called now and then with the number of objects read.

    Raises:
        ConfigError: The database cannot be reached or lacks an extension, or this role may not do that.
        InputFileError: The file is missing, empty, cut short or no extract.
        UsageError: The name is not one a map can have.
    """
    with writing(dsn) as connection:
        make_tables(connection, reader)
        return add_map(
            extract,
            name=name,
            home=home,
            progress=progress,
            keeper=lambda folder: RegionKeeper(connection, folder),
        )


def remove_region(dsn: str, name: str) -> bool:
    """Removes a region; False if there is none of this name.

    Raises:
        ConfigError: As `load_region`.
    """
    with writing(dsn) as connection:
        found = lock_and_find(connection, name)
        if found is not None:
            drop(connection, found)
        connection.commit()
    return found is not None
