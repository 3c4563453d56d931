"""Questions in free wording are read as a reader would (`phrasings*.toml`)."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from mapagent.question import Question
from modules.offline.parser import parse_all

CASES: list[dict[str, Any]] = [
    case
    for path in sorted(Path(__file__).parent.glob("phrasings*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
]
NOT_SET = "-"


def slot(dumped: dict[str, Any], path: str) -> Any:
    """The value of a dotted path; None where the way there is not set."""
    value: Any = dumped
    for key in path.split("."):
        value = None if value is None else value[key]
    return value


@pytest.mark.parametrize("case", CASES, ids=[case["text"][:60] for case in CASES])
def test_reads_the_question(case: dict[str, Any]) -> None:
    parsed = parse_all(Question(text=case["text"], options=tuple(case.get("options", ()))))
    assert parsed.best is not None, [(reading.intent.kind, reading.score) for reading in parsed.readings]
    assert parsed.best.intent.kind == case["kind"], parsed.best.intent
    dumped = parsed.best.intent.model_dump(mode="json")
    for path, wanted in case["expect"].items():
        assert slot(dumped, path) == (None if wanted == NOT_SET else wanted), path


def test_there_are_phrasings_of_every_family() -> None:
    kinds = {case["kind"] for case in CASES}
    assert kinds == {
        "nearby",
        "place_fact",
        "open",
        "compare_places",
        "distance",
        "bearing",
        "direction_pick",
        "between",
        "closer",
        "pair",
        "within",
    }
    assert len(CASES) > 250
