"""How many questions are under way at once, and the loop that keeps so many seats taken."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from mapagent.runtime.config import Settings

OFFLINE = "offline"
ONLINE_SEATS = 4
"""Questions at once where a model server or a map service is waited for."""


def seats_of(settings: Settings, wanted: int | None) -> int:
    """Questions at once in this process: as wanted, else one by one if nothing has to be waited for."""
    return wanted or (1 if settings.model == OFFLINE else ONLINE_SEATS)


async def work_through[T](items: Iterable[T], seats: int, work: Callable[[T], Awaitable[None]]) -> None:
    """Works on all items, `seats` of them at once; an item is taken only when a seat is free for it.

    Raises:
        Exception: The first error of `work`, or of the items; what was under way is cancelled.
    """
    waiting = iter(items)

    async def seat() -> None:
        for item in waiting:
            await work(item)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(seats):
                group.create_task(seat())
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
