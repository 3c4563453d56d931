"""The kills of `python -m benchmarks.kills`, a few of them: nothing is lost, doubled or damaged."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.kills.commands import BatchRun, EvalRun, Ground
from benchmarks.kills.killing import kill_often
from benchmarks.kills.writers import ModelReplies, Recordings, Replies, Store, Writer
from tests.support.data import demo_extract

SEED = 20261122
QUESTIONS = 20


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """A map and questions about it."""
    return Ground(tmp_path_factory.mktemp("killed"), demo_extract(), QUESTIONS, SEED)


@pytest.mark.slow
@pytest.mark.parametrize("command", [EvalRun, BatchRun])
def test_a_killed_run_goes_on_to_the_same_end(
    ground: Ground, command: type[EvalRun] | type[BatchRun]
) -> None:
    toll = kill_often(command(ground), 2, SEED)
    assert toll.broken == ()


@pytest.mark.parametrize("store", [Replies, ModelReplies, Recordings])
def test_a_killed_writer_loses_nothing_it_has_told(tmp_path: Path, store: Callable[[Path], Store]) -> None:
    toll = kill_often(Writer(store(tmp_path), tmp_path), 5, SEED)
    assert toll.broken == ()
    assert toll.killed == 5
