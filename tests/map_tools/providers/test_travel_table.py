"""Tables of travel in blocks and halves: every pair is asked for once, and lands in its own cell."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.errors import NoRouteError, UnsupportedError
from map_tools.providers.travel_table import Cells, in_halves, is_walkable, positions_table, travel_table
from map_tools.types import NO_WAY, LatLng, MatrixCell, Place
from tests.support.effort import effort

type Names = tuple[int, ...]


def cell(origin: int, destination: int) -> MatrixCell:
    """A way whose length tells whose it is."""
    return MatrixCell(distance_m=1000.0 * origin + destination, duration_s=60.0)


class Service:
    """Tells the ways between numbers; refuses a whole block for the sake of one that nothing leads to.

    Args:
        islands: The numbers that nothing leads to.
        side: Most rows and columns of a block.
    """

    def __init__(self, islands: frozenset[int] = frozenset(), side: int = 100) -> None:
        self._islands = islands
        self._side = side
        self.told: Counter[tuple[int, int]] = Counter()

    async def __call__(self, origins: Names, destinations: Names) -> Cells:
        assert 0 < len(origins) <= self._side
        assert 0 < len(destinations) <= self._side
        if self._islands.intersection(origins + destinations):
            raise NoRouteError("There is no way to an island.")
        self.told.update((a, b) for a in origins for b in destinations)
        return [
            (row, column, cell(a, b))
            for row, a in enumerate(origins)
            for column, b in enumerate(destinations)
        ]


SIZES = st.integers(1, 9)


@effort()
@given(SIZES, SIZES, st.integers(1, 4))
def test_blocks_make_one_table(rows: int, columns: int, side: int) -> None:
    service = Service(side=side)
    origins, destinations = tuple(range(rows)), tuple(range(100, 100 + columns))
    table = asyncio.run(travel_table(origins, destinations, side=side, ask=service))
    assert table == tuple(tuple(cell(a, b) for b in destinations) for a in origins)
    assert set(service.told.values()) == {1}


@effort()
@given(SIZES, SIZES, st.frozensets(st.sampled_from((*range(9), *range(100, 109))), max_size=4))
def test_one_place_spoils_its_own_ways_alone(rows: int, columns: int, islands: frozenset[int]) -> None:
    service = Service(islands)
    origins, destinations = tuple(range(rows)), tuple(range(100, 100 + columns))

    async def ask(a: Names, b: Names) -> Cells:
        return await in_halves(a, b, service)

    table = asyncio.run(travel_table(origins, destinations, side=100, ask=ask))
    expected = tuple(
        tuple(NO_WAY if islands.intersection((a, b)) else cell(a, b) for b in destinations) for a in origins
    )
    assert table == expected


def test_pairs_that_are_left_out_have_no_way() -> None:
    async def nothing(_: Names, __: Names) -> Cells:
        return []

    assert asyncio.run(travel_table((1, 2), (3,), side=5, ask=nothing)) == ((NO_WAY,), (NO_WAY,))


def test_a_place_without_a_position_cannot_be_asked_for_by_one() -> None:
    async def nothing(_: tuple[LatLng, ...], __: tuple[LatLng, ...]) -> Cells:
        return []

    spots = (LatLng(lat=1, lng=2), Place(id="x", name="Nowhere"))
    with pytest.raises(UnsupportedError, match="'Nowhere' is not known"):
        asyncio.run(positions_table(spots, spots[:1], side=5, ask=nothing))


@pytest.mark.parametrize(
    ("ways", "walkable"),
    [
        ([], True),
        ([(499.0, 10.0)], True),  # too short to tell
        ([(500.0, 125.0)], True),  # 4 m/s, which is run
        ([(500.0, 124.0)], False),
        ([(5000.0, 400.0), (600.0, 480.0)], True),  # one of them is walked
        ([(None, 10.0), (5000.0, None)], True),
    ],
)
def test_nobody_walks_faster_than_runners(
    ways: list[tuple[float | None, float | None]], walkable: bool
) -> None:
    cells = [
        (0, column, MatrixCell(distance_m=metres, duration_s=seconds))
        for column, (metres, seconds) in enumerate(ways)
    ]
    assert is_walkable(cells) is walkable
