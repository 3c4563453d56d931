"""What places state of themselves: parts of addresses, services by any of their names, stars and ratings, hours."""

import asyncio

import pytest

from map_tools.types import LatLng, Place
from mapagent.core.agent import MapAgent
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from mapagent.runtime.config import Settings
from modules.query.interpreter.address_line import address_parts
from tests.modules.query.language.running import parts, run, told
from tests.modules.query.verify.town import _place

LINES = {
    "12 Harbour St, Porttown 10115": ("Harbour St", "12", "10115", "Porttown"),
    "Hauptstraße 7a, 80331 München, Germany": ("Hauptstraße", "7a", "80331", "München"),
    "123 5th Ave, Springfield, IL 62704, USA": ("5th Ave", "123", "62704", "Springfield"),
    "10 Downing Street, London SW1A 2AA": ("Downing Street", "10", "SW1A 2AA", "London"),
    "Rua das Flores 20, 4050-262 Porto": ("Rua das Flores", "20", "4050-262", "Porto"),
    "200 Granville St, Vancouver, BC V6C 1S4, Canada": ("Granville St", "200", "V6C 1S4", "Vancouver"),
    "Grand Arcade, 5 Mill Lane, Porttown": ("Mill Lane", "5", None, "Porttown"),
    "1600 Pennsylvania Ave, Washington, DC 20500": ("Pennsylvania Ave", "1600", "20500", "Washington"),
    "1010 Wien, Austria": (None, None, None, None),
    "12 Harbour St": ("Harbour St", "12", None, None),
    "5 Mill Lane, Docks, Porttown": ("Mill Lane", "5", None, None),
    "Old Mill, Porttown": (None, None, None, None),
}
"""Street, house number, postcode and city of lines; None where it is not plain which part is which."""


@pytest.mark.parametrize("line", LINES)
def test_lines(line: str) -> None:
    found = address_parts(line)
    assert tuple(found.get(key) for key in ("street", "housenumber", "postcode", "city")) == LINES[line]


def test_fields_of_a_text() -> None:
    text = "Information of <b>Blue Lagoon</b>:\n- Location: 12 Harbour St, Porttown 10115.\n"
    answer = told(
        'p = place("Blue Lagoon")\n'
        'answer(fact(p, "postcode"), code=p.postcode, city=p.city, number=p.housenumber, street=p.street,'
        ' tag=fact(p, "addr:postcode"))',
        text,
    )
    assert answer.text == "10115"
    assert parts(answer) == {
        "code": "10115", "city": "Porttown", "number": "12", "street": "Harbour St", "tag": "10115",
    }  # fmt: skip


def test_what_a_line_does_not_tell_is_not_stated() -> None:
    text = "Information of <b>Blue Lagoon</b>:\n- Location: 12 Harbour St.\n"
    assert "not stated" in told('answer(place("Blue Lagoon").postcode)', text).reason


LAGOON = """Information of <b>Blue Lagoon</b>:
- Location: 12 Harbour St, Porttown(51.5074, -0.1278).
- Serves Dinner.
- Serves Vegetarian Food.
- Dine In Available.
"""


def offers(field: str) -> Answer:
    program = f'answer(fact("Blue Lagoon, Porttown", "{field}"))'
    return asyncio.run(
        MapAgent(Settings()).query(program, question=Question(text="Does it?", context=LAGOON))
    )


@pytest.mark.parametrize(
    "field", ["serves dinner", "dinner", "serve dinner", "vegetarian", "vegetarian food"]
)
def test_a_service_has_many_names(field: str) -> None:
    assert offers(field).text == "Yes"


def test_a_service_that_is_not_told_is_not_stated() -> None:
    assert "not stated" in offers("breakfast").reason


HOTELS = """Nearby Hotels of Station are:
1. Hotel Lindner (4S, 10 min walk)
2. Hotel Ritz (5-star hotel, 3 min walk)

Information of <b>Hotel Sun</b>:
- Stars: 4S
- Rating: 4.1.
Information of <b>Hotel Moon</b>:
- Stars: 3 stars
- Rating: 4.6 stars
Information of <b>Hotel Inn</b>:
- Hotel class: 2-star
- Stars: 4.7
"""


@pytest.mark.parametrize(
    ("written", "number"),
    [("4", "4"), ("4S", "4"), ("4 stars", "4"), ("3*", "3"), ("2.5", "2.5"), ("4 of 5", "4"), ("3,5 stars", "3.5")],
)  # fmt: skip
def test_stars_of_a_map(written: str, number: str) -> None:
    inn = Place(
        id="sun",
        name="Hotel Sun",
        categories=("hotel",),
        location=LatLng(lat=48.2, lng=16.3),
        attributes={"stars": written},
    )
    done = run('answer(place("Hotel Sun").stars, good=place("Hotel Sun").stars >= 3)', inn)
    answer = done.answer()
    assert not done.objections()
    assert (answer.text, parts(answer)["good"]) == (number, "Yes" if float(number) >= 3 else "No")


def test_what_is_no_number_stays_words() -> None:
    inn = Place(
        id="sun",
        name="Hotel Sun",
        categories=("hotel",),
        location=LatLng(lat=48.2, lng=16.3),
        attributes={"stars": "4-5"},
    )
    done = run('answer(place("Hotel Sun").stars)', inn)
    assert (done.answer().text, done.objections()) == ("4-5", ())


def test_stars_and_ratings_of_a_text() -> None:
    answer = told(
        'a = ["Hotel Sun", "Hotel Moon", "Hotel Inn"]\n'
        "answer([place(h).stars for h in a], ratings=[place(h).rating for h in a],"
        ' listed=[h.stars for h in places("hotel", near="Station")])',
        HOTELS,
    )
    assert answer.text == "4, 3, 2"
    assert parts(answer) == {"ratings": "4.1, 4.6, 4.7", "listed": "5, 4"}


def test_stars_choose() -> None:
    answer = told('answer(nearest("hotel", to="Station", where=lambda h: h.stars == 4))', HOTELS)
    assert answer.text == "Hotel Lindner"


@pytest.mark.parametrize("words", ["moderate", "moderately", "moderately priced", "$$"])
def test_words_for_a_price_level(words: str) -> None:
    inn = Place(
        id="sun",
        name="Hotel Sun",
        categories=("hotel",),
        location=LatLng(lat=48.2, lng=16.3),
        price_level=2,
    )
    done = run(
        f'answer(place("Hotel Sun").price == "{words}", less=place("Hotel Sun").price < "{words}")', inn
    )
    assert not done.objections()
    assert (done.answer().text, parts(done.answer())["less"]) == ("Yes", "No")


SHOP = _place("Bike Shop", "bicycle_shop", 40, 40, hours="09:00-12:30; 14:30-19:00; Su off")


def test_both_spans_of_a_day_are_told() -> None:
    done = run('answer(hours("Bike Shop", "Mon"), sunday=is_open("Bike Shop", "Sun 10:00"))', SHOP)
    answer = done.answer()
    assert not done.rejections
    assert answer.status is Status.ANSWERED, answer.reason
    assert all(clock in answer.text.replace(":", "") for clock in ("900", "1230", "1430", "1900"))
    assert answer.parts["sunday"].text == "No"
