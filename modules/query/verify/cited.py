"""What the evidence that a node cites says: of places, lists, ways and their fields.

Nothing here is computed twice; it is read off the facts, and the facts are those of the answer's evidence.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from map_tools.areas import STREETS, reach_m
from map_tools.compute import route_steps
from map_tools.compute.clocks import format_clock
from map_tools.compute.street_names import canonical_street, is_number
from map_tools.concepts import is_ground, label_of
from map_tools.facts import FailureFact, NearbyFact, PlaceFact, RoutesFact, TravelFact
from map_tools.ids import OWN_PREFIX
from map_tools.text import normalise, same_name
from map_tools.types import Geometry, Hours, Place, Route, RouteStep, Shape
from mapagent.evidence import Evidence
from modules.query.interpreter.address_line import address_parts
from modules.query.interpreter.context import Situation
from modules.query.language.types import MODE_NAMES, PLACE
from modules.query.values.amount import (
    DURATION,
    LENGTH,
    NUMBER,
    SIZE,
    UNITS,
    Amount,
)  # fmt: skip
from modules.query.values.moment import WEEKDAYS, Moment
from modules.query.values.things import (
    Bearing,
    Choice,
    Group,
    Items,
    Opening,
    Plan,
    Step,
    Stop,
    Thing,
    Visit,
    Way,
    point,
)  # fmt: skip
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import measuring
from modules.query.verify.agreement import wind
from modules.query.verify.computing import read_amount
from modules.query.verify.timing import later

if TYPE_CHECKING:
    from modules.query.verify.naive import NaiveEvaluator

WIDEST_M = 200_000.0
"""The radius of a search without a bound."""
DATABASE_SEARCH, DATABASE_NAMES = "SearchFeatures", "ResolveLocation"
"""Calls of a spatial database, which gives whole lists."""
_MADE = ("here", "point:", "made:", OWN_PREFIX)
"""Ids of what no map holds."""
ON_LINE_M = 30.0
"""What is no farther from the middle of a street stands on it."""
_STREET_WITHIN_M = 100.0
_OF_ADDRESS = frozenset({"street", "city", "postcode", "housenumber"})
_WHYS = {
    "place_not_found": Why.NOT_FOUND,
    "ambiguous": Why.AMBIGUOUS,
    "no_route": Why.NO_ROUTE,
    "unsupported": Why.UNSUPPORTED,
    "limit": Why.LIMIT,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Stands for a value where the evidence gives none: what speaks against the claim."""

    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Unchecked(Fault):
    """Stands for a value that cannot be worked out a second time: what it is."""


NOTHING_CITED = Fault("nothing: no evidence that it cites says so")


class NotTold(Exception):  # noqa: N818 (no error of ours: the derivation leaves something out)
    """The derivation does not tell a node that is needed."""


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
        """What it cites, as far as it is evidence of the answer."""
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
        large = thing.shape is not None or thing.role in {"area", "line"} or is_ground(thing.place.categories)
        shape = self.shape(thing) if large else None
        return shape if shape is not None else thing.place.location

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
        """The keys of the members of a list: what a function gives for them, else they themselves."""
        return list(xs) if self[name] is None else self.by.apply(self[name], xs.items)

    def things(self, members: Iterable[Any]) -> list[Any]:
        """Members of a list as places: words are looked up, stays stand for their place."""
        return [self.by.coerced(one, PLACE, self.at, self.line) for one in members]


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
    course = cited.shape(thing) if not STREETS.isdisjoint(thing.place.categories) else None
    round_it = radius_m is not None and middle is not None and measuring.is_buffer(shape, middle, radius_m)
    if not round_it and (course is None or not measuring.is_buffer(shape, course, ON_LINE_M)):
        return Fault("an area of no known outline")
    return replace(thing, shape=claimed.shape, extra=claimed.extra)


def stated(place: Place, name: str) -> Any:
    """What a place states of a field or of a key of the map; None if nothing."""
    plain = {"reviews": "rating_count", "price": "price_level"}.get(name, name)
    if plain in {"address", "phone", "website", "email", "rating", "rating_count", "price_level"}:
        value = getattr(place, plain)
        return Amount.of(float(value)) if isinstance(value, int | float) else value
    if name == "opening_hours":
        return None if place.hours is None else place.hours.text
    if name in {"lat", "lng"}:
        return None if place.location is None else Amount.of(getattr(place.location, name))
    if name == "location":
        return None if place.location is None else point(place.location)
    if name == "kind":
        return label_of(place.categories[0]) if place.categories else None
    found = (place.name or None) if name == "name" else _tag(place, name)
    if found is None and name.removeprefix("addr:") in _OF_ADDRESS and place.address:
        # How an address is taken apart is the reading of words, of which there is one.
        told = address_parts(place.address).get(name.removeprefix("addr:"))
        words = place.address.split(",")[0].split()
        first = " ".join(word for word in words if not word[0].isdigit()) or None
        return first if told is None and name == "street" else told
    return found


def _tag(place: Place, name: str) -> Any:
    service = {
        "vegan": "serves_vegan", "vegetarian": "serves_vegetarian", "dog": "dogs", "internet_access": "wifi",
        "reservation": "reservable",
    }.get(name, name)  # fmt: skip
    offered = _keyed(place.services, service, service)
    if offered is None:
        same = [value for other, value in place.services.items() if _served(other) == _served(service)]
        offered = same[0] if same else None
    if offered is not None:
        return offered
    key = {
        "street": "addr:street",
        "city": "addr:city",
        "district": "addr:suburb",
        "postcode": "addr:postcode",
        "housenumber": "addr:housenumber",
    }
    text = _keyed(place.attributes, key.get(name, name), name)
    if text is not None:
        return _typed(key.get(name, name), text)
    diet = place.attributes.get(f"diet:{name}") if name in {"vegan", "vegetarian"} else None
    return None if diet is None else diet in {"yes", "only"}


def _served(key: str) -> list[str]:
    """What a service serves, whether its key says so or not, one or many."""
    words = [word.rstrip("s") for word in normalise(key).split()]
    return sorted(word for word in words if word not in {"serve", "food"}) or words


def _keyed(table: Mapping[str, Any], key: str, name: str) -> Any:
    """The value of a key, else of one that is spelt alike."""
    if key in table:
        return table[key]
    return next((value for other, value in table.items() if normalise(other) == normalise(name)), None)


def _typed(key: str, text: str) -> Any:
    """A tag as yes or no, a number, an amount, or words."""
    if text in {"yes", "no"}:
        return text == "yes"
    words = {"description", "note", "name", "operator", "brand", "inscription", "opening_hours", "phone"}
    if key in words or key.startswith(("addr:", "name", "ref")):
        return text
    if key in {"rating", "reviews", "stars", "capacity"}:
        return _first_number(text)
    try:
        number = float(text)
    except ValueError:
        return read_amount(text) or text
    return Amount.of(number, LENGTH if key in {"height", "width", "length", "ele"} else NUMBER)


def _first_number(text: str) -> Amount | str:
    """The only number of a text, or the first of "4 of 5"; words and signs behind it are left out."""
    spaced = "".join(char if char.isdigit() or char in ".," else " " for char in text.strip()).split()
    scaled = len(spaced) == 2 and ("/" in text or " of " in text)
    if text.strip()[:1].isdigit() and (len(spaced) == 1 or scaled):
        try:
            return Amount.of(float(spaced[0].replace(",", ".")))
        except ValueError:
            return text
    return text


def place_field(thing: Thing, name: str, cited: Cited) -> Any:
    """A field of a place: as it is known, else as its details tell."""
    special = dict(thing.extra)
    if name in special:
        return special[name]
    if thing.id.startswith(OWN_PREFIX) and name in {"lat", "lng", "location"}:
        return Unknown(Why.NOT_STATED, f"The position of {thing.name} stays with its owner.")
    extent = getattr(thing.place.extent, "kind", "point")
    is_long = thing.role in {"line", "area"} or extent != "point" or is_ground(thing.place.categories)
    if name in {"size", "perimeter"} or (name == "length" and is_long):
        return _extent(thing, name, cited)
    found = stated(thing.place, name)
    details = cited.details(thing) if found is None and not thing.id.startswith(_MADE) else None
    found = stated(details, name) if details is not None else found
    found = _street_near(thing, cited) if found is None and name == "address" else found
    return Unknown(Why.NOT_STATED, f"The {name} of {thing.name} is not stated.") if found is None else found


def _street_near(thing: Thing, cited: Cited) -> str | None:
    """The nearest street, if it is listed and near enough to be the one that a place stands at."""
    fact = cited.listed("street", thing.reference, WIDEST_M)
    first = fact.items[0] if fact is not None and fact.items else None
    near = first is not None and first.distance_m is not None and first.distance_m <= _STREET_WITHIN_M
    return first.place.name or None if near and first is not None else None


def _extent(thing: Thing, name: str, cited: Cited) -> Any:
    told = thing.place.extent if thing.shape is None else None
    worked_out = None if told is None else {"size": told.area_m2, "length": told.length_m}.get(name)
    if worked_out is not None:
        return Amount.of(worked_out, SIZE if name == "size" else LENGTH)
    shape = cited.shape(thing)
    if shape is not None and shape.kind == ("line" if name == "length" else "area"):
        value = measuring.size_m2(shape) if name == "size" else measuring.length_m(shape)
        return Amount.of(value, SIZE if name == "size" else LENGTH)
    return Unknown(Why.NOT_STATED, f"{thing.name} has no {name}.")


def hours_of(thing: Thing, cited: Cited) -> Hours | Unknown:
    """The opening hours that are told of a place."""
    details = cited.details(thing) if thing.place.hours is None and not thing.id.startswith(_MADE) else None
    found = thing.place.hours if details is None else details.hours
    return (
        Unknown(Why.NOT_STATED, f"The opening hours of {thing.name} are not stated.")
        if found is None
        else found
    )


def measured(way: Way, cited: Cited) -> TravelFact | Route | Unknown | Fault:
    """What tells the time and length of a way: its route, or a cell of its ends and its mode."""
    if way.route is not None or way.via or way.avoid:
        return best_route(way, cited)
    if way.origin.id == way.destination.id:
        return Route(summary="", distance_m=0.0, duration_s=0.0)  # one is there already
    ends = (way.origin.reference, way.destination.reference)
    backwards: TravelFact | None = None
    for item, fact in cited.of(TravelFact):
        if fact.mode is way.mode and (fact.origin, fact.destination) == ends:
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


def way_amount(way: Way, name: str, cited: Cited) -> Amount | Unknown | Fault:
    """The `duration_s` or `distance_m` of a way."""
    found = measured(way, cited)
    if isinstance(found, Unknown | Fault):
        return found
    value = getattr(found, name)
    if value is None and isinstance(found, TravelFact) and name == "distance_m":
        route = best_route(way, cited)
        value = route.distance_m if isinstance(route, Route) else None
    for parts in (found.legs, found.steps) if isinstance(found, Route) and value is None else ():
        told: list[float | None] = [getattr(part, name) for part in parts]
        if told and None not in told and value is None:
            value = sum(one for one in told if one is not None)
    if value is None:
        return Unknown(Why.NOT_STATED, f"The {name[:-2]} of the way is not stated.")
    return Amount.of(value, DURATION if name == "duration_s" else LENGTH)


def way_field(way: Way, name: str, cited: Cited) -> Any:
    """A field of a way."""
    if name in {"origin", "destination"}:
        return getattr(way, name)
    if name in {"duration", "distance", "length"}:
        return way_amount(way, "duration_s" if name == "duration" else "distance_m", cited)
    if name in {"depart", "arrive"}:
        other = way.arrive if name == "depart" else way.depart
        own = getattr(way, name)
        seconds = way_amount(way, "duration_s", cited) if own is None and other is not None else None
        if own is not None or not isinstance(seconds, Amount) or other is None:
            return own or seconds or Unknown(Why.NOT_STATED, "No time is given.")
        return later(other, seconds.low if name == "arrive" else -seconds.low)
    if name in {"mode", "fare"}:
        return MODE_NAMES[way.mode.value] if name == "mode" else Unknown(Why.NOT_STATED, "No fare is stated.")
    route = best_route(way, cited)
    return _route_field(way, route, name) if isinstance(route, Route) else route


def _route_field(way: Way, route: Route, name: str) -> Any:
    steps = tuple(Step(step, number, way) for number, step in enumerate(route.steps))
    match name:
        case "steps" if steps:
            return Items(steps)
        case "turns":
            return Items(tuple(step for step in steps if _turn(step.step)))
        case "streets":
            return Items(tuple(_streets(route.steps)))
        case "summary" | "name" if route.summary:
            return route.summary
        case "toll" | "ferry":
            if any(name in warning.casefold() for warning in route.warnings):
                return True
            # What counts as a toll or a ferry in the words of a step is the text readers' business.
            return (
                route_steps.has(route, name)
                if steps
                else Unknown(Why.NOT_STATED, "The steps are not stated.")
            )
        case "warnings":
            return Items(route.warnings)
    return Unknown(Why.NOT_STATED, f"The {name} of the way is not stated.")


def _streets(steps: Iterable[RouteStep]) -> Iterator[str]:
    """The streets of a way as one passes them; a road's number does not make two streets one."""
    current: set[str] = set()
    for step in steps:
        names = [name for name in step.streets if not is_number(name)] or list(step.streets)
        if names:
            called = {canonical_street(name) for name in names}
            if not called & current:
                yield names[0]
            current = called


def _maneuver(step: RouteStep) -> str:
    return step.maneuver or route_steps.read_step(step.instruction).maneuver


def _turn(step: RouteStep) -> str:
    """left, right, u-turn or roundabout; empty where one goes straight on."""
    maneuver = _maneuver(step)
    if maneuver.startswith("turn-"):
        return "left" if maneuver.endswith("left") else "right"
    if maneuver.startswith("roundabout") and maneuver != "roundabout-exit":
        return "roundabout"
    return "u-turn" if maneuver.startswith("uturn") else ""


def _step_field(step: Step, name: str, _cited: Cited) -> Any:
    told = step.step
    notes = f" ({'; '.join(told.notes)})" if told.notes else ""
    exit_ = told.roundabout_exit
    values: dict[str, Any] = {
        "text": told.instruction + notes,
        "street": told.streets[0] if told.streets else None,
        "streets": Items(told.streets),
        "distance": None if told.distance_m is None else Amount.of(told.distance_m, LENGTH),
        "duration": None if told.duration_s is None else Amount.of(told.duration_s, DURATION),
        "exit": route_steps.numbered_exit(told) if exit_ is None else Amount.of(exit_),
        "mode": MODE_NAMES[step.way.mode.value],
        "maneuver": _maneuver(told) or "straight",
        "landmarks": Items(route_steps.landmarks(told)),
        "side": (route_steps.arrival_side(told) or (None,))[0],
    }
    if name == "turn":
        return _turn(told) or Unknown(Why.NONE, "The step goes straight on.")
    value = values.get(name)
    return Unknown(Why.NOT_STATED, f"The {name} of a step is not stated.") if value is None else value


def _plan_field(plan: Plan, name: str, _cited: Cited) -> Any:
    if name in {"travel", "stay", "wait"}:
        return Amount.of(getattr(plan, f"{name}_s"), DURATION)
    if name == "duration":
        return Amount.of(plan.travel_s + plan.stay_s + plan.wait_s, DURATION)
    if name == "distance" and plan.distance_m is not None:
        return Amount.of(plan.distance_m, LENGTH)
    lists = {"order": tuple(stop.thing for stop in plan.stops), "visits": plan.stops}
    lists |= {"legs": plan.legs, "problems": plan.problems}
    if name in lists:
        return Items(lists[name])
    value = getattr(plan, f"{name}_m" if name == "distance" else name)
    clock = name in {"depart", "arrive"} and plan.problems
    return Unknown(Why.NONE if clock else Why.NOT_STATED, "It is not known.") if value is None else value


def _stop_field(stop: Stop, name: str, cited: Cited) -> Any:
    if name in {"arrive", "begin", "leave"}:
        return getattr(stop, name) or Unknown(Why.NOT_STATED, "The program gives no time of departure.")
    if name in {"stay", "wait"}:
        return Amount.of(getattr(stop, f"{name}_s"), DURATION)
    return stop.thing if name == "place" else place_field(stop.thing, name, cited)


def _visit_field(visit: Visit, name: str, cited: Cited) -> Any:
    if name == "stay":
        return Amount.of(visit.stay_s, DURATION)
    return visit.thing if name == "place" else place_field(visit.thing, name, cited)


def _opening_field(span: Opening, name: str, _cited: Cited) -> Any:
    seconds = (span.end.at - span.start.at).total_seconds()
    return Amount.of(seconds, DURATION) if name == "duration" else getattr(span, name)


def _moment_field(moment: Moment, name: str, _cited: Cited) -> Any:
    if name == "clock":
        return format_clock(moment.at)
    return moment.at.date().isoformat() if name == "date" else WEEKDAYS[moment.at.weekday()]


def _amount_field(amount: Amount, name: str, _cited: Cited) -> Any:
    dimension, size = UNITS[name]
    if dimension != amount.dimension:
        return Fault(f"no {name} of a {amount.kind}")
    return Amount(amount.low / size, amount.high / size)


def field_of(value: Any, name: str, cited: Cited) -> Any:
    """A field of any value but words."""
    match value:
        case Thing():
            return place_field(value, name, cited)
        case Way():
            return way_field(value, name, cited)
        case Items():
            return value.complete if name == "complete" else Items(value.unstated)
        case Bearing():
            return wind(value.degrees) if name == "name" else Amount.of(value.degrees)
        case Group():
            return getattr(value, name)
        case Choice():
            return value.text if name == "text" else chr(ord("A") + value.index)
    getter = _GETTERS.get(type(value))
    if getter is not None:
        return getter(value, name, cited)
    if value is cited.situation.picture:
        return value.field(name)
    return Fault(f"no {name} of such a value")


_GETTERS: Mapping[type, Callable[[Any, str, Cited], Any]] = {
    Step: _step_field, Plan: _plan_field, Stop: _stop_field, Visit: _visit_field, Opening: _opening_field,
    Moment: _moment_field, Amount: _amount_field,
}  # fmt: skip
