"""Brings a map up to date: the changes since its extract was made are merged into it, and the map is made anew.

The new map is built beside the old one and takes its place in one step; whoever has the old one open reads on.
"""

import shutil
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from map_tools.downloads.changes import ChangeServer, Fetched, origin_of
from map_tools.downloads.fetching import Fetcher
from map_tools.errors import UsageError
from map_tools.maps.home import MapHome, Pin
from map_tools.maps.info import EXTRACT_FILE, MapInfo, read_info
from map_tools.maps.making.extract import Progress
from map_tools.maps.making.ingest import fill
from map_tools.overture.joining import OvertureChoice
from map_tools.overture.provenance import OVERTURE_FILE
from map_tools.overture.source import OvertureFile
from map_tools.transit.info import TIMETABLE_FILE, TimetableInfo
from map_tools.types import Box


@dataclass(frozen=True, slots=True)
class Updated:
    """What became of a map.

    Attributes:
        before: What it was.
        info: What it is.
        changes: How many changes were applied; 0 if there was none.
    """

    before: MapInfo
    info: MapInfo
    changes: int


def update_map(
    name: str,
    *,
    home: MapHome,
    fetcher: Fetcher,
    fetched: Fetched | None = None,
    progress: Progress | None = None,
) -> Updated:
    """Applies all changes that are published since a map's extract was made.

    Args:
        name: The map's name.
        home: Where maps live.
        fetcher: What fetches the changes.
        fetched: Told how many changes have been fetched.
        progress: Called now and then with the number of objects read.

    Raises:
        UnknownNameError: There is no such map.
        UsageError: Its extract was not kept, or does not say where its changes are.
        ConfigError: It has places of Overture Maps, and DuckDB, which reads them, is not installed.
        DownloadError: A change is missing, out of order or damaged, or the server cannot be reached. The old
            map stays, as with every other error.
        LimitError: The changes are larger than fetching the extract anew.
        MapStoreError: It cannot be written, or somebody has replaced it meanwhile.
    """
    with closing(Pin(home.path(name))) as pin:
        before = read_info(pin.folder)
        extract = pin.folder / EXTRACT_FILE
        if not extract.is_file():
            raise UsageError(
                f"The map '{name}' cannot be updated: {before.source_file}, which it was made from, was not kept.",
                "Add it anew with --region, or with --keep-extract.",
            )
        origin = origin_of(extract, name)
        overture = _kept_places(before, pin.folder)
        server = ChangeServer(fetcher, origin.url)
        newest = server.newest(origin.position)
        missing = newest.sequence - origin.position.sequence
        if not missing:
            return Updated(before, before, 0)
        with home.building(name, in_place_of=pin.folder) as folder:
            merged = folder / EXTRACT_FILE
            server.apply(extract, origin.position, newest, merged, fetched)
            kept = (
                None if before.timetable is None else partial(_copied, before.timetable, pin.folder, folder)
            )
            if overture is not None:
                shutil.copyfile(overture.file.path, folder / OVERTURE_FILE)
            info = fill(
                folder,
                merged,
                name=name,
                source_file=before.source_file,
                overture=overture,
                progress=progress,
                keep_timetable=kept,
            )
    home.tidy()  # the old build could not go while we held it
    return Updated(before, info, missing)


def _copied(timetable: TimetableInfo, old: Path, new: Path, _box: Box, _zone: str) -> TimetableInfo:
    """The timetable of the old build, which changes of the map do not touch."""
    shutil.copyfile(old / TIMETABLE_FILE, new / TIMETABLE_FILE)
    return timetable


def _kept_places(before: MapInfo, folder: Path) -> OvertureChoice | None:
    """The places of Overture Maps of the old build, which are joined with the new extract as with the old one."""
    if before.overture is None:
        return None
    file = OvertureFile(folder / OVERTURE_FILE)
    return OvertureChoice(file, before.overture.confidence, before.overture.source_file)
