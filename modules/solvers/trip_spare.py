"""How much time a trip leaves over: up to a deadline, of the time at hand, or at a place while it is open."""

from collections.abc import Sequence

from mapagent.answer import Quantity, Solution
from modules.offline.intents import Visit
from modules.solvers.measures import measure_words
from modules.solvers.route_facts import Leg, claim_sum
from modules.solvers.trip_begin import departure_s
from modules.solvers.trip_case import TripCase, fixed_chain, seconds_of, way_words
from modules.solvers.trip_clock import clock_words
from modules.solvers.trip_hours import Windows, opening_s
from modules.view import CannotTellError


def spare(case: TripCase) -> Solution | None:
    """The time left over; None while facts are being fetched.

    Raises:
        CannotTellError: Nothing limits the trip, or it takes longer than there is time.
    """
    order = case.order()
    legs = fixed_chain(case, order)
    if legs is None:
        return None
    if case.visits[-1].until is not None and not case.end:
        return _stay(case, legs, seconds_of(case.visits[-1].until))
    stays = [case.dwell_s(stop) for stop in order if case.dwell_s(stop)]
    used, shown = claim_sum(case.trail, legs, "s", stays)
    at_hand = _stated_s(case)
    if at_hand is None:
        windows = case.windows()
        if windows is None:
            return None
        at_hand = _limit_s(case.visits[-1], windows[order[-1]], departure_s(case) + used) - departure_s(case)
        # Opening hours are stated as such, so their seconds stand in no evidence.
        inputs = [leg.evidence_id for leg in legs]
        case.trail.claim("difference", inputs, at_hand - used, values=[at_hand, used], unit="open_s")
    if at_hand < used:
        raise CannotTellError(f"There is no time left over: {shown} is more than there is.")
    spare_s = at_hand - used
    words = (
        f"{way_words(legs)}: {shown}; {measure_words(at_hand, 's')} − that = {measure_words(spare_s, 's')}"
    )
    return case.answered(Quantity(value=spare_s, unit="s"), words)


def _stated_s(case: TripCase) -> float | None:
    """The time at hand as the question states it; None if only opening hours limit it."""
    if case.intent.available_s is not None:
        return case.intent.available_s
    deadline = case.intent.end_by or case.visits[-1].arrive_by
    return None if deadline is None else seconds_of(deadline) - departure_s(case)


def _limit_s(last: Visit, windows: Windows | None, arrival_s: float) -> float:
    """When the last place opens, if one wants to be there by then; else when it closes after one arrives.

    Raises:
        CannotTellError: Its hours are not known, or it is closed on arrival.
    """
    if not windows:
        raise CannotTellError("The question sets no limit of time to be left over from.")
    open_then = [closes for opens, closes in windows if opens <= arrival_s <= closes]
    if last.at_opening:
        again = next((opens for opens, _ in windows if opens > arrival_s), None)
        return opening_s(windows) if again is None or open_then else again
    if not open_then:
        raise CannotTellError(f"The last place is not open when one arrives, at {clock_words(arrival_s)}.")
    return open_then[0]


def _stay(case: TripCase, legs: Sequence[Leg], until_s: float) -> Solution | None:
    """How long one is at the last place from arrival to a stated time, as far as it is open."""
    windows = case.windows()
    if windows is None:
        return None
    stays = [case.dwell_s(stop) for stop in case.order()[:-1] if case.dwell_s(stop)]
    used, shown = claim_sum(case.trail, legs, "s", stays)
    arrival_s = departure_s(case) + used
    hours = ((arrival_s, until_s),) if windows[-1] is None else windows[-1]
    spans = [(max(opens, arrival_s), min(closes, until_s)) for opens, closes in hours]
    open_spans = [(begin, end) for begin, end in spans if begin < end]
    if not open_spans:
        raise CannotTellError(f"{case.words(len(case.visits) - 1)} is not open between arrival and then.")
    values = [end - begin for begin, end in open_spans]
    total_s = sum(values)
    case.trail.claim("sum", [leg.evidence_id for leg in legs], total_s, values=values, unit="open_s")
    parts = ", ".join(f"{clock_words(begin)} to {clock_words(end)}" for begin, end in open_spans)
    words = f"{way_words(legs)}: {clock_words(departure_s(case))} + {shown}; there {parts}"
    return case.answered(Quantity(value=total_s, unit="s"), f"{words}: {measure_words(total_s, 's')}")
