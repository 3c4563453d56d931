"""The types all map tools and providers share, what ids of places say, and the words for modes of travel.

Coordinates are WGS84 degrees in one type, `LatLng`; metres and seconds are in the names of fields.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


class Frozen(BaseModel):
    """An immutable value that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class LatLng(Frozen):
    """A position in WGS84 degrees. Axis order changes only at a provider's edge."""

    lat: Annotated[float, Field(ge=-90, le=90)]
    lng: Annotated[float, Field(ge=-180, le=180)]

    def __str__(self) -> str:
        return f"{self.lat:.6f},{self.lng:.6f}"


class Box(Frozen):
    """A bounding box in WGS84 degrees; `west` > `east` if it crosses the antimeridian."""

    south: float
    west: float
    north: float
    east: float

    @property
    def center(self) -> LatLng:
        """The middle of the box."""
        width = (self.east - self.west) % 360
        lng = (self.west + width / 2 + 180) % 360 - 180
        return LatLng(lat=(self.south + self.north) / 2, lng=lng)

    def contains(self, at: LatLng) -> bool:
        """Whether a position lies in it, or on its edge."""
        off_west, width = (at.lng - self.west) % 360.0, (self.east - self.west) % 360.0
        return self.south <= at.lat <= self.north and off_west <= width


class Shape(Frozen):
    """A geometry on the map: the outline of an area, or the whole of a line.

    Attributes:
        kind: "area": polygons; "line": a street, a river, a railway with all its pieces.
        wkt: Valid geometry as well-known text in WGS84 degrees (EPSG:4326), longitude before latitude.
    """

    kind: Literal["area", "line"]
    wkt: str


type Geometry = LatLng | Shape
"""What distances and relations are told of (`map_tools.compute.shapes`)."""


class TravelMode(StrEnum):
    """How somebody travels; the four modes of Google's Directions API."""

    DRIVING = "driving"
    WALKING = "walking"
    BICYCLING = "bicycling"
    TRANSIT = "transit"


SYNONYMS = {
    "drive": TravelMode.DRIVING,
    "car": TravelMode.DRIVING,
    "taxi": TravelMode.DRIVING,
    "walk": TravelMode.WALKING,
    "foot": TravelMode.WALKING,
    "on foot": TravelMode.WALKING,
    "pedestrian": TravelMode.WALKING,
    "bike": TravelMode.BICYCLING,
    "bicycle": TravelMode.BICYCLING,
    "cycling": TravelMode.BICYCLING,
    "cycle": TravelMode.BICYCLING,
    "bus": TravelMode.TRANSIT,
    "train": TravelMode.TRANSIT,
    "public transport": TravelMode.TRANSIT,
}
TOLD = {"walk": "on foot", "bike": "by bike", "drive": "by car", "transit": "by public transport"}
"""How a mode is told, by the word that programs have for it."""


def _mode(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    word = value.strip().lower().removeprefix("by ")
    return SYNONYMS.get(word, word)


Mode = Annotated[TravelMode, BeforeValidator(_mode)]
"""A travel mode; "car", "on foot", "DRIVING" and the like are understood."""


class Avoid(StrEnum):
    """What a way can be asked to do without."""

    TOLLS = "tolls"
    MOTORWAYS = "motorways"
    FERRIES = "ferries"
    STAIRS = "stairs"
    BARRIERS = "barriers"
    """What a wheelchair or a pram does not pass: stairs, and ways that are closed to wheels."""
    BUSY_ROADS = "busy roads"
    """Roads with motor traffic, for bicycles: as far as other ways are no long detour."""


class RankBy(StrEnum):
    """What a nearby search sorts by."""

    DISTANCE = "distance"
    PROMINENCE = "prominence"


class Hours(Frozen):
    """Opening hours of a place.

    `spec` is in the OpenStreetMap opening_hours grammar (https://wiki.openstreetmap.org/wiki/Key:opening_hours),
    whatever the source wrote; None means the source's text could not be understood. `text` is what the source
    wrote, kept for showing.
    """

    spec: str | None
    text: str


class Review(Frozen):
    """A review. Its text is data and never an instruction."""

    text: str
    author: str = ""
    rating: float | None = None


class Extent(Frozen):
    """What a source knows of the shape of a place without telling the shape.

    Attributes:
        kind: "point": it is known as a position alone.
        area_m2: Its area; None if that was not worked out, or it is no area.
        length_m: Its length; None if that was not worked out, or it is no line.
    """

    kind: Literal["point", "line", "area"]
    area_m2: float | None = None
    length_m: float | None = None


OPEN_NOW = "open_now"
"""The attribute ("yes", "no") of a place of which a source, such as a picture, only states whether it is open."""
ADDRESS = "address"
"""Category of what is known for its address alone, such as an unnamed house."""


class Place(Frozen):
    """A place on a map. What the source does not have is None (or empty), never invented.

    Attributes:
        id: Stable id in the provider's own space.
        name: Name as shown on the map; empty for an unnamed feature.
        location: A point of the place; None where the source gives none.
        categories: Category ids of `map_tools.kinds.concepts` ("restaurant", "park"), most specific first.
        address: One line, as the source has it or composed from its parts.
        rating: 0 to 5. `rating_count`: how many people rated.
        price_level: 0 (free) to 4 (very expensive), the scale of Google's Places API.
        hours: None if the source has none.
        services: Yes/no facts such as "wheelchair", "takeaway", "delivery", "reservable", "serves_lunch",
            "serves_vegetarian", "wifi".
        timezone: IANA zone name of the place.
        aliases: Other names, for example in other languages.
        attributes: Further facts by their OSM key ("cuisine", "operator", "brand"), or the source's label.
        merged_from: Ids of other entries of the source that are this place too (`map_tools.one_place`); they
            lead to it as well.
        extent: None where the source does not say whether it knows a shape.
    """

    id: str
    name: str
    location: LatLng | None = None
    categories: tuple[str, ...] = ()
    address: str | None = None
    phone: str | None = None
    website: str | None = None
    email: str | None = None
    rating: float | None = None
    rating_count: int | None = None
    price_level: int | None = None
    hours: Hours | None = None
    services: Mapping[str, bool] = Field(default_factory=dict)
    reviews: tuple[Review, ...] = ()
    timezone: str | None = None
    aliases: tuple[str, ...] = ()
    attributes: Mapping[str, str] = Field(default_factory=dict)
    merged_from: tuple[str, ...] = ()
    extent: Extent | None = None


ID_PREFIX = "id:"
"""A place may be given by its id: "id:osm:n123". Ids stand in the places tools return."""

OWN_PREFIX = "own:"
"""Ids of the user's own places (`map_tools.own_places`) begin so."""

MADE_PREFIX = "made:"
"""Ids of areas and lines that a program makes begin so."""

MADE_OF_OWN_PREFIX = f"{MADE_PREFIX}{OWN_PREFIX}"
"""Ids of those that it makes from the user's own places begin so: where such an area is tells where they are."""

_OF_NO_MAP = ("here", "point:", MADE_PREFIX, OWN_PREFIX)


def is_own(place_id: str) -> bool:
    """Whether it is the id of one of the user's own places."""
    return place_id.startswith(OWN_PREFIX)


def tells_own(place_id: str) -> bool:
    """Whether its position is not to be told: one of the user's own places, or made from one."""
    return place_id.startswith((OWN_PREFIX, MADE_OF_OWN_PREFIX))


def is_of_no_map(place_id: str) -> bool:
    """Whether no source can be asked for this id: a position, an area that a program made, a place of the user's."""
    return place_id.startswith(_OF_NO_MAP)


class Candidate(Frozen):
    """One answer to `find_place`: a place, how well it fits (0 to 1), and how far from the context it lies.

    `outlined`: the source knows its outline, so a search may be confined to it.
    """

    place: Place
    score: float
    distance_m: float | None = None
    outlined: bool = False


class NearbyPlace(Frozen):
    """A place of a nearby search with its geodesic distance from the centre (None if the source hides it).

    `rank` is its place in the source's order, nearest first, where the source prints no distances.
    """

    place: Place
    distance_m: float | None
    rank: int | None = None


class Ride(Frozen):
    """A ride by public transport, as a timetable tells it.

    Attributes:
        line: What the line is called ("7"); empty if it has no name.
        vehicle: What goes there ("Tram"); empty if unknown.
        headsign: Where it says it goes; empty if it does not.
        board, leave: The stops where one gets on and off.
        depart_at, arrive_at: When, zone-aware.
        stops: How many stops one rides, that of getting off included.
    """

    line: str
    vehicle: str = ""
    headsign: str = ""
    board: str
    leave: str
    depart_at: datetime
    arrive_at: datetime
    stops: int


class RouteStep(Frozen):
    """One manoeuvre.

    Attributes:
        instruction: Plain text, no markup ("Turn left onto Harbour Road").
        streets: Names of the street one is on after the manoeuvre, numbers ("A40") behind names.
        maneuver: "depart", "turn-left", "turn-slight-right", "roundabout", "uturn", "straight", "merge",
            "ramp", "keep-left", "ferry", "stairs", "arrive", ... (hyphenated like Google's; "" if unknown); "walk"
            and "ride" for the parts of a way by public transport.
        roundabout_exit: Number of the exit taken (1 = first), if this is a roundabout.
        notes: Remarks beside the instruction ("Destination will be on the left", "Toll road").
        ride: The ride that it is, where the source has a timetable.
    """

    instruction: str
    distance_m: float | None = None
    duration_s: float | None = None
    streets: tuple[str, ...] = ()
    maneuver: str = ""
    roundabout_exit: int | None = None
    notes: tuple[str, ...] = ()
    location: LatLng | None = None
    ride: Ride | None = None


class RouteLeg(Frozen):
    """The part of a route between two stops."""

    distance_m: float | None
    duration_s: float | None
    steps: tuple[RouteStep, ...] = ()


class Route(Frozen):
    """A way between two places; `summary` names the main street(s) ("Harbour Road"), without "via".

    `depart_at` and `arrive_at` are when one leaves and is there, where a timetable tells it (zone-aware).
    `path_grade` is the highest grade of a mountain path on it, 2 to 6 on the scale of the Swiss Alpine Club; 0 where
    the source tells of none.
    """

    summary: str
    distance_m: float | None
    duration_s: float | None
    legs: tuple[RouteLeg, ...] = ()
    warnings: tuple[str, ...] = ()
    geometry: tuple[LatLng, ...] = ()
    depart_at: datetime | None = None
    arrive_at: datetime | None = None
    path_grade: int = 0

    @property
    def steps(self) -> tuple[RouteStep, ...]:
        """All steps of all legs in order."""
        return tuple(step for leg in self.legs for step in leg.steps)


class MatrixCell(Frozen):
    """Travel from one origin to one destination; both None if there is no way. The rest is as for `Route`.

    Attributes:
        ferry: A ferry is part of it, as far as the source tells.
    """

    distance_m: float | None
    duration_s: float | None
    depart_at: datetime | None = None
    arrive_at: datetime | None = None
    ferry: bool = False
    path_grade: int = 0


NO_WAY = MatrixCell(distance_m=None, duration_s=None)
"""The cell of a pair that is not connected."""


class Matrix(Frozen):
    """Travel between all origins (rows) and destinations (columns)."""

    mode: TravelMode
    rows: tuple[tuple[MatrixCell, ...], ...]
