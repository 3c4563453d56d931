"""A table of questions about the demo map."""

from pathlib import Path

import pytest

from tests.support.tables import write

QUESTIONS = (
    ("a", "How long does it take to walk from Ateneum to Kamppi?", None, None, None),
    (
        "b",
        "How long does it take to walk from Ateneum to Kamppi?",
        ["8 min", "80 min", "3 hours"],
        None,
        None,
    ),
    ("c", "Which cafe is nearest to Ateneum?", None, None, None),
    ("d", "  ", None, None, None),
    (None, "Why is the sky blue?", None, None, None),
    ("d", "Is there a pharmacy near me?", None, "60.17,24.94", None),
    ("f", "Is there a pharmacy near me?", None, "north of here", None),
    ("g", "Which museum is nearest to Kamppi?", None, "", "2026-11-21T18:30"),
    ("h", "Which museum is nearest to Kamppi?", None, None, "soon"),
)
COLUMNS = {"id": "VARCHAR", "question": "VARCHAR", "options": "VARCHAR[]", "near": "VARCHAR", "at": "VARCHAR"}


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """A table of questions, some of them none."""
    return write(tmp_path / "questions.parquet", COLUMNS, QUESTIONS)
