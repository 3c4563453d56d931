"""Places, ways, trips, lists: the values that stand for things of the map."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from map_tools.compute.route_replies import uses
from map_tools.compute.route_steps import uses_ferry
from map_tools.errors import LimitError
from map_tools.facts import TravelFact
from map_tools.types import ADDRESS, ID_PREFIX, LatLng, Place, RouteStep, TravelMode
from map_tools.types import Route as MapRoute
from modules.query.values.moment import Moment

if TYPE_CHECKING:
    from modules.query.language.syntax import Lambda

HERE_ID = "here"
MAX_MEMBERS = 5_000
"""Maximum number of members of a list made of other lists: sums and pairs grow faster than their operands."""
POINT_PREFIX = "point:"


@dataclass(frozen=True, slots=True)
class Thing:
    """A place of the map, a position, or an area or line made by a computation.

    Attributes:
        place: What is known of it.
        shape: The geometry of a made area or line, as well-known text (longitude, latitude); None for places
            of the map, whose geometry the map holds.
        role: "place", "area", "line" or "mark".
        extra: What marks of a picture and the like know beyond a place.
    """

    place: Place
    shape: str | None = None
    role: str = "place"
    extra: tuple[tuple[str, Any], ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing) and self.place.id == other.place.id

    def __hash__(self) -> int:
        return hash(self.place.id)

    @property
    def id(self) -> str:
        """Its id, which alone decides whether two things are the same."""
        return self.place.id

    @property
    def is_shaped(self) -> bool:
        """Whether it is an area or a line, as far as it says itself: made, told as one, or asked for as one."""
        extent = self.place.extent
        told = extent is not None and extent.kind != "point"
        return self.shape is not None or told or self.role in {"area", "line"}

    @property
    def is_point(self) -> bool:
        """Whether it has only a position and no extent, as far as is known."""
        extent = self.place.extent
        told = extent is not None and extent.kind == "point"
        return self.shape is None and (told or self.id.startswith((HERE_ID, POINT_PREFIX)))

    @property
    def name(self) -> str:
        """What it is called: its name, else its kind and address; of what is nothing but an address, that."""
        place = self.place
        if place.name:
            return place.name
        if place.categories == (ADDRESS,) and place.address:
            return place.address
        kind = place.categories[0].replace("_", " ") if place.categories else "place"
        return f"unnamed {kind}, {place.address}" if place.address else f"unnamed {kind}"

    @property
    def reference(self) -> str:
        """The words by which a map tool finds exactly this again."""
        if self.id == HERE_ID:
            return HERE_ID
        if self.id.startswith(POINT_PREFIX) and self.place.location is not None:
            return f"{self.place.location.lat},{self.place.location.lng}"
        return ID_PREFIX + self.id


def point(position: LatLng, name: str = "") -> Thing:
    """A bare position."""
    place_id = f"{POINT_PREFIX}{position.lat:.6f},{position.lng:.6f}"
    return Thing(Place(id=place_id, name=name or str(position), location=position))


def check_members(number: int) -> None:
    """Refuses a list of so many members before it is made.

    Raises:
        LimitError: There are more than `MAX_MEMBERS`.
    """
    if number > MAX_MEMBERS:
        raise LimitError(
            f"The program makes a list of {number} members; {MAX_MEMBERS} are the most.",
            "Narrow its lists: within=, inside=, [:50].",
        )


@dataclass(frozen=True, slots=True)
class Items:
    """A list.

    Attributes:
        items: Its members.
        searched: It was found by a search, and not written by the asker.
        complete: As far as the map goes nothing is missing. (`unstated` members are known to exist.)
        unstated: Things that may belong to it: a condition on them is not known.
        what: What its members are ("cafe"), for showing.
        around: What lies just outside, where the search came out empty ("the nearest: X, 700 m").
        unranked: So many at its end are those of which the source does not say how far they are.
        part: It was cut out of a longer list by the program.
        away: How far its members are, in metres, by their ids, where "near" says no more than that. It shows
            what "near" was taken for, and is not told of a part ("the three nearest").
    """

    items: tuple[Any, ...]
    searched: bool = False
    complete: bool = True
    unstated: tuple[Any, ...] = ()
    what: str = ""
    around: str = ""
    unranked: int = 0
    part: bool = False
    away: Mapping[str, float] = field(default_factory=dict, compare=False)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def like(self, items: Iterable[Any], **changes: Any) -> "Items":
        """A list of the same origin with other members."""
        values = {
            "searched": self.searched,
            "complete": self.complete,
            "unstated": self.unstated,
            "what": self.what,
            "part": self.part,
            "away": self.away,
        }
        return Items(tuple(items), **{**values, **changes})


@dataclass(frozen=True, slots=True)
class Bearing:
    """A direction in degrees clockwise from north."""

    degrees: float


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the options of a question, by its index there."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class Way:
    """A way from one place to another by one mode. What it measures is looked up when it is asked for.

    Attributes:
        route: One of several routes that were asked for; None for the best one.
        number: Its place among these.
    """

    origin: Thing
    destination: Thing
    mode: TravelMode
    via: tuple[Thing, ...] = ()
    avoid: tuple[str, ...] = ()
    depart: Moment | None = None
    arrive: Moment | None = None
    route: MapRoute | None = None
    number: int = 0

    def measured(self, told: TravelFact | MapRoute) -> "Way":
        """The way with the time and length stated for it, and no course; a ferry or mountain path becomes a warning."""
        ferry = told.ferry if isinstance(told, TravelFact) else uses_ferry(told)
        route = MapRoute(
            summary="",
            distance_m=told.distance_m,
            duration_s=told.duration_s,
            warnings=uses(ferry=ferry, path_grade=told.path_grade),
            path_grade=told.path_grade,
            depart_at=told.depart_at,
            arrive_at=told.arrive_at,
        )
        return replace(self, route=route)


@dataclass(frozen=True, slots=True)
class Step:
    """A manoeuvre of a way."""

    step: RouteStep
    number: int
    way: Way


@dataclass(frozen=True, slots=True)
class Visit:
    """A stay as a trip is asked for.

    Attributes:
        thing: Where.
        stay_s: How long.
        window: When the stay may begin.
        mode: How one gets there from the stop before; None: as the trip.
    """

    thing: Thing
    stay_s: float = 0.0
    window: tuple[Moment, Moment] | None = None
    mode: TravelMode | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """A stay of a planned trip."""

    thing: Thing
    arrive: Moment | None
    begin: Moment | None
    leave: Moment | None
    stay_s: float
    wait_s: float


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned trip. Times are None where the program gives no clock."""

    legs: tuple[Way, ...]
    stops: tuple[Stop, ...]
    origin: Thing
    destination: Thing
    depart: Moment | None
    arrive: Moment | None
    travel_s: float
    stay_s: float
    wait_s: float
    distance_m: float | None
    feasible: bool | None
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opening:
    """A span of time."""

    start: Moment
    end: Moment


@dataclass(frozen=True, slots=True)
class Group:
    """The members of a list that have one key."""

    key: Any
    items: Items


@dataclass(frozen=True, slots=True)
class Function:
    """A lambda with the names that were bound where it stands."""

    node: "Lambda"
    bound: tuple[tuple[str, Any], ...] = ()
    path: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of the last line of a program.

    Attributes:
        value: The main value.
        parts: Further values by name, in order.
        reason: For `unanswerable`: why; `value` is None then.
    """

    value: Any
    parts: tuple[tuple[str, Any], ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class What:
    """What is searched for: words for a kind, a brand or a tag, or things to choose from."""

    text: str = ""
    things: Items | None = None
