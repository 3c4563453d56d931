"""What a place states, typed by its form, and the parts of addresses: by hand."""

import pytest

from map_tools.types import Hours, LatLng, Place
from modules.query.interpreter.address_line import address_parts
from modules.query.interpreter.stated import kind_of, stated, street_of, typed
from modules.query.values.amount import LENGTH, MONEY, Amount

INN = Place(
    id="osm:n1",
    name="Inn",
    location=LatLng(lat=48.2, lng=16.3),
    categories=("cafe", "bar"),
    address="Long Street 5, 1010 Wien",
    phone="+43 1",
    rating=4.5,
    rating_count=12,
    hours=Hours(spec="24/7", text="always"),
    services={"serves_dinner": True, "outdoor seating": False, "dogs": True},
    attributes={
        "addr:suburb": "Mitte",
        "charge": "9 EUR",
        "price": "5 EUR",
        "diet:vegan": "only",
        "diet:vegetarian": "no",
        "height": "12",
        "toilets:access": "yes",
    },
)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", "Inn"),
        ("kind", "cafe"),
        ("lat", Amount.of(48.2)),
        ("lng", Amount.of(16.3)),
        ("opening_hours", "always"),
        ("address", "Long Street 5, 1010 Wien"),
        ("phone", "+43 1"),
        ("website", None),
        ("rating", Amount.of(4.5)),
        ("reviews", Amount.of(12)),
        ("price", Amount.of(5, MONEY, "EUR")),
        ("charge", Amount.of(9, MONEY, "EUR")),
        ("dinner", True),
        ("serve_dinner", True),
        ("outdoor_seating", False),
        ("dog", True),
        ("wifi", None),
        ("vegan", True),
        ("vegetarian", False),
        ("height", Amount.of(12, LENGTH)),
        ("toilets_access", True),
        ("district", "Mitte"),
        ("street", "Long Street"),
        ("housenumber", "5"),
        ("addr:housenumber", "5"),
        ("postcode", "1010"),
        ("city", "Wien"),
        ("ele", None),
    ],
)
def test_what_a_place_states(name: str, value: object) -> None:
    assert stated(INN, name) == value


def test_what_a_place_does_not_state() -> None:
    bare = Place(id="osm:n2", name="")
    names = (
        "name",
        "kind",
        "lat",
        "location",
        "opening_hours",
        "address",
        "street",
        "price",
        "dinner",
        "vegan",
    )
    assert [stated(bare, name) for name in names] == [None] * len(names)
    assert kind_of(bare) is None
    levelled = Place(id="osm:n3", name="Bar", price_level=2)
    assert stated(levelled, "price") == Amount.of(2, unit="price_level")


@pytest.mark.parametrize(
    ("address", "street"),
    [
        ("Long Street 5, Vienna", "Long Street"),
        ("12 Main St", "Main St"),
        ("Harbour Way, Vienna", "Harbour Way"),
        ("Platz 1a Nord, Vienna", "Platz Nord"),
        ("5", None),
        (None, None),
    ],
)
def test_the_street_of_an_address(address: str | None, street: str | None) -> None:
    assert street_of(Place(id="osm:n1", name="A", address=address)) == street


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (
            "1600 Main St, Springfield, IL 62704",
            {"street": "Main St", "housenumber": "1600", "postcode": "62704", "city": "Springfield"},
        ),
        (
            "10 Downing St, London SW1A 2AA",
            {"street": "Downing St", "housenumber": "10", "postcode": "SW1A 2AA", "city": "London"},
        ),
        (
            "Hauptstr. 12-14, 80331 München",
            {"street": "Hauptstr.", "housenumber": "12-14", "postcode": "80331", "city": "München"},
        ),
        ("Main St 5, Springfield", {"street": "Main St", "housenumber": "5", "city": "Springfield"}),
        ("Main St 5", {"street": "Main St", "housenumber": "5"}),
        ("1010 Wien", {}),
        ("Main St 5, Side St 7", {}),
        ("Main St 5, 80331 München, 10115 Berlin", {"street": "Main St", "housenumber": "5"}),
        ("Main St 5, Springfield, Somewhere", {"street": "Main St", "housenumber": "5"}),
        ("Town Hall", {}),
    ],
)
def test_the_parts_of_an_address(line: str, parts: dict[str, str]) -> None:
    assert dict(address_parts(line)) == parts


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("wheelchair", "yes", True),
        ("wheelchair", "no", False),
        ("wheelchair", "limited", "limited"),
        ("height", "12", Amount.of(12, LENGTH)),
        ("width", "2.5 m", Amount.of(2.5, LENGTH, "m")),
        ("levels", "3", Amount.of(3)),
        ("capacity", "20 seats", Amount.of(20)),
        ("capacity", "many", "many"),
        ("stars", "4S", Amount.of(4)),
        ("rating", "4,5/5", Amount.of(4.5)),
        ("rating", "4 of 5", Amount.of(4)),
        ("note", "5", "5"),
        ("ref", "5", "5"),
        ("name:de", "5", "5"),
        ("addr:postcode", "1010", "1010"),
    ],
)
def test_values_by_their_form(key: str, text: str, value: object) -> None:
    assert typed(key, text) == value
