"""Whole results are kept for a while, within bounds."""

import json

import pytest

from map_tools.errors import UnknownNameError
from mapagent.interfaces.mcp.replies import HandleStore


class Timer:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_what_is_kept_is_read_back() -> None:
    store = HandleStore()
    addresses = [store.keep({"number": number, "name": "Café"}) for number in range(3)]
    assert len(set(addresses)) == 3
    assert addresses[1] is not None
    assert json.loads(store.read(addresses[1])) == {"number": 1, "name": "Café"}


def test_a_result_is_gone_after_its_time() -> None:
    timer = Timer()
    store = HandleStore(lifetime_s=10, timer=timer)
    address = store.keep({}) or ""
    timer.now_s = 9.9
    assert store.read(address) == "{}"
    timer.now_s = 10
    with pytest.raises(UnknownNameError, match="Call the tool again"):
        store.read(address)


def test_the_oldest_go_first_when_there_are_too_many() -> None:
    store = HandleStore(max_results=2)
    first, second, third = (store.keep({"n": number}) or "" for number in range(3))
    assert store.read(second) == '{"n":1}'
    assert store.read(third) == '{"n":2}'
    with pytest.raises(UnknownNameError):
        store.read(first)


def test_the_oldest_go_first_when_they_are_too_large_together() -> None:
    store = HandleStore(max_bytes=25)
    first, second = (store.keep({"name": "a" * 5}) or "" for _ in range(2))  # 16 bytes each
    assert store.read(second)
    with pytest.raises(UnknownNameError):
        store.read(first)


def test_what_is_larger_than_all_room_is_not_kept_and_drives_nothing_out() -> None:
    store = HandleStore(max_bytes=25)
    kept = store.keep({"n": 1}) or ""
    assert store.keep({"name": "a" * 50}) is None
    assert store.read(kept)
