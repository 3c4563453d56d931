"""Checks of matrices: their shape, their empty cells, and that they agree with the routes."""

from map_tools.testing.contract.checking import (
    BreachError,
    Check,
    Subject,
    demand,
    demand_value,
)
from map_tools.types import Matrix, MatrixCell, Route

AGREEMENT, SLACK_S, SLACK_M = 0.15, 60.0, 100.0
"""How far a cell may be from the nearest of the routes: services compute both with different searches."""
AT_HOME_M, AT_HOME_S = 50.0, 60.0
"""From a place to itself is next to nothing."""


async def matrix_shape(subject: Subject) -> str:
    """A row for each origin and a cell for each destination, for the mode asked for."""
    mode = subject.some_mode()
    origin, destination = await subject.ends()
    matrix = await subject.provider.matrix((origin, destination), (destination, origin, origin), mode=mode)
    demand_value(Matrix, matrix, "matrix")
    demand(matrix.mode is mode, f"asked for {mode.value}, the matrix says {matrix.mode.value}")
    shape = [len(row) for row in matrix.rows]
    demand(shape == [3, 3], f"two origins and three destinations gave rows of {shape}")
    return "2 × 3"


async def matrix_order(subject: Subject) -> str:
    """Every cell stands where its origin's row and its destination's column meet."""
    mode = subject.some_mode()
    ends = await subject.ends()
    rows = (await subject.provider.matrix(ends, ends, mode=mode)).rows
    for cell in (rows[0][0], rows[1][1]):
        at_home = (cell.duration_s or 0) <= AT_HOME_S and (cell.distance_m or 0) <= AT_HOME_M
        demand(at_home, f"from a place to itself takes {cell.duration_s} s over {cell.distance_m} m")
    for start, end in ((0, 1), (1, 0)):
        alone = (await subject.provider.matrix((ends[start],), (ends[end],), mode=mode)).rows[0][0]
        cell = rows[start][end]
        same = _alike(cell.duration_s, alone.duration_s, SLACK_S)
        demand(same, f"in a matrix of two it takes {cell.duration_s} s, asked alone {alone.duration_s} s")
    return "rows are origins, columns destinations"


async def matrix_gaps(subject: Subject) -> str:
    """Where no way leads, the cell is empty, and the others are not lost."""
    mode = subject.some_mode()
    origin, destination = await subject.ends()
    matrix = await subject.provider.matrix((origin,), (destination, subject.sample.nowhere), mode=mode)
    known, gap = matrix.rows[0]
    demand(gap == MatrixCell(distance_m=None, duration_s=None), f"the way to nowhere is {gap}")
    demand(known.duration_s, "the other cell is lost")
    return "an empty cell"


async def matrix_agrees(subject: Subject) -> str:
    """A cell says what one of the routes says."""
    subject.some_mode()
    origin, destination = await subject.ends()
    told = []
    for mode in subject.modes:
        matrix = await subject.provider.matrix((origin,), (destination,), mode=mode)
        routes = await subject.provider.directions(origin, destination, mode=mode, alternatives=True)
        cell = matrix.rows[0][0]
        if not any(_agree(cell, route) for route in routes):
            raise BreachError(
                f"by {mode.value} the matrix says {cell.duration_s} s and {cell.distance_m} m, the routes "
                + " or ".join(f"{route.duration_s} s and {route.distance_m} m" for route in routes)
            )
        told.append(f"{mode.value} {cell.duration_s:g} s")
    return ", ".join(told)


def _agree(cell: MatrixCell, route: Route) -> bool:
    if cell.duration_s is None:
        return False
    return _alike(cell.duration_s, route.duration_s, SLACK_S) and _alike(
        cell.distance_m, route.distance_m, SLACK_M
    )


def _alike(one: float | None, other: float | None, slack: float) -> bool:
    """True if two measures agree; what one of them does not tell cannot disagree."""
    if one is None or other is None:
        return True
    return abs(one - other) <= max(slack, AGREEMENT * other)


CHECKS = (
    Check(
        "matrix-shape",
        "A matrix has a row for each origin and a cell for each destination.",
        "Fill the rows from the reply's indices; services may send the cells in any order.",
        matrix_shape,
    ),
    Check(
        "matrix-order",
        "Rows are origins and columns destinations.",
        "Do not transpose; from a place to itself is 0.",
        matrix_order,
    ),
    Check(
        "matrix-gaps",
        "Where no way leads, a cell is empty and the others stay.",
        "Use MatrixCell(distance_m=None, duration_s=None) for a pair without a way.",
        matrix_gaps,
    ),
    Check(
        "matrix-agrees",
        "Matrix and routes tell the same times and distances.",
        "Ask both with the same mode, units and traffic.",
        matrix_agrees,
    ),
)
