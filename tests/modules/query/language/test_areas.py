"""Areas of which only a house bears the name."""

import pytest

from map_tools.types import LatLng, Place
from mapagent.answer import Status
from tests.modules.query.language.running import run


def _called(name: str, *kinds: str, north: float = 0.0) -> Place:
    return Place(
        id=f"{name}-{kinds[0]}", name=name, categories=kinds, location=LatLng(lat=48.21 + north, lng=16.31)
    )


@pytest.mark.parametrize("kinds", [("hotel", "lodging"), ("school", "education"), ("convenience", "shop")])
def test_a_house_is_no_quarter(kinds: tuple[str, ...]) -> None:
    done = run('answer(area("Riverside"))', _called("Riverside", *kinds))
    answer = done.answer()
    assert not done.rejections
    assert answer.status is Status.UNANSWERABLE
    assert "No area called 'Riverside'" in answer.reason
    assert "Riverside (" in answer.reason


def test_a_quarter_without_an_outline_comes_before_a_house() -> None:
    places = (_called("Riverside", "hotel", "lodging"), _called("Riverside", "suburb", north=0.01))
    done = run('answer(area("Riverside").kind)', *places)
    assert not done.rejections
    assert done.answer().text == "suburb"
    assert any("no outline" in one for one in done.answer().assumptions)


def test_a_house_that_is_named_with_its_kind_is_meant() -> None:
    done = run('answer(area("Riverside School").kind)', _called("Riverside School", "school", "education"))
    assert done.answer().text == "school"
