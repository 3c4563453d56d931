"""The last words of a loop: what they state, and whether an observation supports it."""

from typing import Any

import pytest

from evals.methods.geo_react.answer import judge
from map_tools.types import LatLng
from mapagent.core.answer import Named, NameSet, Quantity, Text
from modules.spatial_database.tools.base import Observation


def seen(text: str, result: dict[str, Any] | None = None, *, ok: bool = True) -> Observation:
    return Observation(tool="GenerateSQL", ok=ok, text=text, result=result)


ROWS = {
    "columns": ["poi_name", "addr_street", "addr_city", "geometry"],
    "rows": [
        ["Old Mill", "Quay Lane", "Fernport", "POINT (10.5 50.25)"],
        ["Mill and Bakery", None, None, None],
    ],
}
SEEN = (
    seen("poi_name | geometry\n1. Old Mill | POINT (10.5 50.25)\n2. Mill and Bakery | None", ROWS),
    seen("5230.4 m, 47.3°", {"metric": "distance", "value_m": 5230.4, "azimuth_deg": 47.3}),
    seen("count\n1. 12", {"columns": ["count"], "rows": [[12]]}),
    seen("area\n1. 1.2345e+06", {"columns": ["area"], "rows": [[1_234_500.0]]}),
    seen("Far Tower was not found", ok=False),
)


@pytest.mark.parametrize(
    ("words", "value", "support"),
    [
        ("5.2 km", Quantity(value=5230.4, unit="m"), (1,)),
        ("5.0 km", None, ()),
        ("5 km", Quantity(value=5230.4, unit="m"), (1,)),
        ("5230 metres", Quantity(value=5230.4, unit="m"), (1,)),
        ("The distance is 5.23 km.", Quantity(value=5230.4, unit="m"), (1,)),
        ("1.23 km²", Quantity(value=1_234_500, unit="m2"), (3,)),
        ("1,234,500 square metres", Quantity(value=1_234_500, unit="m2"), (3,)),
        ("12", Quantity(value=12, unit="count"), (2,)),
        ("47 degrees", Quantity(value=47.3, unit="deg"), (1,)),
        ("47.3°", Quantity(value=47.3, unit="deg"), (1,)),
        ("2", Quantity(value=2, unit="count"), (0,)),
        ("northeast", Text(text="northeast", topic="direction"), (1,)),
    ],
)
def test_amounts_and_directions(words: str, value: Any, support: tuple[int, ...]) -> None:
    judged = judge(words, SEEN)
    if support:
        assert judged.value == value
        assert judged.support == support
    else:
        assert "No observation holds" in judged.problem


def test_a_name_brings_its_place() -> None:
    judged = judge("Old Mill", SEEN)
    assert isinstance(judged.value, Named)
    assert judged.value.place is not None
    assert judged.value.place.location is not None
    assert (judged.value.place.location.lat, judged.value.place.location.lng) == (50.25, 10.5)
    assert judged.value.place.address == "Quay Lane, Fernport"


def test_an_address_brings_its_place() -> None:
    rows = seen("poi_name | addr_street\n1. Old Mill | Quay Lane | Fernport | POINT (10.5 50.25)", ROWS)
    value = judge("Quay Lane, Fernport", (rows,)).value
    assert isinstance(value, Named)
    assert value.place is not None
    assert (value.place.address, value.place.location) == ("Quay Lane, Fernport", LatLng(lat=50.25, lng=10.5))


def test_and_may_be_part_of_a_name() -> None:
    judged = judge("Mill and Bakery", SEEN)
    assert isinstance(judged.value, Named)
    assert judged.value.name == "Mill and Bakery"


def test_several_names() -> None:
    assert judge("Old Mill, Mill and Bakery", SEEN).value == NameSet(names=("Old Mill", "Mill and Bakery"))


def test_a_name_with_its_city_behind_it() -> None:
    judged = judge("Old Mill, Fernshire", SEEN)
    assert isinstance(judged.value, Named)
    assert judged.value.name == "Old Mill"


@pytest.mark.parametrize("words", ["50.25, 10.5", "POINT (10.5 50.25)", "It is at 50.250, 10.500"])
def test_a_position(words: str) -> None:
    judged = judge(words, SEEN)
    assert isinstance(judged.value, Named)
    assert judged.value.place is not None
    assert str(judged.value.place.location) == "50.250000,10.500000"


@pytest.mark.parametrize("words", ["", "Unanswerable", "unknown.", "N/A"])
def test_a_refusal_is_no_problem(words: str) -> None:
    judged = judge(words, SEEN)
    assert (judged.value, judged.problem) == (None, "")


@pytest.mark.parametrize(
    "words",
    [
        "New Mill",
        "Far Tower",
        "13",
        "3",
        "7 km",
        "southwest",
        "north",
        "51.111, 10.999",
        "Old Mill, New Mill",
    ],
)
def test_what_no_tool_gave_is_not_the_answer(words: str) -> None:
    judged = judge(words, SEEN)
    if words == "Old Mill, New Mill":
        assert judged.value == judge("Old Mill", SEEN).value
        return
    assert judged.value is None
    assert words[:10] in judged.problem


PLACE = {
    "features": [
        {"name": "North Hall 7", "address": "12 Quay Lane, 90210", "id": "33", "lat": 60.17, "lng": 24.95},
    ],
    "total": 1,
}


@pytest.mark.parametrize("words", ["7", "12", "33", "60 km", "25 km", "90210", "north", "24.95 m"])
def test_positions_names_and_ids_are_no_amounts_and_no_directions(words: str) -> None:
    assert judge(words, (seen("1. North Hall 7; 12 Quay Lane", PLACE),)).value in {None, Named(name=words)}


@pytest.mark.parametrize(
    ("columns", "row", "words", "metres"),
    [
        (["distance_km"], [5.23], "5.2 km", 5230.0),
        (["?column?"], [5.23], "5.23 km", 5230.0),
        (["st_distance"], [5230.4], "5.2 km", 5230.4),
        (["st_distance"], ["5230.4"], "5.2 km", 5230.4),
        (["distance_m"], [5.23], "5.2 km", None),
    ],
)
def test_a_columns_name_tells_its_unit(
    columns: list[str], row: list[Any], words: str, metres: float | None
) -> None:
    judged = judge(words, (seen("rows", {"columns": columns, "rows": [row]}),))
    assert judged.value == (None if metres is None else Quantity(value=metres, unit="m"))


def test_a_number_in_a_name_is_no_amount() -> None:
    house = (seen("name\n1. 5 Mile House"),)
    judged = judge("5 Mile House", house)
    assert isinstance(judged.value, Named)
    assert judge("5 miles", house).value is None
