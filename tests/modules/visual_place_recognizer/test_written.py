"""What is written beneath names and on cards."""

import pytest

from map_tools.facts import PictureFact, PictureLabel
from mapagent.core.answer import OptionPick, Quantity, Status
from mapagent.core.question import Question
from modules.visual_place_recognizer.case import Solution
from modules.visual_place_recognizer.reading import read_details
from modules.visual_place_recognizer.solving import solve_picture

LABELS = (
    PictureLabel(text="Mill Hotel", x_px=100, y_px=100, rating=4.6, rating_count=204, price="EUR 120",
                 notes=("4-star hotel", "Open 24 hours")),
    PictureLabel(text="Dock Hostel", sort="listing", x_px=20, y_px=50, rating=3.5, rating_count=1090,
                 price="EUR 45", notes=("2-star hotel", "Hostel with a garden and a roof terrace")),
    PictureLabel(text="Sea Palace", x_px=500, y_px=300, rating=4.8, rating_count=12, price="EUR1.2K",
                 notes=("5-star hotel",)),
    PictureLabel(text="Corner Grill", sort="listing", x_px=20, y_px=200, rating=4.0, rating_count=7,
                 notes=("Grill · 7 Dock Road", "Closed · Opens 5:30 PM", "Dine-in · No delivery")),
)  # fmt: skip
PICTURE = PictureFact(width_px=1000, height_px=600, labels=LABELS)
HOTELS = ("Mill Hotel", "Dock Hostel", "Sea Palace")


def solve(text: str, *options: str) -> Solution:
    solution = solve_picture(Question(text=text, options=options), PICTURE, "e1")
    assert solution is not None
    assert solution.status is Status.ANSWERED, solution.reason
    return solution


@pytest.mark.parametrize(
    ("text", "options", "right"),
    [
        ("Which hotel has the most reviews?", HOTELS, "Dock Hostel"),
        ("Which is the highest-rated hotel?", HOTELS, "Sea Palace"),
        ("Which is the highest-rated 4-star hotel?", HOTELS, "Mill Hotel"),
        ("Which one has a three-and-a-half-star rating?", HOTELS, "Dock Hostel"),
        ("Which of these is the most expensive?", HOTELS, "Sea Palace"),
        ("My budget is between 100 and 150 EUR. Which one do you recommend?", HOTELS, "Mill Hotel"),
        ("Which of them is open now?", (*HOTELS, "Corner Grill"), "Mill Hotel"),
        ("Which of them is closed now?", (*HOTELS, "Corner Grill"), "Corner Grill"),
        ("Which one offers a garden with a roof terrace?", HOTELS, "Dock Hostel"),
        ("How many reviews does Sea Palace have?", ("204", "12", "7"), "12"),
        ("How much will Dock Hostel cost for two nights?", ("45", "90", "1090"), "90"),
        ("Does Corner Grill deliver?", ("Yes delivery", "No delivery"), "No delivery"),
        ("When does Corner Grill open?", ("Closed, opening at 5:30 PM", "Closed, opening at 6:30 PM"),
         "Closed, opening at 5:30 PM"),
        ("What are the hours of Mill Hotel?", ("9am", "any time", "10pm"), "any time"),
    ],
)  # fmt: skip
def test_choosing_by_what_is_written(text: str, options: tuple[str, ...], right: str) -> None:
    value = solve(text, *options).value
    assert isinstance(value, OptionPick)
    assert value.text == right


def test_without_options_the_number_itself_is_told() -> None:
    assert solve("What is the rating of Sea Palace?").value == Quantity(value=4.8, unit="rating")


def test_a_card_has_no_place_on_the_map() -> None:
    question = Question(text="Which of these is farthest to the left?", options=HOTELS)
    solution = solve_picture(question, PICTURE, "e1")
    assert solution is not None
    assert solution.value == OptionPick(index=0, text="Mill Hotel")  # not the card at x = 20


def test_numbers_in_words_and_ranges() -> None:
    assert read_details("a four-star rating").rating == 4.0
    assert read_details("an exact rating of 4,7").rating == pytest.approx(4.7)
    assert read_details("a five-star hotel").stars == 5.0
    assert read_details("for 3 nights").nights == 3.0
    assert read_details("My budget is between 2,500-2000 BDT").budget == (2000.0, 2500.0)
    assert read_details("Where is the park?") == read_details("")
