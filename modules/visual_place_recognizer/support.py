"""The option a picture supports best where it does not answer the question: a weak reason, and it says so."""

from math import dist

from map_tools.facts import PictureFact
from mapagent.answer import Solution
from mapagent.question import Question
from modules.visual_place_recognizer.case import WEAK, Case, Scored, fits_kind, spot
from modules.visual_place_recognizer.naming import labels_mentioned

WARNING = "The picture supports this option best, but it does not say more than that."


def best_supported(question: Question, picture: PictureFact, evidence_id: str) -> Solution | None:
    """The option with most support; None if none has any, or several have as much.

    Support is, in this order: being the only option shown of the kind asked for, or the only one shown; being
    shown nearest to what the question mentions; or speaking of most of what is written in the picture (ways
    are told by the streets they take).
    """
    case = Case.of(question, picture, evidence_id)
    fitting = [one for one in case.options if fits_kind(one[1], case.ask)]
    found = (
        _only(fitting) or _only(list(case.options)) or _nearest_to_mentioned(fitting or [*case.options], case)
    )
    if found is not None:
        return _weak(case, found[0], f"{found[1].text} is in the picture.")
    return _most_told(case)


def _only(options: list[Scored]) -> Scored | None:
    return options[0] if len(options) == 1 else None


def _nearest_to_mentioned(options: list[Scored], case: Case) -> Scored | None:
    """The option nearest to the labels that the question mentions."""
    taken = [label for _, label in case.options]
    labels = (case.picture.labels[index] for index in labels_mentioned(case.question.text, case.picture))
    mentioned = [spot(label) for label in labels if label not in taken]
    if not mentioned or not options:
        return None
    return min(options, key=lambda one: sum(dist(spot(one[1]), other) for other in mentioned))


def _most_told(case: Case) -> Solution | None:
    """The option that mentions most labels of the picture."""
    told = sorted(
        ((len(labels_mentioned(text, case.picture)), -index) for index, text in case.question.live_options()),
        reverse=True,
    )
    if not told or told[0][0] == 0 or (len(told) > 1 and told[1][0] == told[0][0]):
        return None
    return _weak(case, -told[0][1], "It speaks of most of what is written in the picture.")


def _weak(case: Case, index: int, said: str) -> Solution:
    return case.pick(index, said, WEAK).model_copy(update={"warnings": (WARNING,)})
