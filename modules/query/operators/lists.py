"""Operators on lists: counting, sums, the least and the greatest, order, groups, pairs."""

import re
from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any

from map_tools.compute.route_steps import on_street
from map_tools.text import normalise, same_street
from modules.query.interpreter.context import Context
from modules.query.interpreter.showing import shown
from modules.query.operators.base import (
    Any_,
    Groups,
    Item,
    Key,
    List,
    Number,
    Quantity,
    Same,
    Text,
    YesNo,
    operator,
)  # fmt: skip
from modules.query.values import algebra, amount
from modules.query.values.algebra import ValueTypeError
from modules.query.values.amount import NUMBER, Amount
from modules.query.values.things import Bearing, Choice, Function, Group, Items, Step, Thing, check_members
from modules.query.values.unknown import Unknown, Why, broken_off


@operator(module="solution_generator", phrase="the number of {xs|counted}")
def count(context: Context, xs: List) -> Number:
    """How many; "at least 4" where some are not stated or the list was cut."""
    known = len(xs.items)
    if not xs.complete:
        return Amount(known, float("inf"), NUMBER, "", f"the list was cut at {known}")
    if xs.unstated:
        return Amount(known, known + len(xs.unstated), NUMBER, "", f"{len(xs.unstated)} not stated")
    return Amount.of(known)


@operator(module="solution_generator", phrase="the sum of {xs|of}")
def sum_(context: Context, xs: List) -> Quantity | Unknown:
    """The sum; Unknown if a member is."""
    total: Any = None
    for one in xs:
        if isinstance(one, Unknown):
            return one
        total = one if total is None else algebra.calculate("+", total, one, context.situation.now)
        if isinstance(total, Unknown):
            return total
    return Amount.of(0.0) if total is None else total


@operator(module="solution_generator", phrase="the mean of {xs|of}")
def mean(context: Context, xs: List) -> Quantity | Unknown:
    """The mean of those stated."""
    lost = broken_off(xs)
    if lost is not None:
        return lost
    known = [one for one in xs if not isinstance(one, Unknown)]
    if not known:
        return Unknown(
            Why.NONE if not xs.items else Why.NOT_STATED, "There is nothing stated to take the mean of."
        )
    if len(known) < len(xs.items):
        context.warn(f"The mean is of the {len(known)} of {len(xs.items)} that are stated.")
    total: Any = known[0]
    for one in known[1:]:
        total = algebra.calculate("+", total, one)
    mean_: Amount | Unknown = algebra.calculate("/", total, Amount.of(len(known)))
    return mean_


@operator(module="solution_generator", phrase="the {xs|least} of {xs|of}", name="min")
def minimum(context: Context, xs: List, *, key: Key | None = None) -> Item | Unknown:
    """The member with the least key=."""
    return _extreme(context, xs, key, greatest=False)


@operator(module="solution_generator", phrase="the {xs|most} of {xs|of}", name="max")
def maximum(context: Context, xs: List, *, key: Key | None = None) -> Item | Unknown:
    """The member with the greatest key=."""
    return _extreme(context, xs, key, greatest=True)


def _extreme(context: Context, xs: Items, key: Function | None, *, greatest: bool) -> Any:
    ranked = _ranked(context, xs, key, reverse=greatest)
    if isinstance(ranked, Unknown):
        return ranked
    keys, members = ranked
    if not members:
        why = Why.NOT_STATED if xs.items or xs.unstated or not xs.complete else Why.NONE
        return Unknown(
            why,
            f"There is no {xs.what or 'member'} to choose from."
            if why is Why.NONE
            else "It is stated of none.",
            shown=xs.around,
        )
    ties = [
        shown(member)
        for member, value in zip(members[1:], keys[1:], strict=True)
        if algebra.same(value, keys[0]) is True
    ]
    if ties:
        context.warn(f"{shown(members[0])} ties with {', '.join(ties[:5])}.")
    context.ranked(members[0], members[1:])
    if xs.searched and not xs.complete:
        context.warn(f"Only the {len(xs)} nearest were compared.")
    return members[0]


def _ranked(
    context: Context, xs: Items, key: Function | None, *, reverse: bool
) -> tuple[list[Any], list[Any]] | Unknown:
    """Keys and members in order; members whose key is not known left out, or the reason why nothing can be said."""
    keys = list(xs.items) if key is None else context.apply(key, xs.items)
    lost = [(member, value) for member, value in zip(xs, keys, strict=True) if isinstance(value, Unknown)]
    if lost and not xs.searched:
        member, value = lost[0]
        return Unknown(value.why, f"{shown(member)}: {value.reason}")
    refused = broken_off(keys)
    if refused is not None:
        return refused
    if lost and len(lost) == len(xs):
        return Unknown(Why.NOT_STATED, f"It is stated of none; {shown(lost[0][0])}: {lost[0][1].reason}")
    if lost:
        context.warn(f"Of {len(xs)}, {len(lost)} are left out because it is not stated of them.")
    pairs = [
        (value, member) for member, value in zip(xs, keys, strict=True) if not isinstance(value, Unknown)
    ]
    ordered = _sorted(pairs, reverse=reverse)
    return [value for value, _ in ordered], [member for _, member in ordered]


def _sorted(pairs: Sequence[tuple[Any, Any]], *, reverse: bool) -> list[tuple[Any, Any]]:
    """Pairs by their first half; equal ones keep their order."""
    import functools

    def order(a: tuple[Any, Any], b: tuple[Any, Any]) -> int:
        left, right = (b[0], a[0]) if reverse else (a[0], b[0])
        if isinstance(left, str) and isinstance(right, str):
            folded = normalise(left), normalise(right)
            return (folded[0] > folded[1]) - (folded[0] < folded[1])
        if isinstance(left, bool) and isinstance(right, bool):
            return left - right
        if algebra.compare(left, "<", right) is True:
            return -1
        return 1 if algebra.compare(right, "<", left) is True else 0

    return sorted(pairs, key=functools.cmp_to_key(order))


@operator(
    module="solution_generator",
    phrase="{xs} in order[ of {key|by}][, {key|most} first{reverse|yes}/, largest first{reverse|yes}]",
)
def sort(context: Context, xs: List, *, key: Key | None = None, reverse: YesNo = False) -> Same | Unknown:
    """In order of key=, those not stated last."""
    keys = list(xs.items) if key is None else context.apply(key, xs.items)
    lost = broken_off(keys)
    if lost is not None:
        return lost
    stated = [
        (value, member) for member, value in zip(xs, keys, strict=True) if not isinstance(value, Unknown)
    ]
    last = [member for member, value in zip(xs, keys, strict=True) if isinstance(value, Unknown)]
    if last:
        context.warn(f"Of {len(last)} it is not stated; they stand last.")
    return xs.like([*(member for _, member in _sorted(stated, reverse=reverse)), *last])


@operator(module="solution_generator", phrase="whether any of {xs|of} is true", takes_unknown=True)
def any_(context: Context, xs: List) -> YesNo | Unknown:
    """Whether a member is true."""
    if isinstance(xs, Unknown):
        return xs
    found = algebra.disjunction(xs.items)
    if found is False and (xs.unstated or not xs.complete):
        return Unknown(Why.NOT_STATED, "It is not stated of all of them.")
    return found


@operator(module="solution_generator", phrase="whether all of {xs|of} are true", takes_unknown=True)
def all_(context: Context, xs: List) -> YesNo | Unknown:
    """Whether all members are true."""
    if isinstance(xs, Unknown):
        return xs
    found = algebra.conjunction(xs.items)
    if found is True and (xs.unstated or not xs.complete):
        return Unknown(Why.NOT_STATED, "It is not stated of all of them.")
    return found


@operator(module="solution_generator", phrase="{xs} grouped by {by|by}")
def group(context: Context, xs: List, *, by: Key) -> Groups | Unknown:
    """In groups of one key, those not stated last."""
    keys = context.apply(by, xs.items)
    lost = broken_off(keys)
    if lost is not None:
        return lost
    groups: dict[Any, list[Any]] = {}
    names: dict[Any, Any] = {}
    for member, key in zip(xs, keys, strict=True):
        handle = "unknown" if isinstance(key, Unknown) else normalise(key) if isinstance(key, str) else key
        groups.setdefault(handle, []).append(member)
        names.setdefault(handle, key)
    ordered = sorted(groups, key=lambda handle: isinstance(names[handle], Unknown))
    return Items(
        tuple(Group(names[handle], xs.like(groups[handle])) for handle in ordered), searched=xs.searched
    )


@operator(module="solution_generator", phrase="the pairs of {xs|of}[ with {others|of}]")
def pairs(context: Context, xs: List, others: List | None = None) -> List:
    """Lists of two: each pair once; with others= every combination."""
    check_members(len(xs) * (len(xs) - 1) // 2 if others is None else len(xs) * len(others))
    made = combinations(xs.items, 2) if others is None else product(xs.items, others.items)
    return Items(tuple(Items(pair) for pair in made), searched=xs.searched)


_BETWEEN_TWO = re.compile(r"\s+(?:and|&|[–—→-]+>?|to|vs\.?|versus)\s+|\s*[,/]\s*")


@operator(module="solution_generator", phrase="the two that {words} names")
def both(context: Context, words: Text) -> List | Unknown:
    """The two names in an option or text: of "Oslo and Bergen" `[0]` is Oslo."""
    joints = list(_BETWEEN_TWO.finditer(words))
    if len(joints) % 2 == 0:
        return Unknown(Why.NOT_STATED, f"“{words}” does not name two.")
    middle = joints[len(joints) // 2]
    return Items((words[: middle.start()].strip(), words[middle.end() :].strip()))


@operator(module="solution_generator", phrase="what comes after {x} in {xs|of}")
def after(context: Context, xs: List, x: Any_) -> Same | Unknown:
    """What follows x, or in steps the first unbroken run on that street."""
    run = _run(xs, x)
    return run if isinstance(run, Unknown) else xs.like(xs.items[run[1] :])


@operator(module="solution_generator", phrase="what comes before {x} in {xs|of}")
def before(context: Context, xs: List, x: Any_) -> Same | Unknown:
    """What precedes x, or in steps the first one on that street."""
    run = _run(xs, x)
    return run if isinstance(run, Unknown) else xs.like(xs.items[: run[0]])


def _run(xs: Items, x: Any) -> tuple[int, int] | Unknown:
    """Where something stands in a list: its first place and one past its last in a row."""
    is_it = _matcher(xs, x)
    places = [index for index, member in enumerate(xs) if is_it(member)]
    if not places:
        return Unknown(Why.NOT_FOUND, f"{shown(x)} does not occur in it.")
    end = places[0] + 1
    while end in places:
        end += 1
    return places[0], end


def _matcher(xs: Items, x: Any) -> Callable[[Any], bool]:
    words = x.text if isinstance(x, Choice) else x.name if isinstance(x, Thing) else x
    if xs.items and isinstance(xs.items[0], Step) and isinstance(words, str):
        steps = [member.step for member in xs]
        if any(on_street(step, words) for step in steps):
            return lambda member: on_street(member.step, words)
        return lambda member: normalise(words) in normalise(member.step.instruction)
    if isinstance(words, str) and all(isinstance(member, str) for member in xs):
        return lambda member: same_street(member, words)
    return lambda member: algebra.same(*algebra.alike(member, x)) is True


@operator(module="solution_generator", phrase="the absolute value of {x}", name="abs")
def absolute(context: Context, x: Quantity) -> Quantity:
    """An amount without its sign."""
    if isinstance(x, Bearing):
        raise ValueTypeError("a direction has no sign; subtract two of them")
    if x.low >= 0:
        return x
    if x.high <= 0:
        return Amount(-x.high, -x.low, x.dimension, x.unit, x.open_points)
    return amount.Amount(0.0, max(-x.low, x.high), x.dimension, x.unit, x.open_points)


@operator(module="solution_generator", phrase="whether {x} is known", takes_unknown=True)
def known(context: Context, x: Any_) -> YesNo:
    """Whether it is known."""
    return not isinstance(x, Unknown)


OPERATORS = (
    count, sum_, mean, minimum, maximum, sort, any_, all_, group, pairs, both, after, before, absolute, known,
)  # fmt: skip
