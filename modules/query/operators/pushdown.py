"""Conditions that a source can search by: directions from the place that is searched around.

The condition is still evaluated for everything that comes back; a source that is given it only leaves out
what could never fulfil it.
"""

from collections.abc import Iterator

from map_tools.compute.geodesy import OCTANT_DEG, WINDS, bearing_deg, wind_words
from modules.query.interpreter.context import Context
from modules.query.language import syntax
from modules.query.values.amount import ANGLE, parse_amount
from modules.query.values.things import Bearing, Function, Thing

HALF_DEG = 91.0
"""Half width where `lies` means anywhere further that way: half of all directions, and a margin for the ellipsoid."""
SPARE_DEG = 0.01
"""Added to each side, so that rounding leaves nothing out."""

type Sector = tuple[float, float]
"""Middle and half the width, in degrees."""


def sector_of(context: Context, where: Function | None, near: Thing) -> Sector | None:
    """The directions from a place that a condition confines a search to; None if it confines it to none.

    Raises:
        Waiting: What the directions are compared with is still to be fetched.
    """
    if where is None or not context.situation.database or not near.is_point:
        return None
    for test in _conjuncts(where.node.body):
        found = _Directions(context, where, near).sector(test)
        if found is not None:
            center_deg, half_deg = found
            return center_deg, min(180.0, half_deg + SPARE_DEG)
    return None


def _conjuncts(node: syntax.Expr) -> Iterator[syntax.Expr]:
    if isinstance(node, syntax.Logic) and node.operator == "and":
        for item in node.items:
            yield from _conjuncts(item)
    else:
        yield node


class _Directions:
    """Reads tests of the direction in which a member lies as seen from a place."""

    def __init__(self, context: Context, where: Function, near: Thing) -> None:
        self._context = context
        self._where = where
        self._near = near

    def sector(self, test: syntax.Expr) -> Sector | None:
        """The sector of a test; None if it is of another form.

        The forms: `direction(near, to=p).name == "north"`, `abs(direction(near, to=p) - d) <= "20 deg"`,
        `lies(p, "north", of=near)`, `towards(p, b, of=near)`.
        """
        if isinstance(test, syntax.Call) and test.operator == "lies":
            return self._of_side(test)
        if isinstance(test, syntax.Call) and test.operator == "towards":
            return self._of_goal(test)
        if not isinstance(test, syntax.Comparison) or len(test.items) != 2:
            return None
        left, right = test.items
        if not isinstance(right, syntax.String):
            return None
        if test.comparators == ("==",) and isinstance(left, syntax.Field) and left.name == "name":
            center = _side_deg(right.text) if self._is_direction(left.value) else None
            return None if center is None else (center, OCTANT_DEG / 2)
        if test.comparators[0] in {"<", "<="} and isinstance(left, syntax.Call) and left.operator == "abs":
            return self._of_difference(left, right.text)
        return None

    def _of_difference(self, call: syntax.Call, limit: str) -> Sector | None:
        half = parse_amount(limit)
        (difference,) = call.positional if len(call.positional) == 1 else (None,)
        if half is None or half.dimension != ANGLE:
            return None
        if not isinstance(difference, syntax.Arithmetic) or difference.operator != "-":
            return None
        one, other = difference.left, difference.right
        if not self._is_direction(one):
            one, other = other, one
        if not self._is_direction(one) or self._where.node.parameter in syntax.names_in(other):
            return None
        center = self._context.calls.peek(other, self._where)
        return (center.degrees, half.value) if isinstance(center, Bearing) else None

    def _of_side(self, call: syntax.Call) -> Sector | None:
        given = dict(call.keywords)
        if len(call.positional) != 2 or not self._is_member(call.positional[0]):
            return None
        side = call.positional[1]
        if not isinstance(side, syntax.String) or not self._is_near(given.get("of")):
            return None
        center = _side_deg(side.text)
        situation = self._context.situation
        half_deg = HALF_DEG if situation.halves else situation.side_deg
        return None if center is None else (center, half_deg)

    def _of_goal(self, call: syntax.Call) -> Sector | None:
        given = dict(call.keywords)
        if len(call.positional) != 2 or not self._is_member(call.positional[0]):
            return None
        if not self._is_near(given.get("of")) or not isinstance(call.positional[1], syntax.Name):
            return None
        goal = self._context.calls.peek(call.positional[1], self._where)
        if not isinstance(goal, Thing) or goal.place.location is None or self._near.place.location is None:
            return None
        return bearing_deg(self._near.place.location, goal.place.location), OCTANT_DEG / 2

    def _is_direction(self, node: syntax.Expr) -> bool:
        """Whether a node is the direction of the member as seen from the place."""
        if not isinstance(node, syntax.Call) or node.operator != "direction" or len(node.positional) != 1:
            return False
        return self._is_near(node.positional[0]) and self._is_member(dict(node.keywords).get("to"))

    def _is_member(self, node: syntax.Argument | None) -> bool:
        return isinstance(node, syntax.Name) and node.name == self._where.node.parameter

    def _is_near(self, node: syntax.Argument | None) -> bool:
        if not isinstance(node, syntax.Name) or self._is_member(node):
            return False
        return bool(self._context.calls.peek(node, self._where) == self._near)


def _side_deg(words: str) -> float | None:
    wind = wind_words(words)
    return None if wind is None else WINDS.index(wind) * OCTANT_DEG
