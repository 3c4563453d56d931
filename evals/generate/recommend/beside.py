"""Draws MapQA's types 1 and 4 (MapQA-ADJ, MapQA-AME) over any map, where every kind is present."""

import random
from collections.abc import Callable
from typing import Any

from evals.generate.gsqa.reference import Reference
from evals.generate.mapqa.questions import Bench
from evals.generate.mapqa.questions import Draft as Beside
from evals.generate.recommend.travel import Draft, wordings
from evals.suites.scoring.recommend import FULL


class Neighbours:
    """Draws questions for all places of a kind next to a place; each draw raises `UnfitError`."""

    def __init__(self, reference: Reference, seed: int) -> None:
        self._dice = random.Random(seed)  # noqa: S311 (reproducible, not secret)
        self._bench = Bench(reference, self._dice)

    @property
    def families(self) -> dict[str, Callable[[], Draft]]:
        """How each family is drawn."""
        return {
            "adjacent": lambda: self._draft("adjacent", self._bench.adjacent()),
            "around": lambda: self._draft("around", self._bench.beside()),
        }

    def _draft(self, family: str, found: Beside) -> Draft:
        wording = self._dice.choice(wordings()[family])
        record: dict[str, Any] = {
            "question": wording["text"].format(**found.slots),
            "grades": dict.fromkeys(found.answers, FULL),
            "whole": True,
            "lies": list(found.answers),
        }
        return Draft(family, record, {"kind": found.amenity})
