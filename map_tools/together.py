"""Several requests at once: when one fails the others are stopped, and cost nothing more."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any


async def together[T](work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results in the order of the work; the first failure stops the rest and is raised as it is."""
    tasks: list[asyncio.Task[T]] = []
    try:
        async with asyncio.TaskGroup() as group:
            tasks += [group.create_task(one) for one in work]
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return [task.result() for task in tasks]
