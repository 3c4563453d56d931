"""Listings of guides, and the pages of case studies made of them."""

import asyncio
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from evals.generate.recommend import cases as module
from evals.generate.recommend.cases import Case, ask, cases, listed_in, main, picture_of
from evals.generate.recommend.listings import Facets, Price, read_listings
from map_tools.errors import InputFileError
from mapagent.core.answer import Status
from mapagent.runtime.config import Settings
from modules.query.language.parser import parse
from modules.query.language.syntax import Call, String, walk
from modules.query.operators.recommend import Given
from modules.query.values.amount import parse_amount
from modules.recommender.retrieve import Geometry, Reach
from modules.recommender.understand import read_wish
from tests.evals.generate.recommend.guide import myhelsinki, wikivoyage
from tests.support.maps import demo_map

FACETS = Facets()


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("A romantic, candlelit cellar.", {"romantic"}),
        ("It is not romantic at all.", set()),
        ("Never crowded; no live music.", set()),
        ("Crowded on Fridays, quiet otherwise.", {"lively", "quiet"}),
        ("The artful quietness of wineries", set()),
        ("Laid-back bar, popular with locals, craft beers", {"quiet", "local", "beer"}),
        ("Fine dining with views", {"elegant", "view"}),
    ],
)
def test_a_description_states_what_it_does_not_deny(text: str, stated: set[str]) -> None:
    assert FACETS.in_text(text) == stated


def test_what_states_a_facet_is_taken_out() -> None:
    text = "A romantic, candlelit cellar with great views. It is not very quiet."
    assert FACETS.masked(text) == "A , cellar with great . It is ."
    assert FACETS.in_text(FACETS.masked(text)) == frozenset()


@pytest.mark.parametrize(
    ("text", "price"),
    [
        ("$8 adults; $5 seniors", Price(free=False, least=5.0)),
        ("Free", Price(free=True, least=None)),
        ("£80 - £175", Price(free=False, least=80.0)),
        ("donation of $5", Price(free=True, least=5.0)),
        ("", Price(free=False, least=None)),
    ],
)
def test_prices_are_read(text: str, price: Price) -> None:
    assert Price.read(text) == price


def test_cheap_is_the_lowest_third_of_its_kind_and_city() -> None:
    peers = [Price(free=False, least=float(amount)) for amount in (10, 20, 30, 40, 50, 60)]
    cheap = ["cheap" in FACETS.by_price(price, peers) for price in peers]
    assert cheap == [True, True, False, False, False, False]


def test_wikivoyage_shows_name_kind_and_masked_text_only(tmp_path: Path) -> None:
    listings = read_listings(wikivoyage(tmp_path / "g.jsonl"), "wikivoyage", {"city": "Helsinki"}, FACETS)
    assert len(listings) == 126
    assert {key for one in listings for key in one.shown.tags} == {
        "name",
        "amenity",
        "tourism",
        "description",
    }
    jazz = [one for one in listings if "live_music" in one.facets]
    assert jazz
    assert all(one.shown.tags["description"] == "every night and a long ." for one in jazz)
    assert any("cheap" in one.facets for one in listings)
    assert not any("$" in str(one.shown.tags) for one in listings)


def test_myhelsinki_shows_hours_and_withholds_all_tags_but_the_kind(tmp_path: Path) -> None:
    listings = read_listings(myhelsinki(tmp_path / "g.jsonl"), "myhelsinki", {}, FACETS)
    first = listings[0]
    assert first.shown.tags == {
        "name": "Paikka Aa",
        "amenity": "restaurant",
        "description": "Hyvä paikka.",
        "opening_hours": "Mo 11:00-23:00; Su off",
    }
    assert (first.kinds, first.facets) == (frozenset({"restaurant"}), frozenset({"wine"}))


def test_listings_without_a_place_or_a_known_kind_and_namesakes_are_left_out(tmp_path: Path) -> None:
    good = {"name": "Moss House", "kind": "eat", "lat": 1.0, "lon": 2.0}
    records = [
        good,
        good | {"name": "MOSS  House", "lat": 3.0},
        good | {"name": "Nowhere", "lat": None} | {"lon": 2.0},
        good | {"name": "Suspect", "geo_suspect": True},
        good | {"name": "Odd", "kind": "listing"},
    ]
    del records[2]["lat"]
    (tmp_path / "g.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    (only,) = read_listings(tmp_path / "g.jsonl", "wikivoyage", {}, FACETS)
    assert only.point == (1.0, 2.0)


def test_a_listing_without_a_name_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "g.jsonl").write_text('{"name": "A"}\n{"id": 2}\n')
    with pytest.raises(InputFileError, match=r"line 2: a listing needs a name"):
        read_listings(tmp_path / "g.jsonl", "wikivoyage", {}, FACETS)


PAPER = {
    1: ("region", None),
    2: ("point", 1000),
    3: ("point", 1500),
    4: ("region", None),
    5: ("region", None),
    6: ("point", 2000),
    7: ("line", 500),
    8: ("line", 500),
}
"""Reference object and distance in metres of the cases of appendix G."""
DEMO = Case(
    number=9,
    shows="a cafe by a museum",
    map="helsinki",
    question="Recommend a cosy cafe near Ateneum",
    program='answer(recommend("cosy cafe", near="Ateneum")[:3])',
    geometry="point",
    distance_m=1000,
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data home with the demo map alone."""
    (tmp_path / "maps").symlink_to(demo_map().parent)
    monkeypatch.setenv("MAPAGENT_DATA_HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case.number))
def test_each_program_searches_where_the_paper_does(case: Case) -> None:
    assert (case.geometry, case.distance_m) == PAPER[case.number]
    nodes = [node for statement in parse(case.program).statements for node in walk(statement.expr)]
    (call,) = (node for node in nodes if isinstance(node, Call) and node.operator == "recommend")
    (said,) = call.positional
    assert isinstance(said, String)
    wish = read_wish(said.text)
    assert wish is not None
    named = dict(call.keywords)
    within = named.get("within")
    stated = parse_amount(within.text) if isinstance(within, String) else None
    given = {name: Given("", name) if name in named else None for name in ("near", "along", "inside")}
    reach = Reach.of(**given, within_m=stated.value if stated else None, scales=wish.scales)
    assert (Geometry(case.geometry), case.distance_m) == (reach.geometry, reach.distance_m)


def test_every_case_of_the_paper_has_one() -> None:
    assert [case.number for case in cases()] == sorted(PAPER)


def test_a_case_is_asked_and_drawn(home: Path) -> None:
    answer = asyncio.run(ask(DEMO, Settings(data_home=home), home))
    assert answer.status is Status.ANSWERED
    assert listed_in(answer)
    assert ET.parse(home / picture_of(DEMO)).getroot().tag.endswith("svg")


def test_the_page_tells_and_shows_all_cases(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = 'answer(recommend("cosy casino", near="Ateneum", within="1 m")[:3])'
    hopeless = DEMO.model_copy(update={"number": 10, "program": nowhere})
    pages, images = home / "pages", home / "pages" / "images"
    images.mkdir(parents=True)
    monkeypatch.setattr(module, "cases", lambda: (DEMO,))
    assert main(["--out", str(pages), "--images", str(images)]) == 0
    text = (pages / module.PAGE).read_text("utf-8")
    assert "## Case 9: a cafe by a museum" in text
    assert "Searched: cafe within 1 km of Ateneum" in text
    assert "(images/recommend-case-9.svg)" in text
    monkeypatch.setattr(module, "cases", lambda: (DEMO, hopeless))
    assert main(["--out", str(pages), "--images", str(images)]) == 1
    assert not (images / picture_of(hopeless)).exists()


def test_a_map_that_is_not_there(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(home)]) == 1
    assert "munich" in capsys.readouterr().err
