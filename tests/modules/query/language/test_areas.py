"""Areas of which only a house bears the name."""

import asyncio
from collections.abc import Iterator

import osmium
import pyproj
import pytest
import shapely

from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng, Place
from mapagent.core.answer import Status
from tests.modules.query.language.running import run
from tests.modules.query.verify.worked import work
from tests.support.data import demo_extract
from tests.support.maps import demo_map


@pytest.fixture(scope="module")
def demo() -> Iterator[OsmProvider]:
    opened = OsmProvider.open(demo_map())
    yield opened
    asyncio.run(opened.close())


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


def test_a_square_has_the_outline_of_the_extract(demo: OsmProvider) -> None:
    outline = next(
        shapely.from_wkb(bytes.fromhex(osmium.geom.WKBFactory().create_multipolygon(area)))
        for area in osmium.FileProcessor(str(demo_extract())).with_areas()
        if area.is_area() and area.tags.get("name") == "Senaatintori"
    )
    size_m2 = abs(pyproj.Geod(ellps="WGS84").geometry_area_perimeter(outline)[0])
    worked = work('answer(area("Senaatintori").size, kind=area("Senaatintori").kind)', demo)
    assert not worked.objections()
    assert worked.outcome.finished.value.value == pytest.approx(size_m2, rel=0.001)
    assert worked.answer().parts["kind"].text == "square"
    assert not worked.answer().assumptions


def test_the_whole_map_has_no_size(demo: OsmProvider) -> None:
    for field in ("size", "perimeter"):
        worked = work(f'answer(area("helsinki").{field})', demo)
        assert not worked.objections()
        assert worked.answer().status is Status.UNANSWERABLE
        assert worked.answer().reason == "“helsinki” is the whole map, which has no outline of its own."


def test_a_street_is_what_stands_on_it(demo: OsmProvider) -> None:
    """However it is told, and whatever else is called after it."""
    lists = [
        work(f"answer(places('restaurant', {where}))", demo)
        for where in (
            'on="Aleksanterinkatu"',
            'inside="Aleksanterinkatu"',
            'inside=place("Aleksanterinkatu")',
        )
    ]
    assert not any(one.objections() for one in lists)
    names = [{one.name for one in worked.outcome.finished.value} for worked in lists]
    assert len(names[0]) > 1
    assert names[0] == names[1] == names[2]


@pytest.mark.parametrize("bounds", ["", ', within="3 km"'])
def test_no_place_of_an_unheard_of_kind_is_no_answer(bounds: str, demo: OsmProvider) -> None:
    worked = work(f'answer(nearest("moonlit bar", to="Kiasma"{bounds}))', demo)
    assert not worked.objections()
    assert worked.answer().status is Status.UNANSWERABLE
    assert "Search for “bar” alone" in worked.answer().reason
    assert work('answer(nearest("bar", to="Kiasma"))', demo).answer().status is Status.ANSWERED
