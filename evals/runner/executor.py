"""Where the questions of a run are asked: in this process, or by the workers of a Ray cluster."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from evals.ports import Desk, Method
from evals.runner.asking import Asker, LocalAsker
from evals.runner.evaluation import Evaluation


@dataclass(frozen=True, slots=True)
class Executor:
    """Who asks, and how many questions at once.

    Attributes:
        seats: Questions under way at once; each has an equal part of the run's money.
    """

    asker: Asker
    seats: int


@asynccontextmanager
async def open_executor(evaluation: Evaluation, method: Method, desk: Desk) -> AsyncIterator[Executor]:
    """The executor that the command line names; closed at the end.

    Raises:
        ConfigError: Ray is not installed.
        UsageError: A recording is asked for with Ray.
    """
    if evaluation.given.executor == "local":
        yield Executor(LocalAsker(evaluation.suite, method, desk), evaluation.concurrency)
        return
    from evals.runner.ray_executor import RayAsker, ray_workers

    async with ray_workers(evaluation, method.name) as pool:
        yield Executor(RayAsker(pool), pool.seats)
