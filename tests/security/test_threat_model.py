"""The threat model names tests that are there, and every test of this folder."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.findall(r"`(tests/[\w/]+\.py)`", (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8"))


def test_the_tests_it_names_are_there() -> None:
    assert len(NAMED) > 20
    assert [name for name in NAMED if not (ROOT / name).is_file()] == []


def test_it_names_the_tests_of_security() -> None:
    own = {path.relative_to(ROOT).as_posix() for path in Path(__file__).parent.glob("test_*.py")}
    assert own <= set(NAMED)
