"""What can be done with values: truth, comparison, arithmetic. What is not known stays not known."""

from collections.abc import Iterable
from typing import Any

from map_tools.text import normalise
from modules.query.values import amount
from modules.query.values.amount import ANGLE, DURATION, NUMBER, Amount, parse_amount, price_level_of
from modules.query.values.moment import Moment, beside, parse_moment
from modules.query.values.things import Bearing, Choice, Items, Opening, Stop, Thing, check_members
from modules.query.values.unknown import Unknown, Why

_YES = frozenset({"yes", "true", "designated", "limited", "only", "permissive", "customers"})
_NO = frozenset({"no", "none", "false", "0", ""})


class ValueTypeError(Exception):
    """Values of types that do not go together; the message says which, for whoever wrote the program."""


def truth(value: Any) -> bool | Unknown:
    """Whether a value counts as true.

    Facts of the map count by their words: "yes", "designated", "limited", "only" and numbers above 0 are true,
    "no", "none" and 0 are not, any other words are (the values of https://wiki.openstreetmap.org/wiki/Key:access).
    """
    if isinstance(value, Unknown | bool):
        return value
    if isinstance(value, str):
        word = value.casefold()
        return word not in _NO
    if isinstance(value, Amount):
        return Unknown(Why.NOT_STATED, value.open_points) if value.low <= 0 < value.high else value.low > 0
    if isinstance(value, Items):
        return _any_member(value)
    return True


def _any_member(items: Items) -> bool | Unknown:
    if items.items:
        return True
    if items.unstated or not items.complete:
        return Unknown(Why.NOT_STATED, "Whether there is one is not stated.")
    return False


def negated(value: Any) -> bool | Unknown:
    """Kleene's not."""
    known = truth(value)
    return known if isinstance(known, Unknown) else not known


def conjunction(values: Iterable[Any]) -> bool | Unknown:
    """Kleene's and: one false value decides, else one unknown leaves it open."""
    judged = [truth(value) for value in values]
    if any(one is False for one in judged):
        return False
    return next((one for one in judged if isinstance(one, Unknown)), True)


def disjunction(values: Iterable[Any]) -> bool | Unknown:
    """Kleene's or: one true value decides, else one unknown leaves it open."""
    judged = [truth(value) for value in values]
    if any(one is True for one in judged):
        return True
    return next((one for one in judged if isinstance(one, Unknown)), False)


def compare(left: Any, comparator: str, right: Any, now: Any = None) -> bool | Unknown:
    """`left comparator right` for one of < <= > >= == != (`in` is `contains`).

    Raises:
        ValueTypeError: They cannot be compared.
    """
    for one in (left, right):
        if isinstance(one, Unknown):
            return one
    left, right = alike(left, right, now)
    if comparator in {"==", "!="}:
        equal = same(left, right)
        if isinstance(equal, Unknown):
            return equal
        return equal if comparator == "==" else not equal
    if comparator in {">", ">="}:
        left, right = right, left
    before = _less(left, right)
    if comparator in {"<", ">"}:
        return before
    if before is True:
        return True
    after = _less(right, left)
    if isinstance(before, Unknown) and isinstance(after, Unknown):
        return before
    return after if isinstance(after, Unknown) else not after


def alike(left: Any, right: Any, now: Any = None) -> tuple[Any, Any]:
    """Two values with words among them read as what stands on the other side.

    Raises:
        ValueTypeError: The words are nothing of the kind.
    """
    left, right = _plain(left), _plain(right)
    if isinstance(left, str) and not isinstance(right, str):
        return _read(left, right, now), right
    if isinstance(right, str) and not isinstance(left, str):
        return left, _read(right, left, now)
    return left, right


def _plain(value: Any) -> Any:
    if isinstance(value, Choice):
        return value.text
    return value.thing if isinstance(value, Stop) else value


def _read(text: str, other: Any, now: Any) -> Any:  # noqa: C901 (one case for each kind)
    if isinstance(other, Moment):
        duration = parse_amount(text)
        if duration is not None and duration.dimension == DURATION:
            return duration
        moment = beside(text, other) or parse_moment(text, now)
        if moment is not None:
            return moment
        raise ValueTypeError(f"“{text}” is no time")
    if isinstance(other, Amount):
        found = parse_amount(text)
        if found is not None:
            return found
        level = price_level_of(text)
        if level is not None:
            return Amount.of(level)
        try:
            number = float(text.replace(",", ""))
        except ValueError:
            raise ValueTypeError(f"“{text}” is no {other.kind}") from None
        return Amount.of(number)
    if isinstance(other, Bearing):
        found = parse_amount(text)
        if found is not None and found.dimension == ANGLE:
            return Bearing(found.value)
    if isinstance(other, bool):
        return truth(text)
    return text


def _less(left: Any, right: Any) -> bool | Unknown:
    if isinstance(left, Moment) and isinstance(right, Moment):
        if left.any_day != right.any_day:
            return _clock_s(left) < _clock_s(right)
        return left.at < right.at
    if isinstance(left, Amount) and isinstance(right, Amount):
        _check_dimensions(left, right)
        judged = amount.less(left, right)
        return Unknown(Why.NOT_STATED, _open(left, right)) if judged is None else judged
    if isinstance(left, Items) or isinstance(right, Items):
        raise ValueTypeError("a list has no size; compare its count")
    raise ValueTypeError(f"{called(left)} cannot be compared with {called(right)} by size")


def _clock_s(moment: Moment) -> float:
    return moment.at.hour * 3600 + moment.at.minute * 60 + moment.at.second


def same(left: Any, right: Any) -> bool | Unknown:
    """Whether two values are the same."""
    if isinstance(left, Amount) and isinstance(right, Amount):
        _check_dimensions(left, right)
        judged = amount.same(left, right)
        return Unknown(Why.NOT_STATED, _open(left, right)) if judged is None else judged
    if isinstance(left, Moment) and isinstance(right, Moment):
        if left.any_day or right.any_day:
            return _clock_s(left) == _clock_s(right)
        return left.at == right.at
    if isinstance(left, str) and isinstance(right, str):
        return normalise(left) == normalise(right)
    if isinstance(left, Thing) and isinstance(right, str):
        return _named(left, right)
    if isinstance(right, Thing) and isinstance(left, str):
        return _named(right, left)
    if isinstance(left, Items) and isinstance(right, Items):
        return conjunction(
            [len(left) == len(right), *(same(a, b) for a, b in zip(left, right, strict=False))]
        )
    if isinstance(left, Bearing) and isinstance(right, Bearing):
        return abs(left.degrees - right.degrees) < 1e-6
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right)


def _named(thing: Thing, words: str) -> bool:
    return normalise(words) in {normalise(name) for name in (thing.name, *thing.place.aliases)}


def contains(container: Any, item: Any) -> bool | Unknown:
    """`item in container` for lists and words; areas are the business of the operators.

    Raises:
        ValueTypeError: The container is neither.
    """
    for one in (container, item):
        if isinstance(one, Unknown):
            return one
    if isinstance(container, Items):
        found = disjunction(same(*alike(member, item)) for member in container)
        if found is False and not container.complete:
            return Unknown(Why.LIMIT, "The list was cut, so it may be in it.")
        return found
    if isinstance(container, str) and isinstance(item, str | Choice):
        wanted = normalise(item if isinstance(item, str) else item.text)
        return wanted in normalise(container)
    raise ValueTypeError(f"nothing lies in {called(container)}")


def calculate(operator: str, left: Any, right: Any, now: Any = None) -> Any:
    """`left operator right` for + - * /.

    Raises:
        ValueTypeError: There is no such sum, difference, product or quotient.
        LimitError: The sum of two lists is too long.
    """
    for one in (left, right):
        if isinstance(one, Unknown):
            return one
    if isinstance(left, str) and isinstance(right, str):
        left, right = _two_words(left, right, now)
    left, right = alike(_clocked(left, right, now), _clocked(right, left, now), now)
    if isinstance(left, Items) or isinstance(right, Items):
        return _joined(operator, left, right)
    if isinstance(left, Moment) or isinstance(right, Moment):
        return _with_moment(operator, left, right)
    if isinstance(left, Bearing) and isinstance(right, Bearing) and operator == "-":
        turn = (left.degrees - right.degrees + 180.0) % 360.0 - 180.0
        return Amount.of(turn, ANGLE, "deg")
    if isinstance(left, Amount) and isinstance(right, Amount):
        return _with_amounts(operator, left, right)
    raise ValueTypeError(f"{called(left)} {operator} {called(right)} means nothing")


def _clocked(value: Any, other: Any, now: Any) -> Any:
    """Words beside a duration are a time if they are no duration ("18:00" - travel(…).duration)."""
    if not (isinstance(value, str) and isinstance(other, Amount) and other.dimension == DURATION):
        return value
    return value if parse_amount(value) is not None else parse_moment(value, now) or value


def _two_words(left: str, right: str, now: Any) -> tuple[Any, Any]:
    """Two texts in a sum are times or amounts ("17:05" - "15 min")."""
    moment, first = parse_moment(left, now), parse_amount(left)
    if first is None and moment is None:
        raise ValueTypeError(f"“{left}” is neither a time nor an amount")
    if first is not None:
        return first, right
    return moment, parse_amount(right) or parse_moment(right, now) or right


def _joined(operator: str, left: Any, right: Any) -> Items:
    if operator != "+" or not (isinstance(left, Items) and isinstance(right, Items)):
        raise ValueTypeError("lists can only be added to lists")
    check_members(len(left) + len(right))
    members: list[Any] = []
    for member in (*left, *right):
        if not (isinstance(member, Thing) and member in members):
            members.append(member)
    return Items(
        tuple(members),
        searched=left.searched or right.searched,
        complete=left.complete and right.complete,
        unstated=(*left.unstated, *right.unstated),
    )


def _with_moment(operator: str, left: Any, right: Any) -> Any:
    if isinstance(left, Moment) and isinstance(right, Moment) and operator == "-":
        if left.any_day != right.any_day:
            return Amount.of(_clock_s(left) - _clock_s(right), DURATION)
        return Amount.of((left.at - right.at).total_seconds(), DURATION)
    span = right if isinstance(left, Moment) else left
    moment = left if isinstance(left, Moment) else right
    if not isinstance(span, Amount) or span.dimension != DURATION or not span.exact:
        raise ValueTypeError(f"{called(left)} {operator} {called(right)} means nothing")
    if operator == "+":
        return moment.after(span.value)
    if operator == "-" and isinstance(left, Moment):
        return moment.after(-span.value)
    raise ValueTypeError(f"{called(left)} {operator} {called(right)} means nothing")


def _with_amounts(operator: str, left: Amount, right: Amount) -> Amount | Unknown:
    if operator in {"+", "-"}:
        _check_dimensions(left, right)
        return amount.plus(left, right) if operator == "+" else amount.minus(left, right)
    if operator == "*":
        return amount.times(left, right)
    quotient = amount.over(left, right)
    return Unknown(Why.NOT_STATED, "Nothing can be divided by zero.") if quotient is None else quotient


def _check_dimensions(left: Amount, right: Amount) -> None:
    if left.dimension != right.dimension:
        raise ValueTypeError(f"{called(left)} and {called(right)} do not go together")


def _open(left: Amount, right: Amount) -> str:
    return left.open_points or right.open_points or "It depends on what is not stated."


def called(value: Any) -> str:
    """What a value is, for messages."""
    if isinstance(value, Amount):
        if value.dimension == NUMBER:
            return f"the bare number {value.low:g}" if value.exact else "a number"
        return f"a {value.kind}" if value.kind[0] not in "aeiou" else f"an {value.kind}"
    names: dict[type, str] = {
        bool: "yes or no", str: f"the words “{value}”", Moment: "a time", Thing: "a place", Items: "a list",
        Bearing: "a direction", Choice: "an option", Opening: "a span",
    }  # fmt: skip
    return names.get(type(value), f"a {type(value).__name__.lower()}")
