"""Programs over the protocol, and the program text that tools make of their arguments."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from map_tools.errors import UsageError
from mapagent.interfaces.mcp.tools.base import answer, call, condition, quoted
from mapagent.llm.chat import text_tokens
from mapagent.runtime.config import Settings
from modules.query.card import operator_card
from modules.query.inventory import built_in
from modules.query.language import syntax
from modules.query.language.parser import parse
from tests.mapagent.interfaces.mcp.conftest import calling

pytestmark = pytest.mark.anyio

TWO = """museum = place("Kiasma")
cafe = nearest("cafe", to=museum)
answer(cafe, museum=museum, walk=travel(museum, cafe, "walk").duration)"""


@given(st.text(max_size=80))
def test_any_text_stays_one_text_of_a_program(text: str) -> None:
    program = parse(answer(call("place", quoted(text)), {}))
    (last,) = program.statements
    strings = [node.text for node in syntax.walk(last.expr) if isinstance(node, syntax.String)]
    assert len(strings) == 1
    kept = "".join(text.split())
    assert "".join(strings[0].split()).replace(" ", "") in kept or not kept.isprintable()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("wifi", "p.wifi"),
        ("outdoor seating", "p.outdoor_seating"),
        ("dog friendly", "p.dog"),
        ("fee=no", "not p.fee"),
        ("wheelchair = yes", "p.wheelchair"),
        ("cuisine=italian", '"italian" in p.cuisine'),
        ("stars>=4", "p.stars >= 4"),
        ("capacity=20", "p.capacity == 20"),
        ("diet:vegan=yes", 'fact(p, "diet:vegan")'),
        ("height > 20 m", 'p.height > "20 m"'),
    ],
)
def test_conditions_as_program_text(given: str, expected: str) -> None:
    assert condition(given) == expected
    parse(f'answer(places("cafe", near="x", where=lambda p: {condition(given)}))')


@pytest.mark.parametrize("given", ["", "a b c", "wifi)", 'x" == "y', "=4", "p.wifi or True"])
def test_what_is_no_condition_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="no condition"):
        condition(given)


def test_the_operator_card_has_two_thousand_tokens_at_most() -> None:
    """The estimate is careful: of the card's tokens cl100k_base and o200k_base count two thirds as many."""
    card = operator_card(built_in())
    assert text_tokens(card) * 2 / 3 <= 2_000


async def test_the_description_is_the_operator_card_with_six_examples(harbour: Settings) -> None:
    async with calling(harbour) as caller:
        tools = {tool.name: tool for tool in (await caller.client.list_tools()).tools}
    told = tools["run_query"].description or ""
    assert told.count("```") == 2 * 6
    for name in ("place(", "nearest(", "travel(", "is_open(", "count(", "answer("):
        assert name in told
    assert text_tokens(told) < 5_000


async def test_an_answer_with_its_parts_in_few_words(helsinki: Settings) -> None:
    async with calling(helsinki) as caller:
        told = await caller("run_query", program=TWO)
    lines = told.text.splitlines()
    assert lines[0] == told.data["answer"]
    assert "museum: Kiasma" in lines
    assert any(line.startswith("I understood: ") for line in lines)
    assert told.data["program"] == TWO
    assert told.data["parts"]["walk"]["value"]["unit"] == "s"
    assert told.data["places"][0]["name"] == told.data["answer"]
    assert len(told.data["evidence"]) > 2
    assert sum(line.startswith("[") for line in lines) <= 2
    assert len(told.text) < 900


async def test_the_first_line_says_what_is_answered_and_what_is_refused(helsinki: Settings) -> None:
    program = 'answer(place("Kiasma"), call=unanswerable("a map calls nobody"))'
    async with calling(helsinki) as caller:
        told = await caller("run_query", program=program)
    assert told.text.splitlines()[0] == "Kiasma; Not answered: call: a map calls nobody"
    assert (told.data["status"], told.data["parts"]["call"]["known"]) == ("answered", False)


async def test_at_most_a_tenth_of_what_is_read_is_handles_and_attribution(helsinki: Settings) -> None:
    calls = [
        ("run_query", {"program": TWO}),
        ("ask_map", {"question": "Which cafe is nearest to Kiasma?"}),
        ("find_nearby", {"query": "cafe", "near": "Kiasma"}),
        ("place_info", {"place": "Kiasma"}),
        ("route", {"origin": "Ateneum", "destination": "Kiasma", "mode": "walk"}),
        ("trip", {"places": ["Ateneum", "Kiasma", "Stockmann"], "modes": ["walk", "bike"]}),
    ]
    read = overhead = 0
    async with calling(helsinki) as caller:
        for tool, arguments in calls:
            told = await caller(tool, **arguments)
            read += len(told.text)
            words = told.text.split()
            overhead += sum(len(word) for word in words if word.startswith(("id:", "mapagent:")))
            overhead += len(told.data["attribution"])
    assert overhead <= read / 10
    assert read / len(calls) < 700, "replies of the seven tools before had 630 to 740 characters a question"


async def test_position_moment_options_and_text_count(helsinki: Settings) -> None:
    here = {"lat": 60.1720, "lng": 24.9367}
    async with calling(helsinki) as caller:
        near = await caller("run_query", program='answer(nearest("museum", to=here))', position=here)
        # Kiasma closes at 17 on Sundays (opening_hours in the extract).
        late = await caller("run_query", program='answer(is_open("Kiasma", now))', moment="2026-11-22T18:00")
        walk = 'answer(travel("Ateneum", "Kiasma", "walk").duration)'
        option = await caller("run_query", program=walk, options=["2 minutes", "10 minutes", "40 minutes"])
        quote = 'answer(2 * quote("14 EUR"))'
        told = await caller("run_query", program=quote, text="Adults pay 14 EUR.")
    assert "Kiasma" in near.data["answer"]
    assert late.data["value"] == {"kind": "yes_no", "value": False}
    assert (option.data["option"], option.text.splitlines()[0][:2]) == ("B", "B.")
    assert "28" in told.data["answer"]


async def test_a_candidate_without_an_address_is_told_by_its_street(helsinki: Settings) -> None:
    async with calling(helsinki) as caller:
        asked = await caller("run_query", program='answer(place("R-kioski"))')
    told = [one["told"] for one in asked.data["candidates"]]
    # In the extract, Kaisankuja is the nearest named way to the one without an address (22 m, the next one 72 m).
    assert "R-Kioski, Kaisankuja" in told
    assert all(line in asked.data["reason"] for line in told)


async def test_an_ambiguous_name_is_chosen_by_its_number(helsinki: Settings) -> None:
    program = 'answer(place("Alko").address)'
    async with calling(helsinki) as caller:
        asked = await caller("run_query", program=program)
        chosen = await caller("run_query", program=program, choice=2)
        question = await caller("ask_map", question="What is the address of Alko?", choice=[2])
        refused = await caller.refused("run_query", program=program, choice=[9])
    second = asked.data["candidates"][1]
    assert asked.data["status"] == "ambiguous"
    assert f"2. {second['told']}; {second['id']}" in asked.text
    assert (chosen.data["answer"], question.data["answer"]) == (second["address"], second["address"])
    assert "choose 1 to 2" in refused


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('a = place("Kiasma"\nanswer(a)', "Line 2"),
        ('answer(nearst("cafe", to="Kiasma"))', "nearst"),
        ("answer(1) " * 1000, "longer than"),
        ("import os", "Line 1"),
        (" ", "empty"),
    ],
)
async def test_a_program_that_cannot_be_run_says_where_and_why(
    helsinki: Settings, program: str, words: str
) -> None:
    async with calling(helsinki) as caller:
        assert words in await caller.refused("run_query", program=program)


async def test_the_whole_answer_stands_behind_the_handle(helsinki: Settings) -> None:
    async with calling(helsinki) as caller:
        told = await caller("run_query", program=TWO)
        whole = await caller.client.read_resource(told.handle or "")
    kept = json.loads(whole.contents[0].text)["answer"]  # type: ignore[union-attr]
    assert kept["program"] == TWO
    assert [item["id"] for item in kept["evidence"]] == [item["id"] for item in told.data["evidence"]]
