"""Solver for several destinations put in order by the way to each of them."""

from mapagent.answer import Sequence, Solution
from modules.solvers.measures import measure_words
from modules.solvers.route_case import RouteCase
from modules.solvers.route_facts import MODE_WORDS, claim_leg, find_leg, known_measure


def by_way(case: RouteCase) -> Solution | None:
    """All destinations by the time or the length of the way from the origin; None while ways are fetched.

    Raises:
        CannotTellError: The way to one of them is not known, so that its place in the order is not either.
    """
    intent = case.intent
    ends = (intent.destination, *intent.others)
    legs = [(end, find_leg(case.view, case.book, intent.origin, end, case.mode)) for end in ends]
    unit = "m" if intent.select in {"shortest", "longest"} else "s"
    measured = [(end, leg, known_measure(leg, unit)) for end, leg in legs if leg is not None]
    if case.view.waiting or len(measured) < len(ends):
        return None
    falling = intent.select in {"longest", "slowest"}
    measured.sort(key=lambda row: -row[2] if falling else row[2])
    for _, leg, value in measured:
        claim_leg(case.trail, leg, value, unit)
    case.trail.claim(
        "max" if falling else "min",
        [leg.evidence_id for _, leg, _ in measured],
        measured[0][1].destination,
        values={leg.destination: value for _, leg, value in measured},
        unit=unit,
        k=1,
    )
    shown = ", ".join(f"{end} {measure_words(value, unit)}" for end, _, value in measured)
    words = f"From {measured[0][1].origin} {MODE_WORDS[case.mode]}: {shown}"
    return case.answered(Sequence(names=tuple(end for end, _, _ in measured)), words)
