"""What a guide's listings show and what is withheld."""

import json
from pathlib import Path

import pytest

from evals.generate.recommend.listings import Facets, Price, read_listings
from map_tools.errors import InputFileError
from tests.evals.generate.recommend.guide import myhelsinki, wikivoyage

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
