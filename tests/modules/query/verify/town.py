"""A town that does not exist: a provider whose lists, ways and outlines are computed here, by pyproj and shapely."""

# Tables stand as they are read.
# ruff: noqa: E501

import math
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pyproj
import shapely

from map_tools.errors import NoRouteError, PlaceNotFoundError, UnsupportedError
from map_tools.providers.base import Capabilities, CutList, Spot, Terms
from map_tools.text import normalise
from map_tools.types import (
    Box,
    Candidate,
    Hours,
    LatLng,
    Matrix,
    MatrixCell,
    NearbyPlace,
    Place,
    RankBy,
    Route,
    RouteLeg,
    RouteStep,
    Shape,
    TravelMode,
)  # fmt: skip

MIDDLE = LatLng(lat=48.2, lng=16.3)
GEOD = pyproj.Geod(ellps="WGS84")
SPEED_M_S = {TravelMode.WALKING: 1.3, TravelMode.BICYCLING: 4.2, TravelMode.DRIVING: 9.0}
DETOUR = {TravelMode.WALKING: 1.25, TravelMode.BICYCLING: 1.3, TravelMode.DRIVING: 1.5}
FACTS = frozenset(
    {"address", "hours", "rating", "rating_count", "price_level", "phone", "website", "services"}
)


def at(east_m: float, north_m: float) -> LatLng:
    """The position so many metres east and north of the middle."""
    lng, lat, _ = GEOD.fwd(
        MIDDLE.lng, MIDDLE.lat, math.degrees(math.atan2(east_m, north_m)), math.hypot(east_m, north_m)
    )
    return LatLng(lat=round(lat, 7), lng=round(lng, 7))


def metres(a: LatLng, b: LatLng) -> float:
    """The geodesic between two positions."""
    return float(GEOD.inv(a.lng, a.lat, b.lng, b.lat)[2])


def polygon(*corners: tuple[float, float]) -> Shape:
    points = ", ".join(f"{one.lng} {one.lat}" for one in (at(*corner) for corner in (*corners, corners[0])))
    return Shape(kind="area", wkt=f"POLYGON (({points}))")


def course(*corners: tuple[float, float]) -> Shape:
    points = ", ".join(f"{one.lng} {one.lat}" for one in (at(*corner) for corner in corners))
    return Shape(kind="line", wkt=f"LINESTRING ({points})")


def off_m(shape: Shape, position: LatLng) -> float:
    """From the edge of a shape, in the azimuthal equidistant projection about the position."""
    flat = pyproj.Transformer.from_crs(
        "EPSG:4326", f"+proj=aeqd +lat_0={position.lat} +lon_0={position.lng} +ellps=WGS84", always_xy=True
    )
    plane = shapely.transform(
        shapely.from_wkt(shape.wkt),
        lambda points: np.column_stack(flat.transform(points[:, 0], points[:, 1])),
    )
    return float(plane.distance(shapely.Point(0, 0)))


def _place(name: str, kind: str, east: float, north: float, **told: Any) -> Place:
    hours, place_id = told.pop("hours", None), told.pop("id", normalise(name).replace(" ", "-"))
    tags = {key.replace("__", ":"): str(told.pop(key)) for key in list(told) if key not in Place.model_fields}
    return Place(
        id=place_id, name=name, categories=(kind,), location=at(east, north),
        hours=None if hours is None else Hours(spec=None if hours == "?" else hours, text=hours),
        address=told.pop("address", f"Side Street {int(abs(east) + abs(north))}"), attributes=tags, **told,
    )  # fmt: skip


WIFI, NO_WIFI = {"wifi": True}, {"wifi": False}
PLACES = (
    _place("Town Hall", "townhall", 0, 0, hours="Mo-Fr 08:00-16:00", phone="+43 1 100", height="42 m"),
    _place("Opera", "theatre", 420, 260, hours="Mo-Su 10:00-23:30", website="https://opera.example"),
    _place("Castle", "castle", -900, 700, hours="Tu-Su 09:00-17:00", stars="4"),
    _place("Station", "train_station", 300, -800, hours="24/7"),
    _place("Zoo", "zoo", -1500, -400, hours="Mo-Su 09:00-18:30"),
    _place("Library", "library", 150, 480, hours="Mo-Fr 09:00-20:00; Sa 10:00-14:00", services=WIFI),
    _place("Market", "marketplace", 700, -150, id="market-east"),
    _place("Market", "marketplace", -2600, 100, id="market-west"),
    _place("Grand Hotel", "hotel", 60, -350, hours="24/7", stars="5", rating=4.6, rating_count=800, price_level=4),
    _place("Hotel Tern", "hotel", 820, 540, stars="3", rating=4.1, rating_count=120, price_level=2),
    _place("Inn", "hotel", -400, -900, rating=3.2, price_level=1),
    _place("City Museum", "museum", 210, 150, hours="Tu-Su 10:00-18:00", charge="9 EUR", rating=4.4),
    _place("Tram Museum", "museum", -650, 90, hours="Sa,Su 10:00-16:00", charge="6 EUR", rating=4.7),
    _place("Glass Museum", "museum", 1100, -620, hours="Mo-Fr 10:00-17:00 || \"by appointment\"", charge="4.50 EUR"),
    _place("Cafe Alba", "cafe", 90, 60, hours="Mo-Su 07:00-19:00", services=WIFI, rating=4.2, addr__suburb="Mitte"),
    _place("Cafe Birke", "cafe", -140, 230, hours="Mo-Fr 08:00-18:00", services=NO_WIFI, rating=4.8, addr__suburb="Mitte"),
    _place("Cafe Corso", "cafe", 380, -90, hours="Fr-Sa 18:00-02:00", services=WIFI, rating=3.9, addr__suburb="Ost"),
    _place("Cafe Dohle", "cafe", -330, -410, services=NO_WIFI, rating=4.5, addr__suburb="West"),
    _place("Cafe Elster", "cafe", 610, 330, hours="\"by appointment\"", rating=4.0, addr__suburb="Ost"),
    _place("Cafe Fink", "cafe", -770, -130, hours="Mo-Su 06:30-13:00", services=WIFI, addr__suburb="West"),
    _place("Cafe Gimpel", "cafe", 1250, 880, hours="24/7", services=WIFI, rating=3.1),
    _place("Cafe Hera", "cafe", -1900, 1400, hours="?", rating=4.9),
    _place("Osteria Uno", "restaurant", 190, -220, hours="Mo-Su 12:00-15:00,18:00-23:00", cuisine="italian", rating=4.3, price_level=2),
    _place("Osteria Due", "restaurant", -520, 310, hours="Tu-Su 18:00-24:00", cuisine="italian", rating=4.6, price_level=3),
    _place("Gasthaus", "restaurant", 480, 610, hours="Mo-Sa 11:00-22:00", cuisine="austrian", rating=3.8, price_level=1),
    _place("Curry Leaf", "restaurant", -80, -560, hours="Mo-Su 11:00-01:00", cuisine="indian", rating=4.4, price_level=2),
    _place("Pharmacy North", "pharmacy", 130, 640, hours="Mo-Fr 08:00-18:00; Sa 08:00-12:00", phone="+43 1 200"),
    _place("Pharmacy South", "pharmacy", -260, -690, hours="Mo-Su 08:00-22:00", phone="+43 1 201"),
    _place("School A", "school", -210, 520), _place("School B", "school", 540, 90), _place("School C", "school", -480, -260),
    _place("School D", "school", 1600, 200), _place("School E", "school", 330, 400),
    _place("", "bench", 40, 20, id="bench-1"), _place("", "bench", -120, -60, id="bench-2"),
    _place("City Park", "park", -600, 560), _place("Duck Lake", "lake", 900, -400),
    _place("Old Town", "suburb", 60, 80), _place("New Town", "suburb", 1060, 80), _place("Long Street", "street", 100, -130),
    _place("River", "river", -1100, 0),
)  # fmt: skip
SHAPES = {
    "city-park": polygon((-850, 400), (-380, 420), (-360, 700), (-820, 720)),
    "duck-lake": polygon((760, -520), (1010, -540), (1060, -300), (800, -280)),
    "old-town": polygon((-420, -440), (560, -440), (560, 600), (-420, 600)),
    "new-town": polygon((560, -440), (1700, -440), (1700, 600), (560, 600)),
    "long-street": course((-500, -160), (0, -140), (420, -110), (800, -120)),
    "river": course((-1100, -1500), (-1000, 0), (-1200, 1500)),
}


def seconds(a: Place, b: Place, mode: TravelMode) -> float:
    """How long a way takes; a little longer to the north."""
    return round(
        length(a, b, mode) / SPEED_M_S[mode]
        + 20.0 * (b.location.lat > a.location.lat)
        + 60.0 * (mode == "driving"),
        1,
    )


def length(a: Place, b: Place, mode: TravelMode) -> float:
    return round(metres(a.location, b.location) * DETOUR[mode], 1)


def named(name: str) -> Place:
    """The place of this name, or of this id."""
    return next(one for one in PLACES if name in {one.name, one.id})


class Town:
    """Implements `map_tools.providers.base.Provider` and its further ports.

    Args:
        full: Whether lists tell everything of their members; else hours, services and the like are details.
        places: What there is beside the town's own.
    """

    name, map_name, timezone = "town", "Town", "Europe/Vienna"
    terms = Terms(attribution="nobody")

    def __init__(self, *, full: bool = True, places: Sequence[Place] = ()) -> None:
        self.places = {one.id: one for one in (*PLACES, *places)}
        self.full = full
        self.capabilities = Capabilities(
            modes=frozenset(SPEED_M_S), facts=FACTS, areas=True, full_candidates=full, cheap_names=False
        )

    @property
    def extent(self) -> Box:
        return Box(south=48.1, west=16.2, north=48.3, east=16.4)

    async def everywhere(
        self, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        return tuple(self._shown(one) for one in self.places.values() if _fits(one, categories, keyword))

    async def find_place(
        self, text: str, *, near: LatLng | None = None, limit: int = 5
    ) -> tuple[Candidate, ...]:
        found = [one for one in self.places.values() if one.name and normalise(one.name) == normalise(text)]
        return tuple(Candidate(place=self._shown(one), score=1.0, outlined=one.id in SHAPES) for one in found)

    async def place_details(self, place_id: str) -> Place:
        if place_id not in self.places:
            raise PlaceNotFoundError("No such place.")
        return self.places[place_id]

    async def nearby(
        self, center: Spot, *, radius_m: float, categories: tuple[str, ...] = (), keyword: str | None = None,
        rank: RankBy = RankBy.DISTANCE, limit: int | None = 20,
    ) -> tuple[NearbyPlace, ...]:  # fmt: skip
        found = [
            NearbyPlace(place=self._shown(one), distance_m=self._away(center, one))
            for one in self.places.values()
            if _fits(one, categories, keyword)
        ]
        found = sorted((one for one in found if one.distance_m <= radius_m), key=lambda one: one.distance_m)
        return tuple(found) if limit is None or len(found) <= limit else CutList(found[:limit])

    async def inside(
        self, area_id: str, *, categories: tuple[str, ...] = (), keyword: str | None = None
    ) -> tuple[Place, ...]:
        if area_id not in SHAPES:
            raise UnsupportedError("It has no outline.")
        outline = shapely.from_wkt(SHAPES[area_id].wkt)
        return tuple(
            self._shown(one)
            for one in self.places.values()
            if _fits(one, categories, keyword)
            and outline.covers(shapely.Point(one.location.lng, one.location.lat))
        )

    async def shape(self, place_id: str) -> Shape | None:
        return SHAPES.get(place_id)

    async def directions(
        self, origin: Spot, destination: Spot, *, mode: TravelMode, waypoints: tuple[Spot, ...] = (),
        alternatives: bool = False, depart_at: datetime | None = None,
    ) -> tuple[Route, ...]:  # fmt: skip
        if mode not in SPEED_M_S:
            raise NoRouteError("No such mode here.")
        chain = [_as_place(one) for one in (origin, *waypoints, destination)]
        routes = [_route(chain, mode, "Long Street", 1.0)]
        if alternatives and not waypoints:
            routes += [_route(chain, mode, "Ring Road", 1.2), _route(chain, mode, "River Walk", 1.5)]
        return tuple(routes)

    async def matrix(
        self, origins: tuple[Spot, ...], destinations: tuple[Spot, ...], *, mode: TravelMode
    ) -> Matrix:
        if mode not in SPEED_M_S:
            raise UnsupportedError("No such mode here.")
        return Matrix(mode=mode, rows=tuple(tuple(_cell(a, b, mode) for b in destinations) for a in origins))

    async def close(self) -> None:
        return None

    def _shown(self, place: Place) -> Place:
        return place if self.full else place.model_copy(update={"hours": None, "services": {}, "phone": None})

    def _away(self, center: Spot, place: Place) -> float:
        at_, shape = (
            (center, None) if isinstance(center, LatLng) else (center.location, SHAPES.get(center.id))
        )
        own = SHAPES.get(place.id)
        if shape is not None:
            return 0.0 if own is not None and _meet(shape, own) else off_m(shape, place.location)
        return off_m(own, at_) if own is not None else metres(at_, place.location)


@lru_cache(maxsize=256)
def _meet(a: Shape, b: Shape) -> bool:
    return bool(shapely.from_wkt(a.wkt).intersects(shapely.from_wkt(b.wkt)))


def _fits(place: Place, categories: tuple[str, ...], keyword: str | None) -> bool:
    if categories and not set(categories) & set(place.categories):
        return False
    told = normalise(" ".join((place.name, *place.attributes.values())))
    return not keyword or normalise(keyword) in told


def _as_place(spot: Spot) -> Place:
    return spot if isinstance(spot, Place) else Place(id="spot", name="", location=spot)


def _cell(a: Spot, b: Spot, mode: TravelMode) -> MatrixCell:
    one, other = _as_place(a), _as_place(b)
    return MatrixCell(distance_m=length(one, other, mode), duration_s=seconds(one, other, mode))


def _route(chain: list[Place], mode: TravelMode, street: str, factor: float) -> Route:
    legs = []
    for a, b in pairwise(chain):
        metres_, seconds_ = length(a, b, mode) * factor, seconds(a, b, mode) * factor
        told = (
            ("Head north on First Lane", "First Lane", "depart", 0.1),
            (f"Turn left onto {street}", street, "turn-left", 0.5),
            (f"Continue on {street}", street, "straight", 0.1),
            ("At the roundabout, take the 2nd exit onto Ring Road", "Ring Road", "roundabout-right", 0.2),
            ("Turn right onto Last Lane", "Last Lane", "turn-right", 0.1),
        )
        steps = tuple(
            RouteStep(
                instruction=words, streets=(name,), maneuver=maneuver, distance_m=metres_ * share,
                duration_s=seconds_ * share, roundabout_exit=2 if maneuver.startswith("roundabout") else None,
            )
            for words, name, maneuver, share in told
        )  # fmt: skip
        legs.append(RouteLeg(distance_m=metres_, duration_s=seconds_, steps=steps))
    return Route(
        summary=street,
        distance_m=sum(leg.distance_m for leg in legs),
        duration_s=sum(leg.duration_s for leg in legs),
        legs=tuple(legs),
        geometry=tuple(one.location for one in chain),
    )
