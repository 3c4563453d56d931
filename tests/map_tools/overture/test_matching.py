"""Which place of the map one of Overture is: by name, kind, distance and address."""

import numpy as np
import pytest
import shapely

from map_tools.maps.geodesic import points_at
from map_tools.maps.making.twins import Said
from map_tools.overture.matching import Known, Neighbours, Wanted, address_parts, known_from
from map_tools.overture.source import Address

AT = (60.17, 24.94)


def moved(metres: float, azimuth_deg: float = 90.0) -> tuple[float, float]:
    lats, lngs = points_at(*AT, np.array([metres]), np.array([azimuth_deg]))
    return float(lats[0]), float(lngs[0])


def known(row: int, at: tuple[float, float], categories: str, wkb: bytes | None = None, **tags: str) -> Known:
    keys = {key.replace("_", ":"): value for key, value in tags.items()}
    place = known_from(Said(row, f"n{row}", tuple(categories.split()), keys, wkb), *at)
    assert place is not None
    return place


def wanted(name: str, categories: str = "cafe food", street: str = "", number: str = "") -> Wanted:
    numbers = frozenset({number} if number else ())
    return Wanted(name, tuple(categories.split()), street, numbers, *AT)


def best(places: list[Known], one: Wanted) -> int | None:
    found = Neighbours(places).best(one)
    return None if found is None else found.row


@pytest.mark.parametrize("azimuth_deg", [0, 90, 200])
@pytest.mark.parametrize(("metres", "same"), [(0, True), (98, True), (102, False)])
def test_within_100_m(metres: float, same: bool, azimuth_deg: float) -> None:
    place = known(7, moved(metres, azimuth_deg), "cafe food", name="Café Orvokki")
    assert best([place], wanted("cafe orvokki")) == (7 if same else None)


def test_an_area_is_as_far_as_its_outline() -> None:
    """A museum of 400 m by 400 m, whose edge is 50 m away and whose middle is 250 m away."""
    (north, east), (south, west) = moved(50, 90), moved(450, 90)
    outline = shapely.box(east, north - 0.002, west, south + 0.002)
    place = known(3, moved(250), "museum", shapely.to_wkb(outline), name="Orvokki")
    assert best([place], wanted("orvokki", "museum")) == 3
    assert best([known(3, moved(250), "museum", name="Orvokki")], wanted("orvokki", "museum")) is None


@pytest.mark.parametrize(
    ("name", "categories", "theirs", "kinds", "same"),
    [
        ("starbucks kamppi", "cafe food", "Starbucks", "cafe food", True),
        ("starbucks", "cafe food", "Starbucks Kamppi", "cafe food", True),
        ("starbucsk", "cafe food", "Starbucks", "cafe food", True),
        ("cafe artisan", "cafe food", "Café Artist", "cafe food", False),
        ("gate 5 cafe", "cafe food", "Gate 6 Café", "cafe food", False),
        (
            "stockmann herkku",
            "supermarket shop",
            "Stockmann",
            "department_store shop",
            False,
        ),  # alike, two shops
        ("stockmann", "supermarket shop", "Stockmann", "department_store shop", True),  # equal, two shops
        ("lasipalatsi", "restaurant food", "Lasipalatsi", "building", True),
        ("ravintola lasipalatsi", "restaurant food", "Lasipalatsi", "building", False),
        ("kamppi", "mall shop", "Kamppi", "subway_station metro station transit", False),
        ("kamppi", "mall shop", "Kamppi", "suburb", False),
        ("orvokki", "books shop", "Orvokki", "pharmacy healthcare", False),
        ("orvokki", "bar nightlife", "Orvokki", "restaurant food", True),
        ("orvokki", "", "Orvokki", "cafe food", True),
        ("orvokki kahvila", "", "Orvokki", "cafe food", False),
        ("orvokki", "", "Orvokki", "park", False),
    ],
)
def test_names_and_kinds(name: str, categories: str, theirs: str, kinds: str, same: bool) -> None:
    place = known(1, moved(20), kinds, name=theirs)
    assert best([place], wanted(name, categories)) == (1 if same else None)


def test_a_brand_is_no_name() -> None:
    place = known(1, AT, "supermarket shop", name="K-Market Kamppi", brand="K-Market")
    assert best([place], wanted("k market", "supermarket shop")) == 1  # a part of the name
    assert best([place], wanted("k market simonkentta", "supermarket shop")) is None


@pytest.mark.parametrize(
    ("street", "number", "same"),
    [
        ("kaivokatu", "3", False),
        ("kaivokatu", "5", True),
        ("kaivokatu", "", True),
        ("vilhonkatu", "3", True),  # a house at a corner has two addresses
        ("", "", True),
    ],
)
def test_another_house_of_the_street_is_a_branch(street: str, number: str, same: bool) -> None:
    place = known(1, moved(30), "cafe food", name="Orvokki", addr_street="Kaivokatu", addr_housenumber="5-7")
    assert best([place], wanted("orvokki", street=street, number=number)) == (1 if same else None)


def test_of_several_the_one_of_its_kind_then_at_its_address_then_the_nearest() -> None:
    near = known(1, moved(5), "restaurant food", name="Orvokki")
    same_kind = known(2, moved(60), "cafe food", name="Orvokki")
    nearer = known(3, moved(40), "cafe food", name="Orvokki")
    at_address = known(
        4, moved(90), "cafe food", name="Orvokki", addr_street="Kaivokatu", addr_housenumber="5"
    )
    assert best([near, same_kind], wanted("orvokki")) == 2
    assert best([near, same_kind, nearer], wanted("orvokki")) == 3
    everyone = [near, same_kind, nearer, at_address]
    assert best(everyone, wanted("orvokki", street="kaivokatu", number="5")) == 4


def test_an_administrative_area_or_a_nameless_entry_is_no_candidate() -> None:
    assert known_from(Said(1, "r1", ("admin",), {"name": "Helsinki"}, None), *AT) is None
    assert known_from(Said(1, "n1", ("cafe", "food"), {}, None), *AT) is None


@pytest.mark.parametrize("at", [(89.9, 10.0), (-89.9, 10.0), (0.0, 179.99999), (60.0, -180.0)])
def test_at_the_ends_of_the_earth(at: tuple[float, float]) -> None:
    place = known(1, at, "cafe food", name="Orvokki")
    assert Neighbours([place]).best(Wanted("orvokki", ("cafe", "food"), "", frozenset(), *at)) is place
    added = Neighbours([])
    added.add(place)
    assert added.best(Wanted("orvokki", ("cafe", "food"), "", frozenset(), *at)) is place


@pytest.mark.parametrize(
    ("freeform", "parts"),
    [
        ("Mannerheimintie 5", ("Mannerheimintie", "5")),
        ("Mannerheimintie 5 A, 2. krs", ("Mannerheimintie", "5 A")),
        ("221B Baker Street", ("Baker Street", "221B")),
        ("Kauppakeskus Kamppi", ("", "")),
        ("", ("", "")),
    ],
)
def test_street_and_number(freeform: str, parts: tuple[str, str]) -> None:
    assert address_parts(Address(freeform)) == parts
