"""How sure the embedded planner is of an answer: the share of similar answers that were right.

Different programs may come to the same answer, and then their probabilities add up, as in
[MBR-EXEC](https://arxiv.org/abs/2204.11454). A logistic model over a few features turns that into a certainty; its
weights are fitted to the trained reader on authors that it was not trained on (`scripts/reader/calibrate.py`).
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib.resources import files

from mapagent.core.answer import Answer, Status
from modules.nlu.reader import Reading, refuses

FILE = "calibration.json"
SURE = 0.7
"""Certainty from which an answer is given without running the next reading for a second opinion."""
STANDS = 0.85
"""Certainty from which the likeliest reading is trusted even if it has no answer: no other is run."""
NOTHING = "nothing"
_MARGIN_MOST = 5.0
"""Cap of the lead over the next answer."""
_MOST = 3
"""Cap of each count among the features."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The features that the certainty of an answer depends on.

    Attributes:
        score: The logarithm of the probability of the readings that come to it.
        weakest: The logarithm of the probability of the least likely step of the likeliest of them.
        margin: By how much the score leads that of the next answer, or of the likeliest reading that was not run.
        length: Length of the program in hundreds of characters.
        unused: How many numbers of the question it does not use.
        unread: How many words that are written like names it does not use.
        unasked: How many more things the question asks for than the answer has parts.
        assumed: How many things were taken for granted on the way to the answer.
        chosen: 1 if the answer is one of the question's options.
    """

    score: float
    weakest: float
    margin: float
    length: float
    unused: float
    unread: float
    unasked: float
    assumed: float
    chosen: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What running a reading came to.

    Attributes:
        number: The reading's index.
        says: What the answer says, equal for readings that come to the same; of what came to nothing `NOTHING` and
            the index, so that it is equal to none.
        figures: The features of the reading alone.
    """

    number: int
    says: tuple[str, ...]
    figures: Figures

    @property
    def settled(self) -> bool:
        """Whether it is an answer or a refusal: what is not on a map says nothing of the reading."""
        return self.says[0] != NOTHING


def outcome(number: int, readings: Sequence[Reading], answer: Answer, asked: int) -> Outcome:
    """What a reading (by its index) came to, of a question with so many question marks."""
    reading = readings[number]
    says: tuple[str, ...] = (NOTHING, str(number))
    if refuses(reading.program):
        says = ("refusal",)
    elif answer.status is Status.ANSWERED:
        parts = sorted(part.text for part in answer.parts.values())
        says = (
            ("option", str(answer.option)) if answer.option is not None else ("answer", answer.text, *parts)
        )
    figures = Figures(
        score=reading.score,
        weakest=reading.weakest,
        margin=0.0,
        length=len(reading.program) / 100,
        unused=float(reading.unused),
        unread=float(min(_MOST, reading.unread)),
        unasked=float(min(_MOST, max(0, asked - 1 - len(answer.parts)))),
        assumed=float(min(_MOST, len(answer.assumptions))),
        chosen=float(answer.option is not None),
    )
    return Outcome(number, says, figures)


def pooled(outcomes: Sequence[Outcome], scores: Sequence[float]) -> list[Outcome]:
    """One outcome for each answer, that of its likeliest reading, with the probability of all that come to it.

    Readings that came to nothing do not count against the others: people mostly ask what has an answer.

    Args:
        outcomes: Those of the readings that were run, the likeliest reading first.
        scores: The scores of all readings.
    """
    run = {one.number for one in outcomes}
    said = dict.fromkeys(one.says for one in outcomes)
    together = {says: _total([one.figures.score for one in outcomes if one.says == says]) for says in said}
    settled = {one.says for one in outcomes if one.settled}
    waiting = [score for number, score in enumerate(scores) if number not in run]
    found = []
    for says in said:
        first = next(one for one in outcomes if one.says == says)
        others = [score for other, score in together.items() if other != says and other in settled] + waiting
        lead = together[says] - max(others) if others else _MARGIN_MOST
        margin = max(-_MARGIN_MOST, min(_MARGIN_MOST, lead))
        found.append(replace(first, figures=replace(first.figures, score=together[says], margin=margin)))
    return found


class Tally:
    """The readings of a question as they are run, until one answer is sure enough.

    Args:
        scores: Those of all readings.
        threshold: Certainty from which an answer is given, 0 to 1.
        weights: The calibration.
    """

    def __init__(self, scores: Sequence[float], threshold: float, weights: Mapping[str, float]) -> None:
        self._scores, self._threshold, self._weights = scores, threshold, weights
        self._outcomes: list[Outcome] = []
        self._standing: tuple[float, Outcome] | None = None

    def add(self, outcome: Outcome) -> bool:
        """Takes what the next reading came to; whether no further one needs to be run."""
        self._outcomes.append(outcome)
        certain = self._certain()
        likeliest = certain[0]
        if outcome.number == 0 and not outcome.settled and likeliest[0] >= STANDS:
            self._standing = likeliest
            return True
        enough = max(self._threshold, SURE)
        return any(sure >= enough for sure, one in certain if one.settled)

    def given(self) -> tuple[float, Outcome] | None:
        """What is given, with its certainty: the surest answer, else the likeliest reading without one."""
        if self._standing is not None:
            return self._standing
        certain = [one for one in self._certain() if one[0] >= self._threshold]
        settled = [one for one in certain if one[1].settled]
        return max(settled, key=lambda one: one[0]) if settled else next(iter(certain), None)

    @property
    def surest(self) -> float:
        """The highest certainty there is, 0 to 1; 0 if nothing was run."""
        return max((sure for sure, _ in self._certain()), default=0.0)

    def _certain(self) -> list[tuple[float, Outcome]]:
        return [(certainty(one.figures, self._weights), one) for one in pooled(self._outcomes, self._scores)]


def _total(scores: Sequence[float]) -> float:
    most = max(scores)
    return most + math.log(math.fsum(math.exp(score - most) for score in scores))


@lru_cache(maxsize=1)
def calibration() -> Mapping[str, float]:
    """The weights that come with the reader of this version."""
    told: dict[str, float] = json.loads((files("modules.nlu.data") / FILE).read_text(encoding="utf-8"))
    return told


def certainty(told: Figures, weights: Mapping[str, float]) -> float:
    """How often such an answer is right, 0 to 1."""
    total = weights["constant"] + sum(weights[name] * value for name, value in asdict(told).items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
