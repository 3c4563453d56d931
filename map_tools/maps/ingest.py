"""Makes a map of an OpenStreetMap extract."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import numpy as np

from map_tools.errors import InputFileError
from map_tools.maps.extract import Extract, Progress
from map_tools.maps.feature import Feature
from map_tools.maps.home import MapHome, check_name, name_from_file
from map_tools.maps.info import INDEX_FOLDER, Box, MapInfo, file_sha256, mark_files, write_info
from map_tools.maps.tiles import TileBuild
from map_tools.maps.writer import StoreWriter

_COVERAGE = (0.005, 0.995)
"""Where an extract does not say what it covers: the box of all features without the outermost ones, for ways
are kept whole and reach beyond."""
_BOX_MARGIN_DEG = 0.002


def add_map(
    extract: Path, *, name: str | None = None, home: MapHome, progress: Progress | None = None
) -> MapInfo:
    """Builds a map from an .osm.pbf extract; one of the same name is replaced.

    Args:
        extract: The file.
        name: The map's name; made of the file's name if None.
        home: Where maps live.
        progress: Called now and then with the number of objects read.

    Raises:
        InputFileError: The file is missing, empty, cut short or no extract; nothing is left behind.
        UsageError: The name is not one a map can have.
    """
    source = Extract(extract)
    box, data_time = source.header()
    map_name = check_name(name) if name is not None else name_from_file(extract)
    with home.building(map_name) as folder:
        with TileBuild(extract, folder) as tiles:
            counts = write_store(source.features(progress), folder)
            if not counts["features"]:
                raise InputFileError(f"'{extract}' has no places in it.", "Give an extract of a town.")
            sha256 = file_sha256(extract)
            routable = tiles.wait()
        bbox = box or covered_box(folder)
        info = MapInfo(
            name=map_name,
            source_file=extract.name,
            source_sha256=sha256,
            data_time=data_time,
            timezone=zone_at(bbox),
            bbox=bbox,
            counts={**counts, "damaged": source.damaged},
            routable=routable,
            files=mark_files(folder),
        )
        write_info(folder, info)
    return info


def write_store(features: Iterable[Feature], folder: Path) -> dict[str, int]:
    """Writes the files of a store (all but `map.json`) and returns the counts."""
    with closing(StoreWriter(folder)) as writer:
        for feature in features:
            writer.add(feature)
        return writer.finish()


def covered_box(folder: Path) -> Box:
    """The box that all but the outermost features of a store lie in."""
    index = folder / INDEX_FOLDER
    south, north = np.quantile(np.load(index / "lats.npy"), _COVERAGE)
    west, east = np.quantile(np.load(index / "lngs.npy"), _COVERAGE)
    margin = _BOX_MARGIN_DEG
    return Box(
        south=max(float(south) - margin, -90.0),
        west=max(float(west) - margin, -180.0),
        north=min(float(north) + margin, 90.0),
        east=min(float(east) + margin, 180.0),
    )


def zone_at(box: Box) -> str:
    """The IANA time zone in the middle of a box."""
    from map_tools.compute.zone import local_zone

    return local_zone(box.center)
