"""Ways with different ends, compared by what supplied text says of them."""

from typing import Any

import pytest

from map_tools.types import TravelMode
from mapagent.answer import OptionPick, Solution
from modules.offline.intents import Compare, PairIntent
from modules.solvers.picks import solve_pair
from modules.view import CannotTellError, View
from tests.support.claims import objections
from tests.support.evidence import travel_fact, view_of

THERE, BACK, ASIDE = "Inn to Mill", "Mill to Inn", "Inn to the Lake"
WAYS = (
    travel_fact("Inn", "Mill", 64, 21000),
    travel_fact("Mill", "Inn", 61, 20400),
    travel_fact("Inn", "Lake", 64, 9),
)


def view(*options: str, facts: tuple[Any, ...] = WAYS) -> View:
    return view_of(*facts, tool="context", options=options)


def solved(asked: View, **slots: Any) -> Solution:
    solution = solve_pair(PairIntent(mode=TravelMode.DRIVING, **slots), asked)
    assert solution is not None
    assert objections(asked, solution) == []
    return solution


@pytest.mark.parametrize(
    ("pick", "measure", "index"),
    [(Compare.MAX, "duration", 0), (Compare.MIN, "duration", 1), (Compare.MIN, "distance", 1)],
)
def test_the_way_that_comes_first(pick: Compare, measure: str, index: int) -> None:
    solution = solved(view(THERE, BACK, "Both are equal"), pick=pick, measure=measure)
    assert solution.value == OptionPick(index=index, text=(THERE, BACK)[index])


@pytest.mark.parametrize(
    ("options", "facts"), [((THERE, ASIDE), WAYS), ((THERE, BACK), WAYS[:1]), ((THERE, BACK), ())]
)
def test_equal_or_unknown_ways_are_not_told(options: tuple[str, ...], facts: tuple[Any, ...]) -> None:
    with pytest.raises(CannotTellError):
        solved(view(*options, facts=facts), pick=Compare.MAX, measure="duration")
