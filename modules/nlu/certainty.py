"""How sure a reading is: the share of readings like it that were right, measured on authors nobody trained on.

A logistic model over a few figures; its weights are fitted to the trained reader (`scripts/reader/calibrate.py`).
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files

from modules.nlu.reader import Reading

FILE = "calibration.json"
_MARGIN_MOST = 5.0
"""A lead over the next reading beyond this says nothing more."""
_MOST = 3
"""More of a kind says nothing further."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What the certainty of a reading depends on.

    Attributes:
        score: The logarithm of its probability.
        weakest: That of its least likely step.
        margin: By how much it leads the next one.
        length: How many characters the program has, in hundreds.
        unused: How many figures of the question it does not use.
        unread: How many words that are written like names it does not use.
        unasked: How many more questions the words have than the answer has parts.
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


def figures(number: int, readings: Sequence[Reading], *, unasked: int, assumed: int, chosen: bool) -> Figures:
    """The figures of one of several readings, with those of its answer (`Figures`)."""
    reading = readings[number]
    others = [one.score for one in readings if one is not reading]
    return Figures(
        score=reading.score,
        weakest=reading.weakest,
        margin=min(_MARGIN_MOST, reading.score - max(others, default=reading.score - _MARGIN_MOST)),
        length=len(reading.program) / 100,
        unused=float(reading.unused),
        unread=float(min(_MOST, reading.unread)),
        unasked=float(min(_MOST, max(0, unasked))),
        assumed=float(min(_MOST, assumed)),
        chosen=float(chosen),
    )


@lru_cache(maxsize=1)
def calibration() -> Mapping[str, float]:
    """The weights that come with the reader of this version."""
    told: dict[str, float] = json.loads((files("modules.nlu.data") / FILE).read_text(encoding="utf-8"))
    return told


def certainty(told: Figures, weights: Mapping[str, float]) -> float:
    """0 to 1: how often such a reading is right."""
    total = weights["constant"] + sum(weights[name] * value for name, value in asdict(told).items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))
