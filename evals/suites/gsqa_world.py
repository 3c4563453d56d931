"""The published extract of GS-QA's data base as a gazetteer: where a name or an address lies."""

from collections.abc import Iterator
from pathlib import Path

from evals.suites.gsqa_scoring import Geocoder
from evals.worlds.database import extract_rows, point_of
from map_tools.text import normalise
from map_tools.types import LatLng

PLACES = "pois.parquet"
_QUERY = """
SELECT poi_name, addr_street, addr_city, addr_state, addr_postcode, geometry::VARCHAR
FROM read_parquet(?) ORDER BY osm_id
"""


def open_geocoder(world: Path) -> Geocoder:
    """Looks up names and addresses in the extract; of several places of one name it knows the first.

    Args:
        world: The folder that holds `pois.parquet`.

    Raises:
        InputFileError: There is no such file, or it is not the extract's.
        ConfigError: DuckDB is not installed.
    """
    positions: dict[str, LatLng] = {}
    for texts, position in _places(world / PLACES):
        for text in texts:
            positions.setdefault(normalise(text), position)
    positions.pop("", None)
    return lambda text: positions.get(normalise(text))


def _places(path: Path) -> Iterator[tuple[tuple[str, str], LatLng]]:
    """((name, address), position) of each place; addresses as the published evaluator joins them."""
    for name, street, city, state, postcode, point in extract_rows(path, _QUERY):
        address = ", ".join(str(part) for part in (street, city, state, postcode) if part)
        yield (str(name or ""), address), point_of(point)
