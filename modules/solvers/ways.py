"""Ways with different ends compared by travel: the options name them ("A to B", "B to A")."""

from map_tools.types import TravelMode
from mapagent.answer import OptionPick, Solution
from modules.intents import Compare, PairIntent
from modules.solvers.common import Trail
from modules.solvers.measures import measure_words
from modules.solvers.pairs import splits
from modules.solvers.route_facts import MODE_WORDS, Leg, claim_leg, default_mode, find_leg
from modules.solvers.route_names import NameBook
from modules.view import CannotTellError, View


def solve_ways(intent: PairIntent, view: View) -> Solution | None:
    """Which of the ways that the options name is quickest, longest, ...; None while facts are fetched.

    Raises:
        CannotTellError: Fewer than two ways are known, or two of them come first together.
    """
    mode = intent.mode or default_mode(view)
    legs = {index: leg for index, text in view.question.live_options() if (leg := _leg(view, text, mode))}
    if view.waiting:
        return None
    unit = "m" if intent.measure == "distance" else "s"
    found = [(index, leg, leg.distance_m if unit == "m" else leg.duration_s) for index, leg in legs.items()]
    known = [(index, leg, value) for index, leg, value in found if value is not None]
    if len(known) < 2 or len(known) < len(found):
        raise CannotTellError("Not all of the ways to compare are known.")
    known.sort(key=lambda one: one[2], reverse=intent.pick is Compare.MAX)
    if known[0][2] == known[1][2]:
        raise CannotTellError(f"Two of these ways {MODE_WORDS[mode]} are equal.")
    trail = Trail()
    for _, leg, value in known:
        claim_leg(trail, leg, value, unit)
    trail.claim(
        "max" if intent.pick is Compare.MAX else "min",
        [leg.evidence_id for _, leg, _ in known],
        _name(known[0][1]),
        values={_name(leg): value for _, leg, value in known},
        unit=unit,
        k=1,
    )
    picks = [OptionPick(index=index, text=view.question.options[index]) for index, _, _ in known]
    shown = "; ".join(f"{_name(leg)} {measure_words(value, unit)}" for _, leg, value in known)
    return trail.answered(picks[0], f"{shown} {MODE_WORDS[mode]}", picks[1:])


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
