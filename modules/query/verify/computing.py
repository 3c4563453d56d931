"""What is computed from values alone, once more: truth, comparison, arithmetic, units, and the operators on lists."""

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from map_tools.compute.measures import parse_distance_m, parse_duration_s
from map_tools.text import normalise, same_street
from map_tools.types import RouteStep
from modules.query.values.amount import (
    ANGLE,
    DURATION,
    LENGTH,
    MONEY,
    SIZE,
    Amount,
    Dimension,
    price_level_of,
)
from modules.query.values.moment import Moment
from modules.query.values.things import Bearing, Choice, Group, Items, Step, Stop, Thing
from modules.query.values.unknown import Unknown, Why
from modules.query.verify.timing import clock_s, later, read_beside, read_moment

_NO = frozenset({"no", "none", "false", "0", ""})
_UNITS = {
    "m": (LENGTH, 1.0), "km": (LENGTH, 1000.0), "mi": (LENGTH, 1609.344), "ft": (LENGTH, 0.3048),
    "s": (DURATION, 1.0), "min": (DURATION, 60.0), "h": (DURATION, 3600.0),
    "m2": (SIZE, 1.0), "ha": (SIZE, 1e4), "km2": (SIZE, 1e6), "deg": (ANGLE, 1.0), "°": (ANGLE, 1.0),
}  # fmt: skip
_CURRENCIES = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"}
_MEASURE = re.compile(r"([-+]?[\d.,]+) ([a-z]+2?|°)")
_MONEY = re.compile(r"([€$£¥])? ?([-+]?[\d.,]+) ?([€$£¥]|(?<= )[A-Z]{3})?")
_EPSILON = 1e-9

type Judged = bool | Unknown


class NoSense(Exception):  # noqa: N818 (no error of ours: the claim cannot have come about)
    """Values have incompatible types."""


class BrokenOff(Exception):  # noqa: N818 (no error of ours: the list is not known)
    """A limit or a failure is why something is not known of a member: then nothing is known of the list."""


def broken(values: Iterable[Any]) -> Unknown | None:
    """The first value that is not known for a limit or a failure."""
    lost = (one for one in values if isinstance(one, Unknown) and one.why in {Why.LIMIT, Why.FAILED})
    return next(lost, None)


def sought[T: Iterable[Any]](values: T) -> T:
    """The values of a list, all of which were sought to the end.

    Raises:
        BrokenOff: They were not.
    """
    if broken(values) is not None:
        raise BrokenOff
    return values


def read_amount(text: str) -> Amount | None:
    """The quantity that words mean; bare numbers mean none."""
    plain = text.strip()
    one = _MEASURE.fullmatch(plain)
    if one and one[2] in _UNITS and (number := _number(one[1])) is not None:
        dimension, size = _UNITS[one[2]]
        return Amount.of(number * size, dimension)
    money = _MONEY.fullmatch(plain)
    if money and (money[1] or money[3]) and (number := _number(money[2])) is not None:
        sign = money[1] or money[3]
        return Amount.of(number, MONEY, _CURRENCIES.get(sign, sign))
    if _number(plain) is not None:
        return None
    metres, seconds = parse_distance_m(plain), parse_duration_s(plain)
    if metres is not None:
        return Amount.of(metres, LENGTH)
    return None if seconds is None else Amount.of(seconds, DURATION)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def truth(value: Any) -> Judged:
    """Whether a value counts as true: "no", "none", 0 and an empty list that is complete do not."""
    match value:
        case Unknown() | bool():
            return value
        case str():
            return value.casefold() not in _NO
        case Amount():
            return (
                True
                if value.low > 0
                else False
                if value.high <= 0
                else Unknown(Why.NOT_STATED, "It may be 0.")
            )
        case Items() if not value.items:
            return (
                False
                if value.complete and not value.unstated
                else Unknown(Why.NOT_STATED, "It may have one.")
            )
    return True


def not_(value: Any) -> Judged:
    """Kleene's not."""
    judged = truth(value)
    return judged if isinstance(judged, Unknown) else not judged


def kleene(values: Iterable[Any], decisive: bool) -> Judged:  # noqa: FBT001 (and: False decides; or: True does)
    """Kleene's and (False decides) and or (True decides)."""
    judged = [truth(value) for value in values]
    if any(one is decisive for one in judged):
        return decisive
    return next((one for one in judged if isinstance(one, Unknown)), not decisive)


def alike(left: Any, right: Any, now: datetime | None) -> tuple[Any, Any]:
    """Two values, words among them read as what stands beside them."""
    left, right = (
        one.text if isinstance(one, Choice) else one.thing if isinstance(one, Stop) else one
        for one in (left, right)
    )
    if isinstance(left, str) == isinstance(right, str):
        return left, right
    return (_read(left, right, now), right) if isinstance(left, str) else (left, _read(right, left, now))


def _read(text: str, beside: Any, now: datetime | None) -> Any:
    if isinstance(beside, Moment):
        amount = read_amount(text)
        if amount is not None and amount.dimension == DURATION:
            return amount  # "2 h" beside a clock is a duration and no time of day
        return read_beside(text, beside, now) or text
    if isinstance(beside, Amount):
        level = price_level_of(text)
        number = _number(text) if level is None else level
        return read_amount(text) or (text if number is None else Amount.of(number))
    if isinstance(beside, Bearing):
        angle = read_amount(text)
        return Bearing(angle.low) if angle is not None and angle.dimension == ANGLE else text
    return truth(text) if isinstance(beside, bool) else text


def compare(left: Any, comparator: str, right: Any, now: datetime | None = None) -> Judged:
    """`left comparator right` for one of < <= > >= == !=."""
    for one in (left, right):
        if isinstance(one, Unknown):
            return one
    left, right = alike(left, right, now)
    match comparator:
        case "==":
            return same(left, right)
        case "!=":
            return not_(same(left, right))
        case "<":
            return less(left, right)
        case ">":
            return less(right, left)
        case "<=":
            return not_(less(right, left))
    return not_(less(left, right))


def less(left: Any, right: Any) -> Judged:
    """Whether one is smaller or earlier than the other."""
    if isinstance(left, Moment) and isinstance(right, Moment):
        return clock_s(left) < clock_s(right) if left.any_day != right.any_day else left.at < right.at
    if not (isinstance(left, Amount) and isinstance(right, Amount)) or left.dimension != right.dimension:
        raise NoSense
    slack = _slack(left, right)
    if left.high < right.low - slack:
        return True
    return (
        False
        if left.low >= right.high - slack
        else Unknown(Why.NOT_STATED, "It depends on what is not stated.")
    )


def same(left: Any, right: Any) -> Judged:
    """Whether two values are the same."""
    match left, right:
        case (Amount(), Amount()):
            if left.dimension != right.dimension:
                raise NoSense
            if left.exact and right.exact:
                return abs(left.low - right.low) <= _slack(left, right)
            apart = left.high < right.low or right.high < left.low
            return False if apart else Unknown(Why.NOT_STATED, "It depends on what is not stated.")
        case (Moment(), Moment()):
            return clock_s(left) == clock_s(right) if left.any_day or right.any_day else left.at == right.at
        case (str(), str()):
            return normalise(left) == normalise(right)
        case (Thing(), str()) | (str(), Thing()):
            thing, words = (left, right) if isinstance(left, Thing) else (right, left)
            return normalise(words) in map(normalise, (thing.name, *thing.place.aliases))
        case (Items(), Items()):
            return kleene([len(left) == len(right), *map(same, left, right)], decisive=False)
        case (Bearing(), Bearing()):
            return abs(left.degrees - right.degrees) < 1e-6
    return bool(left == right)


def _slack(a: Amount, b: Amount) -> float:
    return _EPSILON * max(
        (abs(end) for end in (a.low, a.high, b.low, b.high) if math.isfinite(end)), default=1.0
    )


def member_of(container: Any, item: Any, now: datetime | None) -> Judged:
    """`item in container` for lists and words."""
    for one in (container, item):
        if isinstance(one, Unknown):
            return one
    if isinstance(container, str):
        return normalise(item.text if isinstance(item, Choice) else item) in normalise(container)
    found = kleene((same(*alike(member, item, now)) for member in container), decisive=True)
    cut = found is False and not container.complete
    return Unknown(Why.LIMIT, "The list was cut, so it may be in it.") if cut else found


def calculate(operator: str, left: Any, right: Any, now: datetime | None = None) -> Any:
    """`left operator right` for + - * /."""
    for one in (left, right):
        if isinstance(one, Unknown):
            return one
    left, right = _reckoned(left, right, now), _reckoned(right, left, now)
    left, right = alike(left, right, now)
    match left, right:
        case (Items(), Items()) if operator == "+":
            return _joined(left, right)
        case (Moment(), Moment()) if operator == "-":
            clocks = clock_s(left) - clock_s(right)
            apart = (left.at - right.at).total_seconds()
            return Amount.of(clocks if left.any_day != right.any_day else apart, DURATION)
        case (Moment(), Amount()) if operator in {"+", "-"} and right.dimension == DURATION and right.exact:
            return later(left, right.low if operator == "+" else -right.low)
        case (Amount(), Moment()) if operator == "+" and left.dimension == DURATION and left.exact:
            return later(right, left.low)
        case (Bearing(), Bearing()) if operator == "-":
            return Amount.of((left.degrees - right.degrees + 180) % 360 - 180, ANGLE)
        case (Amount(), Amount()):
            return _amounts(operator, left, right)
    raise NoSense


def _reckoned(value: Any, beside: Any, now: datetime | None) -> Any:
    """Words that are reckoned with: beside other words or a duration they are an amount or a time."""
    lasts = isinstance(beside, str) or (isinstance(beside, Amount) and beside.dimension == DURATION)
    if not isinstance(value, str) or not lasts:
        return value
    return read_amount(value) or read_moment(value, now) or value


def _joined(left: Items, right: Items) -> Items:
    members: list[Any] = []
    for one in (*left, *right):
        if not (isinstance(one, Thing) and one in members):
            members.append(one)
    return Items(
        tuple(members),
        searched=left.searched or right.searched,
        complete=left.complete and right.complete,
        unstated=(*left.unstated, *right.unstated),
    )


def _amounts(operator: str, left: Amount, right: Amount) -> Amount | Unknown:
    unit = left.unit or right.unit
    if operator in {"+", "-"}:
        if left.dimension != right.dimension:
            raise NoSense
        low, high = (right.low, right.high) if operator == "+" else (-right.high, -right.low)
        return Amount(left.low + low, left.high + high, left.dimension, unit)
    if operator == "/" and right.low <= 0 <= right.high:
        return Unknown(Why.NOT_STATED, "Nothing can be divided by zero.")
    sign = 1 if operator == "*" else -1
    corners = itertools.product((left.low, left.high), (right.low, right.high))
    ends = [(a * b if a and b else 0.0) if operator == "*" else a / b for a, b in corners]
    dimension = Dimension(*(a + sign * b for a, b in zip(left.dimension, right.dimension, strict=True)))
    return Amount(min(ends), max(ends), dimension, unit)


def count(xs: Items) -> Amount:
    """How many: bounds where the list was cut, or of some it is not stated that they belong to it."""
    most = math.inf if not xs.complete else len(xs) + len(xs.unstated)
    return Amount(len(xs), most)


def total(values: Sequence[Any], now: datetime | None) -> Any:
    """The sum of values, one after the other; the first that is not known if one is not."""
    lost = next((one for one in values if isinstance(one, Unknown)), None)
    if lost is not None or not values:
        return lost if lost is not None else Amount.of(0.0)
    found = values[0]
    for one in values[1:]:
        found = calculate("+", found, one, now)
    return found


def mean(xs: Items) -> Any:
    """The mean of the members that are stated."""
    stated = [one for one in sought(xs.items) if not isinstance(one, Unknown)]
    if not stated:
        return Unknown(
            Why.NOT_STATED if xs.items else Why.NONE, "There is nothing stated to take the mean of."
        )
    return calculate("/", total(stated, None), Amount.of(len(stated)))


def before(a: Any, b: Any) -> bool:
    """Whether a stands before b where members are put in order."""
    if isinstance(a, str) and isinstance(b, str):
        return normalise(a) < normalise(b)
    if isinstance(a, bool) and isinstance(b, bool):
        return a < b
    return compare(a, "<", b) is True


def ordered(pairs: Sequence[tuple[Any, Any]], *, falling: bool) -> list[Any]:
    """Members by their keys; what cannot be told apart keeps its order."""

    def order(a: tuple[Any, Any], b: tuple[Any, Any]) -> int:
        first, second = (b[0], a[0]) if falling else (a[0], b[0])
        return -1 if before(first, second) else 1 if before(second, first) else 0

    return [member for _, member in sorted(pairs, key=functools.cmp_to_key(order))]


def extreme(xs: Items, keys: Sequence[Any], *, greatest: bool) -> Any:
    """The first member of the least (greatest) key. Of a written list an Unknown key leaves it open."""
    stated = [(key, member) for key, member in zip(keys, xs, strict=True) if not isinstance(key, Unknown)]
    if len(stated) < len(xs) and not xs.searched:
        return next(key for key in keys if isinstance(key, Unknown))
    if not stated:
        none = not (xs.items or xs.unstated) and xs.complete
        return Unknown(Why.NONE if none else Why.NOT_STATED, "There is none to choose from.")
    best = stated[0]
    for one in stated[1:]:
        if before(best[0], one[0]) if greatest else before(one[0], best[0]):
            best = one
    return best[1]


def sort(xs: Items, keys: Sequence[Any], *, falling: bool) -> Items:
    """The list in order of its keys; members whose key is not known go last."""
    pairs = list(zip(keys, xs, strict=True))
    stated = [pair for pair in pairs if not isinstance(pair[0], Unknown)]
    return xs.like(
        [*ordered(stated, falling=falling), *(one for key, one in pairs if isinstance(key, Unknown))]
    )


def group(xs: Items, keys: Sequence[Any]) -> Items:
    """Members of one key together, in the order of their first ones; those without a known key come last."""
    groups: list[tuple[Any, list[Any]]] = []
    for key, member in zip(keys, xs, strict=True):
        for other, members in groups:
            if _one_key(key, other):
                members.append(member)
                break
        else:
            groups.append((key, [member]))
    groups.sort(key=lambda pair: isinstance(pair[0], Unknown))
    return Items(tuple(Group(key, xs.like(members)) for key, members in groups), searched=xs.searched)


def _one_key(a: Any, b: Any) -> bool:
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return isinstance(a, Unknown) and isinstance(b, Unknown)
    return normalise(a) == normalise(b) if isinstance(a, str) and isinstance(b, str) else bool(a == b)


def both(words: str, claimed: Any) -> Any:
    """The claimed two where the words are made of them and one joint."""
    if not isinstance(claimed, Items) or len(claimed) != 2:
        return claimed if isinstance(claimed, Unknown) else Items(())
    first, second = (str(one) for one in claimed)
    rest = words.strip().removeprefix(first).removesuffix(second).strip()
    return claimed if first and second and len(rest) <= len("versus") < len(words) else Items(())


def pairs(xs: Items, others: Items | None) -> Items:
    """Each pair once, or with a second list every combination."""
    made: list[tuple[Any, Any]] = []
    for number, one in enumerate(xs.items):
        made += [(one, other) for other in (xs.items[number + 1 :] if others is None else others.items)]
    return Items(tuple(Items(pair) for pair in made), searched=xs.searched)


def beyond(xs: Items, x: Any, now: datetime | None, *, behind: bool) -> Any:
    """The members before something, or behind its first unbroken run."""
    is_it = _finder(xs, x, now)
    first = next((index for index, member in enumerate(xs) if is_it(member)), None)
    if first is None:
        return Unknown(Why.NOT_FOUND, "It does not occur in it.")
    end = first
    while end < len(xs) and is_it(xs.items[end]):
        end += 1
    return xs.like(xs.items[end:] if behind else xs.items[:first])


def _finder(xs: Items, x: Any, now: datetime | None) -> Callable[[Any], bool]:
    words = x.text if isinstance(x, Choice) else x.name if isinstance(x, Thing) else x
    if isinstance(words, str) and xs.items and isinstance(xs.items[0], Step):
        if any(_on(member.step, words) for member in xs):
            return lambda member: _on(member.step, words)
        return lambda member: normalise(words) in normalise(member.step.instruction)
    if isinstance(words, str) and all(isinstance(member, str) for member in xs):
        return lambda member: same_street(member, words)
    return lambda member: same(*alike(member, x, now)) is True


def _on(step: RouteStep, street: str) -> bool:
    return any(same_street(street, name) for name in step.streets)


def absolute(x: Amount) -> Amount:
    """An amount without its sign."""
    ends = abs(x.low), abs(x.high)
    return Amount(0.0 if x.low < 0 < x.high else min(ends), max(ends), x.dimension, x.unit)
