"""Where the sea of a map is, found by box."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from mapagent.interfaces.http.tiles.grid import unit


class Sea:
    """The pieces of a sea.

    Args:
        pieces: Shapely polygons in degrees (`MapStore.sea`).
    """

    def __init__(self, pieces: Sequence[Any]) -> None:
        self._pieces = np.asarray(pieces, object)
        self._tree = shapely.STRtree(shapely.transform(self._pieces, unit))

    def touching(self, box: tuple[float, float, float, float]) -> npt.NDArray[Any]:
        """The pieces that touch a box (west, north, east, south in the unit square of Web Mercator)."""
        west, north, east, south = box
        found: npt.NDArray[Any] = self._pieces[self._tree.query(shapely.box(west, north, east, south))]
        return found
