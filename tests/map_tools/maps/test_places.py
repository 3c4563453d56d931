"""What the tags of a feature tell of the place."""

import pytest

from map_tools.maps.places import place_of
from map_tools.types import LatLng


@pytest.mark.parametrize(
    ("tags", "services"),
    [
        ({"diet:vegetarian": "yes"}, {"serves_vegetarian": True}),
        ({"diet:vegan": "only"}, {"serves_vegan": True, "serves_vegetarian": True}),
        ({"diet:vegan": "no"}, {"serves_vegan": False}),
        ({"diet:halal": "yes", "diet:kosher": "no"}, {"halal": True, "kosher": False}),
        ({"diet:gluten_free": "yes"}, {"gluten_free": True}),
        ({"cuisine": "indian;vegetarian"}, {"serves_vegetarian": True}),
        ({"cuisine": "vegan"}, {"serves_vegan": True, "serves_vegetarian": True}),
        ({"cuisine": "vegetarian", "diet:vegetarian": "no"}, {"serves_vegetarian": False}),
        ({"wheelchair": "yes", "takeaway": "unknown"}, {"wheelchair": True}),
    ],
)
def test_services(tags: dict[str, str], services: dict[str, bool]) -> None:
    place = place_of("osm:n1", tags, ("restaurant",), LatLng(lat=1, lng=2), "Europe/Vaduz")
    assert place.services == services
