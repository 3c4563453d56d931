"""Gives an administrative area the point people mean by its name: that of the settlement it is named after.

A point inside the outline can be on a mountain; the town of the same name says where the place is. Geocoders
link the two likewise (https://nominatim.org/release-docs/latest/customize/Importance/).
"""

from collections.abc import Mapping

from map_tools.areas import own_plain_area
from map_tools.maps.feature import Feature, Shape
from map_tools.maps.names import canonical
from map_tools.maps.tags import main_name

_SETTLEMENTS = frozenset(
    {"city", "town", "village", "suburb", "neighbourhood", "hamlet", "country", "island"}
)


class Centers:
    """Collects areas and settlements, then tells which areas get another point."""

    def __init__(self) -> None:
        self._areas: list[tuple[int, tuple[str, ...], bytes]] = []
        self._settlements: dict[str, list[tuple[float, float]]] = {}

    def note(self, row: int, feature: Feature) -> None:
        """Looks at one feature."""
        if feature.shape is Shape.AREA and "admin" in feature.categories and feature.wkb:
            name = main_name(feature.tags)
            self._areas.append((row, (canonical(name), canonical(own_plain_area(name) or "")), feature.wkb))
        elif feature.shape is Shape.POINT and not _SETTLEMENTS.isdisjoint(feature.categories):
            point = (feature.lat, feature.lng)
            self._settlements.setdefault(canonical(main_name(feature.tags)), []).append(point)

    def moves(self) -> Mapping[int, tuple[float, float]]:
        """Latitude and longitude by the row of each area that has its settlement inside."""
        import shapely

        moved: dict[int, tuple[float, float]] = {}
        for row, names, wkb in self._areas:
            for lat, lng in (point for name in names for point in self._settlements.get(name, ())):
                if shapely.contains_xy(shapely.from_wkb(wkb), lng, lat):
                    moved[row] = (lat, lng)
                    break
        return moved
