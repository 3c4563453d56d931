"""Claims that add, compare, count and schedule: the arithmetic done again, its operands traced back."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from mapagent.answer import Claim
from modules.answer_generator.verify.facts import Facts
from modules.answer_generator.verify.tolerance import among, same
from modules.names import normalise, same_name

MEASURED = frozenset({"s", "m"})
"""Units whose operands must be stated by evidence or question; others are derived by further rules."""


def check_sum(claim: Claim, facts: Facts) -> Iterator[str]:
    """The values add up, and each is stated by the cited evidence or the question."""
    values = [float(value) for value in claim.arguments["values"]]
    unit = str(claim.arguments.get("unit", "s"))
    total = sum(values)
    if not same(unit, total, float(claim.result)):
        shown = " + ".join(f"{value:g}" for value in values)
        yield f"{shown} = {total:g} {unit}, not {float(claim.result):g}."
    yield from _unstated(values, unit, claim, facts)


def check_difference(claim: Claim, facts: Facts) -> Iterator[str]:
    """The second value taken from the first gives the result."""
    first, second = (float(value) for value in claim.arguments["values"])
    unit = str(claim.arguments.get("unit", "s"))
    if not same(unit, first - second, float(claim.result)):
        yield f"{first:g} - {second:g} = {first - second:g} {unit}, not {float(claim.result):g}."
    yield from _unstated((first, second), unit, claim, facts)


def _unstated(values: Sequence[float], unit: str, claim: Claim, facts: Facts) -> Iterator[str]:
    if unit not in MEASURED:
        return
    known = facts.numbers(unit, claim.inputs) | facts.stated_in_question.get(unit, frozenset()) | {0.0}
    for value in values:
        if not among(unit, value, known):
            yield f"{value:g} {unit} is stated by none of the facts that the step '{claim.rule}' cites."


def check_extreme(claim: Claim, facts: Facts) -> Iterator[str]:
    """The label named is the k-th least ("min") or greatest ("max"); equal values may change places."""
    values: Mapping[str, float] = {label: float(value) for label, value in claim.arguments["values"].items()}
    place = int(claim.arguments.get("k") or 1)
    chosen = values.get(str(claim.result))
    if chosen is None:
        yield f"'{claim.result}' is not among the things compared."
        return
    ordered = sorted(values.values(), reverse=claim.rule == "max")
    if not 1 <= place <= len(ordered):
        yield f"There is no number {place} among {len(ordered)} things compared."
    elif not same("", chosen, ordered[place - 1]):
        right = next(label for label, value in values.items() if value == ordered[place - 1])
        yield (
            f"'{right}' ({ordered[place - 1]:g}), not '{claim.result}' ({chosen:g}), "
            f"is number {place} by {claim.rule}."
        )
    if str(claim.arguments.get("unit")) == "s":
        yield from _unstated(list(values.values()), "s", claim, facts)


def check_count(claim: Claim, facts: Facts) -> Iterator[str]:
    """As many labels as counted, none of them more often than the evidence has it."""
    labels = [str(label) for label in claim.arguments["labels"]]
    if len(labels) != int(claim.result):
        yield f"{len(labels)} things are listed, but {claim.result} are counted."
    names = Counter(normalise(name) for name, _ in _distinct(facts, claim))
    for label, times in Counter(normalise(label) for label in labels).items():
        if names and label in names and times > names[label]:
            yield f"'{label}' is counted {times} times, but the evidence has it {names[label]} times."


def _distinct(facts: Facts, claim: Claim) -> set[tuple[str, str]]:
    return {(name, place.id) for name, place in facts.places(claim.inputs)}


def check_filter(claim: Claim, facts: Facts) -> Iterator[str]:
    """Nothing is both kept and dropped."""
    kept, dropped = ({str(label) for label in claim.arguments.get(side, ())} for side in ("kept", "dropped"))
    for label in sorted(kept & dropped):
        yield f"'{label}' is both kept and dropped."
    if not facts.of(claim.inputs) and kept:
        yield "The filter cites no fact."


def check_itinerary(claim: Claim, facts: Facts) -> Iterator[str]:
    """The times of the plan add up leg by leg and stay by stay, and the deadline is kept."""
    arguments = claim.arguments
    legs = [(str(a), str(b), float(seconds)) for a, b, seconds in arguments.get("legs", ())]
    order = [str(name) for name in arguments.get("order", ())]
    yield from _broken_chain(order, legs)
    start, finish = float(arguments["start_s"]), float(claim.result)
    earliest = start + sum(seconds for _, _, seconds in legs) + _stay(order, arguments)
    waits = arguments.get("waits")
    if waits is not None:
        earliest += sum(float(seconds) for seconds in waits.values())
    # Without a list of waits the plan may finish later than its parts add up to, never earlier.
    if finish < earliest - 1 or (waits is not None and not same("s", finish, earliest)):
        yield f"Legs and stays from {start:g} s come to {earliest:g} s, but the plan ends at {finish:g} s."
    deadline = arguments.get("deadline_s")
    if deadline is not None and finish > float(deadline) + 1:
        yield f"The plan ends at {finish:g} s, after the deadline of {float(deadline):g} s."
    yield from _unstated([seconds for _, _, seconds in legs], "s", claim, facts)


def _stay(order: Sequence[str], arguments: Mapping[str, Any]) -> float:
    dwell = {str(name): float(seconds) for name, seconds in (arguments.get("dwell") or {}).items()}
    return sum(dwell.get(name, 0.0) for name in dict.fromkeys(order)) if order else sum(dwell.values())


def _broken_chain(order: Sequence[str], legs: Sequence[tuple[str, str, float]]) -> Iterator[str]:
    """Each leg must begin where the one before ended, and the order must follow the legs."""
    for (_, reached, _), (left, _, _) in pairwise(legs):
        if not same_name(reached, left):
            yield f"The plan reaches {reached} but goes on from {left}."
    visited = [destination for _, destination, _ in legs]
    stops = order[1:] if len(order) == len(legs) + 1 else order
    if legs and len(stops) == len(visited) and not all(map(same_name, stops, visited)):
        yield f"The order {' → '.join(order)} is not the order of the legs."


def check_option(claim: Claim, facts: Facts) -> Iterator[str]:
    """The index is one of the question's options, with the text that was judged."""
    options = facts.question.options
    index = int(claim.result)
    if not 0 <= index < len(options) or not options[index].strip():
        yield f"There is no option number {index + 1}."
        return
    texts = claim.arguments.get("texts")
    if texts and str(options[index]).strip() not in {str(text).strip() for text in texts}:
        yield f"Option {index + 1} is '{options[index].strip()}', which was not judged."
