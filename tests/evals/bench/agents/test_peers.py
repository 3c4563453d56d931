"""Agents of other projects, where their environment was made (`make bench-env`)."""

from pathlib import Path

import pytest

from evals.bench.agents import contenders
from evals.bench.agents.servers import AT_ONCE, stage


def test_without_the_environment_the_reason_is_told(tmp_path: Path) -> None:
    assert "make bench-env" in contenders.missing(tmp_path / "none")


@pytest.mark.slow
@pytest.mark.parametrize("agent", contenders.PEER_AGENTS)
def test_each_is_right_over_the_same_tools(agent: str) -> None:
    absent = contenders.missing(contenders.ENVIRONMENT)
    if absent:
        pytest.skip(absent)
    with (
        stage("legs", AT_ONCE) as ground,
        contenders.running(agent, ground, contenders.ENVIRONMENT) as peer,
    ):
        run = peer.run(ground.tasks[0])
    assert run.right, run.trouble
    # Three legs and the answer, one at a time; else all legs in one reply, then the answer.
    assert run.model_calls == (4 if agent == contenders.LANGGRAPH_ONE_CALL else 2)
    # One after the other four names are found once each, at once up to two for each leg; then three ways.
    assert 4 + 3 <= run.map_calls <= 6 + 3
