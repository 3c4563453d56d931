"""A synthetic city as a whole: an ordinary map, the same from the same seed, with people and buses."""

import asyncio
from pathlib import Path

import pytest

from map_tools.maps.home import MapHome
from map_tools.maps.info import read_info
from map_tools.maps.places import FACTS, from_tags, place_of, to_tags
from map_tools.maps.synth import synth
from map_tools.maps.synth.features import opening_hours
from map_tools.providers.osm import OsmProvider
from map_tools.testing.contract import ContractReport, Outcome, check_provider
from map_tools.types import LatLng, Review
from tests.map_tools.maps.synth.conftest import SEED, SIZE
from tests.map_tools.maps.synth.truth import Truth, metres


def test_it_keeps_the_contract_with_routes_and_ratings(city: Path) -> None:
    async def check() -> ContractReport:
        provider = OsmProvider.open(city)
        assert provider.capabilities.facts >= set(FACTS)
        return await check_provider(provider, await provider.contract_sample())

    report = asyncio.run(check())
    assert report.failed == ()
    assert {each.check for each in report.findings if each.outcome is Outcome.NOT_APPLICABLE} == {"secrets"}


def test_an_answer_from_it_credits_nobody_who_did_not_make_it(city: Path) -> None:
    provider = OsmProvider.open(city)
    asyncio.run(provider.close())
    assert "OpenStreetMap" not in provider.terms.attribution
    assert provider.terms.attribution == read_info(city).attribution


def test_a_real_map_has_no_opinions_whatever_its_tags_say() -> None:
    tags = {"amenity": "cafe", "name": "Trap", "synthetic:rating": "5", "synthetic:reviews": "]["}
    place = place_of("osm:n1", tags, ("cafe",), LatLng(lat=52, lng=9), "Europe/Berlin")
    assert (place.rating, place.reviews, dict(place.attributes)) == (None, (), {"amenity": "cafe"})


def test_opinions_survive_their_tags() -> None:
    said = {
        "rating": 4.2,
        "rating_count": 17,
        "price_level": 2,
        "reviews": (Review(text='"Nice", they say.', author="A", rating=4.0),),
    }
    assert from_tags(to_tags(**said)) == said  # type: ignore[arg-type]
    assert to_tags(rating=None, rating_count=None, price_level=None, reviews=()) == {}


def test_the_size_counts_everything(city: Path, truth: Truth) -> None:
    ways = sum(len(street["ways"]) for street in truth.said["streets"])
    parts = (len(truth.places), len(truth.said["areas"]), ways, len(truth.said["stops"]))
    assert sum(parts) == SIZE == read_info(city).counts["features"]


def test_the_same_seed_makes_the_same_truth(city: Path, tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    for name, seed in (("same", SEED), ("other", SEED + 1)):
        synth(seed=seed, size=SIZE, home=home, name=name, roads=False)
    text = (city / "truth.json").read_text("utf-8")
    assert (home.path("same") / "truth.json").read_text("utf-8") == text
    assert (home.path("other") / "truth.json").read_text("utf-8") != text


def test_people_write_in_the_tone_of_their_rating(truth: Truth) -> None:
    rated = [place for place in truth.places if place["rating"] is not None]
    assert {place["rating_count"] is not None for place in rated} == {True}
    assert len(rated) > 500
    assert {round(place["rating"], 1) == place["rating"] for place in rated} == {True}
    assert 2.5 <= min(place["rating"] for place in rated) < 2.8
    assert 4.7 < max(place["rating"] for place in rated) <= 5.0
    reviews = [(place["rating"], review) for place in rated for review in place["reviews"]]
    assert len(reviews) > 300
    assert all(abs(rating - review["rating"]) <= 0.5 for rating, review in reviews)


def test_places_stand_beside_the_street_of_their_address(truth: Truth) -> None:
    ends: dict[str, list[tuple[float, float]]] = {}
    for edge in truth.said["edges"]:
        ends.setdefault(edge["street"], []).extend(
            (truth.junctions[edge["from"]], truth.junctions[edge["to"]])
        )
    for place in truth.places[:300]:
        if place["street"] is not None:
            lats, lngs = zip(*ends[place["street"]], strict=True)
            at = place["at"]
            # The corner of the street's box that is nearest to the place: a street is a straight line.
            nearest = (min(max(at[0], min(lats)), max(lats)), min(max(at[1], min(lngs)), max(lngs)))
            assert metres((at[0], at[1]), nearest) < 10


def test_buses_call_where_their_lines_say(truth: Truth) -> None:
    lines = {line["name"]: line for line in truth.said["lines"]}
    assert len(lines) > 5
    for stop in truth.said["stops"]:
        assert stop["lines"]
        assert all(stop["id"] in lines[name]["stops"] for name in stop["lines"])
    assert all(len(line["stops"]) >= 2 for line in lines.values())


def test_stops_are_on_the_map(city: Path, truth: Truth) -> None:
    stop = truth.said["stops"][0]
    provider = OsmProvider.open(city)

    async def look() -> None:
        place = await provider.place_details(stop["id"])
        await provider.close()
        assert place.name == stop["name"]
        assert "bus_stop" in place.categories
        assert place.attributes["route_ref"] == ";".join(stop["lines"])

    asyncio.run(look())


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        ([((540, 1080),)] * 5 + [((600, 960),), ()], "Mo-Fr 09:00-18:00; Sa 10:00-16:00"),
        ([((0, 1440),)] * 7, "24/7"),
        ([()] + [((690, 870), (1020, 1380))] * 6, "Tu-Su 11:30-14:30,17:00-23:00"),
        ([((450, 1020),), (), ((450, 1020),), (), (), (), ()], "Mo 07:30-17:00; We 07:30-17:00"),
        ([((0, 1440),)] + [()] * 6, "Mo 00:00-24:00"),
    ],
)
def test_weeks_are_written_in_the_grammar_of_opening_hours(
    days: list[tuple[tuple[int, int], ...]], expected: str
) -> None:
    assert opening_hours(tuple(days)) == expected


def test_the_truth_is_left_out_where_it_is_not_wanted(tmp_path: Path) -> None:
    home = MapHome(tmp_path)
    info = synth(seed=1, size=50, home=home, roads=False, truth=False)
    assert not (home.path(info.name) / "truth.json").exists()
    assert not info.routable
