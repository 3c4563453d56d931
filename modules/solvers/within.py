"""Which of several places lie within a distance or a travel time of another, or beyond it."""

from collections.abc import Sequence

from map_tools.types import TravelMode
from mapagent.answer import Quantity, Solution
from modules.offline.intents import WithinIntent
from modules.solvers.ambiguity import settle
from modules.solvers.choices import Choice, choices_of, those
from modules.solvers.common import Trail, title
from modules.solvers.measures import measure_words
from modules.solvers.order import Scored
from modules.solvers.picks import straight_measures
from modules.solvers.stand_ins import travel_measures
from modules.view import CannotTellError, Found, View


def solve_within(intent: WithinIntent, view: View) -> Solution | None:
    """The places that keep to the limit, or how many they are; None while facts are fetched.

    Raises:
        CannotTellError: A place or its distance is not known, or no place keeps to the limit.
    """
    trail = Trail()
    anchor = view.place(intent.anchor)
    choices = choices_of(view, trail, intent.candidates)
    if anchor is None or view.waiting:
        return None
    if intent.limit_s is not None or intent.mode is not None:
        mode = intent.mode or TravelMode.WALKING
        timed = intent.limit_s is not None
        scored = travel_measures(view, intent.anchor, choices, mode, "duration" if timed else "distance")
        return None if view.waiting else _judged(view, trail, anchor, _all(anchor, choices, scored), intent)

    def judge(reading: tuple[Found, ...]) -> Solution:
        own = trail.copy()
        scored = straight_measures(view, own, reading[0], choices)
        return _judged(view, own, reading[0], _all(reading[0], choices, scored), intent)

    return settle(view, (anchor,), judge)


def _all(anchor: Found, choices: Sequence[Choice], scored: Sequence[Scored]) -> Sequence[Scored]:
    """The measures, if each choice has one: one that is not known may be among those asked for."""
    known = {one.choice.label for one in scored}
    lost = ", ".join(choice.label for choice in choices if choice.label not in known)
    if lost:
        raise CannotTellError(f"Nothing at hand tells how far {lost} is from {title(anchor.place)}.")
    return scored


def _judged(
    view: View, trail: Trail, anchor: Found, scored: Sequence[Scored], intent: WithinIntent
) -> Solution:
    limit = intent.limit_s if intent.limit_s is not None else intent.limit_m or 0.0
    kept = [one.choice for one in scored if (one.measure > limit if intent.beyond else one.measure <= limit)]
    trail.use(anchor.evidence_id)
    trail.claim(
        "filter",
        [one.evidence_id or one.choice.places[0].evidence_id for one in scored],
        len(kept),
        condition=f"{'beyond' if intent.beyond else 'within'} {measure_words(limit, scored[0].unit)}",
        kept=[choice.label for choice in kept],
        dropped=[one.choice.label for one in scored if one.choice not in kept],
    )
    listed = ", ".join(f"{one.choice.label} {measure_words(one.measure, one.unit)}" for one in scored)
    shown = f"From {title(anchor.place)}: {listed}."
    if intent.ask == "count":
        return trail.answered(Quantity(value=len(kept), unit="count"), shown)
    if not kept:
        raise CannotTellError(f"None of the places keeps to the limit. {shown}")
    return those(view, trail, kept, shown)
