"""Places in GeoDataFrames: pyrosm reads the extract, geopandas searches.

Written as their documentation does it (https://pyrosm.readthedocs.io, https://geopandas.org): places are
projected to metres once and searched through the spatial index; a name that no place bears is looked for with
rapidfuzz among all names.
"""

from collections.abc import Sequence
from pathlib import Path
from time import process_time

from pyrosm import OSM
from rapidfuzz import process
from shapely.geometry import Point as Spot

KEYS = {"amenity": True, "shop": True, "tourism": True, "leisure": True, "office": True, "historic": True}


class PyrosmEngine:
    """The places of an extract."""

    def __init__(self, extract: Path) -> None:
        self._extract = extract
        self._kinds = {}

    def open(self) -> None:
        """See `Engine.open`."""
        places = OSM(str(self._extract)).get_pois(custom_filter=KEYS)
        places["geometry"] = places.geometry.representative_point()
        self._places = places.to_crs(places.estimate_utm_crs())
        self._names = self._places["name"].dropna().tolist()
        self._by_name = self._places.set_index("name").sort_index()

    def find(self, text: str) -> str | None:
        """See `Engine.find`."""
        if text in self._by_name.index:
            return text
        found = process.extractOne(text, self._names)
        return found[0] if found else None

    def nearby(self, center, radius_m: float, tag, limit: int) -> list[float]:
        """See `Engine.nearby`."""
        places = self._of_kind(*tag)
        at = self._projected(center)
        close = places.iloc[places.sindex.query(at.buffer(radius_m), predicate="intersects")]
        away = close.distance(at)
        return away[away <= radius_m].nsmallest(limit).tolist()

    def route(self, start, end) -> float | None:
        """See `Engine.route`."""
        raise NotImplementedError

    def matrix(self, stops: Sequence) -> int:
        """See `Engine.matrix`."""
        raise NotImplementedError

    def processor_s(self) -> float:
        """See `Engine.processor_s`."""
        return process_time()

    def close(self) -> None:
        """See `Engine.close`."""

    def _of_kind(self, key: str, value: str):
        if (key, value) not in self._kinds:
            self._kinds[key, value] = self._places[self._places[key] == value]
        return self._kinds[key, value]

    def _projected(self, center) -> Spot:
        from geopandas import GeoSeries

        lat, lng = center
        return GeoSeries([Spot(lng, lat)], crs="EPSG:4326").to_crs(self._places.crs).iloc[0]


def make(folder: Path) -> PyrosmEngine:
    """The engine over the extract in a folder."""
    return PyrosmEngine(folder / "city.osm.pbf")
