"""What notes beneath names, or on cards, say in words: hours, services, what a place is like."""

import re

from rapidfuzz import fuzz

from mapagent.answer import Solution
from modules.names import normalise
from modules.visual_place_recognizer.case import LIKELY, Case
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
    """The option whose notes speak of what the question asks for ("with a terrace")."""
    wanted = {word for word in normalise(case.question.text).split() if len(word) >= LEAST_TELLING}
    scored = sorted(
        (
            (len(wanted & set(normalise(" ".join(label.notes)).split())), -index, label)
            for index, label in case.options
            if label.notes
        ),
        key=lambda entry: entry[:2],
        reverse=True,
    )
    if not scored or scored[0][0] < LEAST_TOLD or (len(scored) > 1 and scored[1][0] == scored[0][0]):
        return None
    _, index, label = scored[0]
    return case.pick(-index, f"Beneath {label.text} is written: {'; '.join(label.notes)}.", LIKELY)


def _plain(text: str) -> str:
    """Words about hours and services in one form."""
    text = text.lower()
    for pattern, instead in picture_words()["said"].items():
        text = re.sub(pattern, instead, text)
    return " ".join(re.sub(r"[^\w/]+", " ", text).split())
