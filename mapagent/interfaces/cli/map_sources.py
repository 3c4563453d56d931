"""What `mapagent map add` and `map update` take in beside a file: the extract of a region, and places of Overture Maps.

Fetching is all that needs a network; how far it has come, and how far the reading, is said here too.
"""

import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from map_tools.errors import InputFileError, MapStoreError, UsageError
from mapagent.interfaces.cli.command import settings_from

if TYPE_CHECKING:
    from map_tools.downloads.fetching import Fetcher, Region, RemoteFile
    from map_tools.downloads.resumable import Download
    from map_tools.maps.home import MapHome
    from map_tools.maps.info import MapInfo
    from map_tools.overture.joining import OvertureChoice
    from map_tools.overture.provenance import OvertureInfo

_FOLDER = ".downloads"
_FILE_CHARS = 100
_MAP_SIZE = 2.7
"""The least size of store and routing tiles together that was measured, in sizes of the extract (docs/scale.md)."""
_LEFT_OUT = {
    "unsure": "below confidence {confidence:g}",
    "closed": "closed for good",
    "kindless": "of a kind that the map does not know",
    "repeated": "repeated",
    "unreadable": "without id, name or position",
    "outside": "outside the map",
}
_STEPS = 20
_STEP_BYTES = 10_000_000
"""Where nobody says how much there will be."""


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
    from map_tools.downloads.fetching import Fetcher, fetch_regions, find_region
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


def _announce(
    region: "Region", remote: "RemoteFile", name: str, download: "Download", home: "MapHome"
) -> None:
    """Says what will be taken, from where, and how much it is."""
    from mapagent.core.rendering import clean

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
    from map_tools.maps.making.ingest import add_map

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


def take_places(parser: ArgumentParser) -> None:
    """Declares the file of places, and what it is good enough for."""
    parser.add_argument(
        "--overture",
        type=Path,
        metavar="PLACES.parquet",
        help="places of Overture Maps to unite with those of OpenStreetMap (needs mapagent[sql])",
    )
    parser.add_argument(
        "--overture-confidence",
        type=float,
        metavar="SHARE",
        help="leave out places that Overture is less sure of, 0 to 1 (default: 0.5)",
    )


def check_places(given: Namespace) -> None:
    """What goes with the file of places, and what does not.

    Raises:
        UsageError: A confidence without file, or that is no share; or a map in a database.
    """
    sure = given.overture_confidence
    if given.overture is None:
        if sure is not None:
            raise UsageError("--overture-confidence is for places of Overture Maps.", "Give --overture too.")
        return
    if given.to:
        raise UsageError("A database keeps no places of Overture Maps.", "Leave out --to, or --overture.")
    if sure is not None and not 0 <= sure <= 1:
        raise UsageError(f"--overture-confidence {sure} is no number from 0 to 1.", "Give a share, like 0.5.")


def places_chosen(given: Namespace) -> "OvertureChoice | None":
    """The places that are asked for; None if there are none to be.

    Raises:
        InputFileError: The file is none of places.
        ConfigError: What reads it is not installed.
    """
    if given.overture is None:
        return None
    from map_tools.overture.joining import OvertureChoice
    from map_tools.overture.source import OvertureFile

    file, sure = OvertureFile(given.overture), given.overture_confidence
    return OvertureChoice(file) if sure is None else OvertureChoice(file, sure)


def tell_places(info: "OvertureInfo") -> None:
    """Says what has become of the places."""
    counts = info.counts
    print(f"Overture Maps: {counts['united']} places united with OpenStreetMap's, {counts['added']} added.")
    left_out = [
        f"{counts[why]} {words.format(confidence=info.confidence)}"
        for why, words in _LEFT_OUT.items()
        if counts[why]
    ]
    if left_out:
        print(f"Left out: {', '.join(left_out)}.")
    if not info.held:
        print("No place of the file has come to the map; is it of another area?", file=sys.stderr)


def show_progress(objects: int) -> None:
    """Says how far the reading of an extract has come."""
    print(f"{objects:,} objects read", file=sys.stderr)


class FetchProgress:
    """Says how far a download has come, at most twenty times where its size is known."""

    def __init__(self) -> None:
        self._next = 0

    def arrived(self, done_bytes: int, total_bytes: int | None) -> None:
        """Tells bytes of a file."""
        if done_bytes >= self._next or done_bytes == total_bytes:
            self._next = done_bytes + (total_bytes // _STEPS if total_bytes else _STEP_BYTES)
            of = f" of {total_bytes / 1e6:,.1f}" if total_bytes else ""
            print(f"{done_bytes / 1e6:,.1f}{of} MB fetched", file=sys.stderr)

    def changes(self, done: int, total: int) -> None:
        """Tells files of changes."""
        if done >= self._next or done == total:
            self._next = done + max(1, total // _STEPS)
            print(f"{done:,} of {total:,} changes fetched", file=sys.stderr)
