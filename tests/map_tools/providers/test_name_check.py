"""The second look at names: which matches are no matches."""

import pytest

from map_tools.providers.likeness import can_mean
from map_tools.types import Place

MUSEUM = Place(id="1", name="Kiasma", categories=("museum",), address="Mannerheiminaukio 2, 00100 Helsinki")
STATION = Place(id="2", name="Rautatientori", aliases=("Railway Square", "Central Railway Station"))
BANK = Place(id="3", name="Forex Bank", categories=("bank",))
TOWN = Place(id="5", name="Aston", categories=("admin",), attributes={"note": "bare rock"})
HOTEL = Place(id="4", name="Hilton Helsinki Strand", categories=("hotel",))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Kiasma", MUSEUM),
        ("Kiasma museum of contemporary art", MUSEUM),
        ("Kyasma", MUSEUM),
        ("Kiasma, Atlantis", MUSEUM),
        ("Kiasma in Helsinki", MUSEUM),
        ("the Hilton hotel", HOTEL),
        ("Hlton HelsinkiStrand", HOTEL),
        ("Central Railway Station", STATION),
        ("Forex", BANK),
        ("municipality of Aston", TOWN),
        ("Aston district", TOWN),
    ],
)
def test_can_mean(text: str, place: Place) -> None:
    assert can_mean(text, place, 0.8)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Central Park", STATION),
        ("Bank of Wellington", BANK),
        ("Kiasma Tower", MUSEUM),
        ("Hilton Garden", HOTEL),
        ("Aston city hall", TOWN),
        ("Mare Aston", TOWN),
    ],
)
def test_cannot_mean(text: str, place: Place) -> None:
    assert not can_mean(text, place, 0.9)


def test_a_sure_match_needs_no_second_look() -> None:
    assert can_mean("Central Park", STATION, 0.96)
