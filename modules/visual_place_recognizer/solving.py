"""Answers from a picture alone: counting, sides, neighbours, what stands between, what is written on it.

No scale is needed for these. Every answer rests on labels that were read; where none supports one, there is
none.
"""

from collections.abc import Callable, Sequence

from map_tools.facts import PictureFact
from mapagent.core.question import Question
from modules.solution import Solution
from modules.visual_place_recognizer.case import LIKELY, Case, fits_kind
from modules.visual_place_recognizer.counting import count
from modules.visual_place_recognizer.notes import described, serves, told
from modules.visual_place_recognizer.placing import between, extreme, in_region, nearest, on_the_way
from modules.visual_place_recognizer.written import written


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


_SOLVERS: Sequence[Callable[[Case], Solution | None]] = (
    written, count, extreme, in_region, between, on_the_way, nearest, told, described, serves, _kind,
)  # fmt: skip
