"""Cards of the list beside a map."""

import pytest

from map_tools.vision.boxes import Box, Label
from map_tools.vision.merging import merge_labels, split_list

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
