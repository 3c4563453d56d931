"""Workers on a real local cluster: they answer, fail and die, and the pool says which it was."""

import asyncio

import pytest

from map_tools.errors import UsageError, WorkerLostError
from mapagent.llm.failures import ServerError
from mapagent.runtime.config import Settings
from mapagent.runtime.distributed import SEATS_EACH, Budget, RayPool, ray_pool, share_of, workers_for
from mapagent.runtime.ledger import Limits
from mapagent.runtime.opening import provider_setting
from tests.support.ray_workers import WITHOUT_MODEL, Fragile

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
            with pytest.raises(ServerError, match=r"127\.0\.0\.1:1/v1 cannot be reached\. Start it"):
                await pool.ask(WITHOUT_MODEL)
            budget = Budget(None, pool.seats)
            return await asyncio.gather(*(ask(pool, budget, number) for number in range(30)))

    expected: list[int | str] = list(range(30))
    expected[DEADLY] = "lost"
    assert asyncio.run(main()) == expected


def test_workers_together_keep_the_rates() -> None:
    shared = share_of(Settings(model_requests_per_s=6, model_concurrency=8), 4, 2)
    assert (shared.model_requests_per_s, shared.model_concurrency) == (1.5, 2)
    setting = provider_setting(shared.model_copy(update={"provider": "google"}))
    assert (setting.processes, setting.machines) == (4, 2)


@pytest.mark.parametrize(
    ("model", "seats", "workers"),
    [
        ("offline", None, 16),
        ("offline", 3, 3),
        ("offline", 40, 16),
        ("some-model", None, 6),
        ("cascade:some-model", None, 6),
        ("some-model", 2, 2),
    ],
)
def test_workers_together_keep_the_calls_at_once(model: str, seats: int | None, workers: int) -> None:
    """Sixteen processors before a server that is to have six calls at once."""
    settings = Settings(model=model, model_concurrency=6)
    count = workers_for(settings, 16, seats)
    assert count == workers
    if model != "offline":
        assert count * share_of(settings, count, 1).model_concurrency <= 6


@pytest.mark.parametrize(("workers", "seats"), [(2, 3), (2, 4), (3, 3), (1, SEATS_EACH)])
def test_as_many_questions_at_once_as_were_asked_for(workers: int, seats: int) -> None:
    """The surplus seat of an odd number is not given to every worker."""
    most: dict[str, int] = {}
    inside = fullest = 0

    class Actor:
        """Answers as an actor of Ray would, and counts who is in."""

        def __init__(self, name: str) -> None:
            self.name = name
            self.inside = 0
            self.ask = self

        async def remote(self, number: int) -> int:
            nonlocal inside, fullest
            self.inside += 1
            inside += 1
            most[self.name] = max(most.get(self.name, 0), self.inside)
            fullest = max(fullest, inside)
            await asyncio.sleep(0)
            self.inside -= 1
            inside -= 1
            return number

    async def main() -> list[int]:
        pool = RayPool([Actor(str(number)) for number in range(workers)], seats)
        return list(await asyncio.gather(*(pool.ask(number) for number in range(20))))

    assert asyncio.run(main()) == list(range(20))
    assert fullest == seats
    assert sorted(most.values()) == sorted(-(-(seats - n) // workers) for n in range(workers))


@pytest.mark.parametrize("name", ["record", "replay"])
def test_a_recording_is_for_one_process(name: str, tmp_path: object) -> None:
    async def main() -> None:
        async with ray_pool(Fragile, lambda _: (DEADLY,), Settings(**{name: f"{tmp_path}/r"}), 2):
            pass

    with pytest.raises(UsageError, match="--executor local"):
        asyncio.run(main())
