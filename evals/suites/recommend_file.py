"""The file of the suite `recommend`: wishes with the places that fulfil them, graded."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, model_validator

from evals.suites.typed_records import AskedText, read_typed
from map_tools.text import normalise
from map_tools.types import Frozen, LatLng

FILE_NAMES = ("dataset.json", "dataset.jsonl")

FULL = 2
"""The grade of a place that fulfils all that is wished for; the grade 1 is for a part of several wishes."""

type Grade = Literal[1, 2]
type Names = tuple[Annotated[str, Field(min_length=1)], ...]


class RecommendRecord(Frozen):
    """One wish. Places are known by their names, which no two places of its map share.

    Attributes:
        family: What it is measured from ("point", "route", "region"), or "adjacent" and "around" for MapQA's
            types 1 and 4.
        near: Where the user is, for wishes that say "near me".
        grades: The places that fulfil the wish, `FULL` for those that do in everything.
        whole: All of them are asked for, not the best few.
        lies: The places that lie as asked; None where that is not known.
        surrounded: Those with the surroundings asked for; None where none are.
        alike: Those that are as wished, wherever they lie; None where nothing is wished for.
        apart: Why it counts in no headline; empty if it counts.
        defective: Why the truth is known to be wrong; empty if it is sound.
    """

    id: Annotated[str, Field(min_length=1)]
    family: Literal["point", "route", "region", "adjacent", "around"]
    question: AskedText
    near: LatLng | None = None
    grades: dict[str, Grade]
    whole: bool = False
    lies: Names | None = None
    surrounded: Names | None = None
    alike: Names | None = None
    apart: str = ""
    defective: str = ""

    @model_validator(mode="after")
    def _consistent(self) -> "RecommendRecord":
        if not self.relevant:
            raise ValueError("no place fulfils the wish in everything (grade 2)")
        if self.lies is not None and not self.relevant <= {normalise(name) for name in self.lies}:
            raise ValueError("a place of grade 2 does not lie as asked")
        return self

    @property
    def relevant(self) -> frozenset[str]:
        """The folded names of the places that fulfil all of the wish."""
        return frozenset(normalise(name) for name, grade in self.grades.items() if grade == FULL)


def read_recommend(data: Path) -> tuple[RecommendRecord, ...]:
    """All records in the file's order.

    Raises:
        InputFileError: The file is missing, or a record is malformed or repeats an id; names its line.
    """
    return read_typed(data, RecommendRecord, FILE_NAMES)
