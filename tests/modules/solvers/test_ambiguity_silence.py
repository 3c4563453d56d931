"""Rivals that say nothing do not agree."""

from map_tools.types import Place
from mapagent.answer import Status
from modules.offline.intents import Attribute, PlaceFactIntent
from modules.solvers import solve
from tests.support.evidence import place, place_fact, view_of


def branch(number: int, phone: str | None) -> Place:
    return place("Branch", id=f"p{number}", phone=phone, address=f"Street {number}")


def test_one_branch_with_a_number_among_silent_ones_is_ambiguous() -> None:
    rivals = [branch(number, None) for number in (2, 3)]
    view = view_of(
        place_fact(branch(1, "+1 234"), rivals=rivals),
        *(place_fact(rival, query=f"id:{rival.id}") for rival in rivals),
    )
    solution = solve(PlaceFactIntent(place="Branch", attribute=Attribute.PHONE), view)
    assert solution is not None
    assert solution.status is Status.AMBIGUOUS
    assert "Street 2" in solution.reason
