"""Answers from a picture alone: counting, sides, neighbours, what stands between, what is written on it.

No scale is needed for these. Every answer rests on labels that were read; where none supports one, there is none.
Beside these answers stands the option that a picture supports best where it does not answer the question: a weak
reason, and it says so. Who asks about a picture of a map with places to choose from has them in the picture, near its
middle. So one of those shown is more likely right than none; where none of them is shown, nothing supports any.
"""

from collections.abc import Callable, Sequence
from math import dist

from map_tools.facts import PictureFact, PictureLabel, PictureMarker
from map_tools.text import normalise, similarity
from mapagent.core.answer import Quantity
from mapagent.core.question import Question
from modules.answer_generator.matching import Match, match_one
from modules.visual_place_recognizer.case import (
    LIKELY,
    SURE,
    WEAK,
    Case,
    Solution,
    fits_kind,
    is_on,
    is_otherwise,
    shape_of,
    shape_of_region,
    spot,
)
from modules.visual_place_recognizer.naming import Scored, labels_mentioned
from modules.visual_place_recognizer.placing import between, extreme, in_region, nearest, on_the_way
from modules.visual_place_recognizer.reading import PictureAsk, tells_way
from modules.visual_place_recognizer.shapes import Line
from modules.visual_place_recognizer.written import described, serves, told, written

BRAND_SCORE = 0.86
ALONG_SHARE = 0.06
"""What stands along a street is no farther from it, as a share of the picture's width."""
COUNT_REACH = 4
"""A count that is no option gives way to the nearest option that is not farther off: labels go unread."""

WARNING = "The picture supports this option best, but it does not say more than that."
LARGEST_COUNT = 30
"""Questions do not ask for more to be counted."""


def solve_picture(question: Question, picture: PictureFact, evidence_id: str) -> Solution | None:
    """What the picture says to a question; None if it is not about what is seen."""
    case = Case.of(question, picture, evidence_id)
    for solver in _SOLVERS:
        solution = solver(case)
        if solution is not None:
            return solution
    return None


def _kind(case: Case) -> Solution | None:
    """Which option is of the kind asked for, where only one is."""
    if case.ask.counts or not (case.ask.kinds or case.ask.phrase):
        return None
    fitting = [one for one in case.options if fits_kind(one[1], case.ask)]
    if len(fitting) != 1:
        return None
    index, label = fitting[0]
    return case.pick(index, f"Of the options only {label.text} is of the kind asked for.", LIKELY)


def count(case: Case) -> Solution | None:
    """How many labels are of a kind, or of a brand, in the part of the picture asked about."""
    ask = case.ask
    if not ask.counts or not (ask.kinds or ask.brand):
        return None
    kept: list[PictureLabel | PictureMarker] = [
        *(label for label in case.picture.labels if _is_counted(label, ask)),
        *(marker for marker in case.picture.markers if not ask.categories.isdisjoint(marker.signs)),
    ]
    if ask.region is not None:
        shape = shape_of_region(ask.region, case)
        if shape is None:
            return case.unanswerable(f"'{ask.region.of}' is not written in the picture.")
        kept = [one for one in kept if is_on(one, ask.region.sides, shape)]
    elif ask.along and isinstance(street := shape_of(ask.along, case), Line):
        reach = ALONG_SHARE * case.picture.width_px
        kept = [one for one in kept if street.distance_px((one.x_px, one.y_px)) <= reach]
    names = [_named(one) for one in kept]
    explanation = (
        f"{len(names)} are seen: {', '.join(names)}." if names else "No such thing is in the picture."
    )
    if not case.question.live_options():
        return case.answered(Quantity(value=len(names), unit="count"), explanation, LIKELY)
    return _option_for(case, len(names), explanation)


def _option_for(case: Case, number: int, explanation: str) -> Solution:
    """The option that says the count, or the nearest number; where nothing is seen nothing supports one."""
    exact = match_one(Quantity(value=number, unit="count"), case.question)
    if isinstance(exact, Match):
        return case.pick(exact.index, explanation, SURE)
    if number == 0:
        return case.unanswerable("No such label is in the picture, and no option says so.")
    for off in range(1, COUNT_REACH + 1):
        for other in (number + off, number - off):
            found = match_one(Quantity(value=other, unit="count"), case.question) if other > 0 else None
            if isinstance(found, Match):
                warning = f"{number} were counted, which is no option; {found.text} comes nearest."
                solution = case.pick(found.index, explanation, WEAK)
                return solution.model_copy(update={"warnings": (warning,)})
    return case.unanswerable(f"{number} were counted, and no option says about as many.")


def _named(one: PictureLabel | PictureMarker) -> str:
    """Words for what was counted; a marker without a readable name is told by its place."""
    return one.text if isinstance(one, PictureLabel) else f"a marker at ({one.x_px:g}, {one.y_px:g})"


def _is_counted(label: PictureLabel, ask: PictureAsk) -> bool:
    if label.sort != "place":
        return False
    if ask.brand:
        wanted, words = normalise(ask.brand).rstrip("s"), normalise(label.text)
        return wanted in words or similarity(ask.brand, label.text) >= BRAND_SCORE
    return fits_kind(label, ask)


_SOLVERS: Sequence[Callable[[Case], Solution | None]] = (
    written, count, extreme, in_region, between, on_the_way, nearest, told, described, serves, _kind,
)  # fmt: skip


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
