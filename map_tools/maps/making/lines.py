"""Which pieces of streets, rivers and railways are one line: mappers cut a line wherever a tag changes."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from map_tools.maps.feature import Feature, Shape
from map_tools.maps.geodesic import Floats, mercator
from map_tools.maps.search.names import canonical
from map_tools.maps.tags import main_name

GAP_M = 150.0
"""Pieces of one name this close to each other are of one line: a square, a bridge or a roundabout of another
name may lie between them."""
_WAYS = ("highway", "railway", "waterway", "aerialway", "natural", "man_made", "barrier", "power")
"""Keys of lines, in order of precedence: a street is no piece of the river whose name it bears."""
_MOST_PAIRS = 200
"""So many pieces of one name are compared each with each; of more, a tree tells which are near."""


class Lines:
    """Collects lines with names, then tells which are pieces of one."""

    def __init__(self) -> None:
        self._named: dict[tuple[str, str], list[int]] = {}
        self._rows: list[int] = []
        self._wkb: list[bytes] = []

    def note(self, row: int, feature: Feature) -> None:
        """Looks at one feature."""
        name = main_name(feature.tags) if feature.shape is Shape.LINE else ""
        if not name or feature.wkb is None:
            return
        way = next((key for key in _WAYS if key in feature.tags), feature.categories[0])
        self._named.setdefault((way, canonical(name)), []).append(len(self._rows))
        self._rows.append(row)
        self._wkb.append(feature.wkb)

    def firsts(self) -> Mapping[int, int]:
        """By the row of each piece the row of the first one of its line; lines of one piece are left out."""
        groups = [np.array(group, np.intp) for group in self._named.values() if len(group) > 1]
        if not groups:
            return {}
        import shapely

        shapes = np.asarray(shapely.from_wkb(self._wkb), dtype=object)
        gaps = GAP_M / np.cos(np.radians(shapely.bounds(shapes)[:, 3].clip(-85, 85)))
        flat = shapely.transform(shapes, mercator)
        first = list(range(len(shapes)))
        for one, other in _near(groups, flat, gaps):
            _join(first, one, other)
        roots = [_root(first, number) for number in range(len(first))]
        pieces = np.bincount(roots)
        return {self._rows[number]: self._rows[root] for number, root in enumerate(roots) if pieces[root] > 1}


def _near(groups: list[npt.NDArray[np.intp]], flat: Any, gaps: Floats) -> Iterator[tuple[int, int]]:
    """All pairs of pieces of one name with no larger gap between them."""
    import shapely

    few = [group for group in groups if len(group) <= _MOST_PAIRS]
    pairs = [pair for group in few for pair in combinations(group.tolist(), 2)]
    if pairs:
        ones, others = np.array(pairs, np.intp).T
        close = shapely.dwithin(flat[ones], flat[others], gaps[ones])
        yield from zip(ones[close].tolist(), others[close].tolist(), strict=True)
    for group in groups:
        if len(group) > _MOST_PAIRS:
            tree = shapely.STRtree(flat[group])
            ones, others = tree.query(flat[group], predicate="dwithin", distance=gaps[group])
            yield from zip(group[ones].tolist(), group[others].tolist(), strict=True)


def _root(first: list[int], number: int) -> int:
    while first[number] != number:
        first[number] = first[first[number]]
        number = first[number]
    return number


def _join(first: list[int], one: int, other: int) -> None:
    """The earlier of the two roots becomes that of both."""
    low, high = sorted((_root(first, one), _root(first, other)))
    first[high] = low
