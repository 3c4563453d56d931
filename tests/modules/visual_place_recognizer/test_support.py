"""The option that a picture supports best where it does not answer the question."""

import pytest

from map_tools.facts import PictureFact, PictureLabel
from mapagent.core.question import Question
from modules.visual_place_recognizer.support import best_supported, nearest_count

LABELS = (
    PictureLabel(text="Harbour Hotel", x_px=100, y_px=100, categories=("hotel", "lodging")),
    PictureLabel(text="Mill Hotel", x_px=800, y_px=120, categories=("hotel",)),
    PictureLabel(text="Old Inn", x_px=820, y_px=500, looks_like=("lodging", "hotel")),
    PictureLabel(text="City Hall", x_px=450, y_px=300, notes=("Open 24 hours",)),
    PictureLabel(text="Blue Café", x_px=440, y_px=330, categories=("cafe", "food")),
    PictureLabel(text="Mill Street", sort="street", x_px=600, y_px=300),
)
PICTURE = PictureFact(width_px=1000, height_px=600, labels=LABELS)
ANY: frozenset[str] = frozenset()
HOTEL = frozenset({"hotel"})


def supported(
    text: str, *options: str, kinds: frozenset[str] = ANY, labels: tuple[PictureLabel, ...] = LABELS
) -> str | None:
    question = Question(text=text, options=options)
    found = best_supported(question, PICTURE.model_copy(update={"labels": labels}), kinds)
    return None if found is None else options[found.index]


def test_the_only_option_shown_has_support_and_where_none_is_shown_none_has() -> None:
    assert supported("Where could I sleep?", "Old Inn", "Grand Palace", "Sea View") == "Old Inn"
    assert supported("Where could I sleep?", "Grand Palace", "Sea View") is None


def test_of_several_shown_the_one_nearest_to_the_middle_or_to_what_is_mentioned_has_most() -> None:
    assert supported("Where could I go?", "Old Inn", "City Hall", "Mill Hotel") == "City Hall"
    sleep = "After a day at Blue Café, where do I sleep?"
    assert supported(sleep, "Old Inn", "Harbour Hotel") == "Harbour Hotel"


def test_of_several_shown_the_selected_one_has_most() -> None:
    selected = tuple(one.model_copy(update={"selected": one.text == "Old Inn"}) for one in LABELS)
    assert supported("Where could I go?", "City Hall", "Old Inn", labels=selected) == "Old Inn"


def test_what_is_of_the_kind_goes_before_what_is_nearer() -> None:
    assert supported("Where could I sleep?", "Blue Café", "Mill Hotel", kinds=HOTEL) == "Mill Hotel"


def test_what_is_marked_as_another_kind_or_has_no_marker_is_no_school() -> None:
    labels = (
        PictureLabel(text="Norton", x_px=500, y_px=300),
        PictureLabel(text="Dock Road Inn", x_px=480, y_px=300, signs=("lodging", "hotel"), marked=True),
        PictureLabel(text="Sutton", x_px=90, y_px=90, signs=("school",), marked=True),
    )
    school = frozenset({"school"})
    best = "Which is the best school?"
    assert supported(best, "Norton", "Dock Road Inn", "Sutton", kinds=school, labels=labels) == "Sutton"
    assert supported(best, "Norton", "Dock Road Inn", kinds=school, labels=labels) is None


def test_an_option_that_names_the_kind_has_support_where_none_is_shown() -> None:
    assert supported("Where could I sleep?", "Sea View", "Grand Hotel", kinds=HOTEL) == "Grand Hotel"


def test_an_option_that_is_written_beneath_what_is_mentioned_has_most() -> None:
    assert supported("When is City Hall open?", "9 to 5", "open 24 hours", "at night") == "open 24 hours"


def test_directions_that_speak_of_most_of_what_is_written_have_support_where_one_end_is_shown() -> None:
    ways = ("Head west onto Sea Lane", "Turn left onto Mill Street, past City Hall")
    assert supported("Which way from the Old Inn is best?", *ways) == ways[1]
    assert supported("Which way from the Lost Farm is best?", *ways) is None


@pytest.mark.parametrize(
    ("counted", "options", "right"),
    [
        (3, ("four", "nine"), "four"),
        (3, ("2", "3", "4"), "3"),
        (0, ("four", "two"), "two"),
        (3, ("9", "10"), None),
    ],
)
def test_counts_are_those_of_the_nearest_option(
    counted: int, options: tuple[str, ...], right: str | None
) -> None:
    found = nearest_count(counted, Question(text="How many?", options=options))
    assert (None if found is None else options[found.index]) == right
