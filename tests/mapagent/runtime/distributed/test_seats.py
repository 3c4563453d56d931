"""So many seats are taken at once, never more, and items are read only as seats become free."""

import asyncio
from collections.abc import Iterator

import pytest
from anyio import run

from mapagent.runtime.config import Settings
from mapagent.runtime.distributed import seats_of, work_through


class Room:
    """Counts who is in, and how far the items have been read."""

    def __init__(self) -> None:
        self.read = 0
        self.inside = 0
        self.fullest = 0
        self.furthest_ahead = 0
        self.finished: list[int] = []

    def items(self, count: int) -> Iterator[int]:
        for number in range(count):
            self.read += 1
            yield number

    async def work(self, number: int) -> None:
        self.inside += 1
        self.fullest = max(self.fullest, self.inside)
        self.furthest_ahead = max(self.furthest_ahead, self.read - len(self.finished))
        await asyncio.sleep(0)
        self.inside -= 1
        self.finished.append(number)


def test_all_seats_are_taken_and_no_item_is_read_ahead() -> None:
    room = Room()
    run(work_through, room.items(20), 3, room.work)
    assert sorted(room.finished) == list(range(20))
    assert room.fullest == 3
    assert room.furthest_ahead <= 3


def test_the_first_error_ends_it() -> None:
    room = Room()

    async def work(number: int) -> None:
        await room.work(number)
        if number == 4:
            raise LookupError("four")

    with pytest.raises(LookupError, match="four"):
        run(work_through, room.items(20), 2, work)
    assert len(room.finished) < 10


def test_nothing_has_to_be_waited_for_offline() -> None:
    assert seats_of(Settings(model="offline"), None) == 1
    assert seats_of(Settings(model="some-model"), None) > 1
    assert seats_of(Settings(model="offline"), 7) == 7
