"""Areas: those of which only a house bears the name, and shapes that a text brings, named by their headings."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import osmium
import pyproj
import pytest
import shapely

from map_tools.providers.osm import OsmProvider
from map_tools.types import LatLng, Place
from mapagent.core.answer import Answer, Status
from mapagent.core.question import Question
from tests.modules.query.language.running import run, told
from tests.modules.query.verify.town import at
from tests.modules.query.verify.worked import work
from tests.support.data import demo_extract
from tests.support.maps import demo_map, extract, extract_map


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


def _drawn(path: Path, name: str) -> tuple[float, float]:
    """Square metres and perimeter in metres of the area of this name, read from the extract itself."""
    outline = next(
        shapely.from_wkb(bytes.fromhex(osmium.geom.WKBFactory().create_multipolygon(area)))
        for area in osmium.FileProcessor(str(path)).with_areas()
        if area.is_area() and area.tags.get("name") == name
    )
    size_m2, round_m = pyproj.Geod(ellps="WGS84").geometry_area_perimeter(outline)
    return abs(size_m2), round_m


def test_the_size_of_a_name_is_that_of_the_area_called_so() -> None:
    """The map has the quarter as a point, too."""
    name = "munich-centre-2020-07-20"
    provider = OsmProvider.open(extract_map(name))
    worked = work('p = place("Kreuzviertel")\nanswer(p.size, around=p.perimeter, kind=p.kind)', provider)
    answer, size_m2 = worked.answer(), worked.outcome.finished.value.value
    asyncio.run(provider.close())
    assert not worked.objections()
    assert answer.parts["kind"].text == "neighbourhood"
    drawn_m2, round_m = _drawn(extract(name), "Bezirksteil Kreuzviertel")
    assert size_m2 == pytest.approx(drawn_m2, rel=0.001)
    assert dict(worked.outcome.finished.parts)["around"].value == pytest.approx(round_m, rel=0.001)
    assert answer.assumptions == ("“Kreuzviertel” is taken to be the area Bezirksteil Kreuzviertel",)


@pytest.mark.parametrize("other", [("Aston Lake", "lake"), ("Aston", "parking")])
def test_what_is_called_otherwise_or_is_no_ground_has_not_the_size_of_a_peak(other: tuple[str, str]) -> None:
    done = run('answer(place("Aston").size)', _called("Aston", "peak"), _called(*other, north=0.01))
    assert not done.rejections
    assert done.answer().status is Status.UNANSWERABLE
    assert "Aston has no outline" in done.answer().reason


def test_a_square_has_the_outline_of_the_extract(demo: OsmProvider) -> None:
    size_m2, _ = _drawn(demo_extract(), "Senaatintori")
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


@pytest.mark.parametrize(
    ("off_m", "address", "stands"),
    [
        (20, "Side Street 4", True),
        (80, "Side Street 4", False),
        (80, "Long Street 4", True),
        (80, "Long Street 4, 1010 Town", True),
        (200, "Long Street 4", False),
    ],
)
@pytest.mark.parametrize(
    "standing",
    [
        'places("kiosk", on="Long Street")',
        'places(places("kiosk"), on="Long Street")',
        'places("kiosk", inside=area("Long Street"))',
        'places(places("kiosk"), inside=area("Long Street"))',
        'places("kiosk", where=lambda k: k in area("Long Street"))',
        '[k for k in places("kiosk") if not (k not in area("Long Street"))]',
    ],
)
def test_what_is_addressed_at_a_street_stands_on_it_a_bit_farther_off(
    off_m: float, address: str, standing: str, *, stands: bool
) -> None:
    """However it is asked; the street runs from west to east at 130 m south of the middle of the town."""
    kiosk = Place(id="k", name="K", categories=("kiosk",), location=at(100, off_m - 130), address=address)
    done = run(f"answer(count({standing}))", kiosk)
    assert not done.objections()
    assert done.answer().text == str(int(stands))


@pytest.mark.parametrize("what", ['"kiosk"', 'places("kiosk")'])
@pytest.mark.parametrize(
    ("bounds", "names"),
    [
        ('on="Long Street"', ["West", "Middle", "East"]),
        ('on="Long Street", inside=area("Old Town")', ["West", "Middle"]),
        ('along="Long Street", inside=area("Old Town")', ["West", "Middle", "Off"]),
        ('along="Long Street", touching=area("New Town")', ["East"]),
        ('on="Long Street", near="Town Hall", within="300 m"', ["Middle"]),
        ('along="Long Street", within="50 m"', ["West", "Middle", "East"]),
        ('along="Long Street", near="Town Hall"', ["Middle", "Off", "West", "East"]),
        ('along="Long Street", near="Town Hall", within="310 m"', ["Middle", "Off"]),
        ('along="Long Street", near="Town Hall", inside=area("New Town")', ["East"]),
        ('on="Long Street", near="Town Hall", inside=area("Old Town")', ["Middle", "West"]),
    ],
)
def test_all_bounds_of_a_search_hold(what: str, bounds: str, names: list[str]) -> None:
    """The street runs through both towns, whose border is 560 m east of the town hall."""
    spots = {"West": (-400, -150), "Middle": (100, -130), "Off": (300, -30), "East": (700, -120)}
    kiosks = [
        Place(id=name, name=name, categories=("kiosk",), location=at(*spot)) for name, spot in spots.items()
    ]
    done = run(f"answer(places({what}, {bounds}))", *kiosks)
    assert not done.objections()
    assert [one.name for one in done.outcome.finished.value] == names


@pytest.mark.parametrize("bounds", ["", ', within="3 km"'])
def test_no_place_of_an_unheard_of_kind_is_no_answer(bounds: str, demo: OsmProvider) -> None:
    worked = work(f'answer(nearest("moonlit bar", to="Kiasma"{bounds}))', demo)
    assert not worked.objections()
    assert worked.answer().status is Status.UNANSWERABLE
    assert "Search for “bar” alone" in worked.answer().reason
    assert work('answer(nearest("bar", to="Kiasma"))', demo).answer().status is Status.ANSWERED


GEOD = pyproj.Geod(ellps="WGS84")
BASIN = shapely.box(9.40, 47.40, 9.60, 47.60)
YARD = shapely.box(9.45, 47.45, 9.50, 47.50)
HOLLOW = shapely.Polygon(BASIN.exterior, [shapely.box(9.52, 47.52, 9.58, 47.58).exterior])
MAST, BUOY, TOWER = shapely.Point(9.55, 47.55), shapely.Point(9.70, 47.45), shapely.Point(9.47, 47.46)


def block(heading: str, geometry: shapely.Geometry) -> str:
    return f"{heading}:\n```json\n{json.dumps(json.loads(shapely.to_geojson(geometry)))}\n```\n"


TEXT = "\n".join(
    [
        block("Geometry A (the harbour basin)", BASIN),
        block("Shipyard boundary", YARD),
        block("Zone C (reserve (with a hole))", HOLLOW),
        block("Mast", MAST),
        block("Option: Red Buoy", BUOY),
        f"Old Tower: {TOWER.wkt}\n",
        f"Ferry line\n{shapely.LineString([(9.3, 47.5), (9.7, 47.5)]).wkt}\n",
        "Answer with True or False.",
    ]
)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ('"Mast" in "harbour basin"', BASIN.covers(MAST)),
        ('"Red Buoy" in "harbour basin"', BASIN.covers(BUOY)),
        ('"Mast" in "reserve"', HOLLOW.covers(MAST)),
        ('"Shipyard boundary" in "Geometry A"', BASIN.covers(YARD)),
        ('"harbour basin" in "the yard boundary"', YARD.covers(BASIN)),
        ('"47.46N, 9.47E" not in "Shipyard boundary"', not YARD.covers(TOWER)),
        ('intersects("harbour basin", "47.55, 9.55")', BASIN.intersects(MAST)),
        ('intersects("Mast", "Zone C")', HOLLOW.intersects(MAST)),
        ('touches("47.5, 9.6", "harbour basin")', BASIN.touches(shapely.Point(9.6, 47.5))),
        ('disjoint("Red Buoy", "Shipyard boundary")', YARD.disjoint(BUOY)),
        ('crosses("Ferry line", "harbour basin")', True),
        ('disjoint("basin", "Shipyard")', BASIN.disjoint(YARD)),
    ],
)
def test_what_lies_in_and_meets_what(program: str, expected: bool) -> None:
    answer = told(f"answer({program})", TEXT)
    assert (answer.status, answer.text) == (Status.ANSWERED, "Yes" if expected else "No")


def test_distances_are_from_the_edge_of_a_shape() -> None:
    edge = GEOD.inv(BUOY.x, BUOY.y, 9.60, 47.45)[2]
    assert metres(told('answer(distance("Red Buoy", "harbour basin"))', TEXT)) == pytest.approx(
        edge, rel=0.01
    )
    apart = GEOD.inv(BUOY.x, BUOY.y, TOWER.x, TOWER.y)[2]
    assert metres(told('answer(distance("Red Buoy", "Old Tower"))', TEXT)) == pytest.approx(apart, rel=0.01)


def test_any_word_for_a_thing_finds_what_has_no_kind() -> None:
    text = "\n".join(
        block(name, point)
        for name, point in (("Old Tower", TOWER), ("Mast", MAST), ("Option: Red Buoy", BUOY))
    )
    assert told('answer(nearest("landmark", to="Old Tower"))', text).text == "Mast"
    for kind in ("pharmacy", "museum"):
        assert told(f'answer(nearest("{kind}", to="Old Tower"))', text).text != "Mast"


def test_two_positions_stand_in_no_relation_of_shapes() -> None:
    answer = told('answer(touches("Mast", "Red Buoy"))', TEXT)
    assert answer.status is Status.UNANSWERABLE
    assert "neither has an outline" in " ".join([*answer.warnings, answer.reason or ""])


def test_data_pasted_into_a_question_is_its_text() -> None:
    question = Question(text=f"Is the mast in the basin?\n\n{TEXT}\n\nYes or no?").with_data_apart()
    assert question.text == "Is the mast in the basin?\n\nAnswer with True or False.\n\nYes or no?"
    assert question.context is not None
    assert question.context.startswith("Geometry A (the harbour basin):\n```json")


@pytest.mark.parametrize("text", ["Is the mast in POINT (1 2)?", "Two paragraphs\n\nwithout data", BASIN.wkt])
def test_other_questions_stay_as_they_are(text: str) -> None:
    assert Question(text=text).with_data_apart() == Question(text=text)


def metres(answer: Answer) -> float:
    number, unit = answer.text.split()
    return float(number) * (1000 if unit == "km" else 1)
