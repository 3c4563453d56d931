"""Programs over supplied texts: options and lists, the quickest way, the nearest place, names that only faintly fit."""

import asyncio

import pytest

from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from tests.modules.query.language.running import parts, told

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


def chosen(program: str, text: str, *options: str) -> Answer:
    question = Question(text="Which?", options=options, context=text)
    return asyncio.run(MapAgent().query(program, question=question))


def test_a_list_by_distance_orders_the_options_that_stand_in_it() -> None:
    answer = chosen('answer(nearest(options, to="Gull Airport"))', LISTS, "Cove House", "Bay Kitchen")
    assert (answer.option, answer.status) == ("B", Status.ANSWERED)
    assert "the order of the list" in " ".join(answer.warnings)


def test_an_option_that_nothing_is_called_is_left_out_and_that_is_said() -> None:
    answer = chosen(
        'answer(nearest(options, to="Gull Airport"))', LISTS, "Zenith Diner", "Cove House", "Anchor Grill"
    )
    assert answer.option == "C"
    assert "Nothing is called Zenith Diner" in " ".join(answer.warnings)


def test_where_one_option_alone_fulfils_the_condition_its_distance_does_not_matter() -> None:
    program = 'answer(nearest(options, to="Mole", where=lambda p: p.street == "Hill Lane"))'
    text = f"{LISTS}\nInformation of <b>Mole</b>:\n- Location: 5 Quay, Gull.\n"
    assert chosen(program, text, "Anchor Grill", "Cove House").option == "B"


@pytest.mark.parametrize("street", ["Elm Ave", "Mill Expy", "Elm Ave/Mill Expy"])
def test_a_way_known_by_a_road_comes_before_one_that_ends_on_it(street: str) -> None:
    way = 'travel("Mill Inn", "Oak Hall", "drive", via="Main St")'
    assert chosen(f"answer({way}.distance)", WAYS).text.startswith("6.44 km")
    assert "Main St" in chosen(f'answer(after({way}.steps, "{street}")[0].text)', WAYS).text


def test_words_that_stand_nowhere_are_not_stated() -> None:
    assert chosen('answer(known(quote("Serves Dinner", about="Cove House")))', LISTS).text == "Yes"
    assert chosen('answer(known(quote("Serves Lunch", about="Cove House")))', LISTS).text == "No"


def test_what_is_chosen_from_is_read_back_with_one_article() -> None:
    assert (
        chosen('answer(nearest(options, to="Gull Airport"))', LISTS, "Cove House", "Bay Kitchen").understood
        == "the one of the options nearest to Gull Airport."
    )


ROUTES = """There are 3 routes from Harbour to Old Mill by car. They are:
1. Via Long Rd | 25 mins | 9 km
 - Head north
2. Via Short St | 18 mins | 11 km
 - Head south
3. Via High St | 20 mins | 7 km
 - Head east

There are 2 routes from Harbour to Fort by foot. They are:
1. Via Long Rd | 2.5 km
 - Head north
2. Via Short St | 1.9 km
 - Head south
"""
TOLD_LINES = """Bus 5 from Harbour to Zoo takes 30 mins.
Tram 2 from Harbour to Zoo takes 20 mins.
Travel Time from Harbour to Kiosk by car is 14 mins.
Travel Distance from Harbour to Kiosk by car is 3 km.
"""


def test_the_quickest_is_the_way() -> None:
    answer = told(
        'w = travel("Harbour", "Old Mill", "drive")\n'
        "answer(w.duration, long=w.distance, along=w.summary, steps=[s.text for s in w.steps])",
        ROUTES,
    )
    assert (answer.text, parts(answer)) == (
        "18 min",
        {"long": "11 km", "along": "Short St", "steps": "Head south"},
    )


def test_of_ways_without_a_time_the_shortest_is() -> None:
    answer = told('w = travel("Harbour", "Fort", "walk")\nanswer(w.distance, along=w.summary)', ROUTES)
    assert (answer.text, parts(answer)) == ("1.9 km", {"along": "Short St"})


def test_all_are_listed_in_the_order_of_the_text() -> None:
    answer = told('answer([w.summary for w in routes("Harbour", "Old Mill", "drive")])', ROUTES)
    assert answer.text == "Long Rd, Short St, High St"


@pytest.mark.parametrize("lines", [TOLD_LINES, "\n".join(reversed(TOLD_LINES.strip().splitlines()))])
def test_single_lines_tell_ways_too(lines: str) -> None:
    answer = told(
        'answer(travel("Harbour", "Zoo", "transit").duration, all=count(routes("Harbour", "Zoo", "transit")))',
        lines,
    )
    assert (answer.text, parts(answer)) == ("20 min", {"all": "2"})


def test_time_and_length_of_one_way_may_stand_apart() -> None:
    answer = told('w = travel("Harbour", "Kiosk", "drive")\nanswer(w.duration, long=w.distance)', TOLD_LINES)
    assert (answer.text, parts(answer)) == ("14 min", {"long": "3 km"})


WALKS = """Nearby Cafes of Harbour are:
1. Cafe Alba (10 min walk)
2. Cafe Birke (4 min walk, rating: 4.1)
3. Cafe Corso - about 6 minutes on foot
"""
LINES = """Driving from Harbour to Kiosk One takes 20 minutes.
Driving from Harbour to Kiosk Two takes 12 minutes.
Distance from Harbour to The Old Museum by car is 2 km.
Distance from Harbour to The New Museum by car is 500 m.
Distance from St. Anna Church to Cafe Anna by car is 2 km.
"""
UNTOLD = """Nearby Hotels of Harbour are:
- Hotel Uno (rating: 4.1)
- Hotel Due (rating: 4.4)
"""


def test_times_beside_names_count() -> None:
    answer = told('answer(nearest("cafe", to="Harbour"), all=places("cafe", near="Harbour"))', WALKS)
    assert (answer.text, parts(answer)) == ("Cafe Birke", {"all": "Cafe Birke, Cafe Corso, Cafe Alba"})
    assert any("walk" in warning for warning in answer.warnings)


def test_times_of_lines_count() -> None:
    assert told('answer(nearest(["Kiosk One", "Kiosk Two"], to="Harbour"))', LINES).text == "Kiosk Two"


@pytest.mark.parametrize(
    "program",
    [
        'answer(nearest("museum", to="Harbour"))',
        'answer(min(places("museum"), key=lambda m: distance("Harbour", m)))',
        'answer(min(["The Old Museum", "The New Museum"], key=lambda m: distance(m, "Harbour")))',
    ],
)
def test_lengths_count(program: str) -> None:
    assert told(program, LINES).text.removeprefix("The ") == "New Museum"


def test_what_is_told_stands_before_what_is_not() -> None:
    text = f"{WALKS}4. Cafe Dohle\n"
    answer = told('answer(nearest("cafe", to="Harbour"), all=places("cafe", near="Harbour"))', text)
    assert answer.text == "Cafe Birke"
    assert parts(answer)["all"] == "Cafe Birke, Cafe Corso, Cafe Alba, Cafe Dohle"
    assert any("Cafe Dohle" in warning for warning in answer.warnings)


@pytest.mark.parametrize(
    "program",
    [
        'answer(nearest("hotel", to="Harbour"))',
        'answer(nearest(["Hotel Uno", "Hotel Due"], to="Harbour"))',
        'answer(min(places("hotel"), key=lambda h: distance("Harbour", h)))',
    ],
)
def test_where_nothing_is_told_that_is_said(program: str) -> None:
    answer = told(program, UNTOLD)
    assert answer.unanswerable
    assert "not stated" in answer.reason
    assert "Harbour" in answer.reason


@pytest.mark.parametrize("where", ["", ", where=lambda p: p.rating > 4"])
def test_a_text_that_tells_of_none_of_a_kind_is_silent_and_no_limit_is_met(where: str) -> None:
    """Whether Anchor and Bay are inns the text does not say, nor that it names all there are."""
    text = "".join(
        f"Information of <b>{name}</b>:\n- Location: {number} Quay, Gull.\n\n"
        for number, name in enumerate(("Anchor", "Bay", "Harbour"), start=1)
    )
    answer = told(f'answer(nearest("hotel", to="Harbour"{where}))', text)
    assert answer.status is Status.UNANSWERABLE
    assert answer.reason.startswith("The text tells of no hotel near Harbour")
    assert not answer.warnings


def test_the_only_one_is_the_nearest() -> None:
    answer = told('answer(nearest("hotel", to="Harbour", where=lambda h: h.rating > 4.3))', UNTOLD)
    assert answer.text == "Hotel Due"


def test_a_distance_of_which_only_the_time_is_told_points_to_that() -> None:
    answer = told('answer(distance("Harbour", "Cafe Alba"))', WALKS)
    assert answer.unanswerable
    assert 'travel(…, "walk").duration' in answer.reason


def test_the_only_option_among_what_comes_into_question() -> None:
    asked = 'answer(nearest("hotel", to="Harbour", where=lambda h: h.rating > 4))'
    assert told(asked, UNTOLD, options=("Hotel Tre", "Hotel Due")).option == "B"
    strange = told(asked, UNTOLD, options=("Hotel Tre", "None of these"))
    assert strange.unanswerable, (
        "which one is the nearest is not known, so none of these is not known, either"
    )
    both = told(asked, UNTOLD, options=("Hotel Uno", "Hotel Due"))
    assert both.option is None
    assert "is not stated" in both.reason


PARKS = """Information of <b>Esplanadi Park</b>:
- Rating: 4.5.
Information of <b>Kiasma</b>:
- Rating: 4.2.
Information of <b>Ateneum</b>:
- Rating: 4.3.
Travel Time from Esplanadi Park to Kiasma on foot is 10 mins.
Travel Time from Ateneum to Kiasma on foot is 7 mins.
"""


def test_two_parks_are_not_one_because_both_are_parks() -> None:
    answer = told('answer(place("Hesperia Park").rating)', PARKS)
    assert answer.unanswerable
    assert "Hesperia Park" in answer.reason


def test_what_is_faintly_alike_is_told() -> None:
    answer = told('answer(travel("Esplanade Gardens", "Kiasma", "walk").duration)', PARKS)
    assert answer.text == "10 min"
    assert any("Esplanade Gardens" in one and "Esplanadi Park" in one for one in answer.assumptions)
    assert any("faintly alike" in one for one in answer.warnings)


def test_a_slip_is_told_and_sure() -> None:
    answer = told('answer(place("Ateneumm").rating)', PARKS)
    assert answer.text == "4.3"
    assert not answer.warnings
