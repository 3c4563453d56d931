"""Builds the map of a synthetic city through the same writer as real extracts, with the truth beside it."""

import hashlib
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from map_tools.errors import UsageError
from map_tools.maps.home import MapHome
from map_tools.maps.info import MapInfo, mark_files, write_info
from map_tools.maps.making.ingest import write_store, zone_at
from map_tools.maps.making.tiles import TileBuild
from map_tools.maps.places import FACTS
from map_tools.maps.synth.city import City
from map_tools.maps.synth.features import features, write_roads
from map_tools.maps.synth.truth import TRUTH_FILE, write_truth

SMALLEST, LARGEST = 50, 20_000_000
ATTRIBUTION = "Synthetic data (public domain)"
ATTRIBUTION_URL = "https://opendatacommons.org/licenses/pddl/1-0/"


def synth(
    *, seed: int, size: int, home: MapHome, name: str | None = None, roads: bool = True, truth: bool = True
) -> MapInfo:
    """Builds a synthetic map.

    Args:
        seed: Decides everything: the same seed and size make the same map.
        size: Number of features.
        home: Where maps live.
        name: The map's name; default "synth-SEED-SIZE". A map of this name is replaced.
        roads: Build routing tiles from the streets.
        truth: Write `truth.json` into the map's folder.

    Raises:
        UsageError: The size is out of range, or the seed is negative.
    """
    if not SMALLEST <= size <= LARGEST:
        raise UsageError(f"A synthetic map cannot have {size} features.", f"Give {SMALLEST} to {LARGEST}.")
    if seed < 0:
        raise UsageError(f"The seed {seed} is negative.", "Give 0 or more.")
    city = City(seed, size)
    recipe = f"synth:seed={seed}:size={size}"
    map_name = name or f"synth-{seed}-{size}"
    with home.building(map_name) as folder:
        counts, routable = _write(city, folder, roads=roads)
        timezone = zone_at(city.box)
        if truth:
            write_truth(city, timezone, folder / TRUTH_FILE)
        info = MapInfo(
            name=map_name,
            source_file=recipe,
            source_sha256=hashlib.sha256(recipe.encode("utf-8")).hexdigest(),
            attribution=ATTRIBUTION,
            attribution_url=ATTRIBUTION_URL,
            timezone=timezone,
            bbox=city.box,
            counts={**counts, "damaged": 0},
            routable=routable,
            facts=FACTS,
            files=mark_files(folder),
        )
        write_info(folder, info)
    return info


def _write(city: City, folder: Path, *, roads: bool) -> tuple[dict[str, int], bool]:
    """The store, and beside it the tiles; whether there are any."""
    with ExitStack() as stack:
        tiles = None
        if roads:
            extract = Path(stack.enter_context(TemporaryDirectory(prefix="synth-"))) / "roads.osm.pbf"
            write_roads(city, extract)
            tiles = stack.enter_context(TileBuild(extract, folder))
        counts = write_store(features(city), folder)
        return counts, tiles is not None and tiles.wait()
