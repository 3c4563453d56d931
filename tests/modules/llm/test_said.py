"""The whole way from a real model's words over the wire: parsed, mended once, or refused.

The words in `said/` are those of a model of 1.5 billion parameters, asked by these prompts without a schema.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from mapagent.ports import Account
from mapagent.question import Question
from modules.llm.calling import ToolChooser
from modules.llm.conversation import Conversation
from modules.llm.planning import FreePlanner
from tests.modules.llm.words import OUTLINE, TOWN, plain
from tests.support.chat import chat_model, completion
from tests.support.loopback import Loopback, in_turn, json_reply, serving

pytestmark = pytest.mark.anyio

type Said = Callable[[str], str]


@contextmanager
def model_saying(*texts: str, finish_reason: str = "stop") -> Iterator[Loopback]:
    """A model server on the loopback that says these texts in turn."""
    replies = [json_reply(completion(text, finish_reason=finish_reason)) for text in texts]
    with serving(in_turn(*replies)) as server:
        yield server


async def ask(server: Loopback, text: str) -> Answer:
    settings = Settings(
        model="small", base_url=f"{server.url}/v1", provider=f"recorded:{TOWN}", model_cache=False
    )
    async with MapAgent(settings) as agent:
        return await agent.ask(text)


async def test_the_agent_asks_a_server_and_closes_its_connections() -> None:
    with model_saying(plain("What is the address of Salt & Smoke?")) as server:
        answer = await ask(server, "What do I write on a postcard for Salt & Smoke?")
    assert (answer.status, answer.text) == (Status.ANSWERED, "8 Pier Road, Harbourtown")
    assert answer.usage.llm_calls == 1
    (asked,) = server.asked
    messages = json.loads(asked.body)["messages"]
    assert [message["role"] for message in messages] == ["system", "user"]
    assert messages[1]["content"] == "Question: What do I write on a postcard for Salt & Smoke?"


async def test_bare_words_instead_of_json_are_asked_for_again() -> None:
    bare = "What is the address of Salt & Smoke?"
    with model_saying(bare, f"```json\n{plain(bare)}\n```") as server:
        answer = await ask(server, "What do I write on a postcard for Salt & Smoke?")
    assert answer.text == "8 Pier Road, Harbourtown"


async def test_a_plan_without_an_answer_is_told_and_mended(said: Said) -> None:
    question = Question(text="Check the weather, book a table at Pier Café and send me a picture.")
    account = Account()
    with model_saying(said("plan_without_answer"), OUTLINE) as server:
        model = chat_model(f"{server.url}/v1")
        plan = await FreePlanner(Conversation(model)).plan(question, account)
        await model.close()
    assert plan is not None
    (refused,) = [span for span in account.trace.spans if span.name == "plan.refused"]
    assert "no answer step" in refused.attributes["reason"]


async def test_half_a_json_is_mended_or_given_up(said: Said) -> None:
    question = Question(text="Which of Old Mill, Tower Inn and Pier Café has parking?")
    account = Account()
    with model_saying(said("tools_half"), said("tools_open"), finish_reason="length") as server:
        model = chat_model(f"{server.url}/v1")
        calls = await ToolChooser(Conversation(model)).calls(question, None, (), account)
        await model.close()
    assert [call.arguments["location_address"] for call in calls] == ["Old Mill", "Pier Café"]
    assert len(server.asked) == 2


async def test_a_trip_from_a_place_to_itself_is_one_look_up(said: Said) -> None:
    question = Question(text="Find a hotel within 2 km of Old Mill with at least 4 stars.")
    with model_saying(said("tools_to_itself")) as server:
        model = chat_model(f"{server.url}/v1")
        calls = await ToolChooser(Conversation(model)).calls(question, None, (), Account())
        await model.close()
    assert [(call.tool, call.arguments) for call in calls] == [
        ("PlaceInfo", {"location_address": "Old Mill"})
    ]


async def test_what_a_tool_does_not_need_may_be_left_out(said: Said) -> None:
    question = Question(text="Which pubs lie between Old Mill and Pier Café, near both of them?")
    with model_saying(said("tools_without_others")) as server:
        model = chat_model(f"{server.url}/v1")
        calls = await ToolChooser(Conversation(model)).calls(question, None, (), Account())
        await model.close()
    assert [call.arguments for call in calls] == [
        {"query": "pub", "location": "Old Mill"},
        {"query": "pub", "location": "Pier Café"},
    ]
    assert len(server.asked) == 1
