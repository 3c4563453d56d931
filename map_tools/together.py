"""Several requests at once, and work in threads beside them."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any


async def together[T](work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results in the order of the work.

    The first failure is raised as it is, and stops the others: they cost nothing more.
    """
    tasks: list[asyncio.Task[T]] = []
    try:
        async with asyncio.TaskGroup() as group:
            tasks += [group.create_task(one) for one in work]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]


class Threads:
    """Threads that one owner has for work that would hold up all other requests.

    Args:
        name: What the threads are called, before their numbers.
        count: How many there are at the most.
    """

    def __init__(self, name: str, count: int = 1) -> None:
        self._pool = ThreadPoolExecutor(max_workers=count, thread_name_prefix=name)

    async def run[T](self, work: Callable[[], T]) -> T:
        """What some work comes to, as soon as a thread is free for it."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def close(self) -> None:
        """Ends the threads: work under way is waited for, what waits is dropped. May be called again."""
        await asyncio.to_thread(self._pool.shutdown, wait=True, cancel_futures=True)
