"""Markers, water and cards in drawn pictures."""

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
from map_tools.vision.merging import merge_labels, split_list
from map_tools.vision.water import STEP_PX, find_water

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


BLACK, GREY, GOLD = (32, 33, 36), (112, 117, 122), (251, 188, 4)
HEIGHT = 800


def line(text: str, x: float, y: float, color: tuple[int, int, int] = GREY) -> Box:
    """A line of 20 pixels whose letters are 8 pixels wide."""
    return Box(text, x, y, x + 8 * len(text), y + 20, color=color)


LIST = (
    line("Old Mill Café", 20, 100, BLACK),
    line("4.6 ★★★★★(1,204)", 20, 124, GOLD),
    line("Café · 5 Dock Road", 20, 146),
    line("Open · Closes 9 PM", 20, 168),
    line("Directions", 380, 120),
    line("Harbour View Guest", 20, 240, BLACK),
    line("House", 20, 262, BLACK),
    line("3.9 ★★★★★(88)", 20, 284, GOLD),
    line("Guest house", 20, 306),
    line("EUR 95", 400, 330, BLACK),
    line("Lost Farm", 20, 400, BLACK),
    line("No reviews", 20, 424),
)
ON_MAP = (line("Old Mill Cafe", 700, 300, BLACK), line("Town Hall", 900, 500, BLACK))


def card(labels: tuple[Label, ...], name: str) -> Label:
    return next(label for label in labels if label.text == name)


def test_cards_are_read_with_all_that_is_written_on_them() -> None:
    cards, rest = split_list((*LIST, *ON_MAP), HEIGHT)
    assert [label.text for label in cards] == ["Old Mill Café", "Harbour View Guest House", "Lost Farm"]
    assert {label.kind for label in cards} == {"listing"}
    mill, house, farm = cards
    assert mill.rating == pytest.approx(4.6)
    assert mill.rating_count == 1204
    assert mill.notes == ("Café · 5 Dock Road", "Open · Closes 9 PM")
    assert (house.rating_count, house.price, house.notes) == (88, "EUR 95", ("Guest house",))
    assert (farm.rating, farm.notes) == (None, ())
    assert rest == ON_MAP


def test_without_lines_of_stars_there_is_no_list() -> None:
    lines = (line("Old Mill Café", 20, 100), line("4.6 ★ (12)", 20, 124))
    assert split_list(lines, HEIGHT) == ((), lines)


def test_a_label_on_the_map_takes_over_what_its_card_says() -> None:
    labels = merge_labels((*LIST, *ON_MAP), HEIGHT)
    mill = card(labels, "Old Mill Café")
    assert (mill.kind, mill.box.x0) == ("place", 700)
    assert mill.rating == pytest.approx(4.6)
    assert card(labels, "Town Hall").rating is None
    assert [label.text for label in labels if label.kind == "listing"] == [
        "Harbour View Guest House", "Lost Farm"
    ]  # fmt: skip


def test_prices_on_tags_go_to_the_name_beside_them() -> None:
    labels = merge_labels(
        (line("EUR 120", 100, 200), line("Mill Hotel", 170, 200), line("Far Inn", 600, 200)), HEIGHT
    )
    assert {label.text: label.price for label in labels} == {"Mill Hotel": "EUR 120", "Far Inn": ""}


def test_a_small_last_line_tells_the_kind() -> None:
    small = Box("Book store", 100, 218, 170, 233)
    (label,) = merge_labels((line("Page and Quill", 100, 200), small), HEIGHT)
    assert (label.text, label.notes) == ("Page and Quill", ("Book store",))
