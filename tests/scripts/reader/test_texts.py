"""Marked texts: marks come off whole, versions keep them in place, windows hold the right labels."""

import random

import pytest

from modules.nlu.marks import LABELS, MODES, NAME
from modules.nlu.weights import trained
from modules.nlu.words import Vocabulary
from scripts.reader.texts import (
    TEXTS,
    UNSEEN,
    Told,
    names_of,
    numbered,
    texts_of,
    unmarked,
    version,
    window_at,
    words_in,
)

MARKED = (
    "[[n:p1|Café Sol]] opens [[hours:p1|9 to 5]].\nFrom the [[n:p2|pier]] [[time:p2>p1:walk|6 min]]; "
    "[[has:p1,p2|wifi]], the [[n:p1|café]]."
)


def test_marks_come_off_and_say_where_their_words_stand() -> None:
    text, told = unmarked(MARKED)
    assert text == "Café Sol opens 9 to 5.\nFrom the pier 6 min; wifi, the café."
    assert [(text[one.begin : one.end], one.label) for one in told] == [
        ("Café Sol", NAME), ("9 to 5", "hours"), ("pier", NAME), ("6 min", "time"), ("wifi", "has"), ("café", NAME),
    ]  # fmt: skip
    assert told[3] == Told(told[3].begin, told[3].end, "time", ("p1",), "p2", "walk")
    assert told[4].of == ("p1", "p2")


def test_a_window_has_labels_and_pointers_by_words() -> None:
    text, told = unmarked(MARKED)
    words = words_in(text)
    made = numbered(window_at(text, words, 0, Vocabulary(trained().pieces)), told)
    said = [text[begin:end] for begin, end in words]
    labels = {said[at]: LABELS[label] for at, label in enumerate(made["labels"]) if label}
    assert labels["Café"] == f"B-{NAME}"
    assert labels["Sol"] == f"I-{NAME}"
    assert (labels["9"], labels["5"]) == ("B-hours", "I-hours")
    six, cafe, pier = said.index("6"), said.index("Café"), said.index("pier")
    assert (six, [pier + 1]) in made["pointed"]["start"]
    assert dict(made["pointed"]["of"])[six] == [cafe + 1, said.index("café") + 1]
    assert dict(made["pointed"]["same"]) == {cafe: [0], pier: [0], said.index("café"): [cafe + 1]}
    assert made["modes"] == [(six, MODES.index("walk"))]


def test_versions_keep_marks_and_whom_they_tell_of() -> None:
    chance = random.Random(5)
    whose = [(one.label, one.of, one.start, one.mode) for one in unmarked(MARKED)[1]]
    seen = {version(MARKED, ["Mlyn Zamek", "Grand Hotel Ostrov"], chance) for _ in range(40)}
    assert len(seen) > 10
    for each in seen:
        assert [(one.label, one.of, one.start, one.mode) for one in unmarked(each)[1]] == whose
    assert any("Grand Hotel Ostrov" in each for each in seen)


@pytest.mark.parametrize("author", sorted(path.stem for path in TEXTS.glob("*.txt")))
def test_each_text_of_the_bank_is_marked_soundly(author: str) -> None:
    for marked in texts_of(author):
        text, told = unmarked(marked)
        assert "[[" not in text
        assert "]]" not in text
        places = {one.of[0] for one in told if one.label == NAME}
        for one in told:
            assert f"B-{one.label}" in LABELS
            assert one.mode in MODES
            assert set(one.of) <= places
            assert one.start in places | {""}


def test_unseen_authors_are_in_the_bank() -> None:
    assert all((TEXTS / f"{author}.txt").is_file() for author in UNSEEN)
    assert names_of([MARKED]) == ["Café Sol"]
