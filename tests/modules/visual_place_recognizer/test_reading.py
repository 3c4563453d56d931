"""What questions want of a picture."""

import pytest

from modules.visual_place_recognizer.reading import Region, read_ask, tells_way


@pytest.mark.parametrize(
    "text",
    [
        "How many hotels are shown on the map?",
        "Can you tell me the total number of hotels nearby?",
        "Count how many hotels are there?",
        "Can you identify any hotels in the image? If so, how many are there?",
        "How many symbols representing hotels can you identify in the picture?",
    ],
)
def test_counts(text: str) -> None:
    ask = read_ask(text)
    assert ask.counts
    assert "hotel" in ask.categories


def test_a_brand_is_counted_by_its_name() -> None:
    ask = read_ask("How many Quick-Mart locations are there?")
    assert (ask.counts, ask.kinds, ask.brand) == (True, (), "Quick-Mart")


@pytest.mark.parametrize(
    ("text", "region"),
    [
        ("Which café lies in the left half of the map?", Region(("left",))),
        ("How many parks are in the bottom part of the picture?", Region(("lower",))),
        ("How many parks are in the upper right corner of the image?", Region(("upper", "right"))),
        ("How many shops are on the right side of Mill Street?", Region(("right",), "Mill Street")),
        ("How many shops are there?", None),
    ],
)
def test_regions(text: str, region: Region | None) -> None:
    assert read_ask(text).region == region


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("Which of these places is farthest to the left on the map?", "left"),
        ("Which lies to the top of all the others in the picture?", "upper"),
        ("Which is the southernmost of these?", "lower"),
        ("Which one is the rightmost?", "right"),
    ],
)
def test_extremes(text: str, side: str) -> None:
    assert read_ask(text).extreme == side


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("What is the nearest hotel to Mill Museum?", "Mill Museum"),
        ("I am at Mill Museum. Which of these is closest to me?", "Mill Museum"),
        ("Looking at the picture, what is the closest one to Mill Museum on the map?", "Mill Museum"),
        ("Which café is near Mill Museum?", "Mill Museum"),
    ],
)
def test_anchors(text: str, anchor: str) -> None:
    ask = read_ask(text)
    assert ask.near
    assert ask.anchors[0] == anchor


def test_between_and_what_is_written() -> None:
    assert read_ask("What is located between Old Mill and City Hall on the map?").between == (
        "Old Mill", "City Hall"
    )  # fmt: skip
    assert read_ask("Which is the highest-rated hotel?").details.wants("rating_best")
    assert read_ask("What is the name of the event venue in this picture?").phrase == "event venue"


def test_kinds_in_names_that_are_shown_are_not_asked_for() -> None:
    text = "After a day at the Blue Café, which hotel do I take?"
    assert "cafe" in read_ask(text).categories
    assert "cafe" not in read_ask(text, ("Blue café",)).categories
    assert "hotel" in read_ask(text, ("Blue café",)).categories


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("Head south on Mill Street toward Dock Road", True),
        ("Mill St, Dock Rd", True),
        ("Take the tram\nGet off at Dock\nTurn left", True),
        ("Mill Street Bakery", False),
        ("Harbour Hotel, 5 Mill Street", False),
    ],
)
def test_directions_are_no_names(text: str, way: bool) -> None:
    assert tells_way(text) is way
