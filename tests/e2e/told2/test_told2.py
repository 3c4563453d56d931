"""Multiple-choice questions over invented contexts in the form of MapEval's, answered without a map.

Wordings and answers were written by hand before the parser had met any of them. Of these 140 questions 105
came out right at the first look: nearby 25 of 31, facts 25 of 31, routes 18 of 31, trips 22 of 31, not told 15
of 16.
"""

from pathlib import Path
from typing import Any

import pytest

from mapagent.agent import MapAgent
from mapagent.config import Settings
from tests.e2e.told_sets import cases_in, check_told

HERE = Path(__file__).parent
CASES = cases_in(HERE)


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> MapAgent:
    return MapAgent(Settings(data_home=tmp_path_factory.mktemp("told")))


@pytest.mark.parametrize("case", CASES, ids=[case["text"][:60] for case in CASES])
def test_told(agent: MapAgent, case: dict[str, Any]) -> None:
    check_told(agent, HERE, case)
