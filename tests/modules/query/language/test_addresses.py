"""Parts of an address that a text tells in one line."""

import pytest

from modules.query.interpreter.address_line import address_parts
from tests.modules.query.language.telling import parts, told

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
