"""Signs that a picture explains itself, and what is selected."""

import pytest

from map_tools.vision.boxes import Box, Label, Marker
from map_tools.vision.locating import NotLocated
from modules.visual_place_recognizer.observing import picture_fact
from modules.visual_place_recognizer.recognizer import Sighting

ODD_SIGN = bytes([1, 0, 0, 1] * 64)


def test_a_picture_explains_its_unknown_signs_by_its_own_names() -> None:
    def marked(text: str, x: float) -> Label:
        return Label(
            Box(text, x, 10, x + 50, 30), marker=Marker(x, 20, 24, 20, (60, 60, 60), "slate", ODD_SIGN)
        )

    labels = (marked("North Mosque", 50), marked("Old Mosque", 150), marked("Unread", 250))
    free = Marker(400, 20, 24, 20, (60, 60, 60), "slate", ODD_SIGN)
    picture = picture_fact(Sighting(labels, (free,)), (500, 100), NotLocated(""))
    assert "mosque" in picture.labels[2].signs
    assert "mosque" in picture.markers[0].signs
    lonely = picture_fact(Sighting((labels[0], labels[2])), (500, 100), NotLocated(""))
    assert lonely.labels[1].signs == ()  # one name alone may mislead


@pytest.mark.parametrize(
    ("color", "selected"),
    [((192, 63, 61), True), ((229, 111, 119), False), ((227, 105, 97), False), ((60, 58, 55), False)],
)
def test_what_is_selected_has_letters_in_dark_red(color: tuple[int, int, int], selected: bool) -> None:
    shown = picture_fact(
        Sighting((Label(Box("Mill", 10, 10, 60, 30, color=color)),)), (99, 99), NotLocated("")
    )
    assert shown.labels[0].selected is selected
