"""Questions that speak of streets, water, ways and names in letters that are not read."""

import pytest

from map_tools.facts import PictureFact, PictureLabel, PictureMarker
from mapagent.core.answer import OptionPick, Status
from mapagent.core.question import Question
from modules.visual_place_recognizer.case import Solution
from modules.visual_place_recognizer.solving import solve_picture

LABELS = (
    PictureLabel(text="Harbour Hotel", x_px=100, y_px=100, categories=("hotel",)),
    PictureLabel(text="Mill Hotel", x_px=800, y_px=120, categories=("hotel",)),
    PictureLabel(text="Garden Hotel", x_px=860, y_px=480, categories=("hotel",)),
    PictureLabel(text="Old Gate", x_px=560, y_px=560, categories=("attraction",)),
    PictureLabel(text="Corner Café", x_px=460, y_px=330, categories=("cafe", "food"), signs=("cafe", "food")),
    PictureLabel(text="Pizza Napoli", x_px=620, y_px=330, signs=("food", "restaurant"), categories=("food",)),
    PictureLabel(text="Blue Anchor", x_px=180, y_px=320, signs=("food", "restaurant"), notes=("Fish grill",)),
    PictureLabel(text="Dock Road", sort="street", x_px=300, y_px=300),
    PictureLabel(text="Dock Road", sort="street", x_px=700, y_px=300),
    PictureLabel(text="A47", sort="shield", x_px=820, y_px=100),
    PictureLabel(text="A47", sort="shield", x_px=820, y_px=500),
    PictureLabel(text="Wharf Park Playground, palm trees", x_px=200, y_px=540, categories=("park",)),
)  # fmt: skip
MARKERS = (
    PictureMarker(x_px=640, y_px=420, signs=("mosque", "worship")),
    PictureMarker(x_px=640, y_px=440, signs=("parking",)),
)
RIVER = tuple((y, 500, 540) for y in range(0, 600, 8))
NAMES = (
    "Old Gate", "Harbour Hotel", "Mill Hotel", "Garden Hotel", "Corner Café", "Pizza Napoli", "Blue Anchor",
    "Wharf Park",
)  # fmt: skip
PICTURE = PictureFact(width_px=1000, height_px=600, labels=LABELS, markers=MARKERS, water=RIVER)


def solve(text: str, *options: str) -> Solution:
    solution = solve_picture(Question(text=text, options=options), PICTURE, "e1")
    assert solution is not None
    return solution


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("How many hotels are on the left side of the river?", "1"),
        ("How many hotels are there on the right side of the river?", "2"),
        ("How many restaurants are on the bottom side of Dock Road?", "2"),
        ("How many hotels are there along the A47 road?", "2"),
        ("How many hotels are there in the A47 line?", "2"),
        ("How many hotels are there?", "3"),
    ],
)
def test_counting_beside_rivers_and_streets(text: str, right: str) -> None:
    value = solve(text, "1", "2", "3", "7").value
    assert isinstance(value, OptionPick)
    assert value.text == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Which attraction is closest to the river?", "Old Gate"),
        ("Which hotel is nearest to the A47 road?", "Mill Hotel"),
        ("Which restaurant is near a parking?", "Pizza Napoli"),
        ("Find a hotel with some parking nearby.", "Garden Hotel"),
        ("Which place can be found on the way from Blue Anchor to Pizza Napoli?", "Corner Café"),
        ("I would like to have pizza. Which restaurant do you recommend?", "Pizza Napoli"),
        ("I would like a cup of coffee. Any recommendations?", "Corner Café"),
        ("I like grilled meat. Where could I go for dinner?", "Blue Anchor"),
        ("Where can my daughter find a playground and palm trees?", "Wharf Park"),
    ],
)
def test_choosing_by_rivers_streets_kinds_and_dishes(text: str, right: str) -> None:
    value = solve(text, *(name for name in NAMES if name not in text)).value
    assert isinstance(value, OptionPick)
    assert value.text == right


def test_a_side_of_what_is_not_shown_is_not_guessed() -> None:
    solution = solve("How many hotels are on the left side of Lost Lane?", "1", "2")
    assert solution.status is Status.UNANSWERABLE
    assert "Lost Lane" in solution.reason


def test_a_marker_without_a_name_may_be_the_only_option_that_could_not_be_read() -> None:
    solution = solve("Which mosque is nearest to Pizza Napoli?", "Old Gate", "ঢাকা মসজিদ")
    assert solution.value == OptionPick(index=1, text="ঢাকা মসজিদ")
    assert solution.confidence == 0.6
    several = solve("Which mosque is nearest to Pizza Napoli?", "ঢাকা মসজিদ", "খুলনা মসজিদ")
    assert (several.confidence, len(several.warnings)) == (0.35, 1)
    nearer = solve("Which mosque is nearest to Pizza Napoli?", "Corner Café", "ঢাকা মসজিদ")
    assert nearer.value == OptionPick(index=1, text="ঢাকা মসজিদ")


def test_near_an_end_of_the_way() -> None:
    ways = ("Blue Anchor", "Corner Café", "Pizza Napoli")
    for part, right in (("beginning", "Blue Anchor"), ("end", "Pizza Napoli")):
        text = (
            f"I drive from Harbour Hotel to Garden Hotel, where do I eat on the way? Near the {part}, please."
        )
        value = solve(text, *ways).value
        assert value == OptionPick(index=ways.index(right), text=right)


def test_what_is_measured_from_may_be_the_only_thing_without_a_name_that_is_read() -> None:
    lone = PICTURE.model_copy(update={"markers": MARKERS[:1]})
    question = Question(text="Which hotel is nearest to ঢাকা মসজিদ?", options=("Harbour Hotel", "Garden Hotel"))
    solution = solve_picture(question, lone, "e1")  # at (640, 420)
    assert solution is not None
    assert solution.value == OptionPick(index=1, text="Garden Hotel")
    two = solve_picture(question, PICTURE, "e1")
    assert two is not None
    assert two.status is Status.UNANSWERABLE


def test_names_spelt_in_another_way_are_known_where_no_other_is_as_close() -> None:
    value = solve("I live in Blu Ancor. Which hotel is nearest?", "Harbour Hotel", "Garden Hotel").value
    assert value == OptionPick(index=0, text="Harbour Hotel")


def test_the_nearest_is_one_that_is_written_to_be_as_asked() -> None:
    stars = {"Harbour Hotel": "5-star hotel", "Mill Hotel": "4-star hotel", "Garden Hotel": "4-star hotel"}
    told = tuple(
        label.model_copy(update={"notes": (stars[label.text],)}) if label.text in stars else label
        for label in LABELS
    )
    picture = PICTURE.model_copy(update={"labels": told})
    question = Question(text="Which is the nearest 4-star hotel to Blue Anchor?", options=tuple(stars))
    solution = solve_picture(question, picture, "e1")
    assert solution is not None
    assert solution.value == OptionPick(index=1, text="Mill Hotel")


def test_a_place_that_is_called_after_a_lake_is_no_water() -> None:
    inn = PictureLabel(text="Swan Lake", x_px=120, y_px=110, signs=("food", "restaurant"), marked=True)
    picture = PICTURE.model_copy(update={"labels": (*LABELS, inn)})
    question = Question(text="Which hotel is nearest to Swan Lake?", options=("Harbour Hotel", "Mill Hotel"))
    solution = solve_picture(question, picture, "e1")
    assert solution is not None
    assert solution.value == OptionPick(index=0, text="Harbour Hotel")
