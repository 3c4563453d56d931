"""`python -m benchmarks.harness`: what the harness itself costs, and whether its memory stays flat.

A synthetic suite is asked of a method that answers at once, so all time is the harness's: reading nothing,
judging, tracing, writing. Peak memory is taken after a tenth of the questions and at the end.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import history
from benchmarks.measure import peak_mb
from evals.ports import EvalContext, Item, OfferRule, Score, Task
from evals.runner.folder import RunFolder
from evals.runner.identity import RunRecord
from evals.runner.records import summary_of
from evals.runner.run import Job, LocalAsker, Progress, run_job
from evals.suites.mapeval import score_choice
from map_tools.facts import PlaceFact
from map_tools.providers.base import Provider
from map_tools.types import Place
from mapagent.core.answer import Answer, Evidence, Source, Status
from mapagent.core.ports import RequestContext
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from mapagent.runtime.distributed import Budget

QUESTIONS = 10_000
MAX_OVERHEAD_MS = 2.0
MAX_GROWTH = 1.25
"""Peak memory at the end, at most this many times that after a tenth of the questions."""


class Synthetic:
    """As many questions as wanted, all alike."""

    name = "synthetic"

    def __init__(self, n: int) -> None:
        self._n = n

    def load(self, data: Path, protocol: OfferRule) -> tuple[Item, ...]:  # noqa: ARG002
        """The questions."""
        question = Question(text="Which is it?", options=("A", "B", "C", "D"))
        task = Task(question=question)
        return tuple(Item(id=str(number), category="all", task=task, gold=0) for number in range(self._n))

    def provider(self, data: Path, settings: Settings, world: Path | None = None) -> Provider | None:  # noqa: ARG002
        """None is needed."""
        return None

    def score(self, item: Item, answer: Answer) -> Score:
        """Multiple choice."""
        return score_choice(item, answer)

    def metrics(self, judged: Sequence[tuple[Item, Score]]) -> dict[str, Any]:  # noqa: ARG002
        """None of its own."""
        return {}


class Instant:
    """Answers at once, with some evidence and a few spans to be kept."""

    name = "instant"

    def __init__(self) -> None:
        place = Place(id="p", name="Somewhere", address="1 High Street", categories=("cafe",))
        self._evidence = tuple(
            Evidence(
                id=f"map.{number}",
                step_id="map",
                value=PlaceFact(query="somewhere", place=place),
                source=Source(tool="PlaceInfo", arguments={"location_address": "somewhere"}),
            )
            for number in range(10)
        )

    async def answer(self, task: Task, context: EvalContext, request_context: RequestContext) -> Answer:  # noqa: ARG002
        """Always the first option."""
        for _ in range(5):
            request_context.trace.event("step", id="x", module="y", subgoal="z")
        return Answer(status=Status.ANSWERED, text="A", option="A", option_index=0, evidence=self._evidence)


def measure(n: int) -> tuple[float, float, float]:
    """Milliseconds a question, and peak memory in MB after a tenth and at the end."""
    suite = Synthetic(n)
    items = suite.load(Path(), "fair")
    with tempfile.TemporaryDirectory() as folder:
        early_s, early_mb = _run(suite, items[: n // 10], Path(folder) / "early")
        late_s, late_mb = _run(suite, items, Path(folder) / "late")
    return 1000 * (early_s + late_s) / (n + n // 10), early_mb, late_mb


def _run(suite: Synthetic, items: Sequence[Item], path: Path) -> tuple[float, float]:
    record = RunRecord(
        suite=suite.name, method=Instant.name, model="none", provider="", protocol="fair", version="",
        code_sha256="", python="", packages={}, settings={}, prompts_sha256="", data_sha256="",
        items=len(items), items_sha256="",
    )  # fmt: skip
    settings = Settings()
    asker = LocalAsker(suite, Instant(), EvalContext(settings))
    job = Job(asker, items, settings.limits(), Budget(None, 1), concurrency=1)
    start = perf_counter()
    with RunFolder.open(path, record, resume=False) as folder:
        asyncio.run(run_job(job, folder, Progress("harness", len(items), None)))
        folder.write_summary(summary_of(record, tuple(folder.done.values()), {}))
    return perf_counter() - start, peak_mb()


def main() -> int:
    """Prints the figures; exit code 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--out", type=Path, default=history.FILE)
    given = parser.parse_args()
    per_question_ms, early_mb, late_mb = measure(given.questions)
    growth = late_mb / early_mb
    print(f"harness: {per_question_ms:.2f} ms a question (at most {MAX_OVERHEAD_MS:g})")
    print(f"peak memory: {early_mb:.0f} MB, then {late_mb:.0f} MB: {growth:.2f} × (at most {MAX_GROWTH:g})")
    history.append(
        given.out,
        f"harness, {given.questions}",
        {"a question, ms": per_question_ms, "memory early, MB": early_mb, "memory late, MB": late_mb},
    )
    return 0 if per_question_ms <= MAX_OVERHEAD_MS and growth <= MAX_GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
