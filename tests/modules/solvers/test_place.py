"""Facts about one place, ambiguity, and what a source lacks."""

import pytest

from mapagent.answer import Quantity, Status, Text, YesNo
from modules.offline.intents import Attribute, PlaceFactIntent
from modules.solvers import solve
from tests.support.evidence import failure_fact, place, place_fact, view_of

CAFE = place(
    "Fig Cafe",
    60.1,
    24.9,
    address="Quay 5",
    phone="+358 9 123 4567",
    rating=4.5,
    rating_count=210,
    services={"serves_lunch": False, "wheelchair": True},
    attributes={"cuisine": "thai"},
)


def ask(attribute, found=CAFE, options=(), tool="PlaceInfo", rivals=(), **slots):
    view = view_of(place_fact(found, rivals=rivals), options=options, tool=tool)
    return solve(PlaceFactIntent(place=found.name, attribute=attribute, **slots), view)


@pytest.mark.parametrize(
    ("attribute", "service", "value"),
    [
        (Attribute.ADDRESS, None, Text(text="Quay 5", topic="address")),
        (Attribute.PHONE, None, Text(text="+358 9 123 4567", topic="phone")),
        (Attribute.RATING, None, Quantity(value=4.5, unit="rating")),
        (Attribute.RATING_COUNT, None, Quantity(value=210, unit="count")),
        (Attribute.SERVICE, "serves lunch", YesNo(value=False)),
        (Attribute.SERVICE, "wheelchair", YesNo(value=True)),
        (Attribute.OTHER, "cuisine", Text(text="thai", topic="cuisine")),
    ],
)
def test_a_stated_fact_is_given_with_its_evidence(attribute, service, value):
    solution = ask(attribute, service=service)
    assert (solution.status, solution.value) == (Status.ANSWERED, value)
    assert solution.evidence_ids == ("e1",)
    assert [claim.rule for claim in solution.claims] == ["lookup"]


def test_a_service_that_is_not_stated_is_unanswerable_and_never_no():
    solution = ask(Attribute.SERVICE, service="wifi", tool="context")
    assert solution.status is Status.UNANSWERABLE
    assert "The text does not say" in solution.reason


def test_a_text_that_names_a_service_of_others_and_only_its_sister_here_says_no():
    here = place("Fig Cafe", services={"serves_dinner": True})
    other = place("Plum Cafe", services={"serves_dinner": True, "serves_lunch": True})
    intent = PlaceFactIntent(place="Fig Cafe", attribute=Attribute.SERVICE, service="serves_lunch")
    told = solve(intent, view_of(place_fact(here), place_fact(other), tool="context"))
    assert told.value == YesNo(value=False)
    assert told.warnings
    alone = solve(intent, view_of(place_fact(here), tool="context"))
    assert alone.status is Status.UNANSWERABLE


def test_a_missing_attribute_says_what_the_source_lacks():
    solution = ask(Attribute.PRICE_LEVEL)
    assert solution.status is Status.UNANSWERABLE
    assert "price level" in solution.reason
    assert "Fig Cafe" in solution.reason


@pytest.mark.parametrize(("least", "holds"), [(4.5, True), (4.6, False)])
def test_a_statement_about_a_least_value(least, holds):
    assert ask(Attribute.RATING, at_least=least).value == YesNo(value=holds)


@pytest.mark.parametrize(("words", "holds"), [("09 1234567", True), ("09 7654321", False)])
def test_a_stated_phone_number_is_compared_by_its_digits(words, holds):
    assert ask(Attribute.PHONE, is_value=words).value == YesNo(value=holds)


def test_an_unknown_place_is_asked_for_and_then_reported():
    intent = PlaceFactIntent(place="Nowhere", attribute=Attribute.PHONE)
    asking = view_of(closed=False)
    assert solve(intent, asking) is None
    assert [need.text for need in asking.needs] == ["Nowhere"]
    failed = view_of(failure_fact("Nowhere", "Nothing on the map is called 'Nowhere'."), closed=False)
    assert solve(intent, failed).reason == "Nothing on the map is called 'Nowhere'."


def test_facts_of_one_place_from_several_blocks_are_put_together():
    bare = place("Fig Cafe", id="context:fig-cafe")
    rated = place("Fig Cafe", id="context:fig-cafe-2", rating=3.9)
    view = view_of(place_fact(bare), place_fact(rated), tool="context")
    solution = solve(PlaceFactIntent(place="Fig Cafe", attribute=Attribute.RATING), view)
    assert solution.value == Quantity(value=3.9, unit="rating")
    assert solution.evidence_ids == ("e1", "e2")


NORTH = place("Fig Cafe", 60.2, 24.9, id="osm:n2", address="North Street 1", phone="+358 9 777 0000")


def test_an_ambiguous_name_names_its_candidates():
    solution = ask(Attribute.PHONE, rivals=(NORTH,))
    assert solution.status is Status.AMBIGUOUS
    assert "Quay 5" in solution.reason
    assert "North Street 1" in solution.reason


def test_an_ambiguous_name_is_settled_by_the_only_fitting_option():
    solution = ask(Attribute.PHONE, rivals=(NORTH,), options=("09 777 0000", "09 111 2222"))
    assert solution.value == Text(text="+358 9 777 0000", topic="phone")


def test_rivals_that_agree_are_no_ambiguity():
    twin = NORTH.model_copy(update={"phone": CAFE.phone})
    solution = ask(Attribute.PHONE, rivals=(twin,))
    assert solution.status is Status.ANSWERED
    assert solution.warnings
