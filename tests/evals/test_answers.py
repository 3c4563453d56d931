"""Typed answers, JSON documents and prose in one schema."""

from collections.abc import Callable

import pytest

from evals.answers import (
    AnswerKind,
    Said,
    areas_m2,
    azimuths_deg,
    lengths_m,
    names_in,
    positions_in,
    read_said,
    with_digits,
)
from map_tools.types import LatLng, Place
from mapagent.core.answer import Answer, Named, NameSet, Quantity, Status, Text, Value


def answered(text: str, value: Value | None = None) -> Answer:
    return Answer(status=Status.ANSWERED, text=text, value=value)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Old Mill", ("Old Mill",)),
        ("Old Mill, Tower Inn, and Quay House", ("Old Mill", "Tower Inn", "Quay House")),
        ("- Old Mill\n- Tower Inn", ("Old Mill", "Tower Inn")),
        ("1. Old Mill\n2. Tower Inn", ("Old Mill", "Tower Inn")),
        ("Old Mill; Tower Inn", ("Old Mill", "Tower Inn")),
        ("Hook and Line", ("Hook and Line",)),
        ("Old Mill, River Street, Westport", ("Old Mill, River Street, Westport",)),
        ("", ()),
    ],
)
def test_names(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == names


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [
        (lengths_m, "about two hundred fifty metres", (250.0,)),
        (lengths_m, "1.5 km", (1500.0,)),
        (lengths_m, "one hundred and twenty kilometers", (120_000.0,)),
        (areas_m2, "3.5 km²", (3_500_000.0,)),
        (areas_m2, "two million square meters", (2_000_000.0,)),
        (areas_m2, "2 million square kilometers or 40 ha", (2e12, 400_000.0)),
        (areas_m2, "10 acres", (40_468.564224,)),
        (azimuths_deg, "to the north-east", (45.0,)),
        (azimuths_deg, "southwesterly, 230 degrees", (230.0,)),
        (azimuths_deg, "NW", (315.0,)),
        (azimuths_deg, "nowhere", ()),
    ],
)
def test_amounts(read: Callable[[str], tuple[float, ...]], text: str, expected: tuple[float, ...]) -> None:
    assert read(text) == pytest.approx(expected)


def test_words_become_digits_inside_a_sentence() -> None:
    assert with_digits("It has twenty-one rooms and two doors") == "It has 21 rooms and 2 doors"


@pytest.mark.parametrize(
    "text",
    [
        "47.25, 9.50",
        "(47.250000, 9.500000)",
        "latitude 47.25 and longitude 9.50",
        "47.25° N, 9.50° E",
        "POINT (9.50 47.25)",
    ],
)
def test_positions(text: str) -> None:
    assert positions_in(text) == (LatLng(lat=47.25, lng=9.5),)


def test_positions_in_the_west_and_off_the_globe() -> None:
    assert positions_in("34.05° S, 18.42° W") == (LatLng(lat=-34.05, lng=-18.42),)
    assert positions_in("-34.05° S, -18.42° W") == (LatLng(lat=-34.05, lng=-18.42),)  # said twice
    assert positions_in("95.00, 200.00") == ()


def test_a_typed_value_counts_before_its_words() -> None:
    place = Place(id="n1", name="Old Mill", location=LatLng(lat=47, lng=9), address="River Street, Westport")
    said = read_said(answered("something else", Named(name="Old Mill", place=place)), "loc")
    assert said == (Said(name="Old Mill", address="River Street, Westport", position=place.location),)


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (Quantity(value=120, unit="m"), "distance", Said(distance_m=120)),
        (Quantity(value=120, unit="m"), "length", Said(length_m=120)),
        (Quantity(value=9, unit="m2"), "area", Said(area_m2=9)),
        (Quantity(value=9, unit="count"), "count", Said(count=9)),
        (Quantity(value=-90, unit="deg"), "angle", Said(azimuth_deg=270)),
        (Text(text="south-east", topic="direction"), "angle", None),
        (Named(name="Old Mill", note="101 m"), "distance", None),
    ],
)
def test_typed_values(value: Value, kind: AnswerKind, expected: Said | None) -> None:
    (said,) = read_said(answered("-", value), kind)
    if expected is not None:
        assert said == expected
    else:
        assert said.number(kind) in {135.0, 101.0}


def test_a_quantity_of_another_type_says_nothing_and_words_are_read() -> None:
    said = read_said(answered("5 places", Quantity(value=120, unit="m")), "count")
    assert said == (Said(count=5),)


def test_a_set_of_names() -> None:
    said = read_said(answered("-", NameSet(names=("A", "B"))), "name")
    assert [one.name for one in said] == ["A", "B"]


def test_the_published_document() -> None:
    """The keys of GS-QA's example (section 5.1), numbers in the schema's units, empty ones null."""
    text = 'Sure:\n```json\n{"name": "Old Mill", "address": "Westport", "distance": "fifty kilometers",'
    text += ' "azimuth_angle": 90, "count": null, "length": null, "area": null}\n```'
    (said,) = read_said(answered(text), "distance")
    assert said == Said(name="Old Mill", address="Westport", distance_m=50_000, azimuth_deg=90)


def test_documents_in_a_list_are_several_answers() -> None:
    said = read_said(answered('[{"name": "A"}, {"name": "B"}]'), "name")
    assert [one.name for one in said] == ["A", "B"]


@pytest.mark.parametrize(
    ("text", "kind", "number"),
    [
        ("There are seven of them", "count", 7),
        ("It is about 1.2 km away", "distance", 1200),
        ("three hundred", "length", 300),
        ("two hundred square meters", "area", 200),
        ("Head west", "angle", 270),
        ("270", "angle", 270),
    ],
)
def test_prose(text: str, kind: AnswerKind, number: float) -> None:
    (said,) = read_said(answered(text), kind)
    assert said.number(kind) == pytest.approx(number)


def test_prose_with_an_address_and_its_position() -> None:
    (said,) = read_said(answered("Old Mill, Westport (47.1200, 9.5100)"), "loc")
    assert said.position == LatLng(lat=47.12, lng=9.51)
    assert "Westport" in said.address


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.ANSWERED])
def test_a_failure_says_nothing(status: Status) -> None:
    assert read_said(Answer(status=status, text="Old Mill"), "name") == ()
