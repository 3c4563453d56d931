"""Time zones of positions."""

from datetime import UTC, datetime

import pytest

from map_tools.clock import local_time, local_zone
from map_tools.types import LatLng


@pytest.mark.parametrize(
    ("lat", "lng", "zone"),
    [
        (60.17, 24.94, "Europe/Helsinki"),
        (-36.85, 174.76, "Pacific/Auckland"),
        (39.96, -83.0, "America/New_York"),
    ],
)
def test_zones_of_cities(lat: float, lng: float, zone: str) -> None:
    assert local_zone(LatLng(lat=lat, lng=lng)) == zone


def test_local_time_knows_summer_time() -> None:
    noon = datetime(2024, 7, 15, 12, tzinfo=UTC)
    assert local_time(noon, "Europe/Helsinki").hour == 15
    assert local_time(noon.replace(month=1), "Europe/Helsinki").hour == 14
    with pytest.raises(ValueError, match="zone-aware"):
        local_time(datetime(2024, 7, 15), "Europe/Helsinki")  # noqa: DTZ001
