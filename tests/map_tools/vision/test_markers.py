"""Markers, their signs, and which label they belong to."""

from typing import Any

import pytest
from PIL import Image, ImageDraw

from map_tools.kinds.concepts import concept
from map_tools.vision.boxes import Box, Label, Marker
from map_tools.vision.markers import (
    SIGN_PX,
    find_markers,
    known_sign,
    known_signs,
    likeness,
    same_sign,
    with_markers,
)

GROUND = "#f4f2ec"
FINE = 4


def sheet() -> tuple[Any, Any]:
    """A large canvas to be made small, and its pen."""
    image = Image.new("RGB", (400 * FINE, 300 * FINE), GROUND)
    return image, ImageDraw.Draw(image)


def disc(pen: Any, x: float, y: float, color: str, sign: str = "", radius: float = 12) -> None:
    """A disc with a cross or a bar in it."""
    x, y, r = x * FINE, y * FINE, radius * FINE
    pen.ellipse((x - r, y - r, x + r, y + r), fill=color)
    if sign in ("cross", "bar"):
        pen.rectangle((x - 0.55 * r, y - 0.15 * r, x + 0.55 * r, y + 0.15 * r), fill="white")
    if sign == "cross":
        pen.rectangle((x - 0.15 * r, y - 0.55 * r, x + 0.15 * r, y + 0.55 * r), fill="white")


def drop(pen: Any, x: float, tip_y: float, color: str) -> None:
    """A drop of radius 12 whose point is at (x, tip_y)."""
    y = tip_y - 22
    points = [(x - 10, y + 7), (x + 10, y + 7), (x, tip_y)]
    pen.polygon([(px * FINE, py * FINE) for px, py in points], fill=color)
    disc(pen, x, y, color, "bar")


def small(image: Any) -> Any:
    return image.resize((400, 300), Image.Resampling.LANCZOS)


def test_discs_and_drops_are_found_where_they_are() -> None:
    image, pen = sheet()
    disc(pen, 60, 50, "#e6453c", "cross")
    disc(pen, 200, 120, "#2a9d8f")
    drop(pen, 320, 220, "#3f6fd8")
    pen.rectangle((0, 280 * FINE, 400 * FINE, 300 * FINE), fill="#3f6fd8")  # a river
    found = find_markers(small(image))
    assert [marker.hue for marker in found] == ["red", "teal", "blue"]
    for marker, (x, y) in zip(found, ((60, 50), (200, 120), (320, 220)), strict=True):
        assert marker.spot == pytest.approx((x, y), abs=2.5)
    assert found[2].y == pytest.approx(198, abs=2)  # its head
    assert [bool(marker.sign) for marker in found] == [True, False, True]


def badge(pen: Any, x: float, y: float, color: str) -> None:
    """A square of 16 pixels with round corners and the front of a bus in it."""
    x, y = x * FINE, y * FINE
    pen.rounded_rectangle((x - 32, y - 32, x + 32, y + 32), radius=8, fill=color)
    pen.rectangle((x - 16, y - 18, x + 16, y + 16), fill="white")
    pen.rectangle((x - 12, y - 10, x + 12, y + 2), fill=color)


@pytest.mark.parametrize("color", ["#1a73e8", "#4a6276"])
def test_badges_of_stops_are_found_beside_larger_markers(color: str) -> None:
    image, pen = sheet()
    disc(pen, 60, 50, "#e6453c", "cross")
    for x in (120, 200, 280):
        badge(pen, x, 150, color)
    found = find_markers(small(image))
    assert [marker.hue for marker in found] == ["red", "badge", "badge", "badge"]
    assert found[1].spot == pytest.approx((120, 150), abs=1.5)
    sign = known_sign(found[1])
    assert sign is not None
    assert "transit" in sign.categories


def test_badges_have_labels_of_their_colour_beside_them() -> None:
    stop = Marker(100, 50, 16, 50, (74, 98, 118), "badge", bytes([1, 0] * 128))
    own = Label(Box("Mill Stop", 112, 42, 180, 58, color=(80, 100, 120)))
    above = Label(Box("Mill Hotel", 70, 20, 130, 38, color=(80, 100, 120)))
    other = Label(Box("Mill Bar", 112, 42, 180, 58, color=(230, 120, 30)))
    assert with_markers((own,), (stop,))[0][0].marker == stop
    assert with_markers((above, other), (stop,)) == ((above, other), (stop,))


def test_lines_that_are_not_read_may_part_a_name_from_its_marker() -> None:
    hotel = Marker(100, 80, 24, 100, (240, 98, 146), "pink", bytes([1, 0] * 128))
    name = Label(Box("Mill Hotel", 60, 10, 140, 28, color=(237, 80, 130)))
    told, free = with_markers((name,), (hotel,))
    assert (told[0].spot, free) == ((100, 100), ())
    for other in (
        Label(Box("Mill Hotel", 60, 10, 140, 28, color=(66, 133, 244))),  # a shop's colour
        Label(Box("Mill Hotel", 180, 10, 260, 28, color=(237, 80, 130))),  # not above the marker
        Label(Box("Mill Hotel", 60, -80, 140, -60, color=(237, 80, 130))),  # too far
    ):
        assert with_markers((other,), (hotel,)) == ((other,), (hotel,))


def test_what_is_closed_is_grey_and_keeps_its_sign() -> None:
    image, pen = sheet()
    disc(pen, 60, 50, "#9aa0a6", "cross")
    disc(pen, 200, 50, "#2a9d8f", "bar")
    closed, _ = find_markers(small(image))
    assert closed.hue == "grey"
    assert closed.sign


def test_what_differs_in_size_from_most_is_a_letter_or_a_logo() -> None:
    image, pen = sheet()
    for x in (50, 120, 190):
        disc(pen, x, 60, "#2a9d8f")
    disc(pen, 300, 200, "#2a9d8f", radius=20)
    assert {round(marker.y) for marker in find_markers(small(image))} == {60}


def test_a_picture_without_markers_has_none() -> None:
    assert find_markers(Image.new("RGB", (50, 40), GROUND)) == ()


def test_equal_signs_are_the_same_in_one_colour_only() -> None:
    image, pen = sheet()
    for x, color, sign in ((40, "#e6453c", "cross"), (100, "#e6453c", "cross"), (160, "#e6453c", "bar"),
                           (220, "#2a9d8f", "cross")):  # fmt: skip
        disc(pen, x, 50, color, sign)
    first, second, bar, teal = sorted(find_markers(small(image)), key=lambda marker: marker.x)
    assert same_sign(first, second)
    assert not same_sign(first, bar)
    assert not same_sign(first, teal)


def test_likeness_is_a_correlation() -> None:
    a, b = bytes([1, 1, 0, 0]), bytes([0, 0, 1, 1])
    assert likeness(a, a) == pytest.approx(1.0)
    assert likeness(a, b) == pytest.approx(-1.0)
    assert likeness(a, bytes(4)) == 0.0


def test_theknown_signs_knows_its_own_signs_and_real_categories_only() -> None:
    for sign in known_signs():
        assert all(concept(category) is not None for category in sign.categories), sign.name
        for bitmap in sign.bitmaps:
            assert len(bitmap) == SIGN_PX**2
            marker = Marker(0, 0, 24, 0, (0, 0, 0), hue=sign.colors[0], sign=bitmap)
            known = known_sign(marker)
            assert known is not None
            assert known.name == sign.name
    assert known_sign(Marker(0, 0, 24, 0, (0, 0, 0), hue="teal")) is None


def test_each_marker_goes_to_the_label_beside_it_and_to_one_only() -> None:
    def label(text: str, x: float, y: float, color: tuple[int, int, int]) -> Label:
        return Label(Box(text, x, y, x + 80, y + 18, color=color))

    def marker(x: float, y: float, color: tuple[int, int, int]) -> Marker:
        return Marker(x, y, 24, y, color)

    red, teal = (220, 60, 60), (40, 160, 150)
    left, below, far = label("Left", 60, 41, red), label("Below", 200, 120, teal), label("Far", 300, 250, red)
    markers = (marker(45, 50, red), marker(240, 100, teal), marker(20, 280, red))
    labels, free = with_markers((left, below, far), markers)
    assert [one.marker for one in labels] == [markers[0], markers[1], None]
    assert labels[0].icon == (45, 50)
    assert free == (markers[2],)
