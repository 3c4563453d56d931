"""Trips over a dozen stops are put in order, longer ones refused."""

import pytest

from tests.modules.query.language.running import run

NAMES = (
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
        f'day = trip({_visits(NAMES)}, start="Station", mode="bike", order="free"{limits and ", "}{limits})\n'
        "answer(day.order, many=count(day.order))"
    )
    assert not done.objections()
    assert done.answer().text


def test_more_are_refused() -> None:
    done = run(f'answer(trip({_visits((*NAMES, "Station"))}, mode="bike", order="free").order)')
    assert not done.objections()
    assert "at most 12 stops" in done.answer().reason
