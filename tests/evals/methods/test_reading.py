"""What a model wrote: JSON, calls, answers."""

from typing import Any

import pytest

from evals.methods.reading import json_objects, read_answer, read_call, read_choice
from mapagent.core.answer import Status
from tests.evals.methods.context import task

ROUTE = {"origin": "Quay", "destination": "Alder Hall"}


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ('Route[{"origin": "Quay", "destination": "Alder Hall"}]', "Route", ROUTE),
        ('Route({"origin": "Quay", "destination": "Alder Hall",})', "Route", ROUTE),
        ('Route(origin="Quay", destination="Alder Hall")', "Route", ROUTE),
        ("Route(origin='Quay', destination='Alder Hall')", "Route", ROUTE),
        ('Route("Quay", "Alder Hall")', "Route", ROUTE),
        ("Route[origin: Quay, destination: Alder Hall]", "Route", ROUTE),
        ("PlaceInfo[Alder Hall]", "PlaceInfo", {"location_address": "Alder Hall"}),
        (
            'Nearby(query="cafe", location=$1.name, radius=500, everything=True, type=None)',
            "Nearby",
            {"query": "cafe", "location": "$1.name", "radius": 500, "everything": True, "type": None},
        ),
        (
            'Trip("Quay", ["Alder Hall", "$2.items[0].name"])',
            "Trip",
            {"current_location": "Quay", "visiting_places": ["Alder Hall", "$2.items[0].name"]},
        ),
        ("join()", "join", {}),
        ('I look (as asked) first: Teleport[{"to": "Mars"}]', "Teleport", {"to": "Mars"}),
        (
            '```json\n{"name": "Route", "arguments": {"origin": "Quay", "destination": "Alder Hall"}}\n```',
            "Route",
            ROUTE,
        ),
    ],
)
def test_reads_the_first_well_formed_call(text: str, name: str, arguments: dict[str, Any]) -> None:
    call = read_call(text)
    assert call is not None
    assert (call.tool, call.arguments) == (name, arguments)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would look at the map.",
        'Route[{"origin": "Quay", "destination": ',
        'Route("Quay", "Alder Hall',
        "the museum (open on Sundays) is near",
        "[" * 5000,
        'Route[{"a":' * 2000,
    ],
)
def test_what_is_broken_is_no_call(text: str) -> None:
    assert read_call(text) is None


def test_code_is_read_as_words_and_never_run() -> None:
    call = read_call("Route(origin=__import__('os').getcwd(), destination='Quay')")
    assert call is None or call.arguments["origin"] == "__import__('os'"


def test_json_is_found_in_prose_fences_first() -> None:
    text = 'First: {"a": 1} and then\n```json\n{"b": {"c": [2]}}\n``` and {broken'
    assert list(json_objects(text)) == [{"b": {"c": [2]}}, {"a": 1}]
    assert list(json_objects('[{"a": 1}, {"a": 2}, {"a": 1}]')) == [{"a": 1}, {"a": 2}]
    assert list(json_objects("none")) == []


CAFES = task("Which café is nearest?", "Fern Bakery", "Moss Bakery", "", "Fern Bakery South")
TIMES = task("How long does it take?", "11 mins", "10 mins", "12 mins", "9 mins")
COUNTS = task("How many are there?", "2", "3", "5")


@pytest.mark.parametrize(
    ("reply", "index"),
    [
        ("^^2^^", 1),
        ("The walk is shorter.\n^^ 2 ^^", 1),
        ("^^Option 2^^", 1),
        ("^^B^^", 1),
        ("First I thought of Fern Bakery. ^^4^^ So ^^4^^.", 3),
        ('{"reason": "nearest", "option_no": 2}', 1),
        ('```json\n{"option_no": "2",}\n```', 1),
        ("B", 1),
        ("(B)", 1),
        ("2", 1),
        ("Option 2", 1),
        ("Option B", 1),
        ("Moss Bakery", 1),
        ("**Moss Bakery**", 1),
        ("It is nearer by far.\nAnswer: B", 1),
        ("Final Answer: B. Moss Bakery", 1),
        ("The answer is Moss Bakery.", 1),
        ("Answer: Moss Bakery, because it is 20 m away", 1),
        ("Answer: Fern Bakery South is nearest", 3),
        ("2. Moss Bakery", 1),
        ("B) Moss Bakery", 1),
    ],
)
def test_reads_the_option(reply: str, index: int) -> None:
    answer = read_choice(reply, CAFES)
    assert (answer.status, answer.option_index) == (Status.ANSWERED, index)
    assert answer.option == "ABCD"[index]
    assert answer.text == CAFES.question.options[index]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I walked 2 km and liked it.",
        "Fern Bakery is nearer than Moss Bakery.",
        "^^1^^ or ^^2^^",
        "^^n^^",
        "^^\N{KELVIN SIGN}^^",
        "^^3^^",
        "^^7^^",
        "Answer: Fern Bakery South or Moss Bakery",
        "C",
        "Answer: the bakery",
        "A walk of ten minutes",
        '{"option_no": 9}',
        '{"option_no": 1} {"option_no": 2}',
    ],
)
def test_what_names_no_single_option_is_invalid(reply: str) -> None:
    answer = read_choice(reply, CAFES)
    assert (answer.status, answer.option_index) == (Status.NOT_UNDERSTOOD, None)
    assert answer.reason


@pytest.mark.parametrize("reply", ["^^0^^", "0", "Unanswerable", "Answer: unanswerable.", "^^Unanswerable^^"])
def test_reads_a_refusal(reply: str) -> None:
    answer = read_choice(reply, CAFES)
    assert (answer.status, answer.option_index) == (Status.UNANSWERABLE, None)


def test_zero_means_nothing_where_no_refusal_is_offered() -> None:
    offered = task("Which?", "Fern", "Moss", may_refuse=False)
    assert read_choice("^^0^^", offered).status is Status.NOT_UNDERSTOOD
    assert read_choice("Unanswerable", offered).status is Status.UNANSWERABLE


def test_a_number_of_the_text_is_not_taken_for_an_option() -> None:
    assert read_choice("4 + 6 mins make 10 mins.\nAnswer: 10 mins", TIMES).option_index == 1
    assert read_choice("Answer: D. 9 mins", TIMES).option_index == 3
    assert read_choice("Answer: 19 mins", TIMES).status is Status.NOT_UNDERSTOOD


def test_a_number_that_is_also_an_options_text_names_two_options() -> None:
    assert read_choice("3", COUNTS).status is Status.NOT_UNDERSTOOD
    assert read_choice("^^3^^", COUNTS).option_index == 2
    assert read_choice("5", COUNTS).option_index == 2
    assert read_choice("Option 3", COUNTS).option_index == 2


def test_an_open_question_takes_the_words_after_the_mark() -> None:
    asked = task("What is the name of the street?")
    assert read_answer("It runs north.\nAnswer: Pier Road.", asked).text == "Pier Road"
    assert read_answer("Pier Road", asked).text == "Pier Road"
    assert read_answer("Answer: Unanswerable", asked).status is Status.UNANSWERABLE
    assert read_answer(" ", asked).status is Status.NOT_UNDERSTOOD
