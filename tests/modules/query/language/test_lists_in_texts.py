"""Choosing among options by what a text tells: the order of its lists, names it lacks, ways by their names."""

import asyncio

import pytest

from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question

LISTS = """Information of <b>Gull Airport</b>:
- Location: 1 Pier Road, Gull.

Nearby places of Gull Airport of type "restaurant" are (sorted by distance in ascending order):
1. <b>Anchor Grill</b> (2 Pier Road)
2. <b>Bay Kitchen</b> (9 Pier Road)
3. <b>Cove House</b> (1 Hill Lane)

Information of <b>Cove House</b>:
- Location: 1 Hill Lane, Gull.
- Serves Dinner.
"""
WAYS = """There are 2 routes from Mill Inn to Oak Hall by car. They are:
1. Via I-70 E | 11 mins | 4.8 mi
 - Head <b>north</b> on <b>High St</b>
 - Turn <b>right</b> onto <b>Main St</b>
2. Via Main St | 13 mins | 4.0 mi
 - Head <b>south</b> on <b>Low Rd</b>
 - Turn <b>left</b> onto <b>Elm Ave</b>/<wbr/><b>Mill Expy</b>
 - Turn <b>right</b> onto <b>Main St</b>
"""


def told(program: str, text: str, *options: str) -> Answer:
    question = Question(text="Which?", options=options, context=text)
    return asyncio.run(MapAgent().query(program, question=question))


def test_a_list_by_distance_orders_the_options_that_stand_in_it() -> None:
    answer = told('answer(nearest(options, to="Gull Airport"))', LISTS, "Cove House", "Bay Kitchen")
    assert (answer.option, answer.status) == ("B", Status.ANSWERED)
    assert "the order of the list" in " ".join(answer.warnings)


def test_an_option_that_nothing_is_called_is_left_out_and_that_is_said() -> None:
    answer = told(
        'answer(nearest(options, to="Gull Airport"))', LISTS, "Zenith Diner", "Cove House", "Anchor Grill"
    )
    assert answer.option == "C"
    assert "Nothing is called Zenith Diner" in " ".join(answer.warnings)


def test_where_one_option_alone_fulfils_the_condition_its_distance_does_not_matter() -> None:
    program = 'answer(nearest(options, to="Mole", where=lambda p: p.street == "Hill Lane"))'
    text = f"{LISTS}\nInformation of <b>Mole</b>:\n- Location: 5 Quay, Gull.\n"
    assert told(program, text, "Anchor Grill", "Cove House").option == "B"


@pytest.mark.parametrize("street", ["Elm Ave", "Mill Expy", "Elm Ave/Mill Expy"])
def test_a_way_known_by_a_road_comes_before_one_that_ends_on_it(street: str) -> None:
    way = 'travel("Mill Inn", "Oak Hall", "drive", via="Main St")'
    assert told(f"answer({way}.distance)", WAYS).text.startswith("6.44 km")
    assert "Main St" in told(f'answer(after({way}.steps, "{street}")[0].text)', WAYS).text


def test_words_that_stand_nowhere_are_not_stated() -> None:
    assert told('answer(known(quote("Serves Dinner", about="Cove House")))', LISTS).text == "Yes"
    assert told('answer(known(quote("Serves Lunch", about="Cove House")))', LISTS).text == "No"


def test_what_is_chosen_from_is_read_back_with_one_article() -> None:
    assert (
        told('answer(nearest(options, to="Gull Airport"))', LISTS, "Cove House", "Bay Kitchen").understood
        == "the one of the options nearest to Gull Airport."
    )
