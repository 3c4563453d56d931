"""Workers on a real local cluster: they answer, fail and die, and the pool says which it was."""

import asyncio

import pytest

from map_tools.errors import UsageError, WorkerLostError
from mapagent.config import Settings
from mapagent.ledger import Limits
from mapagent.spread.budget import Budget
from mapagent.spread.ray_pool import RayPool, ray_pool, share_of
from tests.support.ray_workers import Fragile

DEADLY = 13


class Number:
    """What became of a question of these tests."""

    cost_usd = 0.0
    cut_short = False

    def __init__(self, value: int) -> None:
        self.value = value


@pytest.mark.slow
def test_one_deadly_question_takes_no_other_with_it() -> None:
    async def ask(pool: RayPool, budget: Budget, number: int) -> int | str:
        async def once(_: Limits) -> Number:
            return Number(await pool.ask(number))

        try:
            return (await budget.ask(Limits(), once)).value
        except WorkerLostError:
            return "lost"

    async def main() -> list[int | str]:
        async with ray_pool(Fragile, lambda _: (DEADLY,), Settings(), 2) as pool:
            with pytest.raises(LookupError, match="-1"):
                await pool.ask(-1)
            budget = Budget(None, pool.seats)
            return await asyncio.gather(*(ask(pool, budget, number) for number in range(30)))

    expected: list[int | str] = list(range(30))
    expected[DEADLY] = "lost"
    assert asyncio.run(main()) == expected


def test_workers_together_keep_the_rates() -> None:
    shared = share_of(Settings(model_requests_per_s=6, model_concurrency=8), 4)
    assert (shared.model_requests_per_s, shared.model_concurrency) == (1.5, 2)
    assert share_of(Settings(model_concurrency=1), 4).model_concurrency == 1


@pytest.mark.parametrize("name", ["record", "replay"])
def test_a_recording_is_for_one_process(name: str, tmp_path: object) -> None:
    async def main() -> None:
        async with ray_pool(Fragile, lambda _: (DEADLY,), Settings(**{name: f"{tmp_path}/r"}), 2):
            pass

    with pytest.raises(UsageError, match="--executor local"):
        asyncio.run(main())
