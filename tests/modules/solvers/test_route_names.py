"""Which place of the travel facts the question's words mean."""

import pytest

from modules.solvers.route_names import NameBook
from tests.support.evidence import travel_fact, view_of

TOLD = ("Larkov Zoological Garden", "Tram Museum", "Odeon Movie Theater")


def book(*asked):
    ways = (travel_fact("Hill Inn", name, 10, 2000) for name in TOLD)
    return NameBook(view_of(*ways, tool="context"), ("Hill Inn", *asked))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("zoo", "Larkov Zoological Garden"),
        ("the cinema", "Odeon Movie Theater"),
    ],
)
def test_a_kind_is_the_place_that_tells_it_in_its_name(words, name):
    made = book(words)
    assert made.of(words) == name
    assert made.warnings == [f"'{words}' was taken to be {name}."]


def test_another_kind_is_none_of_them():
    assert book("library", "the zoo").of("library") == "library"
