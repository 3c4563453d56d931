"""Where the server's conversations are: in its one process, or in a process that all its workers share.

Any worker may get the next question of a conversation, so that none of several can hold them alone.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.managers import BaseManager
from typing import cast

from mapagent.core.question import Turn
from mapagent.interfaces.conversations import Conversations, unknown

_STORE = "Conversations"


class _Process(BaseManager):
    """A process that holds them and ends with the block it is opened in."""


_Process.register(_STORE, Conversations)


@contextmanager
def conversations_for(workers: int) -> Iterator[Conversations]:
    """Conversations for so many workers; those for several can be passed to processes that are spawned.

    A process of its own dies with what it holds, as the server's memory does; it listens at a socket that
    only this user can open, to those who know a key that only the workers are told.
    """
    if workers == 1:
        yield Conversations()
        return
    with _Process(ctx=get_context("spawn")) as process:
        yield cast("Conversations", getattr(process, _STORE)())


class Conversing:
    """The conversations, for tasks that must not wait for another process.

    Args:
        kept: Of `conversations_for`. Where its process has gone, as at the end, no conversation is known, and
            answers go out without one.
    """

    def __init__(self, kept: Conversations) -> None:
        self._kept = kept

    async def turns(self, name: str | None) -> tuple[Turn, ...]:
        """What was said in a conversation, in order; nothing where none is named.

        Raises:
            UnknownConversationError: There is none of this id, or no longer.
        """
        if name is None:
            return ()
        turns = await _or_none(lambda: self._kept.turns(name))
        if turns is None:
            raise unknown(name)
        return turns

    async def add(self, name: str | None, turn: Turn) -> str | None:
        """Adds a turn; see `Conversations.add`."""
        return await _or_none(lambda: self._kept.add(name, turn))

    async def forget(self, name: str) -> None:
        """Deletes a conversation for good.

        Raises:
            UnknownConversationError: There is none of this id, or no longer.
        """
        if not await _or_none(lambda: self._kept.forget(name)):
            raise unknown(name)


async def _or_none[T](work: Callable[[], T]) -> T | None:
    try:
        return await asyncio.to_thread(work)
    except (OSError, EOFError):
        return None
