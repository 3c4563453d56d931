"""Of which kind there are most around a place, or around which place there are most of a kind."""

from collections.abc import Callable, Iterator

from mapagent.answer import Quantity, Solution, Text, YesNo
from modules.offline.intents import Compare, NearbyIntent
from modules.solvers.common import Trail
from modules.view import CannotTellError, View

type Count = Callable[[NearbyIntent, View], Solution | None]


def solve_more(intent: NearbyIntent, view: View, count: Count) -> Solution | None:
    """Compares how many there are; None while facts are being fetched.

    Args:
        intent: With `ask` "more".
        view: The facts.
        count: Solves the question how many there are of one kind around one place.

    Raises:
        CannotTellError: One of them cannot be counted, or there are as many of each.
    """
    trail = Trail()
    numbers: dict[str, float] = {}
    for label, one in _parts(intent):
        counted = count(one, view)
        if counted is not None and isinstance(counted.value, Quantity):
            trail.use(*counted.evidence_ids)
            trail.claims += counted.claims
            numbers[label] = counted.value.value
            for warning in counted.warnings:
                trail.warn(warning)
    if view.waiting:
        return None
    shown = ", ".join(f"{label} {number:g}" for label, number in numbers.items())
    order = sorted(numbers, key=lambda label: numbers[label], reverse=intent.pick is Compare.MAX)
    if intent.claims:
        first = next(iter(numbers))
        wins = all(_beats(intent, numbers[first], numbers[other]) for other in order if other != first)
        return trail.answered(YesNo(value=wins), f"{shown}.")
    if numbers[order[0]] == numbers[order[1]]:
        raise CannotTellError(f"There are as many of each: {shown}.")
    rule = "max" if intent.pick is Compare.MAX else "min"
    trail.claim(rule, trail.evidence_ids, order[0], values=numbers, unit="count", k=1)
    return trail.answered(Text(text=order[0]), f"{shown}.", [Text(text=label) for label in order[1:]])


def _parts(intent: NearbyIntent) -> Iterator[tuple[str, NearbyIntent]]:
    """What is counted, each with its label."""
    plain = intent.model_copy(update={"ask": "count", "kinds": (), "claims": False, "pick": Compare.MIN})
    if intent.kinds:
        for what in intent.kinds:
            yield what.text, plain.model_copy(update={"what": what})
        return
    for anchor in intent.anchors:
        yield anchor, plain.model_copy(update={"anchors": (anchor,)})


def _beats(intent: NearbyIntent, one: float, other: float) -> bool:
    return one > other if intent.pick is Compare.MAX else one < other
