"""`mapagent map add --region NAME` and `mapagent map update NAME`: the only map commands that need a network."""

import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.errors import InputFileError, MapStoreError, UsageError
from mapagent.interfaces.cli import map_overture
from mapagent.interfaces.cli.command import settings_from
from mapagent.interfaces.cli.progress import FetchProgress, show_progress

if TYPE_CHECKING:
    from map_tools.downloads.fetching import Fetcher, RemoteFile
    from map_tools.downloads.region_index import Region
    from map_tools.downloads.resumable import Download
    from map_tools.maps.home import MapHome
    from map_tools.maps.info import MapInfo
    from map_tools.overture.joining import OvertureChoice

_FOLDER = ".downloads"
_FILE_CHARS = 100
_MAP_SIZE = 2.7
"""The least size of store and routing tiles together that was measured, in sizes of the extract (docs/scale.md)."""


def take_region(parser: ArgumentParser) -> None:
    """Declares that an extract may be fetched."""
    parser.add_argument(
        "--region",
        metavar="NAME",
        help="fetch the extract of a region (needs a network): 'Denmark', 'us/georgia'",
    )
    parser.add_argument("--yes", action="store_true", help="fetch it without asking")
    parser.add_argument(
        "--keep-extract",
        action="store_true",
        help="keep a copy of the file, for `map update` (--region always does)",
    )


def fetch_and_add(
    given: Namespace, home: "MapHome", overture: "OvertureChoice | None" = None
) -> "MapInfo | None":
    """Fetches the extract of a region and adds it; None if that is not wanted after all.

    Raises:
        UsageError: No such region, several, or nobody there to say yes.
        DownloadError: It could not be fetched.
        MapStoreError: It does not fit on the disk.
    """
    from map_tools.downloads.fetching import Fetcher
    from map_tools.downloads.region_index import fetch_regions, find_region
    from map_tools.downloads.resumable import Download
    from map_tools.maps.home import check_name, name_from_file
    from map_tools.text import slug

    if given.name is not None:
        check_name(given.name)
    with Fetcher() as fetcher:
        region = find_region(
            fetch_regions(fetcher, settings_from(given).settings.regions_index), given.region
        )
        name = given.name or name_from_file(Path(region.id.rpartition("/")[2]))
        what = f"the extract of {region.name}"
        remote = fetcher.announced(region.pbf_url, what)
        file = home.root / _FOLDER / f"{slug(region.id)[:_FILE_CHARS]}.osm.pbf"
        download = Download(fetcher, remote, file, what=what, arrived=FetchProgress().arrived)
        _announce(region, remote, name, download, home)
        _check_space(remote, download, home.root)
        if not (given.yes or _confirmed()):
            print("Nothing was fetched.")
            return None
        _fetch(fetcher, download, remote, what)
    return _add(file, name, home, given.gtfs, overture)


def update(given: Namespace, home: "MapHome") -> int:
    """Applies what has changed since a map's extract was made."""
    from map_tools.clock import SystemClock
    from map_tools.downloads.fetching import Fetcher
    from map_tools.maps.update import update_map
    from mapagent.interfaces.cli.map_list import age_days, age_in_words

    with Fetcher() as fetcher:
        updated = update_map(
            given.name,
            home=home,
            fetcher=fetcher,
            fetched=FetchProgress().changes,
            progress=show_progress,
        )
    info = updated.info
    age = age_in_words(age_days(info.data_time, SystemClock().now()))
    if not updated.changes:
        print(f"Map '{info.name}' has all changes that are published: its data is {age} ({info.data_time}).")
        return 0
    print(
        f"Map '{info.name}' is updated from {updated.before.data_time or 'an unknown date'} to "
        f"{info.data_time}: {updated.changes:,} changes, {info.counts['features']} features. {info.attribution}"
    )
    if info.overture is not None:
        map_overture.tell(info.overture)
    return 0


def _announce(
    region: "Region", remote: "RemoteFile", name: str, download: "Download", home: "MapHome"
) -> None:
    """Says what will be taken, from where, and how much it is."""
    from mapagent.core.facttext import clean

    size = "of unknown size" if remote.size_bytes is None else f"{remote.size_bytes / 1e6:,.1f} MB"
    have = f", of which {download.have_bytes / 1e6:,.1f} MB are here" if download.have_bytes else ""
    replaced = ", which is replaced" if name in home.list() else ""
    print(clean(f"{region}: {size}{have}, from {remote.url}; for the map '{name}'{replaced}."))


def _check_space(remote: "RemoteFile", download: "Download", root: Path) -> None:
    """Refuses what surely does not fit, before it is fetched."""
    if remote.size_bytes is None:
        return
    there = next(folder for folder in (root, *root.parents) if folder.is_dir())
    free = shutil.disk_usage(there).free
    needed = remote.size_bytes * (1 + _MAP_SIZE) - download.have_bytes
    if free < needed:
        raise MapStoreError(
            f"There are {free / 1e6:,.1f} MB free below {there}; the extract and its map take at least "
            f"{needed / 1e6:,.1f} MB.",
            "Make space, or take a smaller region.",
        )


def _confirmed() -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "Nothing was fetched, for nobody is there to be asked.", "Add --yes to fetch it unasked."
        )
    try:
        return input("Fetch it? [y/N] ").strip().casefold() in {"y", "yes"}
    except EOFError:
        return False


def _fetch(fetcher: "Fetcher", download: "Download", remote: "RemoteFile", what: str) -> None:
    from map_tools.downloads.resumable import published_md5

    md5 = published_md5(fetcher, remote.url, what)
    if md5 is None:
        print("The server publishes no checksum of it: only its size is checked.", file=sys.stderr)
    try:
        download.run(md5)
    except KeyboardInterrupt:
        print("What has arrived is kept: the same command goes on from there.", file=sys.stderr)
        raise


def _add(
    file: Path, name: str, home: "MapHome", gtfs: Path | None, overture: "OvertureChoice | None"
) -> "MapInfo":
    """Makes the map; the extract goes with it, so that it can be updated."""
    from map_tools.maps.ingest import add_map

    try:
        info = add_map(
            file, name=name, home=home, gtfs=gtfs, overture=overture, progress=show_progress, keep=_link
        )
    except InputFileError:
        if gtfs is None and overture is None:
            file.unlink()  # what arrived is no extract: it would not become one
        raise
    file.unlink()
    return info


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:  # a file system without links
        shutil.copyfile(source, target)
