"""The cascade: which path is taken, why, and what it costs."""

from typing import Any

import pytest

from map_tools.errors import ConfigError, ModelError
from map_tools.providers.base import ProviderSetting
from map_tools.providers.recorded import RecordedProvider
from mapagent.agent import MapAgent
from mapagent.answer import Answer, Status
from mapagent.config import Settings
from modules.cascade import CascadeReasoner
from modules.llm.reasoner import LlmReasoner
from modules.offline.reasoner import OfflineReasoner
from tests.modules.llm.words import TOWN, draft, plain
from tests.support.scripted_model import Reply, ScriptedModel

pytestmark = pytest.mark.anyio

PLAIN = "How long does it take to drive from Customs House to Lighthouse Museum?"
FREE = "Behind the wheel, what does Customs House to Lighthouse Museum set me back?"


@pytest.fixture
def anyio_backend() -> str:
    """Async tests run on asyncio, as the agent does."""
    return "asyncio"


async def ask(
    text: str, *replies: Reply, threshold: float = 0.7, **more: Any
) -> tuple[Answer, dict[str, Any], ScriptedModel]:
    """The answer, the last cascade event of the trace, and the model."""
    model = ScriptedModel(*replies)
    reasoner = CascadeReasoner(OfflineReasoner(), LlmReasoner.of_model(model), threshold=threshold)
    provider = RecordedProvider.from_setting(ProviderSetting(name="recorded", argument=str(TOWN)))
    settings = Settings(model="cascade:scripted")
    async with MapAgent(settings, provider=provider, reasoner=reasoner) as agent:
        answer = await agent.ask(text, **more)
        assert agent.last_trace is not None
        told = [span.attributes for span in agent.last_trace.spans if span.name == "cascade"]
    return answer, told[-1], model


async def test_what_the_embedded_reasoner_understands_is_free() -> None:
    answer, told, model = await ask(PLAIN)
    assert (answer.status, answer.text) == (Status.ANSWERED, "12 min")
    assert answer.usage.llm_calls == 0
    assert answer.model == "cascade:scripted"
    assert (told["path"], told["free"], told["reason"]) == ("embedded", True, "sure enough")
    assert model.asked == []


async def test_what_it_does_not_understand_goes_to_the_model() -> None:
    answer, told, _ = await ask(FREE, plain(PLAIN))
    assert (answer.status, answer.text) == (Status.ANSWERED, "12 min")
    assert answer.usage.llm_calls == 1
    assert (told["path"], told["free"]) == ("model", False)
    assert told["reason"]


async def test_a_reading_under_the_threshold_goes_to_the_model() -> None:
    answer, told, _ = await ask(PLAIN, plain(PLAIN), threshold=0.99)
    assert answer.text == "12 min"
    assert (told["path"], told["reason"], told["threshold"]) == ("model", "not sure enough", 0.99)
    assert told["confidence"] < 0.99


async def test_an_unsure_reading_stands_where_the_model_has_none() -> None:
    answer, told, _ = await ask(PLAIN, plain("none"), threshold=0.99)
    assert answer.text == "12 min"
    assert (told["path"], told["free"]) == ("embedded", False)


async def test_an_unsure_reading_stands_where_there_is_no_model() -> None:
    answer, told, _ = await ask(PLAIN, ModelError("The model server cannot be reached."), threshold=0.99)
    assert answer.text == "12 min"
    assert "cannot be reached" in told["reason"]


async def test_without_a_reading_a_model_that_is_down_is_said() -> None:
    with pytest.raises(ModelError, match="cannot be reached"):
        await ask(FREE, ModelError("The model server cannot be reached."))


async def test_words_that_are_no_place_of_the_map_are_read_anew() -> None:
    misread = "What is the phone number of Grandpa Joe Darling's Lighthouse Museum?"
    answer, told, _ = await ask(misread, plain("What is the phone number of Lighthouse Museum?"))
    assert answer.text == "+61 8 5550 0101"
    assert told["path"] == "model"
    assert told["reason"].startswith('the map knows no "Grandpa Joe Darling')


async def test_a_question_without_an_answer_is_read_a_second_time_and_once_only() -> None:
    text = "What is the phone number of Salt & Smoke?"
    answer, told, model = await ask(text, plain(text))
    assert answer.status is Status.UNANSWERABLE
    assert len(model.asked) == 1
    assert (told["path"], told["free"]) == ("embedded", False)


async def test_a_second_reading_that_finds_the_answer_is_taken() -> None:
    answer, told, _ = await ask(
        "What is the phone number of Salt & Smoke?", plain("What is the address of Salt & Smoke?")
    )
    assert answer.text == "8 Pier Road, Harbourtown"
    assert told["reason"] == "the embedded reading has no answer"
    assert answer.confidence < 0.9


async def test_supplied_text_that_no_solver_reads_is_drafted() -> None:
    answer, told, _ = await ask(
        "What is the address of Old Mill?",
        plain("other"),
        draft("Old Mill stands at the pier.", "at the pier"),
        context="They say that Old Mill stands at the pier since 1703.",
    )
    assert (answer.status, answer.text) == (Status.ANSWERED, "at the pier")
    assert told["path"] == "model"


def test_the_settings_make_a_cascade() -> None:
    settings = Settings(
        model="cascade:small", base_url="http://127.0.0.1:9/v1", modules={"cascade": {"threshold": 0.5}}
    )
    assert CascadeReasoner.from_settings(settings).name == "cascade"


@pytest.mark.parametrize("threshold", [2, -0.1, "high", True])
def test_a_threshold_that_is_none_is_named(threshold: object) -> None:
    settings = Settings(
        model="cascade:small", base_url="http://127.0.0.1:9/v1", modules={"cascade": {"threshold": threshold}}
    )
    with pytest.raises(ConfigError, match=r"threshold .* no number from 0 to 1"):
        CascadeReasoner.from_settings(settings)


def test_a_cascade_needs_a_model() -> None:
    with pytest.raises(ConfigError, match="names no model"):
        CascadeReasoner.from_settings(Settings(model="cascade:"))
