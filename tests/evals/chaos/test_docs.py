"""The page shows the faults as they are."""

from pathlib import Path

from evals.chaos.report import fault_table

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reliability.md"


def test_the_table_of_faults_is_the_one_of_the_data() -> None:
    assert fault_table() in PAGE.read_text(encoding="utf-8")
