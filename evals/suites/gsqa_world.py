"""The published extract of GS-QA's data base as a gazetteer: where a name or an address lies."""

from collections.abc import Iterator
from pathlib import Path

from evals.suites.gsqa_scoring import Geocoder
from map_tools.errors import ConfigError, InputFileError
from map_tools.text import normalise
from map_tools.types import LatLng

PLACES = "pois.parquet"
_QUERY = """
SELECT poi_name, addr_street, addr_city, addr_state, addr_postcode, geometry::VARCHAR
FROM read_parquet(?) ORDER BY osm_id
"""
_POINT = ("POINT (", ")")


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
    for name, street, city, state, postcode, point in _rows(path):
        address = ", ".join(str(part) for part in (street, city, state, postcode) if part)
        lon, lat = (float(number) for number in str(point).removeprefix(_POINT[0]).rstrip(_POINT[1]).split())
        yield (str(name or ""), address), LatLng(lat=lat, lng=lon)


def _rows(path: Path) -> list[tuple[object, ...]]:
    if not path.is_file():
        raise InputFileError(f"There is no file {path}.", "Name the folder of the extract with --world.")
    try:
        import duckdb
    except ImportError as error:
        raise ConfigError("Reading GeoParquet needs DuckDB.", "Install mapagent[sql].") from error
    with duckdb.connect() as database:
        try:
            return database.execute(_QUERY, [str(path)]).fetchall()
        except duckdb.Error as error:
            raise InputFileError(f"{path} is not the extract's table of places.", "Check --world.") from error
