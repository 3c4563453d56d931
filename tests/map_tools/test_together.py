"""Work done at once: results in order, and nothing goes on after a failure."""

import asyncio
from threading import Event
from time import sleep

import pytest

from map_tools.errors import ProviderError
from map_tools.together import Threads, together


def test_results_stand_in_the_order_of_the_work() -> None:
    async def after(turns: int) -> int:
        for _ in range(turns):
            await asyncio.sleep(0)
        return turns

    assert asyncio.run(together(after(turns) for turns in (3, 0, 2))) == [3, 0, 2]


def test_the_first_failure_stops_the_rest_and_is_raised_as_it_is() -> None:
    finished: list[str] = []

    async def fails() -> None:
        raise ProviderError("The quota is used up.")

    async def goes_on() -> None:
        await asyncio.Event().wait()
        finished.append("never")

    with pytest.raises(ProviderError, match="quota"):
        asyncio.run(together([goes_on(), fails()]))
    assert finished == []


def test_threads_end_what_is_under_way_and_drop_what_waits() -> None:
    begun, done = Event(), []

    def work() -> None:
        begun.set()
        sleep(0.05)
        done.append("under way")

    async def close_while_working() -> list[object]:
        threads = Threads("one")
        first = asyncio.ensure_future(threads.run(work))
        second = asyncio.ensure_future(threads.run(lambda: done.append("waiting")))
        await asyncio.to_thread(begun.wait)
        await threads.close()
        return await asyncio.gather(first, second, return_exceptions=True)

    first, second = asyncio.run(close_while_working())
    assert first is None
    assert isinstance(second, asyncio.CancelledError)
    assert done == ["under way"]
