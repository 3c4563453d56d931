"""Conversations over the protocol, through the official client."""

from pathlib import Path

import pytest

from mapagent.runtime.config import Settings
from tests.mapagent.interfaces.mcp.conftest import calling
from tests.support.awkward import ADDRESS
from tests.support.literal import ALKO, ALKOS, EARLIER, MODEL, register, said, saying

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _literal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(tmp_path / "plugins", monkeypatch)


async def test_a_conversation_over_the_demo_map(helsinki: Settings) -> None:
    async with calling(helsinki.model_copy(update={"model": MODEL})) as call:
        first = await call("ask_map", question=ALKO)
        name = first.data["conversation"]
        chosen = await call("ask_map", question=ALKO, conversation=name, choice=[2])
        told = await call("ask_map", question=EARLIER, conversation=name)
        anew = await call("ask_map", question=EARLIER)
    assert first.data["status"] == "ambiguous"
    assert f"conversation: {name}" in first.text, "for clients that take no structured content"
    assert (chosen.data["conversation"], chosen.data["answer"]) == (name, ALKOS[1])
    assert told.data["answer"] == ALKOS[1]
    assert anew.data["answer"] == "nothing"
    assert anew.data["conversation"] != name


async def test_two_conversations_do_not_mix(harbour: Settings) -> None:
    async with calling(harbour.model_copy(update={"model": MODEL})) as call:
        one = (await call("ask_map", question=saying(1))).data["conversation"]
        other = (await call("ask_map", question=saying(2))).data["conversation"]
        told = [await call("ask_map", question=EARLIER, conversation=name) for name in (one, other)]
    assert [one.data["answer"] for one in told] == [said(1), said(2)]


@pytest.mark.parametrize("name", ["", "x", "A" * 22])
async def test_an_unknown_id_says_what_to_do(harbour: Settings, name: str) -> None:
    async with calling(harbour.model_copy(update={"model": MODEL})) as call:
        words = await call.refused("ask_map", question=ADDRESS, conversation=name)
    assert "Begin a new one" in words
