import pytest
from pydantic import BaseModel

from map_tools.errors import LimitError
from mapagent.llm.tokens import prompt_tokens, text_tokens
from mapagent.ports import Account
from modules.llm.conversation import (
    MAX_CALLS,
    MAX_PROMPT_TOKENS,
    Conversation,
    Exchange,
    OversizeError,
    clipped,
)
from tests.support.scripted_model import ScriptedModel

pytestmark = pytest.mark.anyio

VALUES = {"question": "Where is Old Mill?"}


class Word(BaseModel):
    """One word."""

    word: str


async def test_calls_are_counted_by_question() -> None:
    conversation = Conversation(ScriptedModel(*['{"word": "yes"}'] * (MAX_CALLS + 1)))
    account, other = Account(), Account()
    for _ in range(MAX_CALLS):
        await conversation.ask("restate", VALUES, Word, account=account)
    with pytest.raises(LimitError, match=f"limit of {MAX_CALLS} model calls"):
        await conversation.ask("restate", VALUES, Word, account=account)
    assert conversation.calls_left(other) == MAX_CALLS


async def test_a_prompt_longer_than_a_call_may_be_is_not_sent() -> None:
    model, account = ScriptedModel('{"word": "yes"}'), Account()
    conversation = Conversation(model)
    with pytest.raises(OversizeError, match=r"more than the 2,500 of a model call\. Ask in fewer words"):
        await conversation.ask("restate", {"question": "where " * 3000}, Word, account=account)
    assert model.asked == []
    assert conversation.calls_left(account) == MAX_CALLS


@pytest.mark.parametrize("name", ["draft", "draft_options", "tools"])
async def test_room_is_what_a_prompt_leaves(name: str) -> None:
    model, account = ScriptedModel('{"word": "yes"}'), Account()
    conversation = Conversation(model)
    values = VALUES | ({"subgoals": "fetch"} if name == "tools" else {})
    room = conversation.room(name, values | {"facts": ""})
    facts = clipped("stone " * 5000, room - 1)
    await conversation.ask(name, values | {"facts": facts}, Word, account=account)
    assert MAX_PROMPT_TOKENS - 40 < prompt_tokens(model.asked[0]) <= MAX_PROMPT_TOKENS


async def test_a_second_attempt_goes_on_with_the_first() -> None:
    model, account = ScriptedModel('{"word": "a"}', '{"word": "b"}'), Account()
    conversation = Conversation(model)
    await conversation.ask("restate", VALUES, Word, account=account)
    again = Exchange(said='{"word": "a"}', told="It is no b.")
    await conversation.ask("restate", VALUES, Word, account=account, again=again)
    assert model.asked[1][:2] == model.asked[0]
    assert "It is no b." in model.prompt(2)
    assert model.labels == ["restate", "restate.again"]


async def test_every_message_tells_the_trace_its_prompt() -> None:
    model = ScriptedModel('{"word": "a"}')
    await Conversation(model).ask("restate", VALUES, Word, account=Account())
    assert [message.prompt.partition("@")[0] for message in model.asked[0]] == ["restate", "restate_ask"]


@pytest.mark.parametrize("tokens", [0, 1, 7, 50])
def test_a_clipped_text_keeps_to_its_size(tokens: int) -> None:
    assert text_tokens(clipped("some words of stone and water " * 40, tokens)) <= tokens


def test_a_short_text_is_not_clipped() -> None:
    assert clipped("Old Mill", 10) == "Old Mill"
