"""Makes a map of an OpenStreetMap extract."""

import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np

from map_tools.errors import InputFileError
from map_tools.files import file_sha256
from map_tools.maps.feature import Feature, batches
from map_tools.maps.geodesic import Floats
from map_tools.maps.home import MapHome, check_name, name_from_file
from map_tools.maps.info import ATTRIBUTION, EXTRACT_FILE, INDEX_FOLDER, MapInfo, mark_files, write_info
from map_tools.maps.making.extract import Extract, Progress
from map_tools.maps.making.tiles import TileBuild
from map_tools.maps.making.writer import StoreWriter
from map_tools.maps.sea import write_sea
from map_tools.overture.joining import Joining, OvertureChoice
from map_tools.overture.provenance import OSM_AND_OVERTURE, OVERTURE_FILE
from map_tools.transit.info import TimetableInfo
from map_tools.types import Box

COVERAGE = (0.005, 0.995)
"""Where an extract does not say what it covers: the box of all features without the outermost ones, for ways
are kept whole and reach beyond."""
_BOX_MARGIN_DEG = 0.002


class Keeper(Protocol):
    """Where the features of an extract are kept."""

    def write(self, features: Iterable[Feature]) -> dict[str, int]:
        """Takes all features; returns the counts for `MapInfo`."""
        ...

    def covered_box(self) -> Box:
        """The box that all but the outermost features lie in."""
        ...

    def finish(self, info: MapInfo) -> None:
        """Takes the map's description (whose `files` are still empty) and makes the map complete."""
        ...


class SecondSource(Protocol):
    """Places of another source, which come to those of an extract."""

    def join(self, writer: StoreWriter, box: Box) -> None:
        """Adds what lies in a box to a map that has all of its own."""
        ...


class FolderKeeper:
    """Keeps a map as a store in its folder.

    Args:
        folder: The folder of the build.
        second: Another source of places.
        box: Where these may lie; None: where most of the features are.
    """

    def __init__(self, folder: Path, second: SecondSource | None = None, box: Box | None = None) -> None:
        self._folder = folder
        self._second = second
        self._box = box

    def write(self, features: Iterable[Feature]) -> dict[str, int]:
        """See `Keeper.write`."""
        with closing(StoreWriter(self._folder)) as writer:
            for batch in batches(features):
                writer.add(batch)
            if self._second is not None and len(writer):
                self._box = self._box or _covered(*writer.points)
                self._second.join(writer, self._box)
            return writer.finish()

    def covered_box(self) -> Box:
        """See `Keeper.covered_box`."""
        return self._box or covered_box(self._folder)

    def finish(self, info: MapInfo) -> None:
        """See `Keeper.finish`."""
        write_info(self._folder, info.model_copy(update={"files": mark_files(self._folder)}))


def add_map(
    extract: Path,
    *,
    name: str | None = None,
    home: MapHome,
    gtfs: Path | None = None,
    overture: OvertureChoice | None = None,
    progress: Progress | None = None,
    keeper: Callable[[Path], Keeper] = FolderKeeper,
    keep: Callable[[Path, Path], object] | None = None,
) -> MapInfo:
    """Builds a map from an .osm.pbf extract; one of the same name is replaced.

    Args:
        extract: The file.
        name: The map's name; made of the file's name if None.
        home: Where maps live.
        gtfs: A feed with the timetable of public transport.
        overture: Places of Overture Maps; only for maps that are kept in their folder, as without a `keeper`.
        progress: Called now and then with the number of objects read.
        keeper: Where the features are kept, given the map's folder; the routing tiles are in the folder.
        keep: How the extract comes into the map's folder, from where `maps.making.update` takes it: `shutil.copyfile`
            for somebody's own file, `os.link` for one that nobody else writes to. None: it is not kept. With
            it the file of places is copied.

    Raises:
        InputFileError: The file is missing, empty, cut short or no extract, or the feed is none that can be used
            (`map_tools.transit.feed`); nothing is left behind.
        UsageError: The name is not one a map can have.
    """
    Extract(extract).header()  # a file that is none is told before a folder is made
    map_name = check_name(name) if name is not None else name_from_file(extract)
    with home.building(map_name) as folder:
        if keep is not None:
            keep(extract, folder / EXTRACT_FILE)
            if overture is not None:
                shutil.copyfile(overture.file.path, folder / OVERTURE_FILE)
        timetable = None if gtfs is None else partial(keep_feed, gtfs, folder)
        return fill(
            folder,
            extract,
            name=map_name,
            overture=overture,
            progress=progress,
            keeper=keeper,
            keep_timetable=timetable,
        )


def fill(
    folder: Path,
    extract: Path,
    *,
    name: str,
    source_file: str | None = None,
    overture: OvertureChoice | None = None,
    progress: Progress | None = None,
    keeper: Callable[[Path], Keeper] = FolderKeeper,
    keep_timetable: Callable[[Box, str], TimetableInfo] | None = None,
) -> MapInfo:
    """Makes the map of an extract in the folder of a build.

    Args:
        folder: The folder.
        extract: The .osm.pbf file.
        name: The map's name.
        source_file: What the file is called in the map's description; its own name if None.
        overture: See `add_map`.
        progress: See `add_map`.
        keeper: See `add_map`.
        keep_timetable: Puts a timetable into the folder, given the map's box and zone.

    Raises:
        InputFileError: See `add_map`.
    """
    source = Extract(extract)
    box, data_time = source.header()
    places = None if overture is None else Joining(overture)
    kept = keeper(folder) if places is None else FolderKeeper(folder, places, box)
    with TileBuild(extract, folder) as tiles:
        counts = kept.write(source.features(progress))
        if not counts["features"]:
            raise InputFileError(f"'{extract}' has no places in it.", "Give an extract of a town.")
        bbox = box or kept.covered_box()
        zone = zone_at(bbox)
        timetable = None if keep_timetable is None else keep_timetable(bbox, zone)
        write_sea(folder, source.coasts, bbox)
        sha256 = file_sha256(extract)
        routable = tiles.wait()
    told = None if places is None else places.info
    info = MapInfo(
        name=name,
        source_file=source_file or extract.name,
        source_sha256=sha256,
        data_time=data_time,
        attribution=OSM_AND_OVERTURE if told is not None and told.held else ATTRIBUTION,
        timezone=zone,
        bbox=bbox,
        counts={**counts, "damaged": source.damaged},
        routable=routable,
        timetable=timetable,
        overture=told,
        files={},
    )
    kept.finish(info)
    return info


def keep_feed(gtfs: Path, folder: Path, box: Box, zone: str) -> TimetableInfo:
    """Keeps the timetable of a feed in a map's folder.

    Raises:
        InputFileError: The feed cannot be used.
    """
    from map_tools.transit.feed import read_feed

    feed = read_feed(gtfs, box=box, zone=zone)
    feed.timetable.save(folder)
    return feed.info


def write_store(features: Iterable[Feature], folder: Path) -> dict[str, int]:
    """Writes the files of a store (all but `map.json`) and returns the counts."""
    return FolderKeeper(folder).write(features)


def covered_box(folder: Path) -> Box:
    """The box that all but the outermost features of a store lie in."""
    index = folder / INDEX_FOLDER
    return _covered(*(np.load(index / f"{name}.npy") for name in ("lats", "lngs")))


def _covered(lats: Floats, lngs: Floats) -> Box:
    return box_within(np.quantile(lats, COVERAGE).tolist(), np.quantile(lngs, COVERAGE).tolist())


def box_within(lats: Sequence[float], lngs: Sequence[float]) -> Box:
    """A box with a small margin, from its southern and northern latitude, western and eastern longitude."""
    margin = _BOX_MARGIN_DEG
    return Box(
        south=max(lats[0] - margin, -90.0),
        west=max(lngs[0] - margin, -180.0),
        north=min(lats[1] + margin, 90.0),
        east=min(lngs[1] + margin, 180.0),
    )


def zone_at(box: Box) -> str:
    """The IANA time zone in the middle of a box."""
    from map_tools.clock import local_zone

    return local_zone(box.center)
