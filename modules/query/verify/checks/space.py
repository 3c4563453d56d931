"""Checks of distances, directions, sides, and of what lies in or touches what."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from map_tools.compute.geodesy import wind_words
from map_tools.types import Geometry, LatLng, Shape
from modules.query.values.amount import LENGTH, Amount
from modules.query.values.things import Bearing, Thing, Way
from modules.query.values.unknown import Unknown, Why
from modules.query.verify import bounds, measuring, searching
from modules.query.verify.cited import Asked, Check, Cited, Fault, Unchecked

_SIDES = {"N": 0.0, "NE": 45.0, "E": 90.0, "SE": 135.0, "S": 180.0, "SW": 225.0, "W": 270.0, "NW": 315.0}
_TOWARDS_DEG = 22.5
_OFF_DEG = (0.1, 2.0)
"""How far own azimuths may be off between positions, and where an outline is meant."""
_CORRIDOR = 0.25


def within(mine: Any, claimed: Any, share: float = 0.001, slack: float = 0.5) -> Any:
    """The claimed amount if it differs from the own one by measuring alone; else the own one."""
    if isinstance(mine, Amount) and isinstance(claimed, Amount) and mine.dimension == claimed.dimension:
        same = claimed.exact and measuring.close(mine.low, claimed.low, share, slack)
        return claimed if same else mine
    return mine


def _distance(asked: Asked) -> Any:
    metres = asked.cited.away(asked["a"], asked["b"])
    if isinstance(metres, Unknown):
        return metres
    spots = asked.cited.spot(asked["a"]), asked.cited.spot(asked["b"])
    exact = all(isinstance(spot, LatLng) for spot in spots)
    return within(Amount.of(metres, LENGTH), asked.claimed, 0.001 if exact else 0.005, 0.1 if exact else 1.0)


def _azimuth(a: Thing, b: Thing, cited: Cited) -> tuple[float, float] | Unknown:
    """The direction from a to b in degrees, and how far it may be off."""
    spots: list[Geometry | None] = [cited.spot(a), cited.spot(b)]
    ends = [_end(spots[0], spots[1], a), _end(spots[1], spots[0], b)]
    if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
        return Unknown(Why.NOT_STATED, "There is no direction.")
    exact = all(isinstance(spot, LatLng) for spot in spots)
    return measuring.inverse(ends[0], ends[1])[1], _OFF_DEG[0 if exact else 1]


def _end(spot: Geometry | None, other: Geometry | None, thing: Thing) -> LatLng | None:
    """A position, or the point of an outline that is nearest to the other position."""
    if not isinstance(spot, Shape):
        return spot
    if isinstance(other, LatLng) and not measuring.holds(spot, other):
        return measuring.nearest_to(spot, other)
    return thing.place.location


def _apart(a: float, b: float) -> float:
    return abs((a - b + 180.0) % 360.0 - 180.0)


def _direction(asked: Asked) -> Any:
    found = _azimuth(asked["a"], asked["to"], asked.cited)
    if isinstance(found, Unknown):
        return found
    same = isinstance(asked.claimed, Bearing) and _apart(asked.claimed.degrees, found[0]) <= found[1]
    return asked.claimed if same else Bearing(found[0])


def _lies(asked: Asked) -> Any:
    found = _azimuth(asked["of"], asked["a"], asked.cited)
    if isinstance(found, Unknown):
        return found
    letter = wind_words(asked["side"]) or "N"
    if asked.cited.situation.halves and len(letter) == 1:
        first, second = asked["of"].place.location, asked["a"].place.location
        if first is not None and second is not None:
            step = second.lat - first.lat if letter in "NS" else second.lng - first.lng
            return step > 0 if letter in "NE" else step < 0
    off = _apart(found[0], _SIDES[letter])
    most = asked.cited.situation.side_deg
    open_ = abs(off - most) <= found[1] and isinstance(asked.claimed, bool)
    return asked.claimed if open_ else off <= most


def _towards(asked: Asked) -> Any:
    found = [_azimuth(asked["of"], asked[name], asked.cited) for name in ("a", "b")]
    lost = next((one for one in found if isinstance(one, Unknown)), None)
    if lost is not None:
        return lost
    (first, off_a), (second, off_b) = (one for one in found if not isinstance(one, Unknown))
    off = _apart(first, second)
    open_ = abs(off - _TOWARDS_DEG) <= off_a + off_b and isinstance(asked.claimed, bool)
    return asked.claimed if open_ else off <= _TOWARDS_DEG


def lies_in(a: Any, b: Any, cited: Cited) -> Any:
    """Whether a thing lies in an area: a place with its point, or as it stands on a street; a shape with all of it."""
    for one in (a, b):
        if isinstance(one, Unknown):
            return one
    outline = cited.shape(b)
    own = cited.shape(a) if isinstance(a, Way) or a.is_shaped else None
    if outline is None:
        return _shapeless(cited)
    if own is not None:
        return measuring.related(outline, own, "holds")
    if a.place.location is None:
        return Unknown(Why.NOT_STATED, "Its position is not known.")
    street = bounds.street_of(b, cited)
    return (
        measuring.holds(outline, a.place.location) if street is None else bounds.stands_on(a, street, cited)
    )


def _shapeless(cited: Cited) -> Unknown:
    """Something has no outline, as far as the source tells."""
    for item in cited.items:
        cited.using(item)
    return Unknown(Why.NOT_STATED, "It has no outline.")


def _related(relation: str) -> Check:
    def check(asked: Asked) -> Any:
        if searching.WHOLE_MAP in (getattr(asked["a"], "id", ""), getattr(asked["b"], "id", "")):
            return relation == "intersects"
        first, second = asked.cited.ground(asked["a"]), asked.cited.ground(asked["b"])
        if first is None or second is None or not (isinstance(first, Shape) or isinstance(second, Shape)):
            return _shapeless(asked.cited)
        return measuring.related(first, second, relation)

    return check


def _made(asked: Asked, judge: Callable[[Shape], bool], what: str) -> Any:
    """A made area or line that has the right shape, as it is claimed."""
    made = asked.claimed
    if not isinstance(made, Thing) or made.shape is None or not made.id.startswith("made:"):
        return Fault(what)
    shape = Shape(kind="line" if made.role == "line" else "area", wkt=made.shape)
    return made if judge(shape) else Fault(what)


def _between(asked: Asked) -> Any:
    spots = asked.cited.spot(asked["a"]), asked.cited.spot(asked["b"])
    ends = _end(spots[0], spots[1], asked["a"]), _end(spots[1], spots[0], asked["b"])
    if ends[0] is None or ends[1] is None:
        return Unknown(Why.NOT_STATED, "A position is not known.")
    if ends[0] == ends[1]:
        return Unchecked("what lies between a place and itself")
    judge = partial(measuring.is_corridor, a=ends[0], b=ends[1], share=_CORRIDOR)
    return _made(asked, judge, "another corridor")


def _buffer(asked: Asked) -> Any:
    spot, by_m = asked.cited.spot(asked["of"]), asked["by"].low
    if spot is None:
        return Unknown(Why.NOT_STATED, "Its position is not known.")
    return _made(asked, lambda shape: measuring.is_buffer(shape, spot, by_m), "another area around it")


def _clip(asked: Asked) -> Any:
    if asked["inside"].id == searching.WHOLE_MAP and isinstance(asked["what"], Thing):
        return asked["what"]
    whole, area = asked.cited.shape(asked["what"]), asked.cited.shape(asked["inside"])
    if whole is None or area is None:
        return _shapeless(asked.cited)
    return _made(asked, lambda shape: measuring.is_part(shape, whole, area), "another part of it")


CHECKS: Mapping[str, Check] = {
    "distance": _distance,
    "direction": _direction,
    "lies": _lies,
    "towards": _towards,
    "lies_in": lambda asked: lies_in(asked["a"], asked["b"], asked.cited),
    **{name: _related(name) for name in ("intersects", "touches", "disjoint", "crosses")},
    "between": _between,
    "buffer": _buffer,
    "clip": _clip,
}
