import json

import pytest

from mapagent.ports import Account
from mapagent.question import Question
from modules.offline.intents import PlaceFactIntent, RouteIntent
from modules.llm.conversation import Conversation
from modules.llm.restating import Reading, Restater
from tests.modules.llm.words import plain
from tests.support.scripted_model import Reply, ScriptedModel

pytestmark = pytest.mark.anyio

RING = "I'd like to give Old Mill a tinkle. What do I dial?"


class Towns:
    """Knows one place by name."""

    def score(self, text: str) -> float:
        return 1.0 if text == "Old Mill" else 0.3

    def exact(self, text: str) -> bool:
        return text == "Old Mill"


async def read(
    text: str, *replies: Reply, names: Towns | None = None
) -> tuple[Reading, ScriptedModel, Account]:
    model, account = ScriptedModel(*replies), Account()
    reading = await Restater(Conversation(model)).read(Question(text=text), names, account)
    return reading, model, account


async def test_a_restated_question_becomes_an_intent() -> None:
    reading, model, _ = await read(RING, plain("What is the phone number of Old Mill?"))
    assert isinstance(reading.intent, PlaceFactIntent)
    assert (reading.intent.place, reading.intent.attribute.value) == ("Old Mill", "phone")
    assert model.labels == ["restate"]


async def test_the_label_of_the_examples_is_forgiven() -> None:
    reading, _, _ = await read(RING, plain("Plain: What is the phone number\n of Old Mill?"))
    assert reading.plain == "What is the phone number of Old Mill?"


async def test_a_changed_question_is_mended_once() -> None:
    asked = "At 9:50 am I set out on foot from Old Mill to Pier Café; when am I there?"
    reading, model, _ = await read(
        asked,
        plain("How long does it take to walk from Old Mill to Pier Café?"),
        plain("If I leave Old Mill at 9:50 am and walk to Pier Café, when do I arrive?"),
    )
    assert reading.outcome == "intent"
    assert "'9:50 am' of the question is left out." in model.prompt(2)
    assert [message.role for message in model.asked[1]] == ["system", "user", "assistant", "user"]


async def test_a_question_changed_twice_fits_no_form() -> None:
    wrong = plain("What is the phone number of Grand Hotel?")
    reading, model, _ = await read(RING, wrong, wrong)
    assert reading.outcome == "no_form"
    assert reading.intent is None
    assert "Grand Hotel" in reading.reason
    assert model.left == 0


@pytest.mark.parametrize(
    "replies", [("What is the phone number of Grand Hotel?",) * 2, ("Ring up Old Mill.",) * 2, ("other",)]
)
async def test_what_the_model_spoils_is_read_as_it_was_asked_if_that_is_plain(
    replies: tuple[str, ...],
) -> None:
    asked = "What is the phone number of Old Mill?"
    reading, model, _ = await read(asked, *map(plain, replies))
    assert isinstance(reading.intent, PlaceFactIntent)
    assert (reading.intent.place, reading.plain) == ("Old Mill", asked)
    assert model.left == 0


async def test_a_plain_question_about_what_the_map_lacks_is_not_read_as_asked() -> None:
    wrong = plain("What is the phone number of Grand Hotel?")
    reading, _, _ = await read("What is the phone number of Atlantis?", wrong, wrong, names=Towns())
    assert reading.outcome == "no_form"


async def test_words_that_are_no_form_are_told_so() -> None:
    reading, model, _ = await read(
        RING, plain("Dial Old Mill now."), plain("What is the phone number of Old Mill?")
    )
    assert reading.outcome == "intent"
    assert "'Dial Old Mill now.' is none of the forms." in model.prompt(2)


@pytest.mark.parametrize(("word", "outcome"), [("none", "no_map"), ("None.", "no_map"), ("other", "no_form")])
async def test_the_model_may_pass(word: str, outcome: str) -> None:
    reading, model, _ = await read("Who wrote Hamlet?", plain(word))
    assert reading.outcome == outcome
    assert len(model.asked) == 1


async def test_a_name_that_the_map_lacks_is_asked_again_and_then_believed() -> None:
    question = "Which way is it by car from Old Mill to Atlantis, and how many minutes?"
    restated = plain("How long does it take to drive from Old Mill to Atlantis?")
    reading, model, _ = await read(question, restated, restated, names=Towns())
    assert isinstance(reading.intent, RouteIntent)
    assert "The map has no place 'Atlantis'." in model.prompt(2)


async def test_the_fixed_part_is_the_same_for_every_question() -> None:
    _, one, _ = await read(RING, plain("none"))
    _, other, _ = await read("Who wrote Hamlet?", plain("none"))
    assert one.asked[0][0] == other.asked[0][0]
    assert one.asked[0][0].role == "system"
    assert len(one.asked[0][0].text) > 20 * len(one.prompt(1))


async def test_the_trace_says_what_was_made_of_it() -> None:
    _, _, account = await read(RING, plain("What is the phone number of Old Mill?"))
    (span,) = [span for span in account.trace.spans if span.name == "restate"]
    assert span.attributes["plain"] == "What is the phone number of Old Mill?"
    assert json.loads(json.dumps(span.attributes)) == span.attributes
