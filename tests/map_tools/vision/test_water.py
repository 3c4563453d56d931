"""Water in drawn pictures."""

from typing import Any

import pytest
from PIL import Image, ImageDraw

from map_tools.vision.water import STEP_PX, find_water

GOOGLE_2024 = (144, 218, 238)
GOOGLE_BEFORE = (156, 192, 249)
OPENSTREETMAP = (170, 211, 223)


def drawn(color: tuple[int, int, int], *rectangles: tuple[int, int, int, int]) -> Any:
    image = Image.new("RGB", (400, 240), "#f5f3ee")
    pen = ImageDraw.Draw(image)
    for rectangle in rectangles:
        pen.rectangle(rectangle, fill=color)
    return image


@pytest.mark.parametrize("color", [GOOGLE_2024, GOOGLE_BEFORE, OPENSTREETMAP])
def test_a_river_is_found_row_by_row(color: tuple[int, int, int]) -> None:
    found = find_water(drawn(color, (100, 0, 160, 239)))
    assert [span[0] for span in found] == list(range(0, 240, STEP_PX))
    assert all(span[1:] == (100, 160) for span in found)


def test_names_across_a_river_do_not_part_it() -> None:
    image = drawn(GOOGLE_2024, (100, 0, 160, 239))
    ImageDraw.Draw(image).line((100, 80, 160, 84), fill="#3c7f90", width=3)
    assert all(span[1:] == (100, 160) for span in find_water(image))


@pytest.mark.parametrize(
    ("color", "rectangle"),
    [
        (GOOGLE_2024, (100, 100, 110, 110)),  # a pond
        ((26, 115, 232), (100, 0, 160, 239)),  # a route, drawn in blue
        ((225, 230, 250), (100, 0, 160, 239)),  # the ground of an airport
        ((195, 241, 213), (100, 0, 160, 239)),  # a park
    ],
)
def test_what_is_small_or_of_other_colours_is_no_water(
    color: tuple[int, int, int], rectangle: tuple[int, int, int, int]
) -> None:
    assert find_water(drawn(color, rectangle)) == ()
