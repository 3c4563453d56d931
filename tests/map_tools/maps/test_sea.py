"""The sea between coastlines: worlds small enough to see which parts are wet."""

from pathlib import Path

import pytest
import shapely

from map_tools.maps.sea import Coast, read_sea, sea_faces, write_sea
from map_tools.maps.store import MapStore
from map_tools.types import Box

BOX = Box(south=0, west=0, north=10, east=10)
SHORE = [(-1.0, 5.0), (11.0, 5.0)]
"""A coast from west to east: the land on its left is in the north."""
ISLAND = [(2.0, 1.0), (4.0, 1.0), (4.0, 3.0), (2.0, 3.0), (2.0, 1.0)]
"""Counter-clockwise: land within."""
LAGOON = [(2.0, 7.0), (2.0, 9.0), (4.0, 9.0), (4.0, 7.0), (2.0, 7.0)]
"""Clockwise: sea within."""


def wet(coasts: list[Coast], box: Box = BOX) -> float:
    return float(sum(face.area for face in sea_faces(coasts, box)))


@pytest.mark.parametrize(
    ("coasts", "area"),
    [
        ([], 0.0),
        ([SHORE], 50.0),
        ([SHORE[::-1]], 50.0),
        ([SHORE, ISLAND], 46.0),
        ([SHORE, LAGOON], 54.0),
        ([ISLAND], 96.0),
        ([[(-1.0, 5.0), (3.0, 5.0)], [(3.0, 5.0), (11.0, 5.0)]], 50.0),
        ([[(-1.0, 15.0), (11.0, 15.0)]], 0.0),
    ],
    ids=["no coast", "south", "north", "an island", "a lagoon", "only an island", "in pieces", "outside"],
)
def test_what_lies_right_of_coasts_is_sea(coasts: list[Coast], area: float) -> None:
    assert wet(coasts) == pytest.approx(area)


def test_the_side_is_that_of_the_coast() -> None:
    (south,) = sea_faces([SHORE], BOX)
    assert south.bounds == (0, 0, 10, 5)
    (north,) = sea_faces([SHORE[::-1]], BOX)
    assert north.bounds == (0, 5, 10, 10)


def test_a_coast_that_ends_before_the_edge_is_carried_on_to_it() -> None:
    """As with the extract of a country, whose coast ends at its border and not at the box around it."""
    assert wet([[(1.0, 5.0), (9.5, 5.0)]]) == pytest.approx(50.0)
    assert wet([[(5.0, 9.0), (5.0, 4.0), (9.0, 4.0)]]) == pytest.approx(5 * 10 + 5 * 4), "up, and to the east"


def test_a_box_over_the_date_line_has_no_sea_drawn() -> None:
    assert wet([SHORE], Box(south=0, west=170, north=10, east=-170)) == 0.0


def test_what_is_written_is_read_in_pieces_of_the_same_area(tmp_path: Path) -> None:
    jagged = [(0.01 * step - 1, 5 + 0.02 * (step % 2)) for step in range(1300)]
    write_sea(tmp_path, [jagged, ISLAND], BOX)
    pieces = read_sea(tmp_path)
    assert max(shapely.get_num_coordinates(pieces)) <= 1000
    assert len(pieces) > 1
    assert sum(piece.area for piece in pieces) == pytest.approx(wet([jagged, ISLAND]))


def test_a_map_without_coast_has_no_file(tmp_path: Path) -> None:
    write_sea(tmp_path, [], BOX)
    assert list(tmp_path.iterdir()) == []
    assert read_sea(tmp_path) == []


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "sea.wkb").write_bytes(b"no geometry")
    with pytest.raises(ValueError, match=r"sea\.wkb cannot be read"):
        read_sea(tmp_path)


def test_the_sea_of_a_real_map(helsinki: MapStore, liechtenstein: MapStore) -> None:
    """The bay behind Kaisaniemi park and the Senate Square; Liechtenstein has no coast."""
    bay, square = shapely.Point(24.9440, 60.1775), shapely.Point(24.9522, 60.1694)
    assert any(piece.contains(bay) for piece in helsinki.sea)
    assert not any(piece.contains(square) for piece in helsinki.sea)
    assert "sea.wkb" in helsinki.info.files
    assert liechtenstein.sea == []
