"""Questions over real maps, asked the way tourists, couriers, parents, wheelchair users and night owls put them.

They stand in `maps/`, a table a topic. What is run is the program of each, and what it comes to is checked against
an answer worked out from the raw data; how well wordings are read is measured elsewhere
(`scripts/reader/measure.py`).
"""

import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.cases import Case
from tests.e2e.worlds import Worlds

FOLDER = Path(__file__).with_name("maps")
SHOWN_CHARS = 70
"""So much of a question names its test."""


def cases() -> Iterator[Any]:
    """The cases of all tables that have a program."""
    for table in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(table.read_text(encoding="utf-8"))["case"]:
            case = Case.model_validate(entry)
            text = unicodedata.normalize("NFKD", case.question).encode("ascii", "ignore").decode()
            if case.program:
                yield pytest.param(case, id=f"{table.stem}-{case.world}-{text[:SHOWN_CHARS]}")


@pytest.mark.parametrize("case", list(cases()))
def test_map(worlds: Worlds, case: Case) -> None:
    worlds.check(case)
