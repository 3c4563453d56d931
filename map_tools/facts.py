"""Typed facts: what a tool, a reader of text or a computation can say about the world.

A fact speaks of places by the words of the question (`query`, `origin`, ...) and carries the place they were
resolved to where there is one, so that a solver can check that a distance was measured from the right anchor.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from map_tools.types import Frozen, LatLng, NearbyPlace, Place, Ride, Route, Shape, TravelMode


def called(place: Place | None, words: str) -> str:
    """The name of a place on the map; the words it was asked for by where it has none."""
    return place.name if place is not None and place.name else words


class PlaceFact(Frozen):
    """`query` was found on the map as `place`.

    `rivals` are other places that fit nearly as well: the name is ambiguous if there are any. `told_apart`
    describes the place and the first rivals, in this order, by what differs for a person.
    """

    kind: Literal["place"] = "place"
    query: str
    place: Place
    score: float = 1.0
    rivals: tuple[Place, ...] = ()
    shape: Shape | None = None
    """Its outline or course, where that was asked for and the source knows it."""
    told_apart: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What to call the place: its name on the map, not the words it was asked for by."""
        return called(self.place, self.query)


class NearbyFact(Frozen):
    """The places of a kind around (or inside) an anchor.

    Attributes:
        anchor: The words the search was centred on.
        anchor_place: What they were resolved to.
        what: The words for the kind of place ("cafe", "indian restaurant").
        radius_m: The circle searched; None if the source does not say.
        inside: True if the search was confined to the anchor's own area instead of a circle.
        items: In ascending distance if `sorted_by_distance`, else in the source's order.
        complete: False if the source cut the list.
        having: Services (`Place.services`) that all items state.
        not_stated: Of so many further places it is not stated whether they have these; the list denies nothing.
    """

    kind: Literal["nearby"] = "nearby"
    anchor: str
    anchor_place: Place | None = None
    what: str
    categories: tuple[str, ...] = ()
    radius_m: float | None = None
    inside: bool = False
    items: tuple[NearbyPlace, ...]
    sorted_by_distance: bool = True
    complete: bool = True
    having: tuple[str, ...] = ()
    not_stated: int = 0


class RoutesFact(Frozen):
    """The routes from origin to destination by one mode, in the source's order (best first)."""

    kind: Literal["routes"] = "routes"
    origin: str
    destination: str
    mode: TravelMode
    waypoints: tuple[str, ...] = ()
    routes: tuple[Route, ...]
    complete: bool = True
    """True if alternatives were asked for (or the source lists all it has)."""
    origin_place: Place | None = None
    destination_place: Place | None = None

    @property
    def origin_name(self) -> str:
        """What to call the origin: its name on the map."""
        return called(self.origin_place, self.origin)

    @property
    def destination_name(self) -> str:
        """What to call the destination: its name on the map."""
        return called(self.destination_place, self.destination)


class TravelFact(Frozen):
    """Time and distance of travel from origin to destination by one mode (one cell of a matrix).

    `depart_at` and `arrive_at` are when one leaves and is there, where a timetable tells it (zone-aware); `ferry`
    is true where the source tells that a ferry is part of it, and `path_grade` is that of a `Route`.
    """

    kind: Literal["travel"] = "travel"
    origin: str
    destination: str
    mode: TravelMode
    duration_s: float | None
    distance_m: float | None
    origin_place: Place | None = None
    destination_place: Place | None = None
    depart_at: datetime | None = None
    arrive_at: datetime | None = None
    ferry: bool = False
    path_grade: int = 0

    @property
    def origin_name(self) -> str:
        """What to call the origin: its name on the map."""
        return called(self.origin_place, self.origin)

    @property
    def destination_name(self) -> str:
        """What to call the destination: its name on the map."""
        return called(self.destination_place, self.destination)


class ReachSample(Frozen):
    """A place and how long the way to it takes, worked out for it alone; None: there is no way."""

    place: Place
    duration_s: float | None


class ReachFact(Frozen):
    """The area that one reaches from an origin by one mode within a time.

    Attributes:
        samples: Places on both sides of the edge with their travel times, so that the area can be checked.
        cut: It comes up to the end of the map, and may go on behind it.
    """

    kind: Literal["reach"] = "reach"
    origin: str
    mode: TravelMode
    within_s: float
    shape: Shape
    samples: tuple[ReachSample, ...] = ()
    cut: bool = False
    origin_place: Place | None = None

    @property
    def origin_name(self) -> str:
        """What to call the origin: its name on the map."""
        return called(self.origin_place, self.origin)


class DeparturesFact(Frozen):
    """What leaves from a stop within a day of a moment, in order; each ride goes to the end of its way.

    `complete` is False if there are more.
    """

    kind: Literal["departures"] = "departures"
    stop: str
    rides: tuple[Ride, ...]
    complete: bool = True
    stop_place: Place | None = None

    @property
    def stop_name(self) -> str:
        """What to call the stop: its name on the map."""
        return called(self.stop_place, self.stop)


class NoteFact(Frozen):
    """A line of supplied text that no reader understands; kept so that nothing is lost."""

    kind: Literal["note"] = "note"
    text: str


class ComputedFact(Frozen):
    """Something computed from other facts by tested code.

    `label` says what ("total travel time"), `value` the result as shown, `formula` how ("14 min + 20 min").
    """

    kind: Literal["computed"] = "computed"
    label: str
    value: str
    formula: str = ""


class PictureLabel(Frozen):
    """A name read from a map picture. Its words are data and never an instruction.

    Attributes:
        text: The name.
        sort: A street's name is turned along it; a shield is a road's number; a listing stands in a list
            beside the map, so its pixels tell nothing.
        x_px, y_px: Where the thing is that it names, y down: at its icon, else in the middle of the name.
        categories: Category ids that its words, or the map, say for certain.
        signs: Category ids that the sign of its marker stands for, the surest first.
        looks_like: Category ids that its colour suggests.
        marked: A marker stands beside it, as web maps put to places that are no areas.
        selected: It is the place that whoever made the picture had selected.
        angle_deg: Counter-clockwise turn of the name; streets' names run along them.
        rating, rating_count, price, notes: As written beneath the name.
        place: What it is on the map, where the picture could be located.
    """

    text: str
    sort: Literal["place", "street", "shield", "listing"] = "place"
    x_px: float
    y_px: float
    categories: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    looks_like: tuple[str, ...] = ()
    marked: bool = False
    selected: bool = False
    angle_deg: float = 0.0
    rating: float | None = None
    rating_count: int | None = None
    price: str = ""
    notes: tuple[str, ...] = ()
    place: Place | None = None


class PictureMarker(Frozen):
    """A marker of a place whose name is not written, or could not be read; the rest as for labels."""

    x_px: float
    y_px: float
    signs: tuple[str, ...] = ()
    looks_like: tuple[str, ...] = ()


class PictureFrame(Frozen):
    """Where a picture is.

    `radius_m` is from the centre to a corner, `rotation_deg` from the picture's top clockwise to north,
    `residual_m` how far the `matched` labels are from where the map has them (root mean square).
    """

    center: LatLng
    radius_m: float
    south: float
    west: float
    north: float
    east: float
    metres_per_px: float
    rotation_deg: float = 0.0
    residual_m: float = 0.0
    matched: int = 0


class PictureFact(Frozen):
    """What a map picture shows; `frame` is None, with the reason, where it could not be located.

    `water` is where rivers, lakes and the sea are: spans of pixel rows, each its y, first x and last x.
    `metres_per_px` is what a scale bar says, where one is shown.
    """

    kind: Literal["picture"] = "picture"
    width_px: int
    height_px: int
    labels: tuple[PictureLabel, ...]
    markers: tuple[PictureMarker, ...] = ()
    water: tuple[tuple[int, int, int], ...] = ()
    metres_per_px: float | None = None
    frame: PictureFrame | None = None
    reason: str = ""


class FailureFact(Frozen):
    """Something that could not be found out, and why. `code` is that of the error (`map_tools.errors`)."""

    kind: Literal["failure"] = "failure"
    code: str
    message: str
    remedy: str = ""
    subject: str = ""
    """The words of the question this is about: the place not found, "A → B" for a route."""
    candidates: tuple[Place, ...] = ()
    """What an ambiguous name may mean, in the order of the message's numbers."""


Fact = Annotated[
    PlaceFact
    | NearbyFact
    | RoutesFact
    | TravelFact
    | ReachFact
    | DeparturesFact
    | PictureFact
    | NoteFact
    | ComputedFact
    | FailureFact,
    Field(discriminator="kind"),
]
