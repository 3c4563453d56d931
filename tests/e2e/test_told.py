"""Multiple-choice questions over invented contexts in the form of MapEval's, answered without a map.

The questions are those of ten authors, a table a topic; what is run is the program of each, so what is tested is the
reading of the text, the operators, and the choice of an option.
"""

import asyncio
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mapagent.core.agent import MapAgent
from mapagent.core.answer import Status
from mapagent.core.question import Question
from mapagent.runtime.config import Settings

FOLDER = Path(__file__).with_name("told")
"""Tables of cases and, in `contexts/`, what they are asked about."""
SHOWN_CHARS = 60
"""So much of a question names its test."""


def cases() -> Iterator[Any]:
    """The cases of all tables that have a program."""
    for table in sorted(FOLDER.glob("*.toml")):
        for case in tomllib.loads(table.read_text(encoding="utf-8"))["case"]:
            if "program" in case:
                yield pytest.param(case, id=f"{table.stem}-{case['context']}-{case['text'][:SHOWN_CHARS]}")


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> MapAgent:
    return MapAgent(Settings(data_home=tmp_path_factory.mktemp("told")))


@pytest.mark.parametrize("case", list(cases()))
def test_told(agent: MapAgent, case: dict[str, Any]) -> None:
    """The option chosen is the right one; where the context does not tell, none may be chosen."""
    context = (FOLDER / "contexts" / f"{case['context']}.txt").read_text(encoding="utf-8")
    options = tuple(case["options"])
    question = Question(text=case["text"], options=options, context=context)
    answer = asyncio.run(agent.query(case["program"], question=question))
    if case["right"] == "none":
        assert answer.status is not Status.ANSWERED, answer.text
    else:
        assert answer.option == case["right"], answer.reason or answer.explanation
