"""The soak itself, with few questions: what it asks, what it counts, and that it ends."""

import asyncio
from pathlib import Path

import pytest

from evals.chaos.report import broken_promises
from evals.chaos.soak import Fate, Outcome, Run, Soak, SoakPlan, outcome_of
from evals.chaos.ways import WAYS, SoakQuestion, open_ground, soak_questions
from mapagent.agent import MapAgent
from mapagent.answer import Answer
from mapagent.config import Settings
from mapagent.question import Question
from tests.support.maps import demo_map

PLAN = SoakPlan(shares=(0.3,), ways=(WAYS[3],), seed=3, attempt_s=6.0)


def soaked(plan: SoakPlan, questions: tuple[SoakQuestion, ...], folder: Path) -> list[Run]:
    async def run() -> list[Run]:
        async with open_ground(demo_map()) as ground:
            return [one async for one in Soak(plan, questions, folder).runs(ground)]

    return asyncio.run(run())


def test_a_short_soak_keeps_what_is_promised(tmp_path: Path) -> None:
    questions = soak_questions(demo_map(), written=1, generated=5, seed=3)
    runs = soaked(PLAN, questions, tmp_path)
    weathers = [(run.share, run.recoverable) for run in runs]
    assert weathers == [(0.0, True), (0.3, True), (0.3, False)]
    assert all(len(run.outcomes) == 6 and run.requests >= 12 for run in runs)
    assert [run.struck.total() > 0 for run in runs] == [False, True, True]
    assert {run.usual_right for run in runs} == {6}
    assert not any(fate in {Fate.HUNG, Fate.CRASHED} for run in runs for fate in run.fates().values())
    assert broken_promises(runs) == ()


def test_the_questions_have_truths_of_their_own() -> None:
    questions = soak_questions(demo_map(), written=3, generated=7, seed=3)
    assert [one.id for one in questions] == ["h01", "h02", "h03", *(f"g{number}" for number in range(1, 8))]
    assert soak_questions(demo_map(), written=3, generated=7, seed=3)[5].question == questions[5].question


class Stuck(MapAgent):
    """An agent that never answers."""

    async def ask(self, *_: object, **__: object) -> Answer:
        await asyncio.Event().wait()
        raise AssertionError


class Broken(MapAgent):
    """An agent with a defect."""

    async def ask(self, *_: object, **__: object) -> Answer:
        raise KeyError("place")


@pytest.mark.parametrize(
    ("agent", "hung", "crash"), [(Stuck, True, ""), (Broken, False, "KeyError('place')")]
)
def test_what_hangs_and_what_crashes_is_counted(
    agent: type[MapAgent], hung: bool, crash: str, tmp_path: Path
) -> None:
    question = SoakQuestion("q", Question(text="?"), lambda _: True)

    async def ask() -> Outcome:
        return await outcome_of(agent(Settings(data_home=tmp_path)), question, 0.05)

    outcome = asyncio.run(ask())
    assert (outcome.hung, outcome.crash, outcome.right) == (hung, crash, False)
