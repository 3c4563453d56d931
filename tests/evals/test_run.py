"""Running a method over items: records, errors, budget, resuming, concurrency."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import anyio

from evals.ports import Desk, Item, Method
from evals.runner.folder import RunFolder, read_results, read_trace
from evals.runner.run import Job, LocalAsker, Progress, budget_of, run_job
from map_tools.errors import ConfigError, LimitError, MapAgentError, ModelError, ModelReplyError, PlanError
from map_tools.providers.base import Provider
from map_tools.providers.recorded import RecordedProvider
from map_tools.providers.world import World
from mapagent.config import Settings
from mapagent.spread.budget import Budget
from tests.evals.support import Failing, First, Plain, items, run_record


def job(method: Method, n: int = 4, *, max_usd: float | None = None, concurrency: int = 1) -> Job:
    return Job(
        asker=LocalAsker(Plain(n), method, Desk(Settings())),
        items=items(n),
        limits=Settings().limits(),
        budget=Budget(max_usd, concurrency),
        concurrency=concurrency,
    )


def do(work: Job, path: Path, *, resume: bool = False) -> None:
    async def main() -> None:
        with RunFolder.open(path, run_record(items=len(work.items)), resume=resume) as folder:
            await run_job(
                replace(work, budget=budget_of(work.budget.max_usd, work.concurrency, folder.done.values())),
                folder,
                Progress("test", len(work.items), None),
            )

    anyio.run(main)


def test_every_item_gets_its_record_in_order(tmp_path: Path) -> None:
    do(job(First()), tmp_path)
    records = read_results(tmp_path)
    assert [record.id for record in records] == ["0", "1", "2", "3"]
    assert all(
        record.correct and record.tool_calls == 1 and record.status == "answered" for record in records
    )


def test_only_what_is_missing_is_asked_when_a_run_is_resumed(tmp_path: Path) -> None:
    do(job(First(), 2), tmp_path)
    (tmp_path / "run.json").write_text(run_record(items=4).model_dump_json())
    method = First()
    do(job(method, 4), tmp_path, resume=True)
    assert method.asked == 2
    assert [record.id for record in read_results(tmp_path)] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    "error", [ModelReplyError("It rambles."), PlanError("No step."), LimitError("Too long.")]
)
def test_an_error_of_the_method_is_its_answer(tmp_path: Path, error: MapAgentError) -> None:
    do(job(Failing(error), 2), tmp_path)
    assert [(record.error, record.correct, record.invalid) for record in read_results(tmp_path)] == [
        (error.code, False, True)
    ] * 2


@pytest.mark.parametrize("error", [ConfigError("No key."), ModelError("The server is gone.")])
def test_what_is_no_answer_stops_the_run_and_leaves_no_record(tmp_path: Path, error: MapAgentError) -> None:
    with pytest.raises(type(error)):
        do(job(Failing(error), 2), tmp_path)
    assert read_results(tmp_path) == ()


def test_as_many_at_once_as_allowed(tmp_path: Path) -> None:
    method = First()
    do(job(method, 12, concurrency=3), tmp_path)
    assert method.most_at_once == 3
    assert len(read_results(tmp_path)) == 12


def test_the_budget_of_a_run_is_hard_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match=r"budget of 0\.2500 USD is spent.*--resume"):
        do(job(First(cost_usd=0.1), 4, max_usd=0.25), tmp_path)
    assert len(read_results(tmp_path)) == 2
    do(job(First(cost_usd=0.1), 4, max_usd=0.45), tmp_path, resume=True)
    records = read_results(tmp_path)
    assert len(records) == 4
    assert sum(record.cost_usd for record in records) == pytest.approx(0.4)


def test_several_at_once_never_spend_more_than_the_budget(tmp_path: Path) -> None:
    with pytest.raises(LimitError):
        do(job(First(cost_usd=0.1), 20, max_usd=0.95, concurrency=4), tmp_path)
    assert sum(record.cost_usd for record in read_results(tmp_path)) <= 0.95


def test_what_costs_nothing_needs_no_budget(tmp_path: Path) -> None:
    do(job(First(), 3, max_usd=0.0), tmp_path)
    assert len(read_results(tmp_path)) == 3


def test_a_limit_of_the_question_itself_is_recorded(tmp_path: Path) -> None:
    settings = Settings(max_tool_calls=0)
    asker = LocalAsker(Plain(2), First(), Desk(settings))
    work = replace(job(First(), 2, max_usd=1.0), asker=asker, limits=settings.limits())
    do(work, tmp_path)
    assert [record.error for record in read_results(tmp_path)] == ["limit", "limit"]


def test_the_trace_keeps_what_the_record_leaves_out(tmp_path: Path) -> None:
    do(job(First(), 1), tmp_path)
    trace = read_trace(tmp_path, "0")
    assert trace is not None
    assert (trace["question"], trace["gold"], trace["answer"]["text"]) == ("Which?", 0, "yes")
    assert "Which?" not in json.dumps([record.id for record in read_results(tmp_path)])
    assert read_trace(tmp_path, "absent") is None


def test_two_runs_that_do_the_same_have_the_same_digests(tmp_path: Path) -> None:
    for name in ("one", "two"):
        do(job(First(), 3), tmp_path / name)
    digests = [[record.trace_sha256 for record in read_results(tmp_path / name)] for name in ("one", "two")]
    assert digests[0] == digests[1]


class _OwnMaps(Plain):
    def __init__(self) -> None:
        super().__init__(3)
        self.closed = 0

    def map_of(self, item: Item) -> Provider:
        suite = self

        class Closing(RecordedProvider):
            async def close(self) -> None:
                suite.closed += 1

        return Closing(World(name=item.id))


def test_a_suite_may_bring_a_map_for_each_item_and_each_is_closed(tmp_path: Path) -> None:
    suite = _OwnMaps()
    do(replace(job(First(), 3), asker=LocalAsker(suite, First(), Desk(Settings()))), tmp_path)
    assert suite.closed == 3
