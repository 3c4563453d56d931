"""Scale bars: drawn in known lengths, with and without what makes a bar of a line."""

import pytest
from PIL import Image, ImageDraw

from map_tools.vision.boxes import Box
from map_tools.vision.scale import find_scale

WRITTEN = Box("100 m", 400, 280, 440, 294)


def drawn(*corners: tuple[int, int], ground: str = "#f2f2f2", ink: str = "black") -> Image.Image:
    """A picture with a line two pixels thick through some corners."""
    image = Image.new("RGB", (600, 300), ground)
    ImageDraw.Draw(image).line(corners, fill=ink, width=2)
    return image


BESIDE = ((450, 285), (450, 292), (549, 292), (549, 285))
"""A bar 100 pixels long with its ticks."""
AROUND = ((396, 280), (396, 296), (475, 296), (475, 280))
"""80 pixels around the writing, open above."""


@pytest.mark.parametrize(
    ("text", "corners", "colors", "metres_per_px"),
    [
        ("100 m", BESIDE, {}, 1.0),
        ("100 mL", BESIDE, {}, 1.0),  # the tick is read as a letter
        ("2kmL", BESIDE, {}, 20.0),
        ("500 ft", BESIDE, {}, 1.524),
        ("1,000 ft", BESIDE, {}, 3.048),
        ("100 m", AROUND, {}, 1.25),
        ("100 m", BESIDE, {"ground": "#17263c", "ink": "white"}, 1.0),
        ("100 m", BESIDE[1:3], {}, None),  # the edge of a window has no ticks
        ("100 m", ((396, 276), *AROUND[1:3], (475, 276), (396, 276)), {}, None),  # a button is closed
        ("100 m", ((450, 298), *BESIDE[1:3], (549, 285)), {}, None),  # ticks to either side
        ("100 Main St", BESIDE, {}, None),
        ("3 Mill", BESIDE, {}, None),
        ("2.5 km", BESIDE, {}, 25.0),
        ("840 m", BESIDE, {}, None),  # the height of a summit
        ("100 m", ((450, 0), *BESIDE[1:3], (549, 0)), {}, None),  # a building
        ("Route 100 m", BESIDE, {}, None),
    ],
)
def test_a_bar_says_how_long_a_pixel_is(
    text: str, corners: tuple[tuple[int, int], ...], colors: dict[str, str], metres_per_px: float | None
) -> None:
    box = Box(text, WRITTEN.x0, WRITTEN.y0, WRITTEN.x1, WRITTEN.y1)
    found = find_scale(drawn(*corners, **colors), [box])
    assert found == (metres_per_px if metres_per_px is None else pytest.approx(metres_per_px, rel=0.03))


@pytest.mark.parametrize(("up", "metres_per_px"), [(0, 1.0), (150, None), (270, 1.0)])
def test_a_bar_stands_near_the_upper_or_lower_edge(up: int, metres_per_px: float | None) -> None:
    image = drawn(*((x, y - up) for x, y in BESIDE))
    found = find_scale(image, [Box("100 m", 400, 280 - up, 440, 294 - up)])
    assert found == (metres_per_px if metres_per_px is None else pytest.approx(metres_per_px, rel=0.03))


def test_the_lowest_bar_counts_and_words_without_one_are_passed_over() -> None:
    image = drawn(*BESIDE)
    sign = Box("1 km", 400, 100, 430, 114)
    turned = Box("50 m", 300, 280, 330, 294, angle_deg=40)
    assert find_scale(image, [sign, WRITTEN, turned]) == pytest.approx(1.0, rel=0.03)
    assert find_scale(image, [sign]) is None
    assert find_scale(image, []) is None
