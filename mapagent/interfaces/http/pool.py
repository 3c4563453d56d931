"""Things that are costly to open: kept open for the next one who needs them, so many of them at most."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from mapagent.core.ports import Closable


@dataclass(slots=True)
class _Held[V]:
    value: V
    users: int = 0


class Pool[K, V: Closable]:
    """Opens what is asked for, and closes what nobody has used for longest.

    Args:
        opener: Opens the thing with a key.
        most: Things held open while nobody uses them; those in use are never closed.
    """

    def __init__(self, opener: Callable[[K], Awaitable[V]], most: int) -> None:
        self._opener = opener
        self._most = most
        self._held: OrderedDict[K, _Held[V]] = OrderedDict()
        self._opening = asyncio.Lock()

    @asynccontextmanager
    async def lease(self, key: K) -> AsyncIterator[V]:
        """The thing with this key; it stays open at least as long as the block runs."""
        held = self._held.get(key) or await self._opened(key)
        self._held.move_to_end(key)
        held.users += 1
        try:
            yield held.value
        finally:
            held.users -= 1
            await self._close_idle()

    async def close(self) -> None:
        """Closes everything."""
        while self._held:
            _, held = self._held.popitem()
            await held.value.close()

    async def _opened(self, key: K) -> _Held[V]:
        async with self._opening:
            held = self._held.get(key)  # somebody else may have opened it meanwhile
            if held is None:
                held = self._held[key] = _Held(await self._opener(key))
            return held

    async def _close_idle(self) -> None:
        while len(self._held) > self._most:
            idle = next((key for key, held in self._held.items() if not held.users), None)
            if idle is None:
                return
            await self._held.pop(idle).value.close()
