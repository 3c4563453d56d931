"""Tables of travel: larger than a service answers at once, spoilt by one place, or of another mode."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass

from map_tools.errors import NoRouteError
from map_tools.providers.base import Spot, position_of
from map_tools.together import together
from map_tools.types import NO_WAY, LatLng, MatrixCell

type Spots = tuple[Spot, ...]
type Cells = Iterable[tuple[int, int, MatrixCell]]
"""Cells of a block with their row and column in it."""

FASTEST_WALK_M_S = 4.0
"""On foot nobody is faster over a whole table; a server that says so has the graph of another mode."""
TELLING_M = 500.0
"""Shorter ways say little about speed."""


async def travel_table[S](
    origins: tuple[S, ...],
    destinations: tuple[S, ...],
    *,
    side: int,
    ask: Callable[[tuple[S, ...], tuple[S, ...]], Awaitable[Cells]],
) -> tuple[tuple[MatrixCell, ...], ...]:
    """Travel between all pairs; see `Provider.matrix`.

    Args:
        origins: One row each.
        destinations: One column each.
        side: Most rows and columns that the service answers at once.
        ask: Asks for a block; pairs that it leaves out stay without a way.
    """
    table = [[NO_WAY] * len(destinations) for _ in origins]

    async def fill(block: _Block) -> None:
        rows, columns = origins[block.top : block.bottom], destinations[block.left : block.right]
        for row, column, cell in await ask(rows, columns):
            table[block.top + row][block.left + column] = cell

    await together(fill(block) for block in _blocks(len(origins), len(destinations), side))
    return tuple(map(tuple, table))


async def positions_table(
    origins: Spots,
    destinations: Spots,
    *,
    side: int,
    ask: Callable[[tuple[LatLng, ...], tuple[LatLng, ...]], Awaitable[Cells]],
) -> tuple[tuple[MatrixCell, ...], ...]:
    """As `travel_table`, for a service that is asked with positions.

    Raises:
        UnsupportedError: A place has none.
    """
    starts, ends = tuple(map(position_of, origins)), tuple(map(position_of, destinations))
    return await travel_table(starts, ends, side=side, ask=ask)


async def in_halves[S](
    origins: tuple[S, ...],
    destinations: tuple[S, ...],
    ask: Callable[[tuple[S, ...], tuple[S, ...]], Awaitable[Cells]],
) -> list[tuple[int, int, MatrixCell]]:
    """The cells of a block; where one place that nothing leads to spoils it, those of its halves.

    Args:
        origins: One row each.
        destinations: One column each.
        ask: Asks for a block; raises `NoRouteError` where the service refuses it for the sake of one place.
    """
    try:
        return list(await ask(origins, destinations))
    except NoRouteError:
        if len(origins) == len(destinations) == 1:
            return []
    if len(origins) > 1:
        half = len(origins) // 2
        upper = await in_halves(origins[:half], destinations, ask)
        lower = await in_halves(origins[half:], destinations, ask)
        return [*upper, *((row + half, column, cell) for row, column, cell in lower)]
    half = len(destinations) // 2
    left = await in_halves(origins, destinations[:half], ask)
    right = await in_halves(origins, destinations[half:], ask)
    return [*left, *((row, column + half, cell) for row, column, cell in right)]


def is_walkable(cells: Cells) -> bool:
    """False if the longer ways of a table are all too fast for a walker."""
    speeds = [
        cell.distance_m / cell.duration_s
        for _, _, cell in cells
        if cell.distance_m is not None and cell.duration_s and cell.distance_m >= TELLING_M
    ]
    return not speeds or min(speeds) <= FASTEST_WALK_M_S


@dataclass(frozen=True, slots=True)
class _Block:
    """A part of a table: the first row and column, and one past the last."""

    top: int
    left: int
    bottom: int
    right: int


def _blocks(rows: int, columns: int, side: int) -> Iterator[_Block]:
    """A table of this size as blocks of at most `side` rows and columns."""
    for top in range(0, rows, side):
        for left in range(0, columns, side):
            yield _Block(top, left, min(top + side, rows), min(left + side, columns))
