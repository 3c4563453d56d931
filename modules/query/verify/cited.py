"""What the evidence that a node cites says: of places, lists and ways.

Nothing here is computed twice; it is read off the facts, and the facts are those of the answer's evidence.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from map_tools.facts import FailureFact, NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.kinds.concepts import is_ground, is_street, reach_m
from map_tools.text import normalise, same_name
from map_tools.types import Geometry, Place, Route, Shape
from mapagent.core.answer import Evidence
from modules.query.interpreter.context import Situation
from modules.query.language.types import PLACE
from modules.query.values.things import Items, Thing, Way
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import computing, measuring

if TYPE_CHECKING:
    from modules.query.verify.naive import NaiveEvaluator

WIDEST_M = 200_000.0
"""The radius of a search without a bound."""
DATABASE_SEARCH, DATABASE_NAMES = "SearchFeatures", "ResolveLocation"
"""Calls of a spatial database, which gives whole lists."""
ADDRESSED_M, ON_LINE_M = 150.0, 30.0
"""Places on a street: so far off its middle if their address names it, or so far whatever it says."""
_WHYS = {
    "place_not_found": Why.NOT_FOUND,
    "ambiguous": Why.AMBIGUOUS,
    "no_route": Why.NO_ROUTE,
    "unsupported": Why.UNSUPPORTED,
    "limit": Why.LIMIT,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Stands for a value that the evidence does not give: the objection to the claim."""

    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Unchecked(Fault):
    """Stands for a value that cannot be worked out a second time: what it is."""


NOTHING_CITED = Fault("nothing: no evidence that it cites says so")


class NotTold(Exception):  # noqa: N818 (no error of ours: the derivation leaves something out)
    """The derivation lacks a node that is needed."""


@dataclass
class Cited:
    """The evidence that a node cites.

    Attributes:
        ids: What it cites.
        evidence: The evidence of the answer.
        situation: Where and when the program ran.
        used: The ids of what was looked at.
    """

    ids: tuple[str, ...]
    evidence: Mapping[str, Evidence]
    situation: Situation
    used: set[str] = field(default_factory=set)

    @property
    def items(self) -> tuple[Evidence, ...]:
        """The cited evidence that belongs to the answer."""
        return tuple(self.evidence[one] for one in self.ids if one in self.evidence)

    def of(self, kind: type) -> Iterator[tuple[Evidence, Any]]:
        """The cited facts of a kind."""
        return ((item, item.value) for item in self.items if isinstance(item.value, kind))

    def using(self, item: Evidence) -> Any:
        """The fact of a piece of evidence, which counts as used."""
        self.used.add(item.id)
        return item.value

    def lost(self, subject: str = "") -> Unknown | Fault:
        """Why something was not found out, if the evidence says that."""
        for item, fact in self.of(FailureFact):
            if not subject or fact.subject in {subject, ""}:
                self.using(item)
                return Unknown(_WHYS.get(fact.code, Why.FAILED), fact.message)
        return NOTHING_CITED

    def details(self, thing: Thing) -> Place | None:
        """What was looked up about a place beside what is known of it already."""
        for item, fact in self.of(PlaceFact):
            if fact.query == thing.reference and fact.place.id == thing.id:
                self.using(item)
                return fact.place  # type: ignore[no-any-return]
        return None

    def shape(self, thing: Thing | Way) -> Shape | None:
        """The outline or course that is told of a thing."""
        if isinstance(thing, Way):
            route = best_route(thing, self)
            corners = route.geometry if isinstance(route, Route) else ()
            wkt = ", ".join(f"{one.lng} {one.lat}" for one in corners)
            return Shape(kind="line", wkt=f"LINESTRING ({wkt})") if len(corners) > 1 else None
        if thing.shape is not None:
            return Shape(kind="line" if thing.role == "line" else "area", wkt=thing.shape)
        for item, fact in self.of(PlaceFact):
            if fact.shape is not None and fact.query == thing.reference:
                self.using(item)
                return fact.shape  # type: ignore[no-any-return]
        return None

    def namesake(self, thing: Thing) -> Thing | None:
        """The ground that was looked up as an area by the very words a thing was found by."""
        facts = [(item, fact) for item, fact in self.of(PlaceFact) if fact.query != thing.reference]
        words = {fact.query for _, fact in facts if thing.place in (fact.place, *fact.rivals)}
        for item, fact in facts:
            wide = item.source.arguments.get("wanted") == "area" or item.source.arguments.get("region")
            named = {*normalise(fact.query).split()} <= {*normalise(fact.place.name).split()}
            if wide and fact.query in words and named and is_ground(fact.place.categories):
                self.using(item)
                return Thing(fact.place, role="area")
        return None

    def shapeless(self, thing: Thing | Way) -> Unknown | Fault:
        """That a thing has no outline or course, if its look-up tells none; else why it was not found out."""
        for item, fact in self.of(PlaceFact):
            asked_for = item.source.tool == "Shapes" or item.source.arguments.get("shape")
            if (
                isinstance(thing, Thing)
                and asked_for
                and fact.query == thing.reference
                and fact.shape is None
            ):
                self.using(item)
                return Unknown(Why.NOT_STATED, f"{thing.name} has no outline.")
        return self.lost()

    def spot(self, thing: Thing | Way) -> Geometry | None:
        """What distances from a thing are measured from: its outline if that was looked up, else its position."""
        if isinstance(thing, Way):
            return self.shape(thing)
        large = thing.is_shaped or is_ground(thing.place.categories)
        shape = self.shape(thing) if large else None
        return shape if shape is not None else thing.place.location

    def ground(self, thing: Thing | Way) -> Geometry | None:
        """The outline or course of a thing; the position of what is told to be nothing but one."""
        if isinstance(thing, Thing) and thing.is_point:
            return thing.place.location
        return self.shape(thing)

    def away(self, a: Thing, b: Thing) -> float | Unknown:
        """The straight line between two things in metres, measured anew; without a position as the source tells."""
        if a.id == b.id:
            return 0.0
        first, second = self.spot(a), self.spot(b)
        told = None if a.place.location and b.place.location else self._told(a, b)
        if told is not None:
            return told
        if first is not None and second is not None:
            return measuring.away_m(first, second)
        for item, fact in self.of(TravelFact):
            ends = {fact.origin, fact.destination}
            if ends == {a.reference, b.reference} and fact.distance_m is not None:
                self.using(item)
                return float(fact.distance_m)
        for item, _ in (*self.of(NearbyFact), *self.of(FailureFact)):
            self.using(item)
        return Unknown(Why.NOT_STATED, "A position is not known.")

    def _told(self, a: Thing, b: Thing) -> float | None:
        for first, second in ((a, b), (b, a)):
            for item, fact in self.of(NearbyFact):
                for one in fact.items if fact.anchor == first.reference else ():
                    same = one.place.id == second.id or same_name(one.place.name, second.name)
                    if same and one.distance_m is not None:
                        self.using(item)
                        return float(one.distance_m)
        return None

    def listed(
        self, what: str, center: str, radius_m: float | None, *, relation: str = "around", outline: str = ""
    ) -> NearbyFact | None:
        """The longest cited list of a search; a database may have been asked for directions alone."""
        found: tuple[bool, int, NearbyFact] | None = None
        for item, fact in self.of(NearbyFact):
            asked = item.source.arguments
            if item.source.tool == DATABASE_SEARCH:
                bounds = {radius_m, None} if radius_m == WIDEST_M else {radius_m}
                same = asked.get("relation", "around") == relation and asked.get("outline", "") == outline
                circle = same and asked.get("radius") in bounds
            else:
                circle = radius_m is None or abs((fact.radius_m or 0.0) - radius_m) < 1e-6
                circle = circle and fact.inside == (relation == "inside")
            if fact.anchor == center and fact.what == (what or "place") and circle:
                self.using(item)
                ranked = (fact.radius_m == radius_m, len(fact.items), fact)
                found = ranked if found is None or ranked[:2] >= found[:2] else found
        return None if found is None else found[2]


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that is checked.

    Attributes:
        by: Works out functions and look-ups.
        at: Where the call stands: its path and number, and its line.
        arguments: By name.
        claimed: What it is claimed to come to.
        cited: The evidence that it cites.
    """

    by: "NaiveEvaluator"
    at: tuple[tuple[int, ...], int]
    line: int
    arguments: Mapping[str, Any]
    claimed: Any
    cited: Cited

    def __getitem__(self, name: str) -> Any:
        return self.arguments.get(name)

    def keys(self, xs: Items, name: str = "key") -> list[Any]:
        """The keys of the members of a list: what a function gives for them, else they themselves.

        Raises:
            BrokenOff: One of them was not found out.
        """
        return computing.sought(list(xs) if self[name] is None else self.by.apply(self[name], xs.items))

    def things(self, members: Iterable[Any]) -> list[Any]:
        """Members of a list as places: words are looked up, stays stand for their place."""
        return [self.by.coerced(one, PLACE, self.at, self.line) for one in members]


type Check = Callable[[Asked], Any]
"""Evaluates a call independently and returns its value."""


def looked_up(words: str, role: str, given: Mapping[str, Any], cited: Cited, claimed: Any) -> Any:
    """The place that words mean, of those that the cited look-up tells."""
    near, inside = given.get("near"), given.get("inside")
    for item, fact in cited.of(PlaceFact):
        asked = item.source.arguments
        told = near.reference if near is not None and item.source.tool != DATABASE_NAMES else ""
        if fact.query != words or asked.get("near", "") != told:
            continue
        if item.source.tool != DATABASE_NAMES and asked.get("wanted", "") not in {"", role}:
            continue
        if asked.get("inside", "") != (inside.reference if inside else "") or bool(given.get("kind")) != bool(
            asked.get("kind")
        ):
            continue
        cited.using(item)
        settled = _settled(fact, near, role, claimed)
        return _outlined(settled, claimed, cited) if isinstance(settled, Thing) else settled
    return cited.lost(words)


def _settled(fact: PlaceFact, near: Thing | None, role: str, claimed: Any) -> Any:
    """Among several of a name the one nearest to `near`; else any of them, or that it is ambiguous."""
    places = [fact.place, *fact.rivals]
    if near is not None and near.place.location is not None and fact.rivals:
        anchor = near.place.location
        off = {
            one.id: measuring.inverse(anchor, one.location)[0] for one in places if one.location is not None
        }
        least = min(off.values(), default=0.0)
        places = [one for one in places if one.id in off and measuring.close(off[one.id], least)]
    elif fact.rivals and isinstance(claimed, Unknown) and claimed.why is Why.AMBIGUOUS:
        return claimed
    chosen = next((one for one in places if isinstance(claimed, Thing) and one == claimed.place), places[0])
    return Thing(chosen, role=role)


def _outlined(thing: Thing, claimed: Any, cited: Cited) -> Any:
    """A district or settlement as the circle around its middle that is claimed, where its outline is not told.

    A street is the strip along its course.
    """
    radius_m, middle = reach_m(thing.place.categories), thing.place.location
    if thing.role != "area" or not isinstance(claimed, Thing) or claimed.shape is None:
        return thing
    shape = Shape(kind="area", wkt=claimed.shape)
    course = cited.shape(thing) if is_street(thing.place.categories) else None
    round_it = radius_m is not None and middle is not None and measuring.is_buffer(shape, middle, radius_m)
    if not round_it and (course is None or not measuring.is_buffer(shape, course, ON_LINE_M)):
        return Fault("an area of no known outline")
    return replace(thing, shape=claimed.shape, extra=claimed.extra)


def asked_time(way: Way, cited: Cited) -> tuple[str, str]:
    """Departure and arrival that a timetable has to be asked for; empty without one."""
    if way.mode.value != "transit" or not cited.situation.timetables:
        return "", ""
    if way.depart is None and way.arrive is not None:
        return "", way.arrive.at.isoformat()
    leaves = way.depart.at if way.depart is not None else cited.situation.now
    return ("" if leaves is None else leaves.replace(microsecond=0).isoformat()), ""


def _asked_for(item: Evidence, when: tuple[str, str]) -> bool:
    """Whether evidence is of the time that is meant."""
    given = item.source.arguments
    return (given.get("depart_at", ""), given.get("arrive_by", "")) == when


def measured(way: Way, cited: Cited) -> TravelFact | Route | Unknown | Fault:
    """What tells the time and length of a way: its route, or a cell of its ends and its mode."""
    if way.route is not None or way.via or way.avoid:
        return best_route(way, cited)
    if way.origin.id == way.destination.id:
        return Route(summary="", distance_m=0.0, duration_s=0.0)  # one is there already
    ends = (way.origin.reference, way.destination.reference)
    when = asked_time(way, cited)
    backwards: TravelFact | None = None
    for item, fact in cited.of(TravelFact):
        timely = _asked_for(item, when)
        if fact.mode is way.mode and (fact.origin, fact.destination) == ends and timely:
            return cited.using(item)  # type: ignore[no-any-return]
        if fact.mode is way.mode and (fact.destination, fact.origin) == ends and cited.situation.text:
            backwards = fact
    for item, fact in cited.of(TravelFact if backwards is not None else FailureFact):
        if fact is backwards or isinstance(fact, FailureFact):
            cited.using(item)
    if backwards is not None:
        return backwards
    return cited.lost()


def routes_of(way: Way, cited: Cited, *, alternatives: bool) -> RoutesFact | Unknown | Fault:
    """The cited routes between the ends of a way by its mode and over its stops."""
    stops = tuple(stop.reference for stop in way.via)
    for item, fact in cited.of(RoutesFact):
        ends = (fact.origin, fact.destination) == (way.origin.reference, way.destination.reference)
        asked = bool(item.source.arguments.get("alternatives")) == alternatives
        avoided = tuple(item.source.arguments.get("avoid", ())) == way.avoid
        asked = asked and _asked_for(item, asked_time(way, cited))
        if ends and asked and avoided and fact.mode is way.mode and fact.waypoints == stops and fact.routes:
            return cited.using(item)  # type: ignore[no-any-return]
    return cited.lost()


def best_route(way: Way, cited: Cited) -> Route | Unknown | Fault:
    """The quickest of the cited routes of a way, where their times are told; else the shortest."""
    if way.route is not None:
        return way.route
    found = routes_of(way, cited, alternatives=False)
    if not isinstance(found, RoutesFact):
        return found
    for name in ("duration_s", "distance_m"):
        told = [
            (value, number)
            for number, route in enumerate(found.routes)
            if (value := getattr(route, name)) is not None
        ]
        if told:
            return found.routes[min(told)[1]]
    return found.routes[0]
