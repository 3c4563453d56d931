"""What is written beneath the names of a picture: the best rated, the most reviewed, the cheapest."""

from collections.abc import Callable

from map_tools.facts import PictureLabel
from mapagent.answer import Quantity, Solution
from modules.answer_generator.matching import Match, match_one
from modules.visual_place_recognizer.case import LIKELY, SURE, Case, Scored
from modules.visual_place_recognizer.naming import labels_mentioned

type Told = list[tuple[float, Scored]]
type Ranking = tuple[str, Callable[[PictureLabel], float | None], Callable[[Told], tuple[float, Scored]]]


def written(case: Case) -> Solution | None:
    """The option whose label says what the question asks for; None if it asks for nothing written."""
    ask = case.ask
    rated = [(index, label) for index, label in case.options if label.rating is not None]
    if "rating_of" in ask.details and ask.value is None:
        return _rating_of(case)
    if ask.value is not None:
        exact = [one for one in rated if one[1].rating == ask.value]
        if not exact:
            return None
        index, label = exact[0]
        return case.pick(index, f"{label.text} is rated {ask.value:g}.", SURE if len(exact) == 1 else LIKELY)
    return _ranked(case)


def _ranked(case: Case) -> Solution | None:
    for key, read, choose in _RANKINGS:
        told = [(value, one) for one in case.options if (value := read(one[1])) is not None]
        if key in case.ask.details and told:
            value, (index, label) = choose(told)
            sure = SURE if len(told) == len(case.options) else LIKELY
            return case.pick(index, f"{label.text} is written with {value:g}.", sure)
    return None


def _rating_of(case: Case) -> Solution | None:
    """The rating written beneath the place the question mentions."""
    for index in labels_mentioned(case.question.text, case.picture):
        label = case.picture.labels[index]
        if label.rating is None:
            continue
        value = Quantity(value=label.rating, unit="rating")
        said = f"{label.text} is written with {label.rating:g}."
        if not case.question.live_options():
            return case.answered(value, said, SURE)
        found = match_one(value, case.question)
        return case.pick(found.index, said, SURE) if isinstance(found, Match) else None
    return None


def _price(label: PictureLabel) -> float | None:
    digits = "".join(char for char in label.price if char.isdigit() or char == ".")
    try:
        return float(digits)
    except ValueError:
        return None


def _reviews(label: PictureLabel) -> float | None:
    return label.rating_count


def _rating(label: PictureLabel) -> float | None:
    return label.rating


def _most(told: Told) -> tuple[float, Scored]:
    return max(told, key=lambda entry: entry[0])


def _least(told: Told) -> tuple[float, Scored]:
    return min(told, key=lambda entry: entry[0])


_RANKINGS: tuple[Ranking, ...] = (
    ("reviews_most", _reviews, _most),
    ("rating_best", _rating, _most),
    ("rating_worst", _rating, _least),
    ("price_least", _price, _least),
    ("price_most", _price, _most),
)
