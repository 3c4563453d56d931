"""Ways with different ends compared by travel: the options name them ("A to B", "B to A"), or their goals."""

from collections.abc import Sequence

from map_tools.types import TravelMode
from mapagent.answer import Named, OptionPick, Solution, Value
from modules.offline.intents import CloserIntent, Compare, PairIntent
from modules.solvers.common import Trail
from modules.solvers.measures import measure_words
from modules.solvers.pairs import splits
from modules.solvers.route_facts import MODE_WORDS, Leg, claim_leg, default_mode, find_leg, known_leg
from modules.solvers.route_names import NameBook
from modules.view import CannotTellError, View


def solve_ways(intent: PairIntent, view: View) -> Solution | None:
    """Which of the ways that the options name is quickest, longest, ...; None while facts are fetched.

    Raises:
        CannotTellError: Fewer than two ways are known, or two of them come first together.
    """
    mode = intent.mode or default_mode(view)
    options = view.question.live_options()
    ways = [
        (OptionPick(index=index, text=text), leg)
        for index, text in options
        if (leg := _leg(view, text, mode)) is not None
    ]
    return None if view.waiting else _ranked(ways, intent, mode)


def goals_told(intent: CloserIntent, view: View) -> Solution | None:
    """Which of several goals is reached soonest, by the ways a supplied text tells; None if it lacks any.

    A text may tell the ways between places of which it says nothing else.

    Raises:
        CannotTellError: Two of them come first together.
    """
    goals: list[tuple[Value, str]] = [(Named(name=name), name) for name in intent.candidates] or [
        (OptionPick(index=index, text=text), text) for index, text in view.question.live_options()
    ]
    if intent.measure == "straight" or intent.k > 1 or intent.claim is not None:
        return None
    mode = intent.mode or default_mode(view)
    book = NameBook(view, (intent.anchor, *(name for _, name in goals)))
    legs = [(value, known_leg(view, book, intent.anchor, name, mode)) for value, name in goals]
    ways = [(value, leg) for value, leg in legs if leg is not None]
    return _ranked(ways, intent, mode) if goals and len(ways) == len(goals) else None


def _ranked(
    ways: Sequence[tuple[Value, Leg]], intent: PairIntent | CloserIntent, mode: TravelMode
) -> Solution:
    """The value whose way has the least or the greatest measure; the others follow."""
    unit = "m" if intent.measure == "distance" else "s"
    found = [(value, leg, leg.measure(unit)) for value, leg in ways]
    known = [(value, leg, measure) for value, leg, measure in found if measure is not None]
    if len(known) < 2 or len(known) < len(found):
        raise CannotTellError("Not all of the ways to compare are known.")
    known.sort(key=lambda one: one[2], reverse=intent.pick is Compare.MAX)
    if known[0][2] == known[1][2]:
        raise CannotTellError(f"Two of these ways {MODE_WORDS[mode]} are equal.")
    trail = Trail()
    for _, leg, measure in known:
        claim_leg(trail, leg, measure, unit)
    trail.claim(
        "max" if intent.pick is Compare.MAX else "min",
        [leg.evidence_id for _, leg, _ in known],
        _name(known[0][1]),
        values={_name(leg): measure for _, leg, measure in known},
        unit=unit,
        k=1,
    )
    values = [value for value, _, _ in known]
    shown = "; ".join(f"{_name(leg)} {measure_words(measure, unit)}" for _, leg, measure in known)
    return trail.answered(values[0], f"{shown} {MODE_WORDS[mode]}", values[1:])


def _leg(view: View, option: str, mode: TravelMode) -> Leg | None:
    """The way an option names; None if it names none that is known, or while it is fetched."""
    for left, right in splits(option):
        book = NameBook(view, (left, right))
        try:
            return find_leg(view, book, left, right, mode)
        except CannotTellError:
            continue
    return None


def _name(leg: Leg) -> str:
    return f"{leg.origin} → {leg.destination}"
