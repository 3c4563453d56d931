"""What everyday questions ask, with what a right answer has to say: drawn from a map's tags, shapes and ways.

Answers come from the raw map (`evals.generate.world`) and Valhalla's own interface (`evals.generate.travel`); no
planner, operator or search of the program has a part in them. A draw in which sound definitions would disagree (two
about equally near, a moment close to closing) is unfit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise
from typing import Any

from evals.generate.gsqa.reference import Reference, area_m2
from evals.generate.gsqa.templates import UnfitError
from evals.generate.mapeval.draft import Bench, Kind
from evals.generate.mapeval.places import (
    CLEAR_DEG,
    CLEAR_M,
    CLEAR_SHARE,
    RADII_M,
    WINDS,
    nowhere,
    open_state,
)
from evals.generate.mapeval.routes import CLEAR_SHARE as CLEAR_TIME_SHARE
from evals.generate.mapeval.routes import MODES, way
from evals.generate.travel import Way
from evals.generate.world import DAY_NAMES, RawPlace, Span, azimuth_deg, distance_m, fold, read_week
from map_tools.compute.opening_spec import clock_text

MONDAY = datetime(2026, 11, 23)  # noqa: DTZ001 (as the clocks of the place show it)
"""The week that moments are of; no country of Europe has a public holiday in it."""
LEAST_M = 150.0
"""Shorter distances hang on where in a building one measures."""
MOST_WAY_M = 15_000.0
"""Nobody asks for a way across a whole country in the everyday."""
CLEARLY_CLOSER = 0.8
SIDES = (("north", 0, 1), ("south", 0, -1), ("east", 1, 1), ("west", 1, -1))
SHORTER_DAY_MIN = 30
"""One closes later than another by at least so many minutes."""
LEAST_AREA_M2 = 1000.0


@dataclass(frozen=True, slots=True)
class Draft:
    """A question without words.

    Attributes:
        slots: What stands in the braces of a template.
        right: What the answer has to say, in the form of `evals.suites.scoring.rules.Right`; empty if nobody can.
        near: Where the asker stands, as (latitude, longitude).
        at: The moment of asking.
        mode: How one travels, where the template says it.
    """

    slots: dict[str, str]
    right: tuple[dict[str, Any], ...] = ()
    near: tuple[float, float] | None = None
    at: datetime | None = None
    mode: str = ""


class MapBench(Bench):
    """What questions are made of, with the map's shapes."""

    @cached_property
    def reference(self) -> Reference:
        """The features with their shapes."""
        return Reference(self.raw.folder)


type Draw = Callable[[MapBench], Draft]


def _some(bench: MapBench, count: int, fits: Callable[[RawPlace], bool] = lambda _: True) -> list[RawPlace]:
    """Different places with a name of their own, none of which stands in another's."""
    pool = [place for place in bench.raw.unique if fits(place)]
    if len(pool) < count:
        raise UnfitError("the map has too few such places with a name of their own")
    places = bench.dice.sample(pool, count)
    names = [f" {fold(place.name)} " for place in places]
    if any(one in other for one in names for other in names if one is not other):
        raise UnfitError("one name stands in another")
    return places


def _tagged(bench: MapBench, *keys: str) -> RawPlace:
    return _some(bench, 1, lambda place: all(place.tags.get(key) for key in keys))[0]


def _span(place: RawPlace, day: int) -> Span | None:
    week = read_week(place.tags.get("opening_hours", ""))
    return week[day] if week is not None else None


def _closing(place: RawPlace, day: int) -> int:
    """Minute after midnight at which a place closes; unfit if it is not open that day or open through midnight."""
    span = _span(place, day)
    if span is None or span[1] == 24 * 60:
        raise UnfitError("the place does not close on that day")
    return span[1]


def _on(bench: MapBench, day: int) -> datetime:
    """A moment on the day before, so that the named day is the next one."""
    return MONDAY + timedelta(days=(day - 1) % 7, minutes=bench.clock(9, 18))


def closes(bench: MapBench) -> Draft:
    """When a place closes on a day."""
    place, day = _tagged(bench, "opening_hours"), bench.dice.randrange(7)
    right = ({"clock": clock_text(_closing(place, day))},)
    return Draft({"a": place.name, "day": DAY_NAMES[day]}, right, at=_on(bench, day))


def is_open(bench: MapBench) -> Draft:
    """Whether a place is open now."""
    place, day, minute = _tagged(bench, "opening_hours"), bench.dice.randrange(7), bench.clock()
    state = open_state(place, day, minute)
    if state is None:
        raise UnfitError("the hours are not of the simple form, or an edge of them is close")
    return Draft({"a": place.name}, ({"yes": state},), at=MONDAY + timedelta(days=day, minutes=minute))


def phone(bench: MapBench) -> Draft:
    """The telephone number; with or without spaces."""
    place = _tagged(bench, "phone")
    number = place.tags["phone"]
    if set(number) & set(";,/") or any(key.endswith(":phone") for key in place.tags):
        raise UnfitError("the place has several numbers")
    return Draft({"a": place.name}, ({"one_of": list(dict.fromkeys((number, "".join(number.split()))))},))


def address(bench: MapBench) -> Draft:
    """Street and number."""
    place = _tagged(bench, "addr:street", "addr:housenumber")
    return Draft({"a": place.name}, ({"names": [place.tags["addr:street"], place.tags["addr:housenumber"]]},))


def cuisine(bench: MapBench) -> Draft:
    """What is cooked, where the map says just one thing."""
    place = _tagged(bench, "cuisine")
    value = place.tags["cuisine"].replace("_", " ")
    if ";" in value or fold(value) in fold(place.name):
        raise UnfitError("the map says several, or the name says it")
    return Draft({"a": place.name}, ({"one_of": [value]},))


def wheelchair(bench: MapBench) -> Draft:
    """Whether a wheelchair gets in."""
    place = _some(bench, 1, lambda place: place.tags.get("wheelchair") in {"yes", "no"})[0]
    return Draft({"a": place.name}, ({"yes": place.tags["wheelchair"] == "yes"},))


def nearest(bench: MapBench) -> Draft:
    """The nearest of a kind to a place."""
    anchor, kind, best = _nearest(bench, lambda _: True)
    return Draft({"a": anchor.name, "kind": kind.one}, ({"one_of": [best.name]},))


def nearest_here(bench: MapBench) -> Draft:
    """The nearest of a kind to the asker."""
    anchor, kind, best = _nearest(bench, lambda _: True)
    return Draft({"kind": kind.one}, ({"one_of": [best.name]},), near=anchor.point)


def nearest_open(bench: MapBench) -> Draft:
    """The nearest of a kind that is open now."""
    day, minute = bench.dice.randrange(7), bench.clock()
    anchor, kind, best = _nearest(bench, lambda place: open_state(place, day, minute))
    slots = {"a": anchor.name, "kind": kind.one, "kinds": kind.many}
    return Draft(slots, ({"one_of": [best.name]},), at=MONDAY + timedelta(days=day, minutes=minute))


def nearest_far(bench: MapBench) -> Draft:
    """The nearest of a kind, and how far it is."""
    anchor, kind, best = _nearest(bench, lambda _: True)
    low_m, high_m = anchor.range_m(best)
    if high_m - low_m > CLEAR_M:
        raise UnfitError("how far it is hangs on where one measures")
    right = ({"one_of": [best.name]}, {"metres": round((low_m + high_m) / 2)})
    return Draft({"a": anchor.name, "kind": kind.one}, right)


def _nearest(bench: MapBench, counts: Callable[[RawPlace], bool | None]) -> tuple[RawPlace, Kind, RawPlace]:
    """A place, a kind, and its nearest that counts; nothing that may count is about as near."""
    (anchor,), kind = _some(bench, 1), bench.kind()
    pool = [place for place in bench.of_kind(kind) if place != anchor and counts(place) is not False]
    if kind.has(anchor) or not pool:
        raise UnfitError("the map has no other place of the kind that counts")
    ordered = sorted(pool, key=anchor.rough_m)
    best, *rivals = ordered
    far_m = anchor.range_m(best)[1]
    limit_m = max(far_m * (1 + CLEAR_SHARE), far_m + CLEAR_M)
    close = [place for place in rivals if anchor.rough_m(place) < 1.1 * limit_m]
    if not counts(best) or not best.name or any(anchor.range_m(place)[0] < limit_m for place in close):
        raise UnfitError("which one is nearest is not clear, or has no name")
    return anchor, kind, best


def count(bench: MapBench) -> Draft:
    """How many of a kind are within a distance."""
    (anchor,), kind, radius_m = _some(bench, 1), bench.kind(), bench.dice.choice(RADII_M)
    near = [place for place in bench.of_kind(kind) if anchor.rough_m(place) < 1.2 * radius_m]
    ranges = [anchor.range_m(place) for place in near]
    inside = sum(high < radius_m for _, high in ranges)
    if kind.has(anchor) or not 1 <= inside <= 15:
        raise UnfitError("there are none in range, or too many")
    if any(low - CLEAR_M < radius_m < high + CLEAR_M for low, high in ranges):
        raise UnfitError("one of them is at the edge of the circle")
    slots = {"a": anchor.name, "kinds": kind.many, "radius": str(radius_m)}
    return Draft(slots, ({"number": inside},))


def closer(bench: MapBench) -> Draft:
    """Which of two places is closer to a third."""
    a, b, c = _some(bench, 3)
    near, far = sorted((b, c), key=lambda place: distance_m(a.point, place.point))
    if distance_m(a.point, near.point) > CLEARLY_CLOSER * distance_m(a.point, far.point):
        raise UnfitError("the two are about equally far")
    return _either({"a": a.name, "b": b.name, "c": c.name}, near, far)


def further(bench: MapBench) -> Draft:
    """Which of two places is further on one side of the map."""
    b, c = _some(bench, 2)
    side, axis, sign = bench.dice.choice(SIDES)
    gaps = [abs(b.point[axis] - c.point[axis]) for axis in (0, 1)]
    if gaps[axis] < 0.2 * max(gaps) or distance_m(b.point, c.point) < LEAST_M:
        raise UnfitError("neither is clearly further on that side")
    first, second = sorted((b, c), key=lambda place: -sign * place.point[axis])
    return _either({"b": b.name, "c": c.name, "side": side}, first, second)


def later(bench: MapBench) -> Draft:
    """Which of two places closes later."""
    day = bench.dice.randrange(7)
    b, c = _some(bench, 2, lambda place: _span(place, day) is not None)
    first, second = sorted((b, c), key=lambda place: -_closing(place, day))
    if _closing(first, day) - _closing(second, day) < SHORTER_DAY_MIN:
        raise UnfitError("both close at about the same time")
    slots = {"b": b.name, "c": c.name, "day": DAY_NAMES[day]}
    return _either(slots, first, second, at=_on(bench, day))


def _either(
    slots: dict[str, str], right: RawPlace, wrong: RawPlace, *, at: datetime | None = None, mode: str = ""
) -> Draft:
    return Draft(slots, ({"one_of": [right.name], "none_of": [wrong.name]},), at=at, mode=mode)


def between(bench: MapBench) -> Draft:
    """The distance between two places."""
    a, b, length_m, _ = _apart(bench)
    return Draft({"a": a.name, "b": b.name}, ({"metres": round(length_m)},))


def direction(bench: MapBench) -> Draft:
    """The direction from one place to another."""
    a, b, _, wind = _apart(bench)
    return Draft({"a": a.name, "b": b.name}, ({"direction": wind},))


def far_direction(bench: MapBench) -> Draft:
    """Distance and direction."""
    a, b, length_m, wind = _apart(bench)
    return Draft({"a": a.name, "b": b.name}, ({"metres": round(length_m)}, {"direction": wind}))


def _apart(bench: MapBench) -> tuple[RawPlace, RawPlace, float, str]:
    """Two places, how far apart they are, and the wind of eight from one to the other."""
    a, b = _some(bench, 2)
    length_m, angle = distance_m(a.point, b.point), azimuth_deg(a.point, b.point)
    octant = round(angle / 45) % 8
    if length_m < LEAST_M or abs((angle - octant * 45 + 180) % 360 - 180) > CLEAR_DEG:
        raise UnfitError("the two are close together, or the direction is between two winds")
    return a, b, length_m, WINDS[octant].lower()


def area(bench: MapBench) -> Draft:
    """How large a park or another area for leisure is, whose name nothing else has."""
    pool = [
        thing for thing in bench.reference.things if "leisure" in thing.tags and thing.is_area and thing.name
    ]
    if not pool:
        raise UnfitError("the map has no park with a name")
    thing = bench.dice.choice(pool)
    size_m2 = area_m2(thing)
    if not bench.reference.is_unique(thing.name) or size_m2 < LEAST_AREA_M2:
        raise UnfitError("another place has the name, or the area is too small to be asked about")
    return Draft({"a": thing.name}, ({"square_metres": round(size_m2)},))


def duration(bench: MapBench) -> Draft:
    """How long a way takes."""
    (a, b), (one,), mode = _ways(bench, 1)
    return Draft({"a": a.name, "b": b.name}, ({"minutes": _minutes(one.duration_s)},), mode=mode)


def length(bench: MapBench) -> Draft:
    """How long a way is."""
    (a, b), (one,), mode = _ways(bench, 1)
    return Draft({"a": a.name, "b": b.name}, ({"metres": round(one.distance_m)},), mode=mode)


def legs(bench: MapBench) -> Draft:
    """How long two ways take, one after the other."""
    (a, b, c), ways, mode = _ways(bench, 2)
    right = ({"minutes": _minutes(sum(one.duration_s for one in ways))},)
    return Draft({"a": a.name, "b": b.name, "c": c.name}, right, mode=mode)


def quicker(bench: MapBench) -> Draft:
    """Which of two places is reached sooner."""
    (a, b, c), mode = _some(bench, 3), bench.dice.choice(MODES)
    times = [(_way(bench, a, place, mode).duration_s, place) for place in (b, c)]
    (first_s, first), (second_s, second) = sorted(times, key=lambda pair: pair[0])
    if second_s < first_s * (1 + CLEAR_TIME_SHARE) + 60:
        raise UnfitError("both take about as long")
    return _either({"a": a.name, "b": b.name, "c": c.name}, first, second, mode=mode)


def _ways(bench: MapBench, count: int) -> tuple[list[RawPlace], list[Way], str]:
    """Places one after the other, the ways between them, and how one travels."""
    stops, mode = _some(bench, count + 1), bench.dice.choice(MODES)
    return stops, [_way(bench, *pair, mode) for pair in pairwise(stops)], mode


def _way(bench: MapBench, a: RawPlace, b: RawPlace, mode: str) -> Way:
    if bench.travel is None:
        raise UnfitError("the map has no ways")
    if distance_m(a.point, b.point) > MOST_WAY_M:
        raise UnfitError("the two are too far apart")
    found = way(bench, a, b, mode)
    if found is None:
        raise UnfitError("there is no way, or none that is long enough and clear")
    return found


def _minutes(seconds: float) -> float:
    return round(seconds / 60, 1)


def closes_wheelchair(bench: MapBench) -> Draft:
    """When a place closes, and whether a wheelchair gets in."""
    day = bench.dice.randrange(7)
    place = _some(
        bench,
        1,
        lambda place: place.tags.get("wheelchair") in {"yes", "no"} and _span(place, day) is not None,
    )[0]
    right = ({"clock": clock_text(_closing(place, day))}, {"yes": place.tags["wheelchair"] == "yes"})
    return Draft({"a": place.name, "day": DAY_NAMES[day]}, right, at=_on(bench, day))


def not_there(bench: MapBench) -> Draft:
    """Something about a place that does not exist."""
    (a,) = _some(bench, 1)
    made = nowhere(bench)
    if made is None:
        raise UnfitError("a place goes by the invented name")
    return Draft({"a": a.name, "nowhere": made.slots["nowhere"]})


def not_told(bench: MapBench) -> Draft:
    """Something that no map tells of a place."""
    (a,) = _some(bench, 1, lambda place: not {"owner", "operator", "contact"} & place.tags.keys())
    return Draft({"a": a.name}, at=MONDAY + timedelta(days=bench.dice.randrange(7), minutes=bench.clock()))


CATEGORIES: dict[str, dict[str, Draw]] = {
    "facts": {
        "closes": closes, "open": is_open, "phone": phone, "address": address, "cuisine": cuisine,
        "wheelchair": wheelchair,
    },
    "finding": {
        "nearest": nearest, "nearest_here": nearest_here, "count": count, "nearest_open": nearest_open,
    },
    "comparing": {"closer": closer, "further": further, "later": later},
    "distances": {"between": between, "direction": direction, "area": area},
    "ways": {"duration": duration, "length": length, "legs": legs, "quicker": quicker},
    "parts": {
        "nearest_far": nearest_far, "far_direction": far_direction, "closes_wheelchair": closes_wheelchair,
    },
    "unanswerable": {"nowhere": not_there, "owner": not_told, "queue": not_told, "staff": not_told},
}  # fmt: skip
"""The families of each category of the suite, as the templates name them."""
