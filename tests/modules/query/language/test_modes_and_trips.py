"""Where no mode of travel is named one walks; trips over a dozen stops are put in order, longer ones refused."""

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


STOPS = (
    "Castle", "Opera", "Library", "Grand Hotel", "City Museum", "Zoo", "Glass Museum", "Cafe Alba", "Cafe Birke",
    "Gasthaus", "Pharmacy North", "Inn",
)  # fmt: skip


def _visits(names: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'visit("{name}", stay="20 min")' for name in names) + "]"


@pytest.mark.parametrize(
    "limits", ["", 'depart="Wed 10:00"', 'depart="Wed 10:00", arrive="Wed 14:00", skip=True', 'arrive="Wed 18:00"']
)  # fmt: skip
def test_a_dozen_stops(limits: str) -> None:
    done = run(
        f'day = trip({_visits(STOPS)}, start="Station", mode="bike", order="free"{limits and ", "}{limits})\n'
        "answer(day.order, many=count(day.order))"
    )
    assert not done.objections()
    assert done.answer().text


def test_more_are_refused() -> None:
    done = run(f'answer(trip({_visits((*STOPS, "Station"))}, mode="bike", order="free").order)')
    assert not done.objections()
    assert "at most 12 stops" in done.answer().reason
