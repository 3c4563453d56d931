"""Of which kind, or where, there are more."""

import pytest

from mapagent.answer import Status, Text, YesNo
from modules.offline.intents import Compare, NearbyIntent, What
from modules.solvers import solve
from tests.support.evidence import nearby_fact, place, view_of

HUB, SIDE = place("Hub", 52.0, 5.0), place("Side", 52.1, 5.0)
CAFES = What(text="cafes", categories=("cafe",))
BARS = What(text="bars", categories=("bar",))
FACTS = (
    nearby_fact(
        "Hub",
        "cafes",
        [(place(name, 52.001, 5.0), 111.0) for name in ("Alfa", "Beta")],
        categories=("cafe",),
        anchor_place=HUB,
        radius_m=500,
    ),
    nearby_fact(
        "Hub",
        "bars",
        [(place(name, 52.001, 5.001), 130.0) for name in ("Gin", "Rum", "Rye")],
        categories=("bar",),
        anchor_place=HUB,
        radius_m=500,
    ),
    nearby_fact(
        "Side",
        "cafes",
        [(place(name, 52.101, 5.0), 111.0) for name in ("Gamma", "Delta")],
        categories=("cafe",),
        anchor_place=SIDE,
        radius_m=500,
    ),
)


def compare(**slots):
    intent = NearbyIntent(**{"what": CAFES, "anchors": ("Hub",), "radius_m": 500, "ask": "more", **slots})
    return solve(intent, view_of(*FACTS, tool="Nearby"))


@pytest.mark.parametrize(("pick", "most"), [(Compare.MAX, "bars"), (Compare.MIN, "cafes")])
def test_kinds_around_one_place(pick, most):
    solution = compare(kinds=(CAFES, BARS), pick=pick)
    assert solution.value == Text(text=most)
    assert solution.explanation == "cafes 2, bars 3."


def test_a_claim_is_judged():
    assert compare(kinds=(CAFES, BARS), pick=Compare.MAX, claims=True).value == YesNo(value=False)
    assert compare(kinds=(CAFES, BARS), pick=Compare.MIN, claims=True).value == YesNo(value=True)


def test_as_many_of_each_is_no_more():
    solution = compare(anchors=("Hub", "Side"), pick=Compare.MAX)
    assert (solution.status, "as many" in solution.reason) == (Status.UNANSWERABLE, True)
    assert compare(anchors=("Hub", "Side"), pick=Compare.MAX, claims=True).value == YesNo(value=False)
