"""Marks of a text: whole labels, pointers that lead to names, bounded work, and windows that lose nothing."""

import numpy as np
import pytest

from modules.nlu import marks
from modules.nlu.marks import LABELS, LONGEST_WINDOW, MODES, NAME, Mark, marker, words_in
from modules.nlu.network import log_softmax

TEXT = (
    "Dear guests,\nthe Blue Teapot on 4 Mill Lane is open Tuesday to Sunday from 9 to 17 and has wifi but no lift."
    "\nFrom Hotel Corvo to the Blue Teapot it is 6 minutes on foot, to the Glass Museum 12 minutes by bus."
)


def test_each_value_points_to_a_marked_name() -> None:
    found = marker().marks(TEXT)
    names = {one.begin for one in found if one.label == NAME}
    assert len(names) >= 4
    for one in found:
        assert {one.of, one.start} <= names | {None}
        assert 0 <= one.sure <= 1
        assert one.mode in MODES
        assert TEXT[one.begin : one.end].strip() == TEXT[one.begin : one.end] != ""


def test_what_is_said_of_a_place_and_of_a_way() -> None:
    found = marker().marks(TEXT)

    def said(mark: Mark) -> tuple[str, str, str, str, str]:
        whose = (
            TEXT[at:].split("\n", maxsplit=1)[0][:11] if at is not None else ""
            for at in (mark.start, mark.of)
        )
        return (mark.label, TEXT[mark.begin : mark.end], *whose, mark.mode)

    told = {said(one) for one in found if one.label != NAME}
    assert ("time", "6 minutes", "Hotel Corvo", "Blue Teapot", "walk") in told
    assert ("time", "12 minutes", "Hotel Corvo", "Glass Museu", "transit") in told
    assert ("has", "wifi", "", "Blue Teapot", "") in told
    assert ("lacks", "lift", "", "Blue Teapot", "") in told


def test_a_text_of_many_windows_is_read_to_its_end_and_no_further_than_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    filler = "It rained a good deal and nobody minded the rain very much, as far as one could tell.\n" * 40
    last = "From Hotel Corvo to the Glass Museum it takes 12 minutes on foot."
    assert len(words_in(filler)) > 2 * LONGEST_WINDOW
    found = marker().marks(filler + last)
    assert ("time", "12 minutes") in {(one.label, (filler + last)[one.begin : one.end]) for one in found}
    assert [one.begin for one in found] == sorted({one.begin for one in found})
    monkeypatch.setattr(marks, "MOST_WINDOWS", 2)
    longer = filler + filler  # the marks of a text are kept
    assert all(one.begin < len(longer) for one in marker().marks(longer + last))


@pytest.mark.parametrize("text", ["", "\n\n\n", "\0", "🙂" * 700, "x" * 5_000, "a\n" * 2_000, "| - = " * 500])
def test_hostile_texts_cost_no_error(text: str) -> None:
    assert all(0 <= one.begin < one.end <= len(text) for one in marker().marks(text))


def test_the_likeliest_row_of_labels_is_the_best_of_all_that_are_whole() -> None:
    chance = np.random.default_rng(3)
    labels = [
        0,
        LABELS.index(f"B-{NAME}"),
        LABELS.index(f"I-{NAME}"),
        LABELS.index("B-time"),
        LABELS.index("I-time"),
    ]
    for _ in range(20):
        told = np.full((4, len(LABELS)), -50.0, np.float32)
        told[:, labels] = chance.normal(size=(4, len(labels))).astype(np.float32) * 3
        told = log_softmax(told)

        def whole(row: tuple[int, ...]) -> bool:
            before = (0, *row)
            return all(
                not LABELS[one].startswith("I") or last in {one, one - 1}
                for last, one in zip(before, row, strict=False)
            )

        rows = [(a, b, c, d) for a in labels for b in labels for c in labels for d in labels]
        best = max(
            (row for row in rows if whole(row)),
            key=lambda row: sum(told[at, one] for at, one in enumerate(row)),
        )
        assert tuple(marker()._labelled(told)) == best
