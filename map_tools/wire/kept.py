"""The cache as the wire uses it: under one policy, and without holding up the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from map_tools.wire.cache import Explanation, ReplyCache
from map_tools.wire.identity import Identity
from map_tools.wire.policy import DataKind, WirePolicy
from map_tools.wire.request import WireReply


class KeptReplies:
    """What the cache keeps of one service.

    The file is read in a thread of its own: the event loop's threads may all be waiting for this very wire.

    Args:
        cache: The cache, or None for keeping nothing.
        policy: Says what may be kept for how long.
    """

    def __init__(self, cache: ReplyCache | None, policy: WirePolicy) -> None:
        self._cache = cache
        self._policy = policy
        self._purged = False
        self._thread: ThreadPoolExecutor | None = None

    async def get(self, identity: Identity, kind: DataKind) -> WireReply | None:
        """The kept reply to a request for this kind of data; None if there is none, which is noted.

        The first time, what may no longer be kept is deleted.
        """
        cache = self._cache
        if cache is None:
            return None
        if not self._purged:
            self._purged = True
            await self._run(lambda: cache.purge(self._policy.name, self._policy.keep))
        return await self._run(lambda: self._looked_up(cache, identity, kind))

    async def put(self, identity: Identity, kind: DataKind, reply: WireReply) -> None:
        """Keeps a reply, if the terms allow it."""
        cache = self._cache
        if cache is not None and self._policy.keep.allows(kind):
            await self._run(lambda: cache.put(identity, kind, self._policy.keep, reply))

    def explain(self, identity: Identity, kind: DataKind) -> Explanation:
        """Why a request is answered from the cache or not."""
        if self._cache is None:
            note = f"{self._policy.shown_name} is asked without a cache."
            return Explanation(identity.key, identity.canonical, found=False, note=note)
        return self._cache.explain(identity, kind, self._policy.keep)

    def clear(self) -> int:
        """Deletes all that is kept of the service; returns how many replies that were."""
        return self._cache.clear(self._policy.name) if self._cache is not None else 0

    def close(self) -> None:
        """Closes the file; it is opened again when needed."""
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None
        if self._cache is not None:
            self._cache.close()

    def _looked_up(self, cache: ReplyCache, identity: Identity, kind: DataKind) -> WireReply | None:
        reply = cache.get(identity, self._policy.keep)
        if reply is None:
            cache.note_miss(identity, kind, self._policy.keep)
        return reply

    async def _run[T](self, work: Callable[[], T]) -> T:
        if self._thread is None:
            self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="wire-cache")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
