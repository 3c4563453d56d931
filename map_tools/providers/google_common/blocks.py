"""Blocks of a travel table: Google tells each pair once, so one that is missing or told twice is a fault."""

from collections.abc import Sequence
from itertools import product

from map_tools.providers.google_common.errors import Api, broken
from map_tools.types import MatrixCell

type Cell = tuple[int, int, MatrixCell]


def whole_block(api: Api, cells: Sequence[Cell], rows: int, columns: int) -> Sequence[Cell]:
    """The cells of a block, if there is one for every pair.

    A pair without a way has a cell that says so: see `condition` in
    https://developers.google.com/maps/documentation/routes/reference/rest/v2/TopLevel/computeRouteMatrix and
    https://developers.google.com/maps/documentation/distance-matrix/distance-matrix#DistanceMatrixElement.

    Raises:
        ProviderError: A pair is missing, foreign or told twice.
    """
    told = sorted((row, column) for row, column, _ in cells)
    if told != list(product(range(rows), range(columns))):
        raise broken(api, f"it tells {len(told)} pairs of places, not each of the {rows * columns} once")
    return cells
