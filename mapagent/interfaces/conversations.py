"""The conversations of a server: kept in memory alone, each under an id that nobody can guess.

Whoever has the id may go on with a conversation and delete it; nobody can list them. Any worker of an HTTP server may
get the next question of a conversation, so that none of several can hold them alone: then they are in a process that
all workers share.
"""

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.managers import BaseManager
from threading import Lock
from time import monotonic
from typing import cast

from map_tools.errors import UnknownConversationError
from mapagent.core.conversation import with_turn
from mapagent.core.question import Turn

MOST = 2_000
MOST_CHARS = 16_000_000
"""What all of them may say together; 64 MB at most, for a character takes up to four bytes."""
TURN_CHARS = 300
"""What a turn takes beside its texts."""
LIFETIME_S = 3600.0
"""Since the last turn. Replies of map services may not be stored for long, and turns tell of them."""
ID_BYTES = 16
"""128 bits, beyond guessing (RFC 4086, section 8.2)."""
ID = r"^[A-Za-z0-9_-]{22}$"
"""What an id looks like: 16 bytes in URL-safe Base64 without padding (RFC 4648, section 5)."""
_STORE = "Conversations"


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was said, and when it goes (on the store's timer)."""

    turns: tuple[Turn, ...]
    until_s: float

    @property
    def chars(self) -> int:
        return sum(TURN_CHARS + len(one.text) + len(one.program) + len(one.answer) for one in self.turns)


class Conversations:
    """Keeps conversations; those that were quiet for longest go first. Threads may share it.

    Args:
        most: How many are kept.
        most_chars: How much they may say together.
        lifetime_s: After which time without a question one is gone.
        timer: Tells seconds, for tests.
    """

    def __init__(
        self,
        *,
        most: int = MOST,
        most_chars: int = MOST_CHARS,
        lifetime_s: float = LIFETIME_S,
        timer: Callable[[], float] = monotonic,
    ) -> None:
        self._most = most
        self._most_chars = most_chars
        self._lifetime_s = lifetime_s
        self._timer = timer
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._chars = 0
        self._lock = Lock()

    def turns(self, name: str | None) -> tuple[Turn, ...]:
        """What was said in a conversation, in order; nothing where none is named.

        Raises:
            UnknownConversationError: There is none of this id, or no longer.
        """
        if name is None:
            return ()
        with self._lock:
            self._tidy()
            kept = self._kept.get(name)
        if kept is None:
            raise unknown(name)
        return kept.turns

    def add(self, name: str | None, turn: Turn) -> str | None:
        """Adds a turn to a conversation; where none is named, one begins.

        Returns:
            The id; None if the conversation was deleted while the question was at work: it stays deleted.
        """
        with self._lock:
            self._tidy()
            if name is not None and name not in self._kept:
                return None
            name = name or secrets.token_urlsafe(ID_BYTES)
            before = self._take(name)
            turns = with_turn(before.turns if before else (), turn)
            kept = self._kept[name] = _Kept(turns, self._timer() + self._lifetime_s)
            self._chars += kept.chars
            self._tidy()
            return name if name in self._kept else None

    def forget(self, name: str) -> bool:
        """Deletes a conversation for good; False if there was none."""
        with self._lock:
            self._tidy()
            return self._take(name) is not None

    def _take(self, name: str) -> _Kept | None:
        kept = self._kept.pop(name, None)
        if kept is not None:
            self._chars -= kept.chars
        return kept

    def _tidy(self) -> None:
        """Lets go of what is too old or too much; a new turn puts its conversation last."""
        now_s = self._timer()
        while self._kept:
            oldest = next(iter(self._kept))
            too_much = len(self._kept) > self._most or self._chars > self._most_chars
            if not too_much and self._kept[oldest].until_s > now_s:
                return
            self._take(oldest)


def unknown(name: str) -> UnknownConversationError:
    """There is no such conversation."""
    return UnknownConversationError(
        f"There is no conversation '{name[:40]}', or it is no longer kept.", "Begin a new one."
    )


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
