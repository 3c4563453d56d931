"""A plane that touches the Earth at a point, to measure in with plane geometry.

The projection is the azimuthal equidistant one of the WGS84 ellipsoid: distances from its centre are those of
the geodesics, and what lies at r from it is stretched across by r²/6R², that is by 0.04 % at 300 km (J. P.
Snyder, Map Projections: A Working Manual, USGS 1987, page 195).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from map_tools.maps.geodesic import Floats, points_at, polar
from map_tools.spatial_db.memory.sizes import shorten_edges
from map_tools.types import LatLng


@dataclass(frozen=True, slots=True)
class Plane:
    """The plane at a point; x goes east, y north, in metres. Geometries are shapely's, longitude first."""

    center: LatLng

    def flat(self, geometry: Any) -> Any:
        """A geometry in the plane; its long edges follow great circles."""
        import shapely

        if shapely.is_empty(geometry):
            return geometry
        shortened = shorten_edges(np.array([geometry], dtype=object))[0]
        return shapely.transform(shortened, self._flat)

    def points(self, lats: Floats, lngs: Floats) -> Any:
        """Many positions as points in the plane."""
        import shapely

        return shapely.points(self._flat(np.column_stack((lngs, lats))))

    def lifted(self, geometry: Any) -> Any:
        """The geometry on the Earth that is this one in the plane."""
        import shapely

        return shapely.transform(geometry, self._lifted)

    def position(self, point: Any) -> LatLng:
        """Where a point of the plane is."""
        lng, lat = self._lifted(np.array([[point.x, point.y]]))[0].tolist()
        return LatLng(lat=lat, lng=lng)

    def _flat(self, coordinates: Floats) -> Floats:
        away, azimuths = polar(self.center.lat, self.center.lng, coordinates[:, 1], coordinates[:, 0])
        turned = np.radians(azimuths)
        return np.column_stack((away * np.sin(turned), away * np.cos(turned)))

    def _lifted(self, coordinates: Floats) -> Floats:
        azimuths = np.degrees(np.arctan2(coordinates[:, 0], coordinates[:, 1]))
        away = np.hypot(coordinates[:, 0], coordinates[:, 1])
        lats, lngs = points_at(self.center.lat, self.center.lng, away, azimuths)
        return np.column_stack((lngs, lats))
