"""What a map is: its `map.json`, read when it is opened and written last when it is built."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import ValidationError

from map_tools.errors import MapStoreError
from map_tools.files import file_sha256
from map_tools.overture.provenance import OvertureInfo
from map_tools.transit.info import TIMETABLE_FILE, TimetableInfo
from map_tools.types import Box, Frozen

SCHEMA_VERSION = 6
"""Version of the folder's layout and of the form its names are kept in (`maps.search.names.canonical`); a map of
another version is built again, not migrated."""

INFO_FILE = "map.json"
FEATURES_FILE = "features.sqlite"
INDEX_FOLDER = "index"
TILES_FOLDER = "tiles"
SEA_FILE = "sea.wkb"
"""The sea (`maps.sea`), of a map that has one."""
EXTRACT_FILE = "extract.osm.pbf"
"""The extract of a map that can be updated; the others were made from a file that is not kept."""

ATTRIBUTION = "© OpenStreetMap contributors"
ATTRIBUTION_URL = "https://www.openstreetmap.org/copyright"


class FileMark(Frozen):
    """What a file of the map must look like."""

    size_bytes: int
    sha256: str


class MapInfo(Frozen):
    """A map's description.

    Attributes:
        name: The map's name, also the name of its folder.
        source_file: Name of the extract it was made from; "synth:..." for a synthetic map.
        source_sha256: Hash of the extract.
        data_time: Time stamp the extract carries, empty if it has none.
        bbox: The area the extract covers; features that reach beyond are incomplete there.
        counts: How many of what: "features", "named", "points", "lines", "areas", "addresses", "names",
            and "damaged" for objects whose geometry could not be made.
        routable: True if it has routing tiles.
        facts: Attributes of `Place` that its features have beyond OpenStreetMap's (`maps.places`).
        timetable: Of public transport; None for a map without.
        overture: Its places of Overture Maps; None for a map without.
        files: Size and hash of each file of the store, by path relative to the map's folder.
    """

    schema_version: int = SCHEMA_VERSION
    name: str
    source_file: str
    source_sha256: str
    data_time: str = ""
    attribution: str = ATTRIBUTION
    attribution_url: str = ATTRIBUTION_URL
    timezone: str
    bbox: Box
    counts: Mapping[str, int]
    routable: bool = False
    facts: tuple[str, ...] = ()
    timetable: TimetableInfo | None = None
    overture: OvertureInfo | None = None
    files: Mapping[str, FileMark]


def read_info(folder: Path) -> MapInfo:
    """Reads a map's `map.json`.

    Raises:
        MapStoreError: The file is missing, not readable or of another version.
    """
    path = folder / INFO_FILE
    name = folder.name.partition(".")[0]  # a build's folder has a number after the map's name
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(name, f"{INFO_FILE} cannot be read") from error
    return parse_info(name, data)


def parse_info(name: str, data: object) -> MapInfo:
    """The description of a map from its JSON object.

    Raises:
        MapStoreError: It is not valid or of another version.
    """
    version = data.get("schema_version") if isinstance(data, dict) else None
    if not isinstance(version, int | None):
        raise damaged(name, f"the schema version in {INFO_FILE} is no number")
    if version != SCHEMA_VERSION:
        raise damaged(name, f"its schema version is {version}, this program reads {SCHEMA_VERSION}")
    try:
        return MapInfo.model_validate(data)
    except ValidationError as error:
        raise damaged(name, f"{INFO_FILE} is not valid") from error


def write_info(folder: Path, info: MapInfo) -> None:
    """Writes `map.json`; done last, so that a folder with one is complete."""
    (folder / INFO_FILE).write_text(info.model_dump_json(indent=1) + "\n", "utf-8")


def check_sizes(folder: Path, info: MapInfo) -> None:
    """A fast check that all files of the store are there in full.

    Raises:
        MapStoreError: A file is missing or has another size.
    """
    for relative, mark in info.files.items():
        if _size_bytes(folder / relative) != mark.size_bytes:
            raise damaged(info.name, f"{relative} is missing or cut short")


def _size_bytes(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def check_hashes(folder: Path, info: MapInfo) -> None:
    """A thorough check that no file of the store was changed.

    Raises:
        MapStoreError: A file is missing or changed.
    """
    check_sizes(folder, info)
    for relative, mark in info.files.items():
        if file_sha256(folder / relative) != mark.sha256:
            raise damaged(info.name, f"{relative} was changed")


def mark_files(folder: Path) -> dict[str, FileMark]:
    """Size and hash of the store's files, the sea, the timetable and the routing tiles."""
    store = [folder / FEATURES_FILE, *sorted((folder / INDEX_FOLDER).iterdir())]
    store += [path for name in (SEA_FILE, TIMETABLE_FILE) if (path := folder / name).is_file()]
    return _marks(folder, store) | mark_tiles(folder)


def mark_tiles(folder: Path) -> dict[str, FileMark]:
    """Size and hash of the routing tiles.

    The tiles' own reader takes a tile that is cut short for land without roads.
    """
    return _marks(folder, sorted(path for path in (folder / TILES_FOLDER).rglob("*") if path.is_file()))


def _marks(folder: Path, paths: Iterable[Path]) -> dict[str, FileMark]:
    return {
        path.relative_to(folder).as_posix(): FileMark(
            size_bytes=path.stat().st_size, sha256=file_sha256(path)
        )
        for path in paths
    }


def damaged(name: str, why: str) -> MapStoreError:
    """The error for a map that cannot be used."""
    return MapStoreError(
        f"The map '{name}' cannot be used: {why}.", "Run `mapagent map add` again to build it."
    )
