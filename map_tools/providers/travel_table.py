"""Tables of travel that are larger than a service answers at once: cut into blocks, and put together."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass

from map_tools.providers.base import Spot
from map_tools.together import together
from map_tools.types import NO_WAY, MatrixCell

type Spots = tuple[Spot, ...]
type Cells = Iterable[tuple[int, int, MatrixCell]]
"""Cells of a block with their row and column in it."""


async def travel_table(
    origins: Spots, destinations: Spots, *, side: int, ask: Callable[[Spots, Spots], Awaitable[Cells]]
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
