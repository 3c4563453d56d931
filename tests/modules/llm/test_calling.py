import pytest

from mapagent.evidence import Evidence, Source
from mapagent.ports import Account, ToolCall
from mapagent.question import Question
from modules.llm.calling import ToolChooser
from modules.llm.conversation import MAX_CALLS, Conversation
from modules.llm.places import single_places
from tests.modules.llm.words import call, calls
from tests.support.evidence import evidence, failure_fact, nearby_fact, place, place_fact
from tests.support.scripted_model import Reply, ScriptedModel

pytestmark = pytest.mark.anyio

QUESTION = Question(
    text="Which of Old Mill and Pier Café has a terrace, and how do I get from one to the other?"
)


async def chosen(
    *replies: Reply, known: tuple[Evidence, ...] = (), question: Question = QUESTION
) -> tuple[tuple[ToolCall, ...], ScriptedModel, Account]:
    model, account = ScriptedModel(*replies), Account()
    made = await ToolChooser(Conversation(model)).calls(question, None, known, account)
    return made, model, account


def info(name: str) -> ToolCall:
    return ToolCall(tool="PlaceInfo", arguments={"location_address": name})


async def test_each_tool_gets_its_own_arguments() -> None:
    made, _, _ = await chosen(
        calls(
            call("PlaceInfo", "Old Mill"),
            call("Nearby", "Old Mill", kind="pharmacy"),
            call("Route", "Old Mill", "Pier Café", mode="walking"),
            call("Trip", "Pier Café", "Old Mill", mode="transit"),
        )
    )
    assert made == (
        info("Old Mill"),
        ToolCall(tool="Nearby", arguments={"query": "pharmacy", "location": "Old Mill"}),
        ToolCall(
            tool="Route",
            arguments={
                "origin": "Old Mill",
                "destination": "Pier Café",
                "travel_mode": "walking",
                "alternatives": True,
            },
        ),
        ToolCall(
            tool="Trip",
            arguments={
                "current_location": "Pier Café",
                "visiting_places": ["Old Mill"],
                "travel_mode": "transit",
            },
        ),
    )


async def test_one_field_with_two_places_becomes_two_places() -> None:
    made, _, _ = await chosen(calls(call("PlaceInfo", "Old Mill and Pier Café")))
    assert made == (info("Old Mill"), info("Pier Café"))


def test_a_name_with_an_and_in_it_stays_whole() -> None:
    question = Question(text="How far is it from Salt & Smoke to Old Mill?")
    assert single_places(("Salt & Smoke", "Old Mill"), question) == ("Salt & Smoke", "Old Mill")


async def test_a_place_that_nobody_named_is_not_looked_up() -> None:
    made, _, account = await chosen(calls(call("PlaceInfo", "Eiffel Tower"), call("PlaceInfo", "Old Mill")))
    assert made == (info("Old Mill"),)
    (refused,) = [span for span in account.trace.spans if span.name == "calls.refused"]
    assert "'Eiffel Tower'" in refused.attributes["reason"]


async def test_a_place_that_the_map_has_named_may_be_looked_up() -> None:
    known = evidence(nearby_fact("Old Mill", "pub", [place("The Anchor")]))
    made, model, _ = await chosen(calls(call("PlaceInfo", "The Anchor")), known=known)
    assert made == (info("The Anchor"),)
    assert "The Anchor" in model.prompt(1).split("<data>")[1]


async def test_equal_calls_are_made_once() -> None:
    made, _, _ = await chosen(calls(call("PlaceInfo", "Old Mill"), call("PlaceInfo", "Old Mill")))
    assert made == (info("Old Mill"),)


@pytest.mark.parametrize("words", ["no JSON at all", calls({**call("PlaceInfo", "Old Mill"), "speed": 3})])
async def test_what_is_no_round_makes_no_calls_and_is_noted(words: str) -> None:
    made, _, account = await chosen(words)
    assert made == ()
    assert [span.name for span in account.trace.spans] == ["calls.refused"]


async def test_done_ends_the_rounds() -> None:
    made, _, _ = await chosen(calls(done=True), known=evidence(place_fact(place("Old Mill"))))
    assert made == ()


async def test_where_the_model_asks_for_nothing_the_named_places_are_looked_up() -> None:
    made, _, _ = await chosen(calls(done=True))
    assert made == (info("Old Mill"), info("Pier Café"))


async def test_after_nothing_but_failures_the_model_is_not_asked_again() -> None:
    failure = evidence(failure_fact("Old Mill", "No place called 'Old Mill' is on the map."))
    source = Source(tool="PlaceInfo", arguments={"location_address": "Old Mill"})
    known = tuple(item.model_copy(update={"source": source}) for item in failure)
    made, model, _ = await chosen(known=known)
    assert made == ()
    assert model.asked == []


async def test_the_last_call_is_kept_for_the_solution() -> None:
    model, account = ScriptedModel(*[calls(call("PlaceInfo", "Old Mill"))] * MAX_CALLS), Account()
    chooser = ToolChooser(Conversation(model))
    for _ in range(MAX_CALLS + 2):
        await chooser.calls(QUESTION, None, (), account)
    assert len(model.asked) == MAX_CALLS - 1
