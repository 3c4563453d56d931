"""Multiple-choice questions over invented contexts in the form of MapEval's, answered without a map.

Wordings and answers were written by hand before the parser had met any of them: of the first sixty it then
understood 39, of the next fifty-two 35.
"""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from mapagent.agent import MapAgent
from mapagent.answer import Status
from mapagent.config import Settings
from mapagent.question import Question

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = tomllib.loads((HERE / "questions.toml").read_text(encoding="utf-8"))["case"]


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> MapAgent:
    return MapAgent(Settings(data_home=tmp_path_factory.mktemp("told")))


@pytest.mark.parametrize("case", CASES, ids=[case["text"][:60] for case in CASES])
def test_told(agent: MapAgent, case: dict[str, Any]) -> None:
    context = (HERE / "contexts" / f"{case['context']}.txt").read_text(encoding="utf-8")
    answer = agent.ask_blocking(Question(text=case["text"], options=tuple(case["options"]), context=context))
    if case["right"] == "none":
        assert answer.status is not Status.ANSWERED, answer.text
    else:
        assert answer.option == case["right"], answer.reason or answer.explanation
