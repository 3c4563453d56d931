"""Spots, streets and water: how far things are from them, and on which side."""

import pytest

from map_tools.facts import PictureFact, PictureLabel
from modules.visual_place_recognizer.shapes import Line, Spots, Water, street_through

PICTURE = PictureFact(width_px=1000, height_px=600, labels=())


def street(x: float, y: float, angle_deg: float = 0.0) -> PictureLabel:
    return PictureLabel(text="Mill Street", sort="street", x_px=x, y_px=y, angle_deg=angle_deg)


def test_the_nearest_of_several_spots_counts() -> None:
    spots = Spots("stations", ((0.0, 0.0), (100.0, 0.0)))
    assert spots.distance_px((97.0, 4.0)) == 5.0
    assert spots.has_on("right", (3.0, 0.0))
    assert not spots.has_on("lower", (3.0, 0.0))


def test_a_street_is_as_near_between_its_names_as_at_them() -> None:
    line = Line("Mill Street", ((0.0, 100.0), (200.0, 100.0), (200.0, 300.0)))
    assert line.distance_px((100.0, 130.0)) == 30.0
    assert line.distance_px((170.0, 250.0)) == 30.0
    assert line.has_on("upper", (100.0, 60.0))
    assert line.has_on("left", (170.0, 250.0))


def test_sides_of_a_slanting_street_are_told_where_one_stands() -> None:
    line = street_through((street(400, 400), street(600, 200)), PICTURE)
    # The street is the line x + y = 800.
    assert line.has_on("left", (300.0, 450.0))
    assert line.has_on("right", (640.0, 210.0))
    assert line.has_on("upper", (300.0, 450.0))
    assert line.has_on("lower", (640.0, 210.0))


@pytest.mark.parametrize(
    ("angle_deg", "on", "off"),
    [(0.0, (600.0, 300.0), (500.0, 390.0)), (90.0, (500.0, 390.0), (600.0, 300.0))],
)
def test_one_name_alone_tells_by_its_turn_how_the_street_runs(
    angle_deg: float, on: tuple[float, float], off: tuple[float, float]
) -> None:
    line = street_through((street(500, 300, angle_deg),), PICTURE)
    assert line.distance_px(on) == pytest.approx(0.0, abs=1e-6)
    assert line.distance_px(off) > 80


def test_banks_of_a_river() -> None:
    river = Water("the river", tuple((y, 400 + y // 2, 500 + y // 2) for y in range(0, 600, 8)))
    assert river.distance_px((450.0, 0.0)) == 0.0
    assert river.distance_px((380.0, 0.0)) == 20.0
    assert river.has_on("left", (560.0, 480.0))  # there the river runs from 640 to 740
    assert river.has_on("right", (760.0, 480.0))
    assert not river.has_on("right", (650.0, 480.0))  # a boat


def test_above_and_below_a_lake() -> None:
    lake = Water("the lake", tuple((y, 100, 300) for y in range(200, 304, 8)))
    assert lake.has_on("upper", (200.0, 150.0))
    assert lake.has_on("lower", (200.0, 400.0))
