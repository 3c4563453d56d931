"""Where a program names no mode of travel one walks, and the answer says so."""

import pytest

from tests.modules.query.language.running import run


@pytest.mark.parametrize(
    ("without", "walking"),
    [
        ('answer(travel("Zoo", "Opera").duration)', 'answer(travel("Zoo", "Opera", "walk").duration)'),
        ('answer(routes("Zoo", "Opera")[0].distance)', 'answer(routes("Zoo", "Opera", "walk")[0].distance)'),
        (
            'answer(trip(["Opera", "Castle"], start="Zoo").travel)',
            'answer(trip(["Opera", "Castle"], start="Zoo", mode="walk").travel)',
        ),
        (
            'answer(trip([], start="Zoo", end="Opera").travel)',
            'answer(travel("Zoo", "Opera", "walk").duration)',
        ),
    ],
)
def test_one_walks(without: str, walking: str) -> None:
    done = run(without)
    answer, expected = done.answer(), run(walking).answer()
    assert not done.objections()
    assert answer.text == expected.text
    assert any("walking is assumed" in one for one in answer.assumptions)
    assert not expected.assumptions


def test_visits_with_their_own_modes_need_none() -> None:
    done = run(
        'answer(trip([visit("Opera", mode="bike"), visit("Castle", mode="drive")], start="Zoo").travel)'
    )
    assert not done.answer().assumptions
