"""Rows of a published extract's GeoParquet file."""

from pathlib import Path

from map_tools.errors import ConfigError, InputFileError
from map_tools.types import LatLng

_BEGIN, _END = "POINT (", ")"


def extract_rows(path: Path, query: str) -> list[tuple[object, ...]]:
    """The rows that a query with one parameter, the file, has.

    Raises:
        InputFileError: There is no such file, or it is not the extract's.
        ConfigError: DuckDB is not installed.
    """
    if not path.is_file():
        raise InputFileError(f"There is no file {path}.", "Name the folder of the extract with --world.")
    try:
        import duckdb
    except ImportError as error:
        raise ConfigError("Reading GeoParquet needs DuckDB.", "Install mapagent[sql].") from error
    with duckdb.connect() as database:
        try:
            return database.execute(query, [str(path)]).fetchall()
        except duckdb.Error as error:
            raise InputFileError(f"{path} is not the extract's table of places.", "Check --world.") from error


def point_of(text: object) -> LatLng:
    """The position that DuckDB writes as "POINT (lon lat)"."""
    lon, lat = str(text).removeprefix(_BEGIN).removesuffix(_END).split()
    return LatLng(lat=float(lat), lng=float(lon))
