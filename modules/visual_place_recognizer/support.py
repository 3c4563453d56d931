"""The option a picture supports best where it does not answer the question: a weak reason, and it says so.

Who asks about a picture of a map with places to choose from has them in the picture, near its middle. So one
of those shown is more likely right than none; where none of them is shown, nothing supports any.
"""

from collections.abc import Sequence
from math import dist

from map_tools.facts import PictureFact, PictureLabel
from mapagent.core.answer import Quantity
from mapagent.core.question import Question
from modules.answer_generator.matching import Match, match_one
from modules.solution import Solution
from modules.visual_place_recognizer.case import WEAK, Case, fits_kind, is_otherwise, spot
from modules.visual_place_recognizer.naming import labels_mentioned
from modules.visual_place_recognizer.options import Scored
from modules.visual_place_recognizer.reading import tells_way

WARNING = "The picture supports this option best, but it does not say more than that."
LARGEST_COUNT = 30
"""Questions do not ask for more to be counted."""


def best_supported(question: Question, picture: PictureFact, evidence_id: str) -> Solution | None:
    """The option with most support; None if none has any.

    Support is, in this order: being the only option shown of the kind asked for, or the only one shown; being
    selected in the picture; being shown nearest to what the question mentions, or else to the middle; or
    speaking of most of what is written in the picture (ways are told by the streets they take; the shortest
    way by the shortest directions). Of counts the least has most: who asks how many there are knows that
    there are some.
    """
    case = Case.of(question, picture, evidence_id)
    if case.ask.counts:
        return _least_count(case)
    shown = _possible(case)
    if not shown:
        return _only_by_words(case) or (None if case.options else _way(case))
    chosen = [one for one in shown if one[1].selected] or shown
    index, label = chosen[0] if len(chosen) == 1 else _nearest(chosen, case)
    return _weak(case, index, f"{label.text} is in the picture.")


def _possible(case: Case) -> Sequence[Scored]:
    """The options shown that are of the kind asked for, or else may be."""
    kinds = case.ask.categories
    fitting = [one for one in case.placed if fits_kind(one[1], case.ask) or case.says(one[0], kinds)]
    if fitting or not kinds:
        return fitting or case.placed
    return [one for one in case.placed if _may_be(one[1], kinds)]


def _may_be(label: PictureLabel, kinds: frozenset[str]) -> bool:
    """True unless a label is of another kind; what has no marker is an area."""
    return label.sort != "place" or (label.marked and not is_otherwise(label, kinds))


def _nearest(options: Sequence[Scored], case: Case) -> Scored:
    """The option nearest to the labels that the question mentions, or else to the picture's middle."""
    taken = [label for _, label in case.options]
    mentioned = [spot(label) for label in case.mentioned if label not in taken and label.sort != "listing"]
    middle = (case.picture.width_px / 2, case.picture.height_px / 2)
    return min(options, key=lambda one: sum(dist(spot(one[1]), other) for other in mentioned or [middle]))


def _only_by_words(case: Case) -> Solution | None:
    """The only option whose words say that it is of the kind asked for."""
    named = [index for index, _ in case.question.live_options() if case.says(index, case.ask.categories)]
    if len(named) != 1 or not case.picture.labels:
        return None
    return _weak(case, named[0], "Of the options only its name is that of the kind asked for.")


def _least_count(case: Case) -> Solution | None:
    """The option with the least number, if the picture shows anything."""
    if not case.picture.labels:
        return None
    for number in range(1, LARGEST_COUNT + 1):
        found = match_one(Quantity(value=number, unit="count"), case.question)
        if isinstance(found, Match):
            return _weak(case, found.index, "No such thing is seen, and this is the least number.")
    return None


def _way(case: Case) -> Solution | None:
    """The directions most likely right, where the question mentions something that the picture shows.

    The shortest way is told in the fewest words; otherwise the way counts that speaks of most labels.
    """
    ways = case.question.live_options()
    if not ways or not case.mentioned:
        return None
    if case.ask.shortest and all(tells_way(text) for _, text in ways):
        index, _ = min(ways, key=lambda one: len(one[1]))
        return _weak(case, index, "These are the shortest directions.")
    told = sorted(((len(labels_mentioned(text, case.picture)), -index) for index, text in ways), reverse=True)
    if told[0][0] == 0 or (len(told) > 1 and told[1][0] == told[0][0]):
        return None
    return _weak(case, -told[0][1], "It speaks of most of what is written in the picture.")


def _weak(case: Case, index: int, said: str) -> Solution:
    return case.pick(index, said, WEAK).model_copy(update={"warnings": (WARNING,)})
