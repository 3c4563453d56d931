"""Values are looked at as deep as they go, also those that were made without validation."""

from typing import Any

import pytest

from map_tools.testing.contract.checking import BreachError, demand_tuple_of, demand_value
from map_tools.types import LatLng, NearbyPlace, Place

GOOD = Place(id="1", name="Quay", location=LatLng(lat=1, lng=2), hours=None, rating=4.5)


def altered(**fields: Any) -> Place:
    return GOOD.model_copy(update=fields)


def test_a_good_value() -> None:
    demand_value(Place, GOOD, "place_details")


@pytest.mark.parametrize(
    "place",
    [
        altered(rating="4.5"),
        altered(categories=[1]),
        altered(location=(1, 2)),
        altered(location=LatLng.model_construct(lat=130.75, lng=-12.5)),
        altered(rating_count=1.5),
        altered(name=None),
    ],
)
def test_a_field_of_a_wrong_type_or_range(place: Place) -> None:
    with pytest.raises(BreachError, match="place_details returned a Place with a"):
        demand_value(Place, place, "place_details")


def test_another_type() -> None:
    with pytest.raises(BreachError, match="a dict instead of a Place"):
        demand_value(Place, {"id": "1"}, "place_details")


@pytest.mark.parametrize("result", [None, [], {}, (GOOD,), iter(())])
def test_what_is_no_tuple_of_items(result: Any) -> None:
    with pytest.raises(BreachError, match="instead of a"):
        demand_tuple_of(NearbyPlace, result, "nearby")
