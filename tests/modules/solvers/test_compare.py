"""Several named places compared."""

from datetime import time

import pytest

from mapagent.answer import Named, NameSet, OptionPick, Quantity, Sequence, Status, YesNo
from modules.offline.intents import Attribute, Compare, ComparePlacesIntent, Filters, When
from modules.solvers import solve
from tests.support.claims import objections
from tests.support.evidence import place, place_fact, view_of

PLACES = (
    place("Alder", rating=4.1, rating_count=900, price_level=1, hours="Mo-Su 08:00-20:00", address="Dock 1"),
    place(
        "Birch", rating=4.6, rating_count=120, price_level=3, hours="Mo-Su 10:00-23:00", address="Hill Road 9"
    ),
    place("Cedar", rating=3.9, rating_count=2500, price_level=2, hours="Mo-Sa 07:00-19:00; Su off"),
)


def compare(options=(), places=("Alder", "Birch", "Cedar"), **slots):
    view = view_of(*map(place_fact, PLACES), options=options, tool="context")
    return solve(ComparePlacesIntent(places=places, **slots), view)


@pytest.mark.parametrize(
    ("attribute", "pick", "order"),
    [
        (Attribute.RATING, Compare.MAX, ["Birch", "Alder", "Cedar"]),
        (Attribute.RATING_COUNT, Compare.MIN, ["Birch", "Alder", "Cedar"]),
        (Attribute.PRICE_LEVEL, Compare.MAX, ["Birch", "Cedar", "Alder"]),
    ],
)
def test_most_or_least_of_an_attribute(attribute, pick, order):
    solution = compare(attribute=attribute, pick=pick)
    assert isinstance(solution.value, Named)
    assert [solution.value.name, *(value.name for value in solution.ranking)] == order


def test_who_opens_first_and_closes_last():
    monday = When(weekday=0)
    assert compare(attribute=Attribute.HOURS, pick=Compare.MIN, when=monday).value.name == "Cedar"
    assert compare(attribute=Attribute.HOURS, pick=Compare.MAX, when=monday).value.name == "Birch"
    sunday = compare(attribute=Attribute.HOURS, pick=Compare.MIN, when=When(weekday=6))
    assert sunday.value.name == "Alder"


def test_the_options_are_the_places_where_none_are_named():
    options = ("Cedar", "Birch - Hill Road 9", "", "Alder")
    solution = compare(options, places=(), attribute=Attribute.RATING, pick=Compare.MAX)
    assert solution.value == OptionPick(index=1, text="Birch - Hill Road 9")


def test_conditions_alone_decide():
    late = Filters(open_at=When(weekday=2, at=time(22)))
    assert compare(filters=late).value.name == "Birch"
    assert compare(filters=Filters(max_rating=4.2)).value == NameSet(names=("Alder", "Cedar"))
    assert compare(filters=Filters(address_contains="hill road")).value.name == "Birch"


def test_nobody_fulfils_the_conditions():
    solution = compare(filters=Filters(min_rating=4.9))
    assert solution.status is Status.UNANSWERABLE
    assert "rating at least 4.9" in solution.reason


def test_an_attribute_nobody_states():
    bare = view_of(place_fact(place("Alder")), place_fact(place("Birch")), tool="context")
    intent = ComparePlacesIntent(places=("Alder", "Birch"), attribute=Attribute.RATING)
    assert "no rating" in solve(intent, bare).reason


def test_a_claim_of_having_more_is_a_yes_or_a_no():
    assert compare(places=("Birch", "Alder"), attribute=Attribute.RATING, claim="Birch").value == YesNo(
        value=True
    )
    assert compare(places=("Alder", "Birch"), attribute=Attribute.RATING, claim="Alder").value == YesNo(
        value=False
    )


@pytest.mark.parametrize(
    ("direction", "furthest"), [("N", "Upper"), ("S", "Lower"), ("E", "Lower"), ("W", "Upper")]
)
def test_who_lies_furthest_in_a_direction(direction, furthest):
    places = (place("Upper", 60.2, 24.9), place("Lower", 60.1, 25.0))
    view = view_of(*map(place_fact, places))
    intent = ComparePlacesIntent(places=("Upper", "Lower"), direction=direction)
    assert solve(intent, view).value.name == furthest


@pytest.mark.parametrize(
    ("attribute", "by", "value"),
    [
        (Attribute.RATING, None, Quantity(value=0.5, unit="rating")),
        (Attribute.RATING_COUNT, None, Quantity(value=780, unit="rating_count")),
        (Attribute.HOURS, "closes", Quantity(value=3 * 3600, unit="s")),
        (Attribute.HOURS, "opens", Quantity(value=2 * 3600, unit="s")),
        (Attribute.HOURS, "duration", Quantity(value=3600, unit="s")),
    ],
)
def test_how_far_two_places_are_apart(attribute, by, value):
    """4.6 − 4.1; 900 − 120; 23:00 − 20:00; 10:00 − 8:00; 13 h − 12 h."""
    slots = {"attribute": attribute, "by": by, "when": When(weekday=0), "ask": "difference"}
    solution = compare(places=("Alder", "Birch"), **slots)
    assert solution.value == value
    assert objections(view_of(*map(place_fact, PLACES), tool="context"), solution) == []


def test_no_difference_where_one_place_is_silent():
    solution = compare(
        places=("Cedar", "Alder"), attribute=Attribute.HOURS, when=When(weekday=6), ask="difference"
    )
    assert solution.status is Status.UNANSWERABLE


@pytest.mark.parametrize(
    ("pick", "names"),
    [(Compare.MAX, ("Birch", "Alder", "Cedar")), (Compare.MIN, ("Cedar", "Alder", "Birch"))],
)
def test_all_places_in_order(pick, names):
    assert compare(attribute=Attribute.RATING, pick=pick, ask="order").value == Sequence(names=names)


def test_which_is_open_longest():
    """On Sundays Alder for 12 hours, Birch for 13, Cedar not at all."""
    assert compare(attribute=Attribute.HOURS, by="duration", when=When(weekday=6)).value.name == "Birch"
    claimed = compare(
        places=("Alder", "Birch"),
        attribute=Attribute.HOURS,
        by="duration",
        when=When(weekday=6),
        claim="Alder",
    )
    assert claimed.value == YesNo(value=False)


def test_which_end_of_the_day_is_compared():
    """Alder opens at 8, Birch at 10, Cedar at 7: Birch opens last; Cedar (19:00) closes first."""
    monday = {"attribute": Attribute.HOURS, "when": When(weekday=0)}
    assert compare(pick=Compare.MAX, by="opens", **monday).value.name == "Birch"
    assert compare(pick=Compare.MIN, by="closes", **monday).value.name == "Cedar"
