"""Which label an option means."""

import pytest

from map_tools.facts import PictureFact, PictureLabel
from mapagent.core.question import Question
from modules.visual_place_recognizer.naming import is_readable, options_shown, unread_options


def shown(options: tuple[str, ...], *names: str) -> dict[str, str]:
    labels = tuple(PictureLabel(text=name, x_px=10.0 * at, y_px=0) for at, name in enumerate(names))
    picture = PictureFact(width_px=500, height_px=100, labels=labels)
    question = Question(text="Which?", options=options)
    return {options[index]: label.text for index, label in options_shown(question, picture)}


def test_a_label_is_that_of_the_option_it_fits_best() -> None:
    found = shown(("Hotel Norwich", "Comfort Hotel Norwich"), "Comfort Hotel Norwich")
    assert found == {"Comfort Hotel Norwich": "Comfort Hotel Norwich"}
    assert shown(("Hotel Norwich", "Old Mill"), "Hotel Norwich") == {"Hotel Norwich": "Hotel Norwich"}


def test_an_option_that_is_cut_off_is_the_only_label_that_begins_so() -> None:
    assert shown(("El", "Old Mill"), "El Molino Viejo", "Old Mill") == {
        "El": "El Molino Viejo", "Old Mill": "Old Mill"
    }  # fmt: skip
    assert shown(("El", "Old Mill"), "El Molino Viejo", "El Greco", "Old Mill") == {"Old Mill": "Old Mill"}


@pytest.mark.parametrize(
    ("text", "readable"),
    [("Café Zürich", True), ("東京タワー", True), ("ঢাকা মসজিদ", False), ("фонтан", False), ("12", True)],
)
def test_scripts_that_readers_know(text: str, readable: bool) -> None:
    assert is_readable(text) is readable


def test_options_in_other_scripts_are_unread_unless_a_label_names_them() -> None:
    question = Question(text="Which?", options=("ঢাকা মসজিদ", "Old Mill"))
    assert unread_options(question, ()) == (0,)
    label = PictureLabel(text="ঢাকা মসজিদ", x_px=0, y_px=0)
    assert unread_options(question, ((0, label),)) == ()
