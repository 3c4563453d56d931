"""What questions want of a picture."""

import pytest

from map_tools.kinds.concepts import concept
from modules.visual_place_recognizer.reading import Region, mended, picture_words, read_ask, tells_way


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


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Which of these is a tourist attarction?", "attraction"),
        ("How many hosptals are there?", "hospital"),
        ("How many restaurants or clubs are there?", "bar"),
        ("How many hiking points are there?", "path"),
    ],
)
def test_kinds_are_known_by_other_names_and_in_spite_of_slips(text: str, category: str) -> None:
    assert category in read_ask(text).categories


def test_words_that_are_close_to_kinds_but_mean_other_things_stay() -> None:
    text = "marked with a sign, in part, of course"
    assert mended(text) == text


@pytest.mark.parametrize(
    ("text", "way", "part"),
    [
        ("Which café can be found on the way from Old Mill to City Hall?", ("Old Mill", "City Hall"), ""),
        ("Which mosque is in the route between Old Mill and City Hall?", ("Old Mill", "City Hall"), ""),
        (
            "I drive from Old Mill to City Hall, today. Where do I refuel along the way, towards the end?",
            ("Old Mill", "City Hall"),
            "end",
        ),
        (
            "I am going from Old Mill to City Hall. Where do I eat on the way, near the beginning?",
            ("Old Mill", "City Hall"),
            "start",
        ),
        ("How long does it take from Old Mill to City Hall?", None, ""),
    ],
)
def test_ways_between_two_places(text: str, way: tuple[str, str] | None, part: str) -> None:
    ask = read_ask(text)
    assert (ask.way, ask.part) == (way, part)


@pytest.mark.parametrize(
    ("text", "street"),
    [
        ("How many hotels are there along the Mill Road?", "Mill Road"),
        ("How many mosques are in the A47 line?", "A47 line"),
        ("How many hotels are there in the city?", ""),
    ],
)
def test_streets_along_which_things_are_counted(text: str, street: str) -> None:
    assert read_ask(text).along == street


def test_the_vocabulary_names_categories_that_there_are() -> None:
    words = picture_words()
    named = {category for entry in words["kind_also"] for category in entry["categories"]}
    named |= {sign for dish in words["dish"] for sign in dish["signs"]}
    assert [category for category in sorted(named) if concept(category) is None] == []
