"""Areas of reach that a source tells wrongly: the travel times of single places contradict them."""

from collections.abc import Callable
from typing import Any

import pytest
import shapely
from shapely import affinity

from map_tools.providers.base import Spot
from map_tools.providers.osm import OsmProvider
from map_tools.types import Shape, TravelMode
from modules.query.values.unknown import Unknown
from tests.modules.query.verify.worked import work

STARTS = ("Kiasma", "Kino Engel", "Kinopalatsi", "Hotel Arthur", "Lilla Teatern")
PROGRAM = """
near = reachable("{start}", "{minutes} min", "{mode}")
answer(count(places("cafe", inside=near)), size=near.size)
"""


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(("mode", "minutes"), [("walk", 3), ("walk", 8), ("bike", 3), ("drive", 2)])
def test_right_ones_leave(provider: OsmProvider, start: str, mode: str, minutes: int) -> None:
    worked = work(PROGRAM.format(start=start, mode=mode, minutes=minutes), provider)
    assert worked.objections() == ()
    assert not isinstance(worked.outcome.finished.value, Unknown)


def _changed(
    provider: OsmProvider,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Any], Any],
    minutes: int,
    factor: float = 1.0,
) -> list[str]:
    """What speaks against the program over a source whose areas are changed."""
    told = provider.reach

    async def wrong(origin: Spot, *, within_s: float, mode: TravelMode) -> Shape:
        right = await told(origin, within_s=factor * within_s, mode=mode)
        return Shape(kind="area", wkt=shapely.to_wkt(change(shapely.from_wkt(right.wkt))))

    monkeypatch.setattr(provider, "reach", wrong)
    return work(PROGRAM.format(start="Kinopalatsi", mode="walk", minutes=minutes), provider).rejections


@pytest.mark.parametrize(
    ("change", "minutes", "factor"),
    [
        pytest.param(lambda area: area, 3, 4.0, id="of a longer time"),
        pytest.param(lambda area: area, 8, 0.25, id="of a shorter time"),
        pytest.param(lambda area: affinity.translate(area, yoff=0.06), 6, 1.0, id="in the next town"),
        pytest.param(
            lambda area: shapely.transform(area, lambda at: at[:, ::-1]), 6, 1.0, id="latitude first"
        ),
    ],
)
def test_wrong_areas_do_not(
    provider: OsmProvider,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[Any], Any],
    minutes: int,
    factor: float,
) -> None:
    rejections = _changed(provider, monkeypatch, change, minutes, factor)
    assert any("another area" in one for one in rejections), rejections


def test_nothing_is_wrong_with_an_area_that_stays(
    provider: OsmProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _changed(provider, monkeypatch, lambda area: area, 6) == []
