"""What is written beneath names, or on cards: ratings, reviews, prices, classes, hours, services, other notes."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rapidfuzz import fuzz

from map_tools.facts import PictureLabel
from map_tools.text import normalise
from mapagent.core.answer import Quantity
from modules.answer_generator.matching import Match, match_one
from modules.visual_place_recognizer.case import LIKELY, SURE, Case, Solution
from modules.visual_place_recognizer.naming import Scored, labels_begun
from modules.visual_place_recognizer.reading import Details, Wish, picture_words

type Test = tuple[str, Callable[[PictureLabel], bool]]
type Told = list[tuple[float, Scored]]
type Ranking = tuple[Wish, Callable[[PictureLabel], float | None], Callable[[Told], tuple[float, Scored]]]

TOLD_SCORE = 85.0
"""How well an option must fit a stretch of what is written (0 to 100)."""

LEAST_TELLING = 4
"""Words of fewer letters tell nothing."""
LEAST_TOLD = 2
"""So many words of the question stand in the notes of the option that they describe."""


def written(case: Case) -> Solution | None:
    """What is written that the question asks for; None if it asks for nothing written, or nothing is."""
    return _fact(case) or _chosen(case)


def _fact(case: Case) -> Solution | None:
    """A rating, a number of reviews, a price of the place that the question mentions."""
    details = case.ask.details
    if details.rating is not None:
        return None
    for wish, read, unit in _FACTS:
        if not details.wants(wish):
            continue
        factor = details.nights if wish == "price_of" else 1.0
        for label in case.mentioned or (case.picture.labels if case.question.live_options() else ()):
            value = read(label)
            if value is None:
                continue
            solution = _stated(case, Quantity(value=factor * value, unit=unit), label)
            if solution is not None:
                return solution
    return None


def _stated(case: Case, value: Quantity, label: PictureLabel) -> Solution | None:
    said = f"{label.text} is written with {value.value:g}."
    if not case.question.live_options():
        return case.answered(value, said, SURE)
    found = match_one(value, case.question)
    return case.pick(found.index, said, SURE) if isinstance(found, Match) else None


def _chosen(case: Case) -> Solution | None:
    """The option that has what the question asks for, or has most of it."""
    left, said = fitting_written(case, case.options)
    if not left:
        return None
    ranked = _ranked(case, left)
    if ranked is not None:
        return ranked
    if said and len(left) == 1:
        index, label = left[0]
        return case.pick(index, f"Of the options only {label.text} {said}.", SURE)
    return None


def fitting_written(case: Case, options: Sequence[Scored]) -> tuple[Sequence[Scored], str]:
    """Those of the options that are as asked, as far as that is written of any, and how they are."""
    left = options
    said: list[str] = []
    for words, test in _tests(case.ask.details):
        fitting = [one for one in left if test(one[1])]
        if fitting:
            left = fitting
            said.append(words)
    return left, " and ".join(said)


def _tests(details: Details) -> Iterator[Test]:
    """What a label must be, in words and as a test."""
    rating, stars, budget = details.rating, details.stars, details.budget
    if rating is not None:
        yield f"is rated {rating:g}", lambda label: label.rating == rating
    if stars is not None:
        yield f"is of {stars:g} stars", lambda label: _class(label) == stars
    if details.wants("open"):
        yield "is open", lambda label: _is_noted(label, "open")
    if details.wants("closed"):
        yield "is closed", lambda label: _is_noted(label, "closed")
    if budget is not None:
        yield (
            f"costs {budget[0]:g} to {budget[1]:g}",
            lambda label: budget[0] <= (_price(label) or 0.0) <= budget[1],
        )


def _ranked(case: Case, left: Sequence[Scored]) -> Solution | None:
    for wish, read, choose in _RANKINGS:
        told = [(value, one) for one in left if (value := read(one[1])) is not None]
        if case.ask.details.wants(wish) and told:
            value, (index, label) = choose(told)
            sure = SURE if len(told) == len(case.question.live_options()) else LIKELY
            return case.pick(index, f"{label.text} is written with {value:g}.", sure)
    return None


def _is_noted(label: PictureLabel, word: str) -> bool:
    return any(note.lower().startswith(word) for note in label.notes)


def _class(label: PictureLabel) -> float | None:
    """The stars of a hotel, as written ("4-star hotel")."""
    found = (re.match(r"(\d)-star", note) for note in label.notes)
    return next((float(match[1]) for match in found if match), None)


def _price(label: PictureLabel) -> float | None:
    """The number of a price; "23.8K" is 23,800."""
    found = re.search(r"(\d[\d,]*(?:\.\d+)?)\s*([kK])?$", label.price)
    if found is None:
        return None
    return float(found[1].replace(",", "")) * (1000.0 if found[2] else 1.0)


def _reviews(label: PictureLabel) -> float | None:
    return label.rating_count


def _rating(label: PictureLabel) -> float | None:
    return label.rating


def _most(told: Told) -> tuple[float, Scored]:
    return max(told, key=lambda entry: entry[0])


def _least(told: Told) -> tuple[float, Scored]:
    return min(told, key=lambda entry: entry[0])


_FACTS: tuple[tuple[Wish, Callable[[PictureLabel], float | None], str], ...] = (
    ("rating_of", _rating, "rating"),
    ("reviews_of", _reviews, "count"),
    ("price_of", _price, "count"),
)
_RANKINGS: tuple[Ranking, ...] = (
    ("reviews_most", _reviews, _most),
    ("rating_best", _rating, _most),
    ("rating_worst", _rating, _least),
    ("price_least", _price, _least),
    ("price_most", _price, _most),
)


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
