"""Kinds by signs, words and colours, and signs that a picture explains itself."""

import pytest

from map_tools.facts import PictureFact, PictureLabel, PictureMarker
from map_tools.vision.boxes import Box, Label, Marker
from map_tools.vision.locating import NotLocated
from mapagent.core.answer import Quantity
from mapagent.core.question import Question
from modules.visual_place_recognizer.case import fits_kind
from modules.visual_place_recognizer.observing import picture_fact
from modules.visual_place_recognizer.reading import read_ask
from modules.visual_place_recognizer.recognizer import Sighting
from modules.visual_place_recognizer.solving import solve_picture

ODD_SIGN = bytes([1, 0, 0, 1] * 64)


@pytest.mark.parametrize(
    ("kind", "label", "fits"),
    [
        ("hotels", {"signs": ("lodging", "hotel")}, True),
        ("hotels", {"categories": ("hotel",), "signs": ("food", "restaurant")}, False),
        ("cafes", {"categories": ("cafe",), "signs": ("food", "restaurant")}, True),
        ("markets", {"categories": ("marketplace",), "signs": ("shop",)}, True),
        ("mosques", {"categories": ("mosque",)}, True),
        ("restaurants", {"looks_like": ("food", "restaurant")}, True),
        ("restaurants", {"categories": ("bank",), "looks_like": ("food", "restaurant")}, False),
    ],
)
def test_signs_count_before_words_and_words_before_colours(
    kind: str, label: dict[str, tuple[str, ...]], fits: bool
) -> None:
    shown = PictureLabel(text="Any name", x_px=1, y_px=1, **label)
    assert fits_kind(shown, read_ask(f"How many {kind} are there?")) is fits


def test_markers_without_a_name_are_counted() -> None:
    labels = (PictureLabel(text="Mill Hotel", x_px=10, y_px=10, categories=("hotel",)),)
    markers = (
        PictureMarker(x_px=90, y_px=90, signs=("lodging", "hotel")),
        PictureMarker(x_px=50, y_px=20, signs=("fuel",)),
    )
    picture = PictureFact(width_px=100, height_px=100, labels=labels, markers=markers)
    solution = solve_picture(Question(text="How many hotels are there?"), picture, "e1")
    assert solution is not None
    assert solution.value == Quantity(value=2, unit="count")
    assert "a marker at (90, 90)" in solution.explanation


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
