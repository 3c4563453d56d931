"""What a reader should write for the questions of the cases: the programs that are run.

How well wordings are read is measured elsewhere (`scripts/reader/measure.py`); here the way from a program to its
answer is tested, against answers worked out from the raw data.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("programs.json")


def program_of(question: str, options: Sequence[str] = ()) -> str | None:
    """The program of a question; None where none is given."""
    return _programs().get(key_of(question, options))


def key_of(question: str, options: Sequence[str] = ()) -> str:
    """By what a program is listed in the file."""
    return " | ".join((question, *options))


@lru_cache(maxsize=1)
def _programs() -> dict[str, str]:
    told: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return told
