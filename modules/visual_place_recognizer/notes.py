"""What notes beneath names, or on cards, say in words: hours, services, what a place is like."""

import re
from typing import Any

from rapidfuzz import fuzz

from modules.names import normalise
from modules.solution import Solution
from modules.visual_place_recognizer.case import LIKELY, Case
from modules.visual_place_recognizer.naming import labels_begun
from modules.visual_place_recognizer.words import picture_words

TOLD_SCORE = 85.0
"""How well an option must fit a stretch of what is written (0 to 100)."""

LEAST_TELLING = 4
"""Words of fewer letters tell nothing."""
LEAST_TOLD = 2
"""So many words of the question stand in the notes of the option that they describe."""


def told(case: Case) -> Solution | None:
    """The option that says what is written beneath the place that the question mentions (hours, services)."""
    if len(case.options) > 1:
        return None
    for label in case.mentioned:
        notes = [_plain(note) for note in label.notes]
        scored = sorted(
            (
                (max((fuzz.partial_ratio(_plain(text), note) for note in notes), default=0.0), -index)
                for index, text in case.question.live_options()
            ),
            reverse=True,
        )
        if len(scored) > 1 and scored[0][0] >= TOLD_SCORE and scored[0][0] > scored[1][0]:
            said = f"Beneath {label.text} is written: {'; '.join(label.notes)}."
            return case.pick(-scored[0][1], said, LIKELY)
    return None


def described(case: Case) -> Solution | None:
    """The option about which the picture says what the question asks for ("with a terrace")."""
    wanted = {word for word in normalise(case.question.text).split() if len(word) >= LEAST_TELLING}
    told_of = ((len(wanted & _told_of(index, case)), -index) for index, _ in case.options)
    scored = sorted(told_of, reverse=True)
    if not scored or scored[0][0] < LEAST_TOLD or (len(scored) > 1 and scored[1][0] == scored[0][0]):
        return None
    index = -scored[0][1]
    said = f"What is asked for is written with {case.question.options[index].strip()}."
    return case.pick(index, said, LIKELY)


def serves(case: Case) -> Solution | None:
    """The only option whose name, notes or sign tell of the dish or drink that the question asks for."""
    for dish in picture_words()["dish"]:
        if not re.search(dish["asked"], case.question.text, re.IGNORECASE):
            continue
        serving = [
            index for index, text in case.question.live_options()
            if re.search(dish["served"], text, re.IGNORECASE) or _shows(dish, index, case)
        ]  # fmt: skip
        if len(serving) == 1:
            said = f"Of the options only this one tells that it serves {dish['name']}."
            return case.pick(serving[0], said, LIKELY)
    return None


def _shows(dish: dict[str, Any], index: int, case: Case) -> bool:
    """True if the label of an option has the sign of a dish, or tells of it."""
    labels = [label for at, label in case.options if at == index]
    written = " ".join(_told_of(index, case))
    return any(not set(dish["signs"]).isdisjoint(label.signs) for label in labels) or bool(
        re.search(dish["served"], written, re.IGNORECASE)
    )


def _told_of(index: int, case: Case) -> set[str]:
    """The words that stand with the names like an option's, but for those of the option."""
    own = case.question.options[index]
    labels = [label for at, label in case.options if at == index]
    labels += [case.picture.labels[at] for at in labels_begun(own, case.picture)]
    written = " ".join(" ".join((label.text, *label.notes)) for label in labels)
    return set(normalise(written).split()) - set(normalise(own).split())


def _plain(text: str) -> str:
    """Words about hours and services in one form."""
    text = text.lower()
    for pattern, instead in picture_words()["said"].items():
        text = re.sub(pattern, instead, text)
    return " ".join(re.sub(r"[^\w/]+", " ", text).split())
