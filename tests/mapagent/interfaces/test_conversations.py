"""The conversations of a server: ids, bounds, and that none is another's."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from map_tools.errors import UnknownConversationError
from mapagent.core.conversation import MOST_TURNS
from mapagent.core.question import Turn
from mapagent.interfaces.conversations import ID, TURN_CHARS, Conversations, conversations_for


def texts(kept: Conversations, name: str) -> list[str]:
    return [one.text for one in kept.turns(name)]


def begun(kept: Conversations, text: str) -> str:
    name = kept.add(None, Turn(text=text))
    assert name is not None
    return name


def test_two_do_not_mix() -> None:
    kept = Conversations()
    one, other = begun(kept, "a"), begun(kept, "b")
    assert kept.add(one, Turn(text="c")) == one
    assert (texts(kept, one), texts(kept, other)) == (["a", "c"], ["b"])
    assert kept.turns(None) == ()


def test_ids_are_long_and_all_different() -> None:
    kept = Conversations()
    names = {begun(kept, "a") for _ in range(500)}
    assert len(names) == 500
    assert all(re.fullmatch(ID, name) for name in names)


def test_what_is_deleted_stays_deleted_even_while_a_question_is_at_work() -> None:
    kept = Conversations()
    name = begun(kept, "a")
    assert kept.forget(name)
    assert not kept.forget(name)
    assert kept.add(name, Turn(text="its answer came late")) is None
    with pytest.raises(UnknownConversationError, match="Begin a new one"):
        kept.turns(name)


def test_ten_thousand_turns_are_bounded_and_counted() -> None:
    kept = Conversations(most_chars=2 * MOST_TURNS * (TURN_CHARS + 10))
    quiet, name = begun(kept, "q"), begun(kept, "0")
    for number in range(1, 10_000):
        assert kept.add(name, Turn(text=str(number))) == name
    assert texts(kept, name) == [str(number) for number in range(10_000 - MOST_TURNS, 10_000)]
    assert texts(kept, quiet) == ["q"], "what was dropped counts no more"


def test_the_one_that_was_quiet_for_longest_makes_room() -> None:
    kept = Conversations(most=2)
    first, second = begun(kept, "a"), begun(kept, "b")
    kept.add(first, Turn(text="c"))
    third = begun(kept, "d")
    assert (texts(kept, first), texts(kept, third)) == (["a", "c"], ["d"])
    with pytest.raises(UnknownConversationError):
        kept.turns(second)


def test_long_texts_make_room_too_and_one_that_is_too_long_is_not_kept() -> None:
    kept = Conversations(most_chars=3 * TURN_CHARS)
    short = begun(kept, "a")
    long = begun(kept, "b" * TURN_CHARS)
    assert texts(kept, long) == ["b" * TURN_CHARS]
    with pytest.raises(UnknownConversationError):
        kept.turns(short)
    assert kept.add(None, Turn(text="c" * 3 * TURN_CHARS)) is None


def test_after_its_time_it_is_gone_and_each_turn_prolongs_it() -> None:
    now_s = [0.0]
    kept = Conversations(lifetime_s=60, timer=lambda: now_s[0])
    one, other = begun(kept, "a"), begun(kept, "b")
    now_s[0] = 59
    kept.add(one, Turn(text="c"))
    now_s[0] = 61
    assert texts(kept, one) == ["a", "c"]
    with pytest.raises(UnknownConversationError):
        kept.turns(other)
    now_s[0] = 119
    assert not kept.forget(one)


@pytest.mark.parametrize("name", ["", "x", "\ud800", "a" * 100_000, "../../etc/passwd"])
def test_an_unknown_id_is_told_in_a_sentence(name: str) -> None:
    with pytest.raises(UnknownConversationError) as caught:
        Conversations().turns(name)
    assert len(str(caught.value)) < 150


def test_several_processes_share_those_of_one() -> None:
    with conversations_for(2) as kept, ThreadPoolExecutor(4) as threads:
        names = list(threads.map(lambda number: begun(kept, str(number)), range(20)))
        list(threads.map(lambda name: kept.add(name, Turn(text="more")), names))
        assert [texts(kept, name) for name in names] == [[str(number), "more"] for number in range(20)]
        with pytest.raises(UnknownConversationError):
            kept.turns("unknown")
